// Raw memory. Invariants
// - A `TokenWindow` owns the block that the scanner writes to; who reads from it keeps the window.
// - The caller owns the scanned bytes, and keeps them as long as the tokens are used.
// - Indexes up to the number of tokens are in bounds: a 0 follows the last token, and no rule of the grammar
//   goes beyond it. Up to three bytes after that 0 may be read, and are within the block.

import CScan
import Foundation

/// The instructions with which a text is scanned.
package enum ScanInstructions: String, Sendable, Hashable, CaseIterable {
  case portable
  case neon
  case avx2
  case avx512

  /// The fastest instructions of this processor.
  package static let best = ScanInstructions(cscan_best())

  /// Whether this processor has the instructions.
  package var isAvailable: Bool { cscan_supports(inC) }

  private init(_ instructions: cscan_instructions) {
    self =
      switch instructions {
      case cscan_neon: .neon
      case cscan_avx2: .avx2
      case cscan_avx512: .avx512
      default: .portable
      }
  }

  /// Returns the number of line feeds in a text.
  func lineFeedCount(in text: BorrowedBuffer<UInt8>) -> Int {
    unsafe text.withUnsafePointer { unsafe cscan_line_feeds(inC, $0, text.count) }
  }

  /// Returns the length of the beginning of a text that can be passed on without a further check.
  ///
  /// It has whole characters of UTF-8 only, no vertical tab, no form feed, and no `\u`. The text
  /// must begin with a whole character; text after the returned length may be valid as well.
  func plainEnd(of text: BorrowedBuffer<UInt8>) -> Int {
    unsafe text.withUnsafePointer { unsafe cscan_plain_end(inC, $0, text.count) }
  }

  fileprivate var inC: cscan_instructions {
    switch self {
    case .portable: cscan_portable
    case .neon: cscan_neon
    case .avx2: cscan_avx2
    case .avx512: cscan_avx512
    }
  }
}

/// The tokens of a part of a document, found 64 bytes at a time.
@safe final class TokenWindow {
  /// The most bytes that are scanned at once.
  static let size = Int(CSCAN_WINDOW)

  private var tokens: cscan_window
  private let instructions: cscan_instructions
  private let replacesLoneSurrogates: Bool

  init(_ options: ParserOptions) {
    let room = Int(CSCAN_WINDOW) + 128
    unsafe tokens = cscan_window(
      offsets: .allocate(capacity: room), kinds: .allocate(capacity: room),
      backslashes: .allocate(capacity: room / 64), count: 0, scanned: 0)
    unsafe Self.clear(tokens.offsets, room)
    unsafe Self.clear(tokens.kinds, room)
    unsafe Self.clear(tokens.backslashes, room / 64)
    instructions = options.instructions.inC
    replacesLoneSurrogates = options.loneSurrogates == .replaced
  }

  /// Makes all elements 0, at once: each engine has a window, whose elements are many.
  @unsafe private static func clear<Element: FixedWidthInteger>(
    _ elements: UnsafeMutablePointer<Element>, _ count: Int
  ) {
    unsafe memset(elements, 0, count * MemoryLayout<Element>.stride)
  }

  deinit {
    unsafe tokens.offsets.deallocate()
    unsafe tokens.kinds.deallocate()
    unsafe tokens.backslashes.deallocate()
  }

  /// Finds the tokens of a text, up to the first fault.
  ///
  /// - Parameter text: At most ``size`` bytes that begin outside strings, numbers and words.
  /// - Returns: The tokens, which stay until the next scan.
  func scan(_ text: BorrowedBuffer<UInt8>) -> ScannedTokens {
    unsafe text.withUnsafePointer {
      unsafe cscan_scan(instructions, $0, text.count, replacesLoneSurrogates, &tokens)
    }
    return unsafe ScannedTokens(tokens)
  }
}

/// The tokens of a window.
@safe struct ScannedTokens {
  /// The number of bytes scanned.
  let scanned: Int
  private let kinds: UnsafePointer<UInt8>
  private let offsets: UnsafePointer<UInt16>
  private let backslashes: UnsafePointer<UInt64>

  @unsafe fileprivate init(_ window: cscan_window) {
    unsafe scanned = Int(window.scanned)
    unsafe kinds = UnsafePointer(window.kinds)
    unsafe offsets = UnsafePointer(window.offsets)
    unsafe backslashes = UnsafePointer(window.backslashes)
  }

  /// Returns the first byte of a token; 0 after the last.
  @inline(__always)
  func kind(_ index: Int) -> UInt8 { unsafe kinds[index] }

  /// Returns the first bytes of four tokens, the first one in the lowest byte.
  @inline(__always)
  func kinds(_ index: Int) -> UInt32 {
    unsafe UInt32(
      littleEndian: UnsafeRawPointer(kinds + index).loadUnaligned(as: UInt32.self))
  }

  /// Returns a token's offset in the window.
  @inline(__always)
  func offset(_ index: Int) -> Int { Int(unsafe offsets[index]) }

  /// Returns whether there is a backslash in a part of the window.
  @inline(__always)
  func hasBackslash(from start: Int, to end: Int) -> Bool {
    guard end > start else { return false }
    let first = start &>> 6
    let last = (end &- 1) &>> 6
    let behind = ~UInt64(0) &>> UInt64(63 &- (end &- 1) & 63)
    var word = unsafe backslashes[first] & (~UInt64(0) &<< UInt64(start & 63))
    if first == last { return word & behind != 0 }
    var index = first &+ 1
    while index < last {
      word |= unsafe backslashes[index]
      index &+= 1
    }
    return word | (unsafe backslashes[last] & behind) != 0
  }
}
