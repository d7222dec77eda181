// An entity without identity inserts new objects with each import. If the identity was forgotten,
// data doubles without an error; an attribute with the name of an identity is a sign of that.

/// Finds the entities that seem to lack an identity.
struct IdentityAdvice {
  private let plan: ImportPlan
  private let model: GraphModel
  private let mode: ImportMode

  init(_ plan: ImportPlan, _ model: GraphModel, _ mode: ImportMode) {
    self.plan = plan
    self.model = model
    self.mode = mode
  }

  /// A notice for each entity without identity that has an attribute which is called like one.
  ///
  /// There are no notices about objects that are found only inside others, nor if the model says
  /// that they are inserted.
  ///
  /// - Parameter readCounts: The number of objects read, by the number of the entity.
  /// - Returns: The notices.
  func notices(_ readCounts: [Int]) -> [ImportError] {
    guard mode != .updateOnly, model.schema.dialect != .zds else { return [] }
    return plan.entities.compactMap { entity in
      let schema = entity.schema
      guard readCounts[schema.number] > 0, schema.identity.isEmpty, !schema.isSingleton,
        !entity.fillsExistingTarget, schema.policies.missingIdentity != .insert, isAtRoot(schema),
        model.entity(named: schema.name)?.userInfo[ModelAnnotations.evidence] == nil,
        let attribute = schema.attributes.first(where: { Self.isCalledIdentity($0, of: schema) })
      else { return nil }
      return ImportError(
        kind: .missingIdentity, entity: schema.name, property: attribute.name,
        message:
          "\(schema.name) has no identity, so each import inserts its objects anew, though"
          + " \"\(attribute.name)\" may tell them apart; make it the identity, or let the entity's"
          + " policy for a missing identity be \"insert\"")
    }
  }

  /// Whether objects of an entity are found at a root.
  ///
  /// Objects that are found only inside others are often no more than parts of them.
  private func isAtRoot(_ schema: EntitySchema) -> Bool {
    plan.entities.contains { entity in
      plan.roots.contains { $0.entity == entity.schema.name }
        && entity.schema.family.contains(schema.number)
    }
  }

  private static let names: Set<String> = [
    "id", "uuid", "guid", "uid", "identifier", "pk", "objectid",
  ]

  private static func isCalledIdentity(
    _ attribute: AttributeSchema, of entity: EntitySchema
  ) -> Bool {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .string, .uuid: break
    default: return false
    }
    guard !attribute.paths.isEmpty else { return false }
    let owner = entity.name.lowercased()
    let name = attribute.name.lowercased().filter { $0.isLetter || $0.isNumber }
    return names.contains(name) || name == owner + "id" || name == owner + "uuid"
  }
}
