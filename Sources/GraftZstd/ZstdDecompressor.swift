// Raw memory: libzstd's context and a buffer for input are made and freed here. Input and output are
// lent for the length of a call.
//
// libzstd does not say at which byte it has found an error, only that the bytes of a call were wrong.
// So each call is given exactly the bytes that libzstd asked for, which end where a header or a block
// ends. The byte of a message then does not depend on how the bytes were cut when they came:
//
//   frame ─► header, byte by byte ─► block with the next block's header ─► … ─► check sum

import CZstd
import Graft

/// Decompresses zstd frames by libzstd, in memory that does not grow beyond a frame's window.
@safe final class ZstdDecompressor: Decompressor {
  /// The length of the longest frame header.
  private static let headerSize = 18

  private let context: OpaquePointer
  /// Bytes that wait until there are as many as libzstd has asked for.
  private let waiting: UnsafeMutableRawBufferPointer
  private var waitingCount = 0
  /// The number of bytes of the frame that libzstd was given.
  private var frameByteCount = 0
  /// The number of bytes that libzstd has asked for.
  private var wantedCount = 1
  /// Whether libzstd may have content for which there was no room.
  private var mayHaveContent = false
  private let windowLimit: Int

  /// Creates a decompressor; nil if there is not enough memory.
  ///
  /// - Parameter windowLimit: The most bytes of a frame's window.
  init?(windowLimit: Int) {
    guard let context = unsafe ZSTD_createDCtx() else { return nil }
    unsafe self.context = context
    let log = Int.bitWidth - 1 - min(max(windowLimit, 1 << 10), 1 << 30).leadingZeroBitCount
    self.windowLimit = 1 << log
    unsafe waiting = .allocate(byteCount: ZSTD_DStreamInSize(), alignment: 16)
    guard unsafe czstd_limit_window(context, Int32(log)) != 0 else { return nil }
  }

  deinit {
    unsafe ZSTD_freeDCtx(context)
    unsafe waiting.deallocate()
  }

  func reset() {
    unsafe czstd_reset(context)
    (waitingCount, frameByteCount, wantedCount, mayHaveContent) = (0, 0, 1, false)
  }

  func decompress(_ input: RawSpan, into output: inout MutableRawSpan) -> DecompressionStep {
    unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { unsafe decompress(input, $0) }
    }
  }

  private func decompress(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) -> DecompressionStep {
    var readCount = 0
    var writtenCount = 0
    while true {
      if mayHaveContent {
        let state = unsafe step(
          UnsafeRawBufferPointer(rebasing: waiting[..<0]), output, &writtenCount)
        if state != .unfinished || writtenCount == output.count {
          return DecompressionStep(readCount: readCount, writtenCount: writtenCount, state: state)
        }
      }
      guard
        let piece = unsafe nextPiece(
          UnsafeRawBufferPointer(rebasing: input[readCount...]), &readCount)
      else {
        return DecompressionStep(
          readCount: readCount, writtenCount: writtenCount, state: .unfinished)
      }
      let state = unsafe step(piece, output, &writtenCount)
      if state != .unfinished || writtenCount == output.count {
        return DecompressionStep(readCount: readCount, writtenCount: writtenCount, state: state)
      }
    }
  }

  /// Returns the bytes for the next call of libzstd; nil if more must come.
  private func nextPiece(
    _ input: UnsafeRawBufferPointer, _ readCount: inout Int
  ) -> UnsafeRawBufferPointer? {
    // More than the buffer holds is asked for only where it is skipped, and cannot be wrong.
    let wanted =
      frameByteCount < Self.headerSize ? 1 : unsafe min(max(wantedCount, 1), waiting.count)
    if waitingCount == 0, input.count >= wanted {
      readCount += wanted
      return unsafe UnsafeRawBufferPointer(rebasing: input[..<wanted])
    }
    let count = min(max(wanted - waitingCount, 0), input.count)
    unsafe UnsafeMutableRawBufferPointer(rebasing: waiting[waitingCount...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
    waitingCount += count
    readCount += count
    guard waitingCount >= wanted else { return nil }
    defer { waitingCount = 0 }
    return unsafe UnsafeRawBufferPointer(rebasing: waiting[..<waitingCount])
  }

  /// Calls libzstd, which takes all of the piece, or leaves the next block's header if there is no room for the content.
  private func step(
    _ piece: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer,
    _ writtenCount: inout Int
  ) -> DecompressionStep.State {
    var input = unsafe ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
    var room = unsafe ZSTD_outBuffer(
      dst: output.baseAddress, size: output.count, pos: writtenCount)
    var wanted = 0
    var reason: UnsafePointer<CChar>?
    let state = unsafe czstd_step(context, &input, &room, &wanted, &reason)
    writtenCount = unsafe room.pos
    let rest = unsafe UnsafeRawBufferPointer(rebasing: piece[input.pos...])
    frameByteCount += piece.count - rest.count
    if rest.count > 0, state == czstd_unfinished {
      unsafe waiting.copyMemory(from: rest)
      waitingCount = rest.count
    }
    wantedCount = wanted
    mayHaveContent = writtenCount == output.count
    switch state {
    case czstd_finished:
      mayHaveContent = false
      return .finished
    case czstd_unfinished: return .unfinished
    case czstd_needs_dictionary: return .unsupported("a dictionary")
    case czstd_needs_window:
      return .unsupported("a window of more than \(windowLimit >> 10) KiB")
    default: return .damaged(unsafe reason.map { unsafe String(cString: $0) } ?? "")
    }
  }
}
