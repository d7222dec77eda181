public import Foundation

// Integers are kept in the narrowest type of Core Data's that holds them all. `UInt` and `UInt64`
// have none; as decimals they lose nothing.

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
      decode: { Self($0.text) },
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
