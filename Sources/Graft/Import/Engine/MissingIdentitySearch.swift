// An entity without identity inserts new objects with each import. If the identity was forgotten, data
// doubles without an error. An attribute with the name of an identity is a sign of that, and so is an
// attribute whose values never repeat.

/// Finds the entities that seem to lack an identity.
final class MissingIdentitySearch: ImportPart {
  /// The number of objects to compare: fewer prove nothing, and more are not compared.
  private static let sampleSize = 20...1_000
  /// The most bytes of a string that may identify an object.
  private static let longestIdentity = 64

  private let model: GraphModel
  /// The entities whose objects are found at a root.
  private let rootEntities: Set<Int>
  /// The attributes that may identify objects, by the number of their entity, which has no identity.
  private var candidates: [[Int]]
  /// The attribute that never repeats, by entity, and the number of objects that were compared.
  private var unrepeated: [(attribute: Int, count: Int)?]

  init(_ shared: ImportPart, _ model: GraphModel) {
    self.model = model
    rootEntities = shared.plan.rootEntities
    candidates = shared.plan.entities.map { _ in [] }
    unrepeated = shared.plan.entities.map { _ in nil }
    super.init(shared)
    for entity in plan.entities
    where rootEntities.contains(entity.schema.number) && mayLackIdentity(entity) {
      let attributes = entity.schema.attributes
      let numbers = attributes.indices.filter { Self.mayIdentify(attributes[$0]) }
      let isNamed = attributes.contains { Self.isCalledIdentity($0, of: entity.schema) }
      if !numbers.isEmpty, !isNamed { candidates[entity.schema.number] = numbers }
    }
  }

  /// Compares the objects that were inserted last, before a save releases them.
  ///
  /// - Complexity: O(1): at most 1,000 objects of each entity, once.
  func compareObjects() {
    for (entity, attributes) in candidates.enumerated() where !attributes.isEmpty {
      var rows: [ObjectID] = []
      // The import has added its objects at the end.
      for row in (0..<transaction.rowCount(entity)).reversed().prefix(Self.sampleSize.upperBound) {
        let object = transaction.layout.objectID(entity: entity, row: row)
        guard transaction.contains(object), outcomes[object] == .inserted else { break }
        rows.append(object)
      }
      guard rows.count >= Self.sampleSize.lowerBound else { continue }
      candidates[entity] = []
      let attribute = attributes.first { number in
        var values: Set<OwnedValue> = []
        return rows.allSatisfy { object in
          let value = OwnedValue(transaction.value(object, attribute: number))
          return !transaction.isNull(object, attribute: number)
            && value.byteCount <= Self.longestIdentity && values.insert(value).inserted
        }
      }
      unrepeated[entity] = attribute.map { ($0, rows.count) }
    }
  }

  /// Returns a notice for each entity without identity that seems to have an identifying attribute, by its name or
  /// because it never repeats.
  ///
  /// Objects inside others are often mere parts of them, so their entity gets a notice only for an attribute that
  /// is called `id`. An entity whose policy inserts objects without identity gets none.
  ///
  /// - Parameter readCounts: The number of objects read, by the number of the entity.
  /// - Returns: The notices.
  func notices(_ readCounts: [Int]) -> [ImportError] {
    plan.entities.compactMap { entity in
      let schema = entity.schema
      guard readCounts[schema.number] > 0, mayLackIdentity(entity) else { return nil }
      let isRoot = rootEntities.contains(schema.number)
      let name: String
      let reason: String
      if let attribute = schema.attributes.first(where: {
        isRoot ? Self.isCalledIdentity($0, of: schema) : Self.mayIdentify($0) && $0.name == "id"
      }) {
        name = attribute.name
        reason = "\"\(name)\" may tell them apart"
      } else if let (number, count) = unrepeated[schema.number] {
        name = schema.attributes[number].name
        reason = "no two of \(count) have the same \"\(name)\""
      } else {
        return nil
      }
      return ImportError(
        kind: .missingIdentity, entity: schema.name, property: name,
        message:
          "\(schema.name) has no identity, so each import inserts its objects anew, though \(reason);"
          + " make it the identity, or let the entity's policy for a missing identity be \"insert\""
      )
    }
  }

  private func mayLackIdentity(_ entity: EntityPlan) -> Bool {
    let schema = entity.schema
    return options.mode != .updateOnly && model.schema.dialect != .zds && schema.identity.isEmpty
      && !schema.isSingleton && !entity.fillsExistingTarget
      && schema.policies.missingIdentity != .insert
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
