import Graft

/// The keys of a document, found by reading a sample of it, and models that map some of them.
///
/// A nested object is mapped by paths (`user.name`), and an array by a relationship to objects
/// without identity. In a sample of tweets, `entities.hashtags` is a relationship, whose objects
/// have the attribute `text`. An array inside an array is a row, whose attributes are at `[0]`,
/// `[1]` and so on.
final class DocumentOutline: YAJLParserDelegate {
  private struct Entity {
    var attributes: [(path: String, type: AttributeType)] = []
    var relationships: [(path: String, destination: Int)] = []

    var isEmpty: Bool { attributes.isEmpty && relationships.isEmpty }
  }

  /// A container that is open, and the place in it.
  private struct Scope {
    enum Kind {
      case object
      case array
      case row
    }

    let kind: Kind
    let entity: Int
    var prefix = ""
    var key = ""
    var index = -1

    /// The path of the current value, from the object of the entity.
    var path: String {
      switch kind {
      case .object: prefix + key
      case .array: "@value"
      case .row: "\(prefix)[\(index)]"
      }
    }
  }

  private var entities = [Entity()]
  private var scopes: [Scope] = []
  /// Attributes with nothing but `null` so far.
  private var unknownTypes: Set<String> = []

  /// Reads a sample.
  ///
  /// - Parameter sample: An array of the objects, as many as it takes to have all keys.
  /// - Throws: ``ParsingError`` where it is not JSON.
  init(of sample: [UInt8]) throws {
    let parser = YAJLParser(delegate: self)
    try parser.parse(sample)
    try parser.finish()
  }

  /// The number of attributes.
  var keyCount: Int { entities.map(\.attributes.count).reduce(0, +) }

  /// The entity of the objects.
  static let rootEntity = "Entity0"

  /// Returns a model of the objects, which maps some of the keys, evenly chosen.
  ///
  /// - Parameter count: The number of keys that it maps.
  /// - Returns: The model, whose objects are of the ``rootEntity``.
  /// - Throws: ``ModelError`` where Graft has no such path.
  func model(mapping count: Int) throws -> GraphModel {
    var position = 0
    var chosen = entities
    for index in chosen.indices {
      chosen[index].attributes.removeAll { _ in
        defer { position += 1 }
        return (position + 1) * count / keyCount == position * count / keyCount
      }
    }
    // An entity comes before its relationships' destinations, so go backwards.
    for index in chosen.indices.reversed() {
      chosen[index].relationships = chosen[index].relationships.filter {
        !chosen[$0.destination].isEmpty
      }
    }
    let kept = chosen.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }
    return try GraphModel(
      entities: kept.map { Self.description(of: $0.element, at: $0.offset) }, dialect: .graft)
  }

  private static func description(of entity: Entity, at index: Int) -> EntityDescription {
    EntityDescription(
      name: "Entity\(index)",
      attributes: entity.attributes.enumerated().map { number, attribute in
        AttributeDescription(
          name: "attribute\(number)", type: attribute.type,
          userInfo: ["JSONKeyPath": attribute.path])
      },
      relationships: entity.relationships.enumerated().map { number, relationship in
        RelationshipDescription(
          name: "relationship\(number)", destination: "Entity\(relationship.destination)",
          isToMany: true, userInfo: ["JSONKeyPath": relationship.path])
      })
  }
}

// MARK: - Reading the sample

extension DocumentOutline {
  func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONString) {
    scopes[scopes.count - 1].key = key.string
  }

  func parserDidStartDictionary(_ parser: YAJLParser) {
    guard let outer = advance() else { return }
    let prefix = outer.kind == .array ? "" : outer.path + "."
    scopes.append(Scope(kind: .object, entity: outer.entity, prefix: prefix))
  }

  func parserDidStartArray(_ parser: YAJLParser) {
    guard let outer = advance() else {
      scopes.append(Scope(kind: .array, entity: 0))
      return
    }
    guard outer.kind != .array else {
      scopes.append(Scope(kind: .row, entity: outer.entity))
      return
    }
    scopes.append(
      Scope(kind: .array, entity: destination(of: outer.path, in: outer.entity)))
  }

  func parserDidEndDictionary(_ parser: YAJLParser) { scopes.removeLast() }
  func parserDidEndArray(_ parser: YAJLParser) { scopes.removeLast() }

  func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) {
    guard let scope = advance() else { return }
    switch value {
    case .null: note(nil, at: scope)
    case .boolean: note(.boolean, at: scope)
    case .string: note(.string, at: scope)
    case .number(let number):
      note(number.text.contains { ".eE".contains($0) } ? .double : .integer64, at: scope)
    }
  }

  /// Advances to the next value of the innermost container, and returns the container; nil outside all.
  private func advance() -> Scope? {
    guard !scopes.isEmpty else { return nil }
    scopes[scopes.count - 1].index += 1
    return scopes.last
  }

  private func destination(of path: String, in entity: Int) -> Int {
    if let known = entities[entity].relationships.first(where: { $0.path == path }) {
      return known.destination
    }
    entities.append(Entity())
    entities[entity].relationships.append((path, entities.count - 1))
    return entities.count - 1
  }

  private func note(_ type: AttributeType?, at scope: Scope) {
    let path = scope.path
    let name = "\(scope.entity) \(path)"
    guard let known = entities[scope.entity].attributes.firstIndex(where: { $0.path == path })
    else {
      entities[scope.entity].attributes.append((path, type ?? .string))
      if type == nil { unknownTypes.insert(name) }
      return
    }
    guard let type, type == .double || unknownTypes.remove(name) != nil else { return }
    entities[scope.entity].attributes[known].type = type
  }
}
