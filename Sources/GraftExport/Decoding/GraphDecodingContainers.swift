import Graft

/// An object's properties, by name.
///
/// The container also has the properties without a value, as nil.
struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: GraphDecoder
  private let object: GraphObject
  private let schema: EntitySchema

  init(_ decoder: GraphDecoder, _ object: GraphObject) {
    self.decoder = decoder
    self.object = object
    schema = object.graph.schema.entities[object.id.entity]
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    (schema.attributes.map(\.name) + schema.relationships.map(\.name))
      .compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { property(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    switch try readProperty(key) {
    case nil: throw decoder.unknownKey(key, of: schema)
    case .attribute(let number): object.graph.value(object.id, attribute: number).isNull
    case .toOne(let number): object.graph.toOne(object.id, relationship: number) == nil
    case .toMany: false
    }
  }

  // One method for all types, because each asks the decoder for the kind of value that it needs.
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder(forKey: key).decode(type)
  }

  // The defaults of these two throw.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decoder(forKey: key).decode(type)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decoder(forKey: key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try decoder(forKey: PlainKey(stringValue: "super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(forKey: key) }
}

extension ObjectContainer {
  private enum Property {
    case attribute(Int)
    case toOne(Int)
    case toMany(Int)
  }

  private func property(_ name: String) -> Property? {
    if let number = schema.attributeNumber(named: name) { return .attribute(number) }
    guard let number = schema.relationshipNumber(named: name) else { return nil }
    return schema.relationships[number].isToMany ? .toMany(number) : .toOne(number)
  }

  /// Returns the property of a key.
  ///
  /// - Throws: `DecodingError` if it was not read from the database.
  private func readProperty(_ key: any CodingKey) throws -> Property? {
    let property = property(key.stringValue)
    guard object.graph.isPartial else { return property }
    let part: UnreadPart? =
      switch property {
      case nil: nil
      case .attribute(let number): object.graph.unreadPart(object.id, attribute: number)
      case .toOne(let number), .toMany(let number):
        object.graph.unreadPart(object.id, relationship: number)
      }
    if let part { throw decoder.unread(key, object.graph.error(for: part)) }
    return property
  }

  private func decoder(forKey key: any CodingKey) throws -> GraphDecoder {
    let graph = object.graph
    let part: DecodedPart
    switch try readProperty(key) {
    case nil: throw decoder.unknownKey(key, of: schema)
    case .attribute(let number):
      let raw = graph.value(object.id, attribute: number)
      part =
        AttributeValue(raw, type: schema.attributes[number].type).map { .value($0) } ?? .missing
    case .toOne(let number):
      let target = graph.toOne(object.id, relationship: number)
      part = target.map { .object(GraphObject(id: $0, graph: graph)) } ?? .missing
    case .toMany(let number):
      part = .objects(
        graph.withToMany(object.id, relationship: number) { members in
          members.map { GraphObject(id: $0, graph: graph) }
        })
    }
    return try decoder.property(key, part, of: schema.name)
  }
}

/// The objects of a to-many relationship, one after the other.
struct ObjectsContainer: UnkeyedDecodingContainer {
  private let decoder: GraphDecoder
  private let objects: [GraphObject]
  private(set) var currentIndex = 0

  init(_ decoder: GraphDecoder, _ objects: [GraphObject]) {
    self.decoder = decoder
    self.objects = objects
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { objects.count }

  var isAtEnd: Bool { currentIndex == objects.count }

  mutating func decodeNil() throws -> Bool {
    _ = try next(Any?.self)
    return false
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try advance(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try advance(type) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try advance([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try advance((any Decoder).self) { $0 }
  }

  /// Advances to the next object if this one could be decoded.
  private mutating func advance<R>(
    _ type: Any.Type, _ decode: (GraphDecoder) throws -> R
  ) throws -> R {
    let result = try decode(next(type))
    currentIndex += 1
    return result
  }

  private func next(_ type: Any.Type) throws -> GraphDecoder {
    guard !isAtEnd else { throw decoder.atEnd(type, objects.count) }
    return decoder.element(objects[currentIndex], at: currentIndex)
  }
}
