// An entity without identity inserts new objects with each import. If the identity was forgotten, data
// doubles without an error. An attribute with the name of an identity is a sign of that.

/// Finds the entities that seem to lack an identity.
struct MissingIdentitySearch {
  let plan: ImportPlan
  let options: ImportOptions
  let model: GraphModel

  /// Returns a notice for each entity without identity that has an attribute with the name of one.
  ///
  /// Objects inside others are often mere parts of them, so their entity gets a notice only for an attribute that
  /// is called `id`. An entity whose policy inserts objects without identity gets none.
  ///
  /// - Parameter readCounts: The number of objects read, by the number of the entity.
  /// - Returns: The notices.
  func notices(_ readCounts: [Int]) -> [ImportError] {
    let rootEntities = plan.rootEntities
    return plan.entities.compactMap { entity in
      let schema = entity.schema
      guard readCounts[schema.number] > 0, mayLackIdentity(entity) else { return nil }
      let isRoot = rootEntities.contains(schema.number)
      let attribute = schema.attributes.first {
        isRoot ? Self.isCalledIdentity($0, of: schema) : Self.mayIdentify($0) && $0.name == "id"
      }
      guard let name = attribute?.name else { return nil }
      return ImportError(
        kind: .missingIdentity, entity: schema.name, property: name,
        message:
          "\(schema.name) has no identity, so each import inserts its objects anew, though \"\(name)\" may tell them"
          + " apart; make it the identity, or let the entity's policy for a missing identity be \"insert\""
      )
    }
  }

  private func mayLackIdentity(_ entity: EntityPlan) -> Bool {
    let schema = entity.schema
    return options.mode != .updateOnly && model.schema.dialect != .zds && schema.identity.isEmpty
      && !schema.isSingleton && !entity.fillsExistingTarget
      && schema.missingIdentity != .insert
      && model.entity(named: schema.name)?.userInfo[ModelAnnotations.evidence] == nil
  }

  /// Returns whether an attribute can be read as an identity.
  private static func mayIdentify(_ attribute: AttributeSchema) -> Bool {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .string, .uuid: break
    default: return false
    }
    return !attribute.paths.isEmpty
      && attribute.paths.allSatisfy { path in
        !path.steps.contains { [.index, .line, .file].contains($0) }
      }
  }

  private static let names: Set<String> = [
    "id", "uuid", "guid", "uid", "identifier", "pk", "objectid",
  ]

  private static func isCalledIdentity(
    _ attribute: AttributeSchema, of entity: EntitySchema
  ) -> Bool {
    guard mayIdentify(attribute) else { return false }
    let owner = entity.name.lowercased()
    let name = attribute.name.lowercased().filter { $0.isLetter || $0.isNumber }
    return names.contains(name) || name == owner + "id" || name == owner + "uuid"
  }
}
