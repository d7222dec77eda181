import Foundation

extension AttributeValue {
  /// Calls `body` with the form in which a column keeps the value.
  ///
  /// Numbers are widened to the attribute's type if nothing is lost. A double is rounded to a float.
  ///
  /// - Returns: The result of `body`; nil if the value does not suit the type.
  package func withRawValue<R>(
    for type: AttributeType, _ body: (RawValue) throws -> R
  ) rethrows -> R? {
    switch storedForm(for: type) {
    case .number(let value)?:
      return try body(value)
    case .text(let text)?:
      return try text.withBorrowedUTF8 { try body(.bytes($0)) }
    case .bytes(let bytes)?:
      return try bytes.withBorrowed { try body(.bytes($0)) }
    case nil:
      return nil
    }
  }

  /// Whether this is a decimal that is no number.
  ///
  /// No attribute takes one from an app.
  var isDecimalNaN: Bool {
    if case .decimal(let number) = self { number.isNaN } else { false }
  }

  /// Returns the nearest value of a `Float`; nil if there is none.
  private static func rounded(_ value: Double) -> Double? {
    let rounded = Float(value)
    return rounded.isFinite || !value.isFinite ? Double(rounded) : nil
  }

  /// Calls `body` with a bound of an attribute's values, which may be a number that is too large for the attribute.
  ///
  /// - Returns: The result of `body`; nil if the value is of another kind.
  package func withBound<R>(
    for type: AttributeType, _ body: (RawValue) throws -> R
  ) rethrows -> R? {
    let widest: AttributeType =
      switch type {
      case .integer16, .integer32: .integer64
      case .float: .double
      default: type
      }
    return try withRawValue(for: type, body) ?? withRawValue(for: widest, body)
  }

  /// The stored form of a value, before its bytes are lent.
  private enum StoredForm {
    case number(RawValue)
    case text(String)
    case bytes([UInt8])
  }

  // Not in `withRawValue`, which is compiled once per closure: calls of the closure in each case
  // made up a twentieth of the library's code.
  @inline(never)
  private func storedForm(for type: AttributeType) -> StoredForm? {
    switch (self, type) {
    case (.integer(let value), .integer64):
      .number(.integer(value))
    case (.integer(let value), .integer32):
      Int32(exactly: value) == nil ? nil : .number(.integer(value))
    case (.integer(let value), .integer16):
      Int16(exactly: value) == nil ? nil : .number(.integer(value))
    case (.integer(let value), .double):
      Double(exactly: value).map { .number(.double($0)) }
    case (.integer(let value), .float):
      Float(exactly: value).map { .number(.double(Double($0))) }
    case (.integer(let value), .decimal):
      .text(String(value))
    case (.double(let value), .double):
      .number(.double(value))
    case (.double(let value), .float):
      Self.rounded(value).map { .number(.double($0)) }
    case (.float(let value), .float), (.float(let value), .double):
      .number(.double(Double(value)))
    case (.boolean(let value), .boolean):
      .number(.boolean(value))
    case (.date(let value), .date):
      .number(.double(value.timeIntervalSinceReferenceDate))
    case (.decimal(let value), .decimal):
      .text(value.canonicalText)
    case (.string(let value), .string), (.json(let value), .transformable):
      .text(value)
    case (.uri(let value), .uri):
      .text(value.absoluteString)
    case (.binary(let value), .binary):
      .bytes(Array(value))
    case (.uuid(let value), .uuid):
      .bytes(value.bytes)
    default:
      nil
    }
  }

  /// Creates the value of a column's cell; nil for null.
  package init?(_ raw: RawValue, type: AttributeType) {
    guard !raw.isNull else { return nil }
    switch type {
    case .integer16, .integer32, .integer64: self = .integer(raw.integer)
    case .double: self = .double(raw.double)
    case .float: self = .float(Float(raw.double))
    case .boolean: self = .boolean(raw.boolean)
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: raw.double))
    case .string: self = .string(raw.text)
    case .transformable: self = .json(raw.text)
    case .binary: self = .binary(Data(raw.bytes))
    case .decimal:
      guard let decimal = Decimal(string: raw.text, locale: nil) else { return nil }
      self = .decimal(decimal)
    case .uri:
      guard let url = URL(string: raw.text) else { return nil }
      self = .uri(url)
    case .uuid:
      guard let uuid = UUID(bytes: raw.bytes) else { return nil }
      self = .uuid(uuid)
    }
  }
}

extension RawValue {
  /// The bytes as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Decimal {
  /// The digits in the form that is the same for equal numbers.
  fileprivate var canonicalText: String {
    DecimalText(description)?.canonicalText.map { String(decoding: $0, as: UTF8.self) }
      ?? description
  }
}

extension UUID {
  fileprivate init?(bytes: BorrowedBuffer<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.load(at: 0, as: uuid_t.self))
  }

  fileprivate var bytes: [UInt8] { unsafe withUnsafeBytes(of: uuid) { unsafe Array($0) } }
}
