import Graft

/// Knows for each entity, by its number, which objects may be nested in which.
///
/// ``ExportTraversal`` decides for each object whether it is nested.
struct ExportNesting {
  /// Whether an entity's objects can be referred to by their identity.
  let hasIdentity: [Bool]
  /// Whether an object may lack an identity.
  let mayBeAnonymous: [Bool]
  /// Whether objects of an entity read values of enclosing objects, by themselves or by nested objects.
  let readsOuterValues: [Bool]
  /// Whether an object can occur inside itself.
  let isRecursive: [Bool]
  /// Whether objects without identity may be nested inside.
  let mayHoldAnonymous: [Bool]

  init(_ schema: ModelSchema, _ styles: ExportStyles, _ needs: OuterValueReaders) {
    let hasIdentity = schema.entities.map { entity in
      !entity.identity.isEmpty
        && entity.identity.allSatisfy { number in
          let attribute = entity.attributes[number]
          return !attribute.paths.isEmpty && !styles.omits(attribute, of: entity)
        }
    }
    let isReferable = schema.entities.map { entity in
      hasIdentity[entity.number]
        && !entity.identity.contains { styles.isOuterValue(entity.attributes[$0], of: entity) }
    }
    let nested = schema.entities.map { entity -> Set<Int> in
      var destinations: Set<Int> = []
      for number in entity.relationships.indices where styles.writes(number, of: entity) {
        guard styles.style(of: number, in: entity) == .nested else { continue }
        let destination = schema.entities[entity.relationships[number].destination]
        destinations.formUnion(destination.family)
      }
      return destinations
    }
    let reachable = nested.map { Self.closure(of: $0, nested) }
    self.hasIdentity = isReferable
    // A stub that another attribute names lacks its identity, required or not.
    let namedOtherwise = Set(
      schema.entities.flatMap(\.relationships).filter { $0.relatedBy != nil }
        .flatMap { schema.entities[$0.destination].family })
    mayBeAnonymous = schema.entities.map { entity in
      !entity.isSingleton
        && (!isReferable[entity.number] || namedOtherwise.contains(entity.number)
          || entity.identity.contains { entity.attributes[$0].isOptional })
    }
    readsOuterValues = schema.entities.map { needs.readsOuterValues($0) }
    isRecursive = schema.entities.map { reachable[$0.number].contains($0.number) }
    let accumulates = Self.accumulating(schema, styles)
    mayHoldAnonymous = schema.entities.map { entity in
      reachable[entity.number].union([entity.number]).contains { owner in
        accumulates[owner].contains { !hasIdentity[$0] && !schema.entities[$0].isSingleton }
      }
    }
  }

  /// Finds, for each entity, the nested entities whose objects would be inserted twice if an object were written
  /// twice.
  ///
  /// A relationship that deletes the objects it replaces is not counted, since its second import replaces the first.
  private static func accumulating(_ schema: ModelSchema, _ styles: ExportStyles) -> [Set<Int>] {
    schema.entities.map { entity in
      var destinations: Set<Int> = []
      for number in entity.relationships.indices where styles.writes(number, of: entity) {
        let relationship = entity.relationships[number]
        guard styles.style(of: number, in: entity) == .nested,
          relationship.policies.removed != .delete
        else { continue }
        destinations.formUnion(schema.entities[relationship.destination].family)
      }
      return destinations
    }
  }

  /// Returns the entities that are nested in some entities at any depth, those included.
  private static func closure(of start: Set<Int>, _ nested: [Set<Int>]) -> Set<Int> {
    var reached = start
    var waiting = Array(start)
    while let entity = waiting.popLast() {
      for next in nested[entity] where reached.insert(next).inserted { waiting.append(next) }
    }
    return reached
  }
}
