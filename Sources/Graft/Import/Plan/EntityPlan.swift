/// An entity as an import sees it, all policies settled.
struct EntityPlan {
  var schema: EntitySchema
  /// The attributes that must have a value and have no default.
  var required: [RequiredAttribute] = []
  var requiredMask: UInt64 = 0
  /// Whether a property has several paths, so that a later value may count for less.
  var hasAlternatives: Bool
  var missingIdentity: MissingIdentityPolicy
  var isInstantiable: Bool
  /// What the absence of a key does, for the properties whose absence does anything.
  var absences: [Absence] = []
  var relationships: [RelationshipPlan]
  /// Whether a to-one object without identity is written into the object that is linked already.
  var fillsPresentTarget: Bool
  /// The number of the attribute that must have grown for an update to apply.
  var modifiedAttribute: Int?

  /// What the absence of a property's key does.
  struct Absence {
    var isAttribute: Bool
    var number: Int
    var action: NullPolicy.Action
  }

  /// Settles what an import does with the objects of an entity.
  init(
    _ schema: EntitySchema, in model: ModelSchema, _ policies: PolicyDefaults,
    _ options: ImportOptions
  ) {
    self.schema = schema
    hasAlternatives =
      schema.attributes.contains { $0.paths.count > 1 }
      || schema.relationships.contains { $0.paths.count + $0.identifierPaths.count > 1 }
    missingIdentity = schema.missingIdentity ?? policies.missingIdentity
    isInstantiable = !schema.isAbstract || policies.instantiatesAbstract
    modifiedAttribute = schema.modifiedAttribute
    fillsPresentTarget = policies.fillsPresentTarget
    relationships = schema.relationships.map { RelationshipPlan($0, in: model, policies) }
    require(schema)
    for (number, attribute) in schema.attributes.enumerated() where !attribute.paths.isEmpty {
      let policy = attribute.onAbsent ?? policies.onAbsentAttribute
      let action = policy.action(
        isOptional: attribute.isOptional, hasDefault: attribute.defaultValue != nil)
      guard action != .keep, !schema.identity.contains(number) else { continue }
      absences.append(Absence(isAttribute: true, number: number, action: action))
    }
    for (number, relationship) in schema.relationships.enumerated()
    where !relationship.paths.isEmpty {
      let policy = relationship.onAbsent ?? policies.onAbsentRelationship
      let action = policy.action(isOptional: true, hasDefault: false)
      guard action != .keep else { continue }
      absences.append(Absence(isAttribute: false, number: number, action: action))
    }
  }

  private mutating func require(_ schema: EntitySchema) {
    let numbers = schema.attributes.indices.filter {
      !schema.attributes[$0].isOptional && schema.attributes[$0].defaultValue == nil
    }
    required = numbers.enumerated().map { index, attribute in
      RequiredAttribute(attribute: attribute, bit: index < 64 ? UInt64(1) << UInt64(index) : 0)
    }
    requiredMask = required.reduce(0) { $0 | $1.bit }
  }
}

/// An attribute that must have a value and has no default.
struct RequiredAttribute {
  var attribute: Int
  /// Its bit in `EntityParser.requiredSeen`; 0 beyond the 64th attribute.
  var bit: UInt64

  /// Whether an object has no value for it.
  func isMissing(_ parser: EntityParser, _ values: PendingValues) -> Bool {
    bit == 0 ? !values.hasValue(forAttribute: attribute) : parser.requiredSeen & bit == 0
  }
}

/// A relationship as an import sees it, all policies settled.
struct RelationshipPlan {
  var collection: CollectionPolicy
  /// What happens to members that a replacing array of objects no longer names.
  var removed: RemovedPolicy
  /// The same where the array holds identifiers alone.
  var removedByIdentifiers: RemovedPolicy
  var reference: ReferencePolicy

  init(_ schema: RelationshipSchema, in model: ModelSchema, _ policies: PolicyDefaults) {
    let inverse = schema.inverse.map { model.entities[schema.destination].relationships[$0] }
    collection = schema.collection ?? policies.collection
    removed = schema.removed ?? policies.removed(inverseIsToMany: inverse?.isToMany)
    removedByIdentifiers = schema.removed ?? policies.removedByIdentifiers
    reference = schema.reference ?? policies.reference
  }
}

extension AbsentPolicy {
  /// What the policy comes to for a property.
  func action(isOptional: Bool, hasDefault: Bool) -> NullPolicy.Action {
    switch self {
    case .keep: .keep
    case .clear: NullPolicy.clear.action(isOptional: isOptional, hasDefault: hasDefault)
    case .default: NullPolicy.default.action(isOptional: isOptional, hasDefault: hasDefault)
    case .error: .error
    }
  }
}
