import Foundation
import Graft
import GraftDatabase

extension RawSpan {
  /// Reads a big-endian integer; nil if there are not enough bytes.
  func integer<I: FixedWidthInteger>(at offset: Int, as type: I.Type) -> I? {
    let end = offset + MemoryLayout<I>.size
    guard end <= byteCount else { return nil }
    return (offset..<end).reduce(0) { $0 << 8 | I(truncatingIfNeeded: byte(at: $1)) }
  }

  func byte(at index: Int) -> UInt8 {
    // The bounds are checked, and any bits are a byte.
    unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}

extension FixedWidthInteger {
  /// Reads the bytes of one integer; nil if there are more or fewer.
  init?(wire: RawSpan) {
    guard wire.byteCount == MemoryLayout<Self>.size,
      let value = wire.integer(at: 0, as: Self.self)
    else { return nil }
    self = value
  }
}

extension String {
  /// Reads UTF-8.
  init(wire: RawSpan) {
    // Lent for the call.
    self = unsafe wire.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
