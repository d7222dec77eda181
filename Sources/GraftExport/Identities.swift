import Graft

// Identities as exports and databases see them: which objects may lack one, and how messages name an object by it.

extension ModelSchema {
  /// The numbers of the entities whose objects a database keeps without their identity: by a policy, or because Sync's
  /// dialect makes such an object where a to-one relationship leads to none.
  ///
  /// Groot's annotations are also Graft's, so that most models are in Groot's dialect. A database refuses their
  /// objects without identity, which Groot would insert, unless an entity asks for it: the identity is a better key
  /// than a number.
  package var entitiesThatMayLackIdentity: Set<Int> {
    let inserts = dialect != .groot && dialect.policies.missingIdentity == .insert
    var result = Set(
      entities.lazy.filter { ($0.missingIdentity.map { $0 == .insert }) ?? inserts }
        .map(\.number))
    if dialect.fillsExistingTarget {
      for relationship in entities.lazy.flatMap(\.relationships) where !relationship.isToMany {
        result.insert(relationship.destination)
      }
    }
    return result
  }
}

extension Graph {
  /// Returns a description of an object: its entity and its identity, or its row if it has no
  /// identity.
  package func name(of id: ObjectID) -> String { name(of: id, inRow: id.row) }

  /// Returns a description of an object, with another row than the graph's.
  package func name(of id: ObjectID, inRow row: @autoclosure () -> Int) -> String {
    let entity = schema.entities[id.entity]
    let values = entity.declaredIdentity.compactMap { number in
      AttributeValue(value(id, attribute: number), type: entity.attributes[number].type)?.text
    }
    return values.isEmpty
      ? "\(entity.name) in row \(row() + 1)"
      : "\(entity.name) \(values.joined(separator: ", "))"
  }
}
