/// An entity with the policies of one import.
struct EntityPlan {
  var schema: EntitySchema
  /// The attributes that must have a value and have no default.
  var required: [RequiredAttribute] = []
  var requiredMask: UInt64 = 0
  /// Whether any property has alternative paths.
  var hasAlternatives: Bool
  /// The treatment of an object without its identity.
  var missingIdentity: MissingIdentityPolicy
  var isInstantiable: Bool
  /// The properties that an absent key changes.
  var absences: [Absence] = []
  /// The relationships that must lead to an object, and that no value of another object can fill.
  var requiredLinks: [Int]
  var relationships: [RelationshipPlan]
  /// The relationships at `$`, which read the JSON object of their owner, and the index of that path.
  var relationshipsAtObject: [(number: Int, pathIndex: Int)]
  /// Whether a to-one object without identity is written into the object that is linked already.
  var fillsExistingTarget: Bool
  /// The number of the attribute that must have grown for an update to apply.
  var modifiedAttribute: Int?

  /// The effect of a property's absent key.
  struct Absence {
    var isAttribute: Bool
    var number: Int
    var action: NullPolicy.Action
  }

  /// Decides the import's policies for the objects of an entity.
  init(_ schema: EntitySchema, in model: ModelSchema, _ options: ImportOptions) {
    self.schema = schema
    hasAlternatives =
      schema.attributes.contains { $0.paths.count > 1 }
      || schema.relationships.contains(where: \.hasAlternatives)
    missingIdentity = model.missingIdentity(of: schema, options: options.entities)
    isInstantiable = !schema.isAbstract || model.dialect.instantiatesAbstract
    modifiedAttribute = schema.modifiedAttribute
    fillsExistingTarget = model.dialect.fillsExistingTarget
    relationships = schema.relationships.enumerated().map {
      RelationshipPlan($0.element, $0.offset, of: schema, in: model, options)
    }
    relationshipsAtObject = schema.relationships.enumerated().compactMap { number, relationship in
      relationship.paths.firstIndex(where: \.steps.isEmpty).map { (number, $0) }
    }
    requiredLinks = schema.relationships.indices.filter { number in
      let relationship = schema.relationships[number]
      let inverse = relationship.inverse.map {
        model.entities[relationship.destination].relationships[$0]
      }
      return !relationship.isOptional
        && inverse?.isInJSON != true
    }
    let numbers = schema.attributes.indices.filter {
      !schema.attributes[$0].isOptional && schema.attributes[$0].defaultValue == nil
    }
    required = numbers.enumerated().map { index, attribute in
      RequiredAttribute(attribute: attribute, bit: index < 64 ? UInt64(1) << UInt64(index) : 0)
    }
    requiredMask = required.reduce(0) { $0 | $1.bit }
    for (number, attribute) in schema.attributes.enumerated() where !attribute.paths.isEmpty {
      let policies = model.policies(of: attribute.policies, options: options.attributes)
      let action = policies.onAbsent.action(
        isOptional: attribute.isOptional, hasDefault: attribute.defaultValue != nil)
      guard action != .keep, !schema.identity.contains(number) else { continue }
      absences.append(Absence(isAttribute: true, number: number, action: action))
    }
    for (number, relationship) in schema.relationships.enumerated()
    where !relationship.paths.isEmpty {
      let action = relationships[number].policies.onAbsent.action(
        isOptional: true, hasDefault: false)
      guard action != .keep else { continue }
      absences.append(Absence(isAttribute: false, number: number, action: action))
    }
  }

  /// Whether an object with its required values needs no check of its identity, its paths and its absent keys.
  var isPlain: Bool {
    schema.identity.isEmpty && !schema.isSingleton && isInstantiable && !hasAlternatives
      && !fillsExistingTarget && !needsPresence && required.count <= 64
  }

  /// Returns the bit that says that an attribute has a value; 0 for one that is not required.
  func requiredBit(of attribute: Int) -> UInt64 {
    required.first { $0.attribute == attribute }?.bit ?? 0
  }

  /// Whether keys are noted whose values have no effect.
  var needsPresence: Bool { !absences.isEmpty || !requiredLinks.isEmpty }
}

/// An attribute that must have a value and has no default.
struct RequiredAttribute {
  var attribute: Int
  /// The attribute's bit in `EntityParser.requiredSeen`; 0 beyond the 64th attribute.
  var bit: UInt64

  /// Returns whether an object has no value for it.
  func isMissing(_ parser: EntityParser, _ values: PendingValues) -> Bool {
    bit == 0 ? !values.hasValue(forAttribute: attribute) : parser.requiredSeen & bit == 0
  }
}

/// A relationship with the policies of one import.
struct RelationshipPlan {
  /// The policies; the policy `removed` among them is for arrays of identifiers, ``removed`` for arrays of objects.
  let policies: SettledPolicies
  /// The effect on members that a replacing array of objects no longer lists.
  let removed: RemovedPolicy
  var collection: CollectionPolicy { policies.collection }
  var removedByIdentifiers: RemovedPolicy { policies.removed }
  /// Whether any value of the relationship deletes the objects that it no longer leads to.
  var deletes: Bool { removed == .delete || removedByIdentifiers == .delete }
  let key: RelationshipKey

  init(
    _ schema: RelationshipSchema, _ number: Int, of entity: EntitySchema, in model: ModelSchema,
    _ options: ImportOptions
  ) {
    var policies = model.policies(of: schema.policies, options: options.relationships)
    // This import inserts no objects without identity, so a list keeps the ones that it has.
    if options.mode == .updateOnly, schema.relatedBy == nil,
      model.entities[schema.destination].family.allSatisfy({ model.entities[$0].identity.isEmpty })
    {
      policies.collection = .union
    }
    self.policies = policies
    let inverse = schema.inverse.map { model.entities[schema.destination].relationships[$0] }
    let isChild = schema.isToMany && inverse?.isToMany == false
    removed =
      schema.policies.over(options.relationships).removed
      ?? (isChild && model.dialect.deletesRemovedChildren ? .delete : policies.removed)
    let owners = model.lineage(of: entity).prefix { number < $0.relationships.count }
    key = RelationshipKey(entity: (owners.last ?? entity).number, number: number)
  }
}

extension AbsentPolicy {
  /// Returns the effect of the policy on one property.
  func action(isOptional: Bool, hasDefault: Bool) -> NullPolicy.Action {
    switch self {
    case .keep: .keep
    case .clear: NullPolicy.clear.action(isOptional: isOptional, hasDefault: hasDefault)
    case .default: NullPolicy.default.action(isOptional: isOptional, hasDefault: hasDefault)
    case .error: .error
    }
  }
}

/// A relationship, with the topmost entity that has it.
package struct RelationshipKey: Hashable, Comparable {
  package var entity: Int
  package var number: Int

  package init(entity: Int, number: Int) {
    self.entity = entity
    self.number = number
  }

  package static func < (lhs: RelationshipKey, rhs: RelationshipKey) -> Bool {
    (lhs.entity, lhs.number) < (rhs.entity, rhs.number)
  }
}
