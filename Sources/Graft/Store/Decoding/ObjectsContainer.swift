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

  /// Goes on to the next object if this one could be decoded.
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
