import CommandLineSupport
import Foundation
import Graft

/// Writes to standard output and standard error.
enum Console {
  /// Opens a stand-in for each standard stream that is closed, so that no file gets its number.
  ///
  /// A database would get the results otherwise. Reading from a stand-in, or writing to it, fails as for the stream.
  static func replaceClosedStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes lines of results for a person.
  static func print(_ lines: String) throws {
    try write(Data((TerminalText.cleaned(lines) + "\n").utf8))
  }

  /// Writes results.
  ///
  /// - Throws: ``ClosedPipe`` if their reader has closed the pipe; ``FileError`` if they cannot be
  ///   written.
  static func write(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      let code = (error as? CocoaError)?.underlyingCode
      if code == EPIPE { throw ClosedPipe() }
      throw FileError(
        file: "standard output", error: code.map(OutputError.init) ?? error, isOfOutput: true)
    }
  }

  /// Writes an error or a warning as one line to standard error; a failure to do so is ignored.
  static func complain(_ line: String) {
    tell(TerminalText.line(HiddenValues.removed(from: line)) + "\n")
  }

  /// Writes text to standard error as it is.
  static func tell(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// The reason why standard output cannot be written.
private struct OutputError: LocalizedError {
  let errorDescription: String?

  init(_ code: Int32) {
    errorDescription = code == EBADF ? "it is closed" : unsafe String(cString: strerror(code))
  }
}

/// The reader of standard output has closed it, which is not reported.
struct ClosedPipe: Error {}

extension CocoaError {
  fileprivate var underlyingCode: Int32? {
    // Foundation declares the dictionary as `nonisolated(unsafe)`; it is never written.
    let error = unsafe userInfo[NSUnderlyingErrorKey] as? NSError
    return error.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
  }
}
