import Foundation
import Graft

extension GraphObject {
  /// Decodes a value of any decodable type from the object and those it is linked to.
  ///
  /// ```swift
  /// struct Summary: Decodable {
  ///   var text: String
  ///   var author: Author?
  ///   struct Author: Decodable { var screenName: String }
  /// }
  /// let summary = try tweet.decoded(as: Summary.self)
  /// ```
  ///
  /// Keys are the names of the properties. Attributes are decoded as their types: dates as `Date`,
  /// bytes as `Data`, likewise `Decimal`, `URL` and `UUID`. A number is decoded as any number type
  /// that holds it exactly, an enumeration from its raw value. JSON in an attribute is decoded with
  /// the defaults of `JSONDecoder`. A to-one relationship is a nested object or nil, a to-many
  /// relationship an array. Only the properties that the type asks for are read.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - depthLimit: The number of relationships that may be followed, one after the other. A type
  ///     that contains itself would follow a cycle of objects for ever.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, which names the entity and property, or what the type itself
  ///   throws.
  public func decoded<T: Decodable>(as type: T.Type = T.self, depthLimit: Int = 100) throws -> T {
    let place = PropertyPlace(entity: entityName)
    return try GraphDecoder(.object(self), place, depthLimit: depthLimit).decode(type)
  }
}

extension Object {
  /// Decodes a value of any decodable type from the object and those it is linked to, as
  /// ``GraphObject/decoded(as:depthLimit:)`` does.
  ///
  /// A required attribute of a stub has no value to decode.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - depthLimit: The number of relationships that may be followed, one after the other.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, which names the entity and property, or what the type itself
  ///   throws.
  public func decoded<T: Decodable>(as type: T.Type = T.self, depthLimit: Int = 100) throws -> T {
    try GraphObject(self).decoded(as: type, depthLimit: depthLimit)
  }
}

/// Decodes one part of a graph: an object, the objects of a relationship, or a value.
final class GraphDecoder: Decoder {
  let part: DecodedPart
  let place: PropertyPlace
  let codingPath: [any CodingKey]
  /// The number of relationships that may still be followed.
  private let depthLeft: Int
  let depthLimit: Int

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ part: DecodedPart, _ place: PropertyPlace, depthLimit: Int) {
    self.part = part
    self.place = place
    self.depthLimit = depthLimit
    depthLeft = depthLimit
    codingPath = []
  }

  private init(
    _ part: DecodedPart, _ place: PropertyPlace, in parent: GraphDecoder, _ key: any CodingKey,
    depthLeft: Int
  ) {
    self.part = part
    self.place = place
    codingPath = parent.codingPath + [key]
    depthLimit = parent.depthLimit
    self.depthLeft = depthLeft
  }

  /// Returns the decoder of a property.
  func property(_ key: any CodingKey, _ part: DecodedPart, of entity: String) throws -> GraphDecoder
  {
    let place = PropertyPlace(entity: entity, property: key.stringValue)
    switch part {
    case .value, .missing:
      return GraphDecoder(part, place, in: self, key, depthLeft: depthLeft)
    case .object, .objects:
      guard depthLeft > 0 else { throw tooDeep(key, place) }
      return GraphDecoder(part, place, in: self, key, depthLeft: depthLeft - 1)
    }
  }

  /// Returns the decoder of one of the objects.
  func element(_ object: GraphObject, at index: Int) -> GraphDecoder {
    GraphDecoder(
      .object(object), place, in: self, PlainKey(intValue: index), depthLeft: depthLeft)
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    switch part {
    case .object(let object):
      return KeyedDecodingContainer(ObjectContainer(self, object))
    case .value(.json(let text)):
      return try jsonDecoder(text).container(keyedBy: type)
    case .missing: throw noValue(type)
    case .objects, .value: throw mismatch(type, "an object with keys")
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch part {
    case .objects(let objects): return ObjectsContainer(self, objects)
    case .value(.json(let text)): return try jsonDecoder(text).unkeyedContainer()
    case .missing: throw noValue([Any].self)
    case .object, .value: throw mismatch([Any].self, "an array")
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard case .value(.json(let text)) = part else { return self }
    return try jsonDecoder(text).singleValueContainer()
  }
}

extension GraphDecoder {
  /// Returns Foundation's decoder for a JSON value.
  private func jsonDecoder(_ text: String) throws -> any Decoder {
    try decodeJSON(text, as: DecoderItself.self).decoder
  }

  /// Decodes a JSON value; the coding path of errors begins at the first object.
  func decodeJSON<T: Decodable>(_ text: String, as type: T.Type) throws -> T {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw error.within(codingPath, place)
    }
  }

  /// Hands out its decoder, which Foundation gives in no other way.
  private struct DecoderItself: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }
}

// A number is decoded as any type that holds it exactly: as an integer if nothing is cut off, as a
// floating-point number or a decimal if converting it back gives the same number.

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
  func decode(_ type: UInt128.Type) throws -> UInt128 {
    // The only type with values beyond those of `Int128`.
    let large: UInt128? =
      switch part {
      case .value(.double(let value)): UInt128(exactly: value)
      case .value(.float(let value)): UInt128(exactly: value)
      case .value(.decimal(let value)): UInt128(value.description)
      default: nil
      }
    return try large ?? integer()
  }

  // Foundation's types by themselves would decode the form that they have in an archive.
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

  /// Returns the value, of any type.
  private func value(_ type: Any.Type) throws -> AttributeValue {
    switch part {
    case .value(let value): return value
    case .missing: throw noValue(type)
    case .object, .objects: throw mismatch(type)
    }
  }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    guard let number = try wideInteger(Number.self).flatMap({ Number(exactly: $0) }) else {
      throw inexact(Number.self)
    }
    return number
  }

  private func wideInteger(_ type: Any.Type) throws -> Int128? {
    switch try value(type) {
    case .integer(let value): Int128(value)
    case .double(let value): Int128(exactly: value)
    case .float(let value): Int128(exactly: value)
    case .decimal(let value): Int128(value.description)
    default: throw mismatch(type)
    }
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
