// Raw memory: zlib's state and a buffer for its output are both made and freed here. The state
// points to itself, and therefore has an address of its own.

import CZlib

/// Unpacks gzip data piece by piece, in memory that does not grow.
///
/// Members that follow one another are one document, as in `gzip`. The check sum and the length at
/// the end of each are compared, so that an incomplete document is found even if it is cut between
/// two blocks.
///
/// Unchecked: an ``ImportFeed`` takes one chunk at a time.
@safe final class GzipStream: @unchecked Sendable {
  private static let capacity = 64 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer
  /// The number of packed bytes read.
  private var byteCount = 0
  /// Whether a member has begun and not ended.
  private var isInside = true
  /// The packed document, for messages.
  private let name: String
  private let isReady: Bool

  /// - Parameter name: The packed document, for messages.
  init(of name: String) {
    self.name = name
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = .allocate(byteCount: Self.capacity, alignment: 16)
    isReady = unsafe czlib_begin_gzip(stream) == Z_OK
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  /// Unpacks the next bytes.
  ///
  /// - Parameters:
  ///   - chunk: The bytes.
  ///   - consumer: Takes the content, piece by piece.
  /// - Throws: ``ImportSourceError`` that names the byte, if they are not gzip's; what `consumer` throws.
  func unpack(_ chunk: RawSpan, _ consumer: (RawSpan) throws -> Void) throws {
    guard isReady else { throw error("zlib cannot be initialised") }
    var rest = chunk
    while true {
      if !isInside {
        // Between members, and after the last, there may be zeros.
        while !rest.isEmpty, unsafe rest.unsafeLoad(as: UInt8.self) == 0 {
          rest = rest.extracting(droppingFirst: 1)
          byteCount += 1
        }
        guard !rest.isEmpty else { return }
        unsafe inflateReset(stream)
        isInside = true
      }
      let (used, count, status) = step(rest)
      rest = rest.extracting(droppingFirst: used)
      byteCount += used
      if count > 0 { try consumer(unsafe UnsafeRawBufferPointer(rebasing: output[..<count]).bytes) }
      switch status {
      case Z_STREAM_END: isInside = false
      case Z_OK, Z_BUF_ERROR:
        // All is out when there was room for more.
        if rest.isEmpty, count < Self.capacity { return }
      default:
        let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
        throw error(
          "what gzip has packed is damaged at byte \(byteCount)" + (reason.map { ": \($0)" } ?? ""))
      }
    }
  }

  /// Ends the document.
  ///
  /// - Throws: ``ImportSourceError`` if it is cut off.
  func finish() throws {
    if isInside {
      throw error("what gzip has packed is cut off at byte \(byteCount), before its end")
    }
  }

  /// Unpacks as much as there is room for.
  private func step(_ chunk: RawSpan) -> (used: Int, count: Int, status: Int32) {
    unsafe chunk.withUnsafeBytes { bytes in
      let input = unsafe bytes.prefix(Int(Int32.max))
      let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
      unsafe stream.pointee.avail_in = UInt32(input.count)
      unsafe stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      unsafe stream.pointee.avail_out = UInt32(output.count)
      let status = unsafe inflate(stream, Z_NO_FLUSH)
      let (left, room) = unsafe (stream.pointee.avail_in, stream.pointee.avail_out)
      unsafe stream.pointee.next_in = nil
      return unsafe (input.count - Int(left), output.count - Int(room), status)
    }
  }

  private func error(_ message: String) -> ImportSourceError {
    ImportSourceError(.encoding, source: name, message: message)
  }
}
