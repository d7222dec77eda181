// Files and pipes through read(2), because FileHandle makes a new Data for every chunk, and waits
// at a pipe until a chunk is full.
//
// Raw memory: one buffer, allocated and freed here, lent to the consumer for the length of a call.

package import Foundation

/// Reads an open file or pipe from its current position, chunk by chunk.
package struct FileSource {
  private let descriptor: Int32
  /// Whether reading may wait for bytes: from a pipe, a terminal or a device.
  private let mayWait: Bool
  /// The path, or another name for messages.
  private let name: String

  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    mayWait = Self.byteCount(of: descriptor) == nil
  }

  /// Opens a file, calls `body` and closes the file.
  ///
  /// - Throws: ``ImportSourceError`` if the file cannot be opened; what `body` throws.
  package static func withFile<R>(_ url: URL, _ body: (FileSource) throws -> R) throws -> R {
    let descriptor = unsafe url.withUnsafeFileSystemRepresentation { path in
      unsafe path.map { unsafe open($0, O_RDONLY | O_CLOEXEC) } ?? -1
    }
    guard descriptor >= 0 else { throw ImportSourceError(errno, reading: url.path) }
    defer { close(descriptor) }
    return try body(FileSource(descriptor: descriptor, name: url.path))
  }

  /// Returns the size of a file; nil if it is a pipe or a device.
  private static func byteCount(of descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Reads to the end.
  ///
  /// - Parameters:
  ///   - chunkSize: The most bytes of a chunk.
  ///   - consumer: Takes a chunk as soon as it has bytes, full or not.
  /// - Throws: ``ImportSourceError`` if reading fails; what `consumer` throws.
  package func read(
    chunkSize: Int, _ consumer: (RawSpan) throws -> Void
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    defer { unsafe buffer.deallocate() }
    while true {
      let count = try unsafe read(into: buffer)
      if count == 0 { return }
      try consumer(unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes)
    }
  }

  /// Reads the next bytes, as soon as there are any.
  ///
  /// - Parameter buffer: The buffer to fill.
  /// - Returns: Their number; 0 at the end.
  /// - Throws: ``ImportSourceError`` if reading fails, `CancellationError` if the task is cancelled while there are none.
  private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      if mayWait { try waitForBytes() }
      let count = unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw ImportSourceError(errno, reading: name) }
    }
  }

  /// Waits until there are bytes, or the end.
  private func waitForBytes() throws {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&state, 1, Self.patience) == 0 { try Task.checkCancellation() }
  }

  /// The milliseconds after which a cancelled task is noticed.
  private static let patience: Int32 = 100

  /// Reads to the end, into an import.
  ///
  /// - Throws: ``ImportSourceError`` if a file is cut while it is read; what `feed` throws.
  func read(into feed: ImportFeed) throws {
    let expected = Self.byteCount(of: descriptor)
    feed.expect(expected)
    try read(chunkSize: feed.chunkSize) { try feed.receive($0) }
    guard let expected, let byteCount = Self.byteCount(of: descriptor), byteCount < expected
    else { return }
    throw ImportSourceError(
      .unreadable, source: name,
      message:
        "the file was cut from \(expected) to \(byteCount) bytes while it was read; import it anew")
  }
}

extension ImportSourceError {
  fileprivate init(_ code: Int32, reading source: String) {
    let message = code == EBADF ? "it is closed" : unsafe String(cString: strerror(code))
    self.init(
      .unreadable, source: source, message: message,
      underlyingError: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
  }
}
