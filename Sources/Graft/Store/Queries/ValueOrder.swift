// Every value has a key of 8 bytes, such that a smaller value never has a larger key. Numbers,
// dates and booleans are their key; of texts, bytes and UUIDs it is the first 8 bytes, of decimals
// the nearest Double, and what has the same key is compared in full. So rows are sorted and
// searched by integers that lie side by side, and most cells are never looked at.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The order of an attribute's values.
///
/// Numbers and dates by size, where -0 is 0 and a NaN comes behind all numbers; false before true;
/// texts by their code points, which is the order of their UTF-8; all else by its bytes.
struct ValueOrder: Sendable {
  private enum Kind {
    case integers
    case floats
    case flags
    case decimals
    case bytes
  }

  private let kind: Kind

  init(_ type: AttributeType) {
    kind =
      switch type {
      case .integer16, .integer32, .integer64: .integers
      case .double, .float, .date: .floats
      case .boolean: .flags
      case .decimal: .decimals
      case .string, .binary, .uuid, .uri, .transformable: .bytes
      }
  }

  /// Whether values with the same key are the same.
  var isExact: Bool { kind != .bytes && kind != .decimals }

  /// The value behind which only a NaN comes; nil where there is no such thing.
  var greatestNumber: SearchValue? {
    kind == .floats ? SearchValue(.double(.infinity), in: self) : nil
  }

  /// The key of a value that is not null.
  func key(of value: RawValue) -> UInt64 {
    switch kind {
    case .integers: value.bits ^ 1 << 63
    case .floats: Self.key(of: value.double)
    case .flags: value.bits
    case .decimals: Self.key(of: Double(value.text) ?? .nan)
    case .bytes: Self.key(of: value.bytes)
    }
  }

  private static func key(of number: Double) -> UInt64 {
    guard !number.isNaN else { return .max }
    let bits = number == 0 ? 0 : number.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  private static func key(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    let count = min(bytes.count, 8)
    for position in 0..<count { key = key << 8 | UInt64(bytes[position]) }
    return count < 8 ? key << UInt64(8 * (8 - count)) : key
  }

  /// Compares two values whose keys are the same.
  ///
  /// - Returns: Less than 0 where the first comes first, more than 0 where it comes last.
  func compare(_ first: RawValue, _ second: RawValue) -> Int {
    guard !isExact else { return 0 }
    let order = Self.compare(first.bytes, second.bytes)
    guard kind == .decimals, order != 0 else { return order }
    if DecimalText.isIncreasing(from: first.bytes, to: second.bytes) { return -1 }
    return DecimalText.isIncreasing(from: second.bytes, to: first.bytes) ? 1 : 0
  }

  private static func compare(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Int {
    if let one = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(one, other, min(first.count, second.count))
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
