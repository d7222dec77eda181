import Foundation

/// Standard output and standard error.
enum Console {
  /// Writes a line of results.
  static func print(_ line: String) throws {
    try write(Data((line + "\n").utf8))
  }

  /// Writes results.
  ///
  /// - Throws: ``ClosedPipe`` if nobody reads them any more; ``FileError`` if they cannot be
  ///   written.
  static func write(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      if (error as? CocoaError)?.underlyingCode == EPIPE { throw ClosedPipe() }
      throw FileError(file: "standard output", error: error, isOfOutput: true)
    }
  }

  /// Writes a line of what is wrong or doubtful; if even that is impossible, nobody can be told.
  static func complain(_ line: String) {
    tell(line.replacing("\n", with: " ") + "\n")
  }

  /// Writes text to standard error as it is.
  static func tell(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// Nobody reads standard output any more, which needs no words.
struct ClosedPipe: Error {}

extension CocoaError {
  fileprivate var underlyingCode: Int32? {
    let error = userInfo[NSUnderlyingErrorKey] as? NSError
    return error.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
  }
}
