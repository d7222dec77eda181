import Foundation

// Numbers go into any type that holds them exactly: into an integer without a fraction or overflow,
// into a floating-point number or a decimal if the way back leads to the same number.

extension GraphDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .missing = part { true } else { false }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .boolean(let value) = try value(type) else { throw mismatch(type) }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let value) = try value(type) else { throw mismatch(type) }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double { try floating() }
  func decode(_ type: Float.Type) throws -> Float { try floating() }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  // Foundation's types would ask for the form that they have in an archive.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if case .value(.json(let text)) = part { return try decodeJSON(text, as: type) }
    guard let value = try foundationValue(type) else { return try T(from: self) }
    guard let result = value as? T else { throw mismatch(type) }
    return result
  }

  private func foundationValue(_ type: Any.Type) throws -> Any? {
    if type == Decimal.self { return try decimal() }
    guard type == Date.self || type == Data.self || type == URL.self || type == UUID.self else {
      return nil
    }
    switch try value(type) {
    case .date(let value): return value
    case .binary(let value): return value
    case .uri(let value): return value
    case .uuid(let value): return value
    default: throw mismatch(type)
    }
  }

  /// The value, whatever it is.
  private func value(_ type: Any.Type) throws -> AttributeValue {
    switch part {
    case .value(let value): return value
    case .missing: throw noValue(type)
    case .object, .objects: throw mismatch(type)
    }
  }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    let number: Number?
    switch try value(Number.self) {
    case .integer(let value): number = Number(exactly: value)
    case .double(let value): number = Number(exactly: value)
    case .float(let value): number = Number(exactly: value)
    case .decimal(let value): number = Number(value.description)
    default: throw mismatch(Number.self)
    }
    guard let number else { throw inexact(Number.self) }
    return number
  }

  private func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>() throws -> Number
  {
    let number: Number?
    switch try value(Number.self) {
    case .integer(let value): number = Number(exactly: value)
    case .double(let value): number = value.isNaN ? .nan : Number(exactly: value)
    case .float(let value): number = Number(value)
    case .decimal(let value):
      number = Number(value.description).flatMap {
        Decimal(string: $0.description, locale: nil) == value ? $0 : nil
      }
    default: throw mismatch(Number.self)
    }
    guard let number else { throw inexact(Number.self) }
    return number
  }

  private func decimal() throws -> Decimal {
    let number: Decimal?
    switch try value(Decimal.self) {
    case .decimal(let value): return value
    case .integer(let value): return Decimal(value)
    case .double(let value):
      number = Decimal(string: value.description, locale: nil).flatMap {
        Double($0.description) == value ? $0 : nil
      }
    case .float(let value):
      number = Decimal(string: value.description, locale: nil).flatMap {
        Float($0.description) == value ? $0 : nil
      }
    default: throw mismatch(Decimal.self)
    }
    guard let number else { throw inexact(Decimal.self) }
    return number
  }
}
