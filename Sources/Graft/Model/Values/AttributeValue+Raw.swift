import Foundation

extension AttributeValue {
  /// Calls `body` with the form in which a column keeps the value.
  ///
  /// Numbers are widened to the attribute's type where nothing is lost.
  ///
  /// - Returns: What `body` returned; nil if the value does not suit the type.
  func withRawValue<R>(for type: AttributeType, _ body: (RawValue) throws -> R) rethrows -> R? {
    switch (self, type) {
    case (.integer(let value), .integer64):
      return try body(.integer(value))
    case (.integer(let value), .integer32):
      return Int32(exactly: value) == nil ? nil : try body(.integer(value))
    case (.integer(let value), .integer16):
      return Int16(exactly: value) == nil ? nil : try body(.integer(value))
    case (.integer(let value), .double), (.integer(let value), .float):
      guard let double = Double(exactly: value) else { return nil }
      return try body(.double(double))
    case (.integer(let value), .decimal):
      return try String(value).withRawBytes(body)
    case (.double(let value), .double):
      return try body(.double(value))
    case (.double(let value), .float):
      return try body(.double(Double(Float(value))))
    case (.float(let value), .float), (.float(let value), .double):
      return try body(.double(Double(value)))
    case (.boolean(let value), .boolean):
      return try body(.boolean(value))
    case (.date(let value), .date):
      return try body(.double(value.timeIntervalSinceReferenceDate))
    case (.decimal(let value), .decimal):
      return try value.canonicalText.withRawBytes(body)
    case (.string(let value), .string), (.json(let value), .transformable):
      return try value.withRawBytes(body)
    case (.uri(let value), .uri):
      return try value.absoluteString.withRawBytes(body)
    case (.binary(let value), .binary):
      return try value.withUnsafeBytes { buffer in
        try buffer.withMemoryRebound(to: UInt8.self) {
          try body(.bytes($0.baseAddress, count: $0.count))
        }
      }
    case (.uuid(let value), .uuid):
      return try withUnsafeBytes(of: value.uuid) { buffer in
        try buffer.withMemoryRebound(to: UInt8.self) {
          try body(.bytes($0.baseAddress, count: $0.count))
        }
      }
    default:
      return nil
    }
  }

  /// The value in a column's cell; nil for null.
  init?(_ raw: RawValue, type: AttributeType) {
    guard !raw.isNull else { return nil }
    switch type {
    case .integer16, .integer32, .integer64: self = .integer(raw.integer)
    case .double: self = .double(raw.double)
    case .float: self = .float(Float(raw.double))
    case .boolean: self = .boolean(raw.boolean)
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: raw.double))
    case .string: self = .string(raw.text)
    case .transformable: self = .json(raw.text)
    case .binary: self = .binary(Data(buffer: raw.bytes))
    case .decimal:
      guard let decimal = Decimal(string: raw.text, locale: nil) else { return nil }
      self = .decimal(decimal)
    case .uri:
      guard let url = URL(string: raw.text) else { return nil }
      self = .uri(url)
    case .uuid:
      guard raw.count == 16, let start = raw.start else { return nil }
      self = .uuid(UUID(uuid: UnsafeRawPointer(start).loadUnaligned(as: uuid_t.self)))
    }
  }
}

extension RawValue {
  /// The bytes as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
  fileprivate func withRawBytes<R>(_ body: (RawValue) throws -> R) rethrows -> R {
    var copy = self
    return try copy.withUTF8 { try body(.bytes($0.baseAddress, count: $0.count)) }
  }
}

extension Decimal {
  /// The digits in the one form in which equal numbers are kept.
  fileprivate var canonicalText: String {
    DecimalText(description)?.canonicalText.map { String(decoding: $0, as: UTF8.self) }
      ?? description
  }
}
