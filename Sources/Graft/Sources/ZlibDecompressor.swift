// Raw memory: zlib's state is made and freed here. It points to itself, and therefore has an address
// of its own. Input and output are lent for the length of a call.

import CZlib

/// Decompresses gzip, zlib and raw deflate by zlib, in memory that does not grow.
///
/// The check sum and the length at the end are compared, so that incomplete data is found even if it
/// is cut between two blocks; raw deflate has neither.
@safe final class ZlibDecompressor: Decompressor {
  /// The header and trailer around deflated data.
  enum Form {
    case gzip
    case zlib
    /// zlib's header, or none: the first byte decides.
    case zlibOrRaw
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private var isUndecided: Bool

  /// Creates a decompressor; nil if there is not enough memory.
  init?(_ form: Form) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    isUndecided = form == .zlibOrRaw
    guard unsafe czlib_begin(stream, form == .gzip ? 1 : 0) == Z_OK else { return nil }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func reset() { unsafe inflateReset(stream) }

  func decompress(_ input: RawSpan, into output: inout MutableRawSpan) -> DecompressionStep {
    if isUndecided, !input.isEmpty {
      isUndecided = false
      let first = unsafe input.unsafeLoad(as: UInt8.self)
      if !Self.isZlibHeader(first) { unsafe czlib_use_raw(stream) }
    }
    let (readCount, writtenCount, status) = step(input, &output)
    let state: DecompressionStep.State =
      switch status {
      case Z_STREAM_END: .finished
      case Z_OK, Z_BUF_ERROR: .unfinished
      case Z_NEED_DICT: .unsupported("a preset dictionary")
      default:
        .damaged(unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(status)")
      }
    return DecompressionStep(readCount: readCount, writtenCount: writtenCount, state: state)
  }

  /// Returns whether zlib's header begins with a byte.
  ///
  /// Its lower half names deflate, its upper half the window. Raw data begins with such a byte only if a stored block's
  /// padding is not zero, which no writer does.
  private static func isZlibHeader(_ byte: UInt8) -> Bool { byte & 0x0F == 8 && byte >> 4 <= 7 }

  private func step(
    _ input: RawSpan, _ output: inout MutableRawSpan
  ) -> (readCount: Int, writtenCount: Int, status: Int32) {
    unsafe input.withUnsafeBytes { bytes in
      unsafe output.withUnsafeMutableBytes { room in
        let bytes = unsafe bytes.prefix(Int(Int32.max))
        let room = unsafe room.prefix(Int(Int32.max))
        let start = unsafe UnsafeRawBufferPointer(rebasing: bytes)
          .assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        unsafe stream.pointee.next_out =
          UnsafeMutableRawBufferPointer(rebasing: room)
          .assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = UInt32(room.count)
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        let (left, free) = unsafe (stream.pointee.avail_in, stream.pointee.avail_out)
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        return unsafe (bytes.count - Int(left), room.count - Int(free), status)
      }
    }
  }
}
