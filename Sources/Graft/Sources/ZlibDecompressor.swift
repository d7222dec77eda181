// Raw memory: zlib's state is made and freed here. It points to itself, and therefore has an address
// of its own. Input and output are lent for the length of a call.

import CZlib

/// Decompresses gzip and zlib by zlib, in memory that does not grow.
///
/// The check sum and the length at the end are compared, so that incomplete data is found even if it
/// is cut between two blocks.
@safe final class ZlibDecompressor: Decompressor {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates a decompressor; nil if there is not enough memory.
  init?(isGzip: Bool) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe czlib_begin(stream, isGzip ? 1 : 0) == Z_OK else { return nil }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func reset() { unsafe inflateReset(stream) }

  func decompress(_ input: RawSpan, into output: inout MutableRawSpan) -> DecompressionStep {
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
