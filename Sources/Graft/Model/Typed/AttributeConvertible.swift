public import Foundation

// An integer type is kept in the narrowest integer type of Core Data that holds all its values. No
// such type holds `UInt` and `UInt64`; they are kept as decimals, which lose nothing.

extension AttributeConvertible where Self: FixedWidthInteger {
  fileprivate static func integer(_ type: AttributeType, isLimited: Bool) -> AttributeCodec<Self> {
    AttributeCodec(
      type: type, placeholder: 0,
      domain: isLimited ? "an integer between \(Self.min) and \(Self.max)" : nil,
      decode: { Self(exactly: $0.integer) },
      encode: { .integer(Int64($0)) })
  }

  fileprivate static var decimal: AttributeCodec<Self> {
    AttributeCodec(
      type: .decimal, placeholder: 0, domain: "an integer between \(Self.min) and \(Self.max)",
      decode: { UInt64($0.text).flatMap(Self.init(exactly:)) },
      encode: { Decimal(string: String($0)).map { .decimal($0) } })
  }
}

extension Int: AttributeConvertible {
  /// Kept as `Integer 64`.
  public static var attributeCodec: AttributeCodec<Int> { integer(.integer64, isLimited: false) }
}

extension Int8: AttributeConvertible {
  /// Kept as `Integer 16`.
  public static var attributeCodec: AttributeCodec<Int8> { integer(.integer16, isLimited: true) }
}

extension Int16: AttributeConvertible {
  /// Kept as `Integer 16`.
  public static var attributeCodec: AttributeCodec<Int16> { integer(.integer16, isLimited: false) }
}

extension Int32: AttributeConvertible {
  /// Kept as `Integer 32`.
  public static var attributeCodec: AttributeCodec<Int32> { integer(.integer32, isLimited: false) }
}

extension Int64: AttributeConvertible {
  /// Kept as `Integer 64`.
  public static var attributeCodec: AttributeCodec<Int64> { integer(.integer64, isLimited: false) }
}

extension UInt: AttributeConvertible {
  /// Kept as `Decimal`, by its digits.
  public static var attributeCodec: AttributeCodec<UInt> { decimal }
}

extension UInt8: AttributeConvertible {
  /// Kept as `Integer 16`.
  public static var attributeCodec: AttributeCodec<UInt8> { integer(.integer16, isLimited: true) }
}

extension UInt16: AttributeConvertible {
  /// Kept as `Integer 32`.
  public static var attributeCodec: AttributeCodec<UInt16> { integer(.integer32, isLimited: true) }
}

extension UInt32: AttributeConvertible {
  /// Kept as `Integer 64`.
  public static var attributeCodec: AttributeCodec<UInt32> { integer(.integer64, isLimited: true) }
}

extension UInt64: AttributeConvertible {
  /// Kept as `Decimal`, by its digits.
  public static var attributeCodec: AttributeCodec<UInt64> { decimal }
}

extension Double: AttributeConvertible {
  /// Kept as `Double`.
  public static var attributeCodec: AttributeCodec<Double> {
    AttributeCodec(type: .double, placeholder: 0, decode: { $0.double }, encode: { .double($0) })
  }
}

extension Float: AttributeConvertible {
  /// Kept as `Float`.
  public static var attributeCodec: AttributeCodec<Float> {
    AttributeCodec(
      type: .float, placeholder: 0, decode: { Float($0.double) }, encode: { .float($0) })
  }
}

extension Decimal: AttributeConvertible {
  /// Kept as `Decimal`, by its digits.
  public static var attributeCodec: AttributeCodec<Decimal> {
    AttributeCodec(
      type: .decimal, placeholder: 0,
      decode: { Decimal(string: $0.text, locale: nil) },
      encode: { .decimal($0) })
  }
}

extension String: AttributeConvertible {
  /// Kept as `String`.
  public static var attributeCodec: AttributeCodec<String> {
    AttributeCodec(type: .string, placeholder: "", decode: { $0.text }, encode: { .string($0) })
  }
}

extension Bool: AttributeConvertible {
  /// Kept as `Boolean`.
  public static var attributeCodec: AttributeCodec<Bool> {
    AttributeCodec(
      type: .boolean, placeholder: false, decode: { $0.boolean }, encode: { .boolean($0) })
  }
}

extension Date: AttributeConvertible {
  /// Kept as `Date`.
  public static var attributeCodec: AttributeCodec<Date> {
    AttributeCodec(
      type: .date, placeholder: .distantPast,
      decode: { Date(timeIntervalSinceReferenceDate: $0.double) },
      encode: { .date($0) })
  }
}

extension Data: AttributeConvertible {
  /// Kept as `Binary`.
  public static var attributeCodec: AttributeCodec<Data> {
    AttributeCodec(
      type: .binary, placeholder: Data(),
      decode: { Data($0.bytes) },
      encode: { .binary($0) })
  }
}

extension UUID: AttributeConvertible {
  /// Kept as `UUID`.
  public static var attributeCodec: AttributeCodec<UUID> {
    AttributeCodec(
      type: .uuid, placeholder: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      decode: { raw in
        guard case .uuid(let value) = AttributeValue(raw, type: .uuid) else { return nil }
        return value
      },
      encode: { .uuid($0) })
  }
}

extension URL: AttributeConvertible {
  /// Kept as `URI`.
  public static var attributeCodec: AttributeCodec<URL> {
    AttributeCodec(
      type: .uri, placeholder: URL(filePath: "/", directoryHint: .isDirectory),
      decode: { URL(string: $0.text) },
      encode: { .uri($0) })
  }
}

extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
  /// Kept as the wrapped type is, in an attribute that may have no value.
  public static var attributeCodec: AttributeCodec<Wrapped?> { Wrapped.attributeCodec.optional }
}
