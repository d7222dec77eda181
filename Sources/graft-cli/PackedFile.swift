import CommandLineSupport
import Foundation
import Graft

/// A file that gzip has packed, as chunks of what is in it.
///
/// The program `gzip`, which every Unix has, unpacks it beside the import: on another core, and with
/// nothing more to link.
struct PackedFile: AsyncSequence {
  let path: String

  /// Whether a file's name says that it is packed.
  static func isNamed(_ name: String) -> Bool { name.lowercased().hasSuffix(".gz") }

  /// The name that a file had before it was packed, which says what is in it.
  static func innerName(of name: String) -> String {
    isNamed(name) ? String(name.dropLast(3)) : name
  }

  func makeAsyncIterator() -> Iterator { Iterator(path: path) }

  /// Reads what `gzip` writes; it ends with the pipe where nobody reads on.
  struct Iterator: AsyncIteratorProtocol {
    private static let chunkSize = 1 << 18

    let path: String
    private var program: (process: Process, output: FileHandle, errors: FileHandle)?

    init(path: String) { self.path = path }

    mutating func next() async throws -> Data? {
      let program = try self.program ?? start()
      self.program = program
      if let chunk = try program.output.read(upToCount: Self.chunkSize), !chunk.isEmpty {
        return chunk
      }
      let message = try program.errors.readToEnd() ?? Data()
      program.process.waitUntilExit()
      guard program.process.terminationStatus == 0 else {
        throw UnpackingError(String(decoding: message, as: UTF8.self), of: path)
      }
      return nil
    }

    private func start() throws -> (process: Process, output: FileHandle, errors: FileHandle) {
      // What cannot be opened is told as it is of other files.
      try FileSource.withFile(URL(fileURLWithPath: path)) { _ in }
      let (process, output, errors) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["gzip", "-dc", "--", path]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      return (process, output.fileHandleForReading, errors.fileHandleForReading)
    }
  }
}

/// Why a packed file cannot be read, in the words of `gzip`.
private struct UnpackingError: LocalizedError {
  let errorDescription: String?

  init(_ message: String, of path: String) {
    let lines = message.split(separator: "\n").filter { !$0.isEmpty }
    let text = lines.joined(separator: "; ").replacing("gzip: \(path): ", with: "")
    errorDescription = "cannot be unpacked: " + (text.isEmpty ? "gzip failed" : text)
  }
}
