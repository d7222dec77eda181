// Every value has a key of 8 bytes, such that a smaller value never has a larger key. For numbers,
// dates and booleans the key is the value. For strings, bytes and UUIDs it is the first 8 bytes,
// for decimals the nearest Double; values with the same key are compared in full. So rows are
// sorted and searched by contiguous integers, and most cells are never read.

/// The order of an attribute's values.
///
/// Numbers and dates are ordered by size, where -0 is 0 and a NaN comes last, and false comes
/// before true. Strings are ordered by their code points, which is the order of their UTF-8, and
/// other values by their bytes.
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

  /// The value after which only a NaN comes; nil for types without NaN.
  var greatestNumber: SearchValue? {
    kind == .floats ? SearchValue(.double(.infinity), in: self) : nil
  }

  /// Returns the key of a value that is not null.
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

  private static func key(of bytes: BorrowedBuffer<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    let count = min(bytes.count, 8)
    for position in 0..<count { key = key << 8 | UInt64(bytes[position]) }
    return count < 8 ? key << UInt64(8 * (8 - count)) : key
  }

  /// Compares two values whose keys are the same.
  ///
  /// - Returns: Less than 0 if the first comes first, more than 0 if it comes last.
  @inline(never)
  func compare(_ first: RawValue, _ second: RawValue) -> Int {
    guard !isExact else { return 0 }
    let order = CLibrary.compare(first.bytes, second.bytes)
    guard kind == .decimals, order != 0 else { return order }
    return first.bytes.withSpan { first in
      second.bytes.withSpan { DecimalText.compare(first, $0) }
    }
  }

  /// Returns whether a value has grown; neither value is null.
  func isIncreasing(from old: RawValue, to new: RawValue) -> Bool {
    let (oldKey, newKey) = (key(of: old), key(of: new))
    return oldKey == newKey ? compare(old, new) < 0 : oldKey < newKey
  }
}

/// A value to search for.
struct SearchValue: Sendable {
  let key: UInt64
  let order: ValueOrder
  private let bytes: [UInt8]

  init(_ value: RawValue, in order: ValueOrder) {
    key = order.key(of: value)
    bytes = order.isExact ? [] : Array(value.bytes)
    self.order = order
  }

  /// Creates a value to search for in an attribute; nil if it does not suit the attribute.
  ///
  /// A bound may be a number that is too large for the attribute.
  init?(_ value: AttributeValue, in type: AttributeType) {
    let order = ValueOrder(type)
    let found = value.withBound(for: type) { SearchValue($0, in: order) }
    guard let found else { return nil }
    self = found
  }

  /// Compares a value of a column with this one.
  ///
  /// - Parameters:
  ///   - otherKey: The value's key.
  ///   - other: The value itself.
  /// - Returns: Less than 0 if the column's value comes first, more than 0 if it comes last.
  func compare(_ otherKey: UInt64, _ other: @autoclosure () -> RawValue) -> Int {
    if otherKey != key { return otherKey < key ? -1 : 1 }
    guard !order.isExact else { return 0 }
    return bytes.withBorrowed { order.compare(other(), .bytes($0)) }
  }
}

/// The values from one to another.
struct ValueBounds: Sendable {
  /// The least value, itself included.
  private(set) var lower: SearchValue?
  private(set) var upper: SearchValue?
  private(set) var includesUpper = true

  /// All values, a NaN included.
  static let everything = ValueBounds()

  private init() {}

  /// Creates bounds around one value, which may be a NaN.
  init(only value: SearchValue) {
    lower = value
    upper = value
  }

  /// Creates the bounds of a range; a NaN is in no range, not even in one without an upper end.
  init(_ lower: SearchValue?, _ upper: SearchValue?, includesUpper: Bool, in order: ValueOrder) {
    self.lower = lower
    self.upper = upper ?? order.greatestNumber
    self.includesUpper = includesUpper
  }

  /// Returns whether a value, given with its key, is within the bounds.
  func contains(_ key: UInt64, _ value: RawValue) -> Bool {
    if let lower, lower.compare(key, value) < 0 { return false }
    guard let upper else { return true }
    let order = upper.compare(key, value)
    return includesUpper ? order <= 0 : order < 0
  }
}
