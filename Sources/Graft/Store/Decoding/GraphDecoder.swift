import Foundation

/// Decodes one place of a graph: an object, the objects of a relationship, or a value.
final class GraphDecoder: Decoder {
  let part: DecodedPart
  let place: PropertyPlace
  let codingPath: [any CodingKey]
  /// How many relationships may still be followed.
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

  /// The decoder of a property.
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

  /// The decoder of one of the objects.
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
  /// The decoder that Foundation has for a JSON text.
  private func jsonDecoder(_ text: String) throws -> any Decoder {
    try decodeJSON(text, as: DecoderItself.self).decoder
  }

  /// Decodes a JSON text; errors tell the way from the first object on.
  func decodeJSON<T: Decodable>(_ text: String, as type: T.Type) throws -> T {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw error.within(codingPath, place)
    }
  }

  /// Keeps the decoder that it is to be decoded from.
  private struct DecoderItself: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }
}
