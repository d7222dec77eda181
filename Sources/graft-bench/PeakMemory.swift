import CommandLineSupport
import Foundation

/// Measures the peak of a process's memory: in a child process, which runs one contestant once.
enum PeakMemory {
  /// Has a child process read a document.
  ///
  /// - Returns: The peak of the child's resident memory, in bytes.
  static func ofChild(running contestant: Contestant, on url: URL, options: Options) throws -> Int {
    var arguments = [
      "--measure-memory", contestant.name, "--chunk-size", "\(options.chunkSize)",
    ]
    if let model = options.model, let root = options.root {
      arguments += ["--model", model, "--root", root]
    }
    let text = try ChildProcess.output(
      of: ChildProcess.thisProgram, arguments: arguments + [url.path])
    let number = String(decoding: text, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    guard let bytes = Int(number) else {
      throw ContestantError(description: "\(contestant.name) failed in its child process")
    }
    return bytes
  }

  /// Reads the document in the child process, and returns the peak.
  static func use(_ name: String, options: Options) throws -> Int {
    let named = try Field.contestants(named: [name], for: options.subject)
    guard let contestant = named.first, let file = options.file else {
      throw UsageError("--measure-memory needs a contestant and a FILE")
    }
    let reader = try contestant.makeReader(options.subject)
    let url = URL(fileURLWithPath: file)
    if contestant.readsChunks {
      try readChunks(of: url, size: options.chunkSize, into: reader)
    } else {
      try reader.read(Data(contentsOf: url))
    }
    try reader.finish()
    return try withExtendedLifetime(reader) { try ofThisProcess() }
  }

  private static func readChunks(
    of url: URL, size: Int, into reader: any DocumentReader
  ) throws {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    while try autoreleased({
      guard let chunk = try handle.read(upToCount: size), !chunk.isEmpty else { return false }
      try reader.read(chunk)
      return true
    }) {}
  }

  private static func autoreleased(_ body: () throws -> Bool) rethrows -> Bool {
    #if canImport(ObjectiveC)
    try autoreleasepool { try body() }
    #else
    try body()
    #endif
  }

  /// Returns the peak of this process's resident memory, in bytes.
  ///
  /// On Linux it is read from `/proc`, since `getrusage` includes there what the parent held before
  /// the child began.
  static func ofThisProcess() throws -> Int {
    #if os(Linux)
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard
      let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Int($0)
      })
    else { throw ContestantError(description: "/proc/self/status tells no VmHWM") }
    return kibibytes * 1024
    #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
    #endif
  }
}
