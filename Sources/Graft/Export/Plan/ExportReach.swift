/// What can be met inside the objects of each entity of a model.
struct ExportReach {
  /// Whether an entity's objects can be named by their identity, by entity.
  let hasIdentity: [Bool]
  /// Whether an object may lack what names it, by entity.
  let mayBeAnonymous: [Bool]
  /// Whether an object can be met inside itself, by entity.
  let isRecursive: [Bool]
  /// Whether objects without identity may be nested inside, by entity.
  let holdsAnonymous: [Bool]

  init(_ schema: ModelSchema, _ styles: ExportStyles) {
    let identified = schema.entities.map { entity in
      !entity.identity.isEmpty
        && entity.identity.allSatisfy { number in
          let attribute = entity.attributes[number]
          return !attribute.paths.isEmpty && !styles.omits(attribute, of: entity)
        }
    }
    let inside = schema.entities.map { entity -> Set<Int> in
      var destinations: Set<Int> = []
      for number in entity.relationships.indices where styles.writes(number, of: entity) {
        guard styles.style(of: number, in: entity) == .nested else { continue }
        let destination = schema.entities[entity.relationships[number].destination]
        destinations.formUnion(destination.family)
      }
      return destinations
    }
    let reached = inside.map { Self.closure(of: $0, inside) }
    hasIdentity = identified
    mayBeAnonymous = schema.entities.map { entity in
      !entity.isSingleton
        && (!identified[entity.number]
          || entity.identity.contains { entity.attributes[$0].isOptional })
    }
    isRecursive = schema.entities.map { reached[$0.number].contains($0.number) }
    holdsAnonymous = reached.map { entities in
      entities.contains { !identified[$0] && !schema.entities[$0].isSingleton }
    }
  }

  /// All entities that are reached from some.
  private static func closure(of start: Set<Int>, _ inside: [Set<Int>]) -> Set<Int> {
    var reached = start
    var waiting = Array(start)
    while let entity = waiting.popLast() {
      for next in inside[entity] where reached.insert(next).inserted { waiting.append(next) }
    }
    return reached
  }
}
