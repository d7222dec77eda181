/// A value that is looked for.
struct SearchValue: Sendable {
  let key: UInt64
  let order: ValueOrder
  private let bytes: [UInt8]

  init(_ value: RawValue, in order: ValueOrder) {
    key = order.key(of: value)
    bytes = order.isExact ? [] : Array(value.bytes)
    self.order = order
  }

  /// Creates a value that is looked for in an attribute; nil if it does not suit the attribute.
  ///
  /// An integer may be larger than the attribute can hold: it bounds a range all the same.
  init?(_ value: AttributeValue, in type: AttributeType) {
    let isInteger = type == .integer16 || type == .integer32
    let order = ValueOrder(type)
    guard
      let value = value.withRawValue(
        for: isInteger ? .integer64 : type, { SearchValue($0, in: order) })
    else { return nil }
    self = value
  }

  /// Compares a value of a column with this one.
  ///
  /// - Parameters:
  ///   - otherKey: The value's key.
  ///   - other: The value itself.
  /// - Returns: Less than 0 where the column's value comes first, more than 0 where it comes last.
  func compare(_ otherKey: UInt64, _ other: @autoclosure () -> RawValue) -> Int {
    if otherKey != key { return otherKey < key ? -1 : 1 }
    guard !order.isExact else { return 0 }
    return bytes.withUnsafeBufferPointer {
      order.compare(other(), .bytes($0.baseAddress, count: $0.count))
    }
  }
}

/// The values from one to another.
struct ValueBounds: Sendable {
  /// The least value, itself included.
  private(set) var lower: SearchValue?
  private(set) var upper: SearchValue?
  private(set) var includesUpper = true

  /// All values, a NaN too.
  static let everything = ValueBounds()

  private init() {}

  /// One value, of which a NaN is one too.
  init(only value: SearchValue) {
    lower = value
    upper = value
  }

  /// The values of a range; a NaN is in none, whether the range has an end or not.
  init(_ lower: SearchValue?, _ upper: SearchValue?, includesUpper: Bool, in order: ValueOrder) {
    self.lower = lower
    self.upper = upper ?? order.greatestNumber
    self.includesUpper = includesUpper
  }

  var isEverything: Bool { lower == nil && upper == nil }

  /// Whether a value, by its key and itself, is within the bounds.
  func contains(_ key: UInt64, _ value: RawValue) -> Bool {
    if let lower, lower.compare(key, value) < 0 { return false }
    guard let upper else { return true }
    let order = upper.compare(key, value)
    return includesUpper ? order <= 0 : order < 0
  }
}
