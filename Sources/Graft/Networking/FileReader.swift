// Files and pipes through read(2), because FileHandle makes a new Data for every chunk, and waits
// at a pipe until a chunk is full.
//
// Raw memory: one buffer, allocated and freed here, lent to the consumer for the length of a call.

package import Foundation

/// Reads an open file from its present position, chunk by chunk.
package struct FileReader {
  /// Chunks larger than this gain nothing, and a buffer of any size must not be asked for by a slip
  /// of the keyboard.
  static let largestChunk = 16 << 20

  let descriptor: Int32
  /// The path, or another name for messages.
  let name: String
  let chunkSize: Int

  package init(descriptor: Int32, name: String, chunkSize: Int) {
    self.descriptor = descriptor
    self.name = name
    self.chunkSize = min(max(chunkSize, 1), Self.largestChunk)
  }

  /// Opens a file, calls `body` and closes the file.
  ///
  /// - Throws: ``ImportSourceError`` if the file cannot be opened; what `body` throws.
  package static func withFile<R>(
    _ url: URL, chunkSize: Int, _ body: (FileReader) throws -> R
  ) throws -> R {
    let descriptor = url.withUnsafeFileSystemRepresentation { path in
      path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
    }
    guard descriptor >= 0 else { throw ImportSourceError(errno, reading: url.path) }
    defer { close(descriptor) }
    return try body(FileReader(descriptor: descriptor, name: url.path, chunkSize: chunkSize))
  }

  /// The size of the file; nil if it is a pipe or a device.
  var byteCount: Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Reads to the end.
  ///
  /// - Parameter consumer: Takes a chunk as soon as there is one, full or not.
  /// - Throws: ``ImportSourceError`` if reading fails, `CancellationError` if the task is
  ///   cancelled; what `consumer` throws.
  package func read(_ consumer: (UnsafeRawBufferPointer) throws -> Void) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      try Task.checkCancellation()
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count == 0 { return }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw ImportSourceError(errno, reading: name) }
      try consumer(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}

extension ImportSourceError {
  fileprivate init(_ code: Int32, reading source: String) {
    self.init(.unreadable, source: source, message: String(cString: strerror(code)))
  }
}
