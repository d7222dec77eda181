import Graft

/// Finds the objects to which a value cannot refer, because an earlier object has it too (`JSONRelatedBy`).
struct SharedValues {
  /// The later objects with a value, by the number of the relationship in the plan; nil for relationships that refer by
  /// identity.
  private let later: [ObjectSet?]

  /// - Complexity: O(*n*) in the objects to which relationships refer by a value.
  init(_ plan: ExportPlan, _ graph: Graph) {
    var found: [[Int]: ObjectSet] = [:]
    later = plan.relationships.map { relationship in
      guard let attribute = relationship.relatedBy?.number else { return nil }
      let place = [relationship.destination, attribute]
      let set = found[place] ?? Self.later(relationship.destination, attribute, plan, graph)
      found[place] = set
      return set
    }
  }

  /// Returns whether an earlier object has the value of an object by which a relationship refers.
  func isShared(_ id: ObjectID, by relationship: Int) -> Bool {
    later[relationship]?.contains(id) ?? false
  }

  private static func later(
    _ destination: Int, _ attribute: Int, _ plan: ExportPlan, _ graph: Graph
  ) -> ObjectSet {
    var later = ObjectSet(entityCount: plan.schema.entities.count)
    var seen: Set<OwnedValue> = []
    for entity in plan.schema.entities[destination].family {
      for id in graph.rows(entity) {
        let value = graph.value(id, attribute: attribute)
        if !value.isNull, !seen.insert(OwnedValue(value)).inserted { _ = later.insert(id) }
      }
    }
    return later
  }
}
