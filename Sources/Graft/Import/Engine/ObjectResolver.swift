// Finds the object of the graph that a piece of JSON describes. In this order:
//
// 1. The entity has no more than one object (`@singleton`): that one.
// 2. The relationship finds its objects by another attribute than the identity
//    (`JSONRelatedBy`), and the values lack an identity: the object that has the value.
// 3. The identity: the object that has it, from any source, and also an object of a sub-entity.
// 4. A stub of a base entity that has the identity is promoted to an object of the entity that the
//    document names now.
// 5. A stub that such a relationship has made, which has one of the values and no identity, is
//    replaced likewise.
// 6. Otherwise the object is new.

/// Finds the objects that a document describes.
final class ObjectResolver: ImportPart {
  /// The object that an entity parser's values describe.
  enum Resolution {
    case existing(ObjectID)
    /// No object has the identity.
    case new
    /// A part of the identity is missing or null.
    case unidentified
    /// A stub of a base entity has the identity.
    case promotion(of: ObjectID)
    /// An object of another entity has the identity.
    case conflict(with: ObjectID)
  }

  /// The identity of the object that was resolved last.
  @safe @exclusivity(unchecked) private var identityValues = RawStack<RawValue>()
  /// The identity of the stub that was inserted last, with null for what is not known of it.
  @safe @exclusivity(unchecked) private var stubIdentity = RawStack<RawValue>()
  private var lookups = AttributeLookups()
  /// The object that replaces each promoted stub, until all links lead there.
  @safe @exclusivity(unchecked) private var replacements = [ObjectID: ObjectID]()

  // MARK: By an object's values

  /// Finds the object that a parser's values describe.
  ///
  /// Afterwards ``identity`` has the values of the identity.
  @inline(__always)
  func resolve(_ parser: EntityParser, _ values: PendingValues) -> Resolution {
    let entity = Int(parser.entity)
    identityValues.truncate(to: 0)
    if let found = findWithoutIdentity(parser, values) { return .existing(found) }
    guard !plan.entities[entity].schema.identity.isEmpty else {
      return resolveUnknown(entity, values)
    }
    guard gatherIdentity(of: entity, values) else { return .unidentified }
    guard let found = transaction.find(identityOf: entity, identity) else {
      return resolveUnknown(entity, values)
    }
    if isKind(found, of: entity) { return .existing(found) }
    return transaction.canPromote(found, to: entity)
      ? .promotion(of: found) : .conflict(with: found)
  }

  /// Resolves values whose identity belongs to no object.
  @inline(__always)
  private func resolveUnknown(_ entity: Int, _ values: PendingValues) -> Resolution {
    guard plan.hasLookups, let stub = stubWithoutIdentity(for: entity, values) else { return .new }
    return .promotion(of: stub)
  }

  private func stubWithoutIdentity(for entity: Int, _ values: PendingValues) -> ObjectID? {
    for lookup in plan.lookups[entity] {
      guard let value = values.last(forAttribute: lookup.attribute), value.kind != .null,
        let stub = lookups.stub(with: parsers.rawValue(of: value), by: lookup, in: transaction),
        transaction.canPromote(stub, to: entity)
      else { continue }
      return stub
    }
    return nil
  }

  /// The identity of the object that was resolved last; empty if the entity has none, with null for a missing value.
  var identity: BorrowedBuffer<RawValue> {
    identityValues.elements
  }

  /// Whether the identity of the object that was resolved last is incomplete or none.
  var lacksIdentity: Bool { identity.isEmpty || identity.contains(where: \.isNull) }

  /// Returns the existing object that a skipped object's values describe.
  func findMentioned(_ parser: EntityParser, _ values: PendingValues) -> ObjectID? {
    let entity = Int(parser.entity)
    identityValues.truncate(to: 0)
    if let found = findWithoutIdentity(parser, values) { return found }
    guard !plan.entities[entity].schema.identity.isEmpty, gatherIdentity(of: entity, values) else {
      return nil
    }
    return transaction.find(identityOf: entity, identity)
  }

  /// Returns whether a parser's values have the whole identity of their entity.
  func isIdentified(_ parser: EntityParser, _ values: PendingValues) -> Bool {
    identityValues.truncate(to: 0)
    return gatherIdentity(of: Int(parser.entity), values)
  }

  /// Returns the object that has an identity; nil if there is none.
  func find(_ identity: [OwnedValue], of entity: Int) -> ObjectID? {
    OwnedValue.withRawValues(identity[...]) { transaction.find(identityOf: entity, $0) }
  }

  @inline(__always)
  private func findWithoutIdentity(_ parser: EntityParser, _ values: PendingValues) -> ObjectID? {
    let entity = Int(parser.entity)
    if plan.entities[entity].schema.isSingleton { return transaction.any(of: entity) }
    let attribute = plan.handOffs[Int(parser.handOff)].relatedBy
    guard attribute >= 0, let value = values.last(forAttribute: Int(attribute)),
      value.kind != .null
    else { return nil }
    if !plan.entities[entity].schema.identity.isEmpty {
      let isIdentified = gatherIdentity(of: entity, values)
      identityValues.truncate(to: 0)
      if isIdentified { return nil }
    }
    return lookups.object(
      with: parsers.rawValue(of: value),
      by: AttributeLookup(entity: entity, attribute: Int(attribute)), in: transaction)
  }

  /// Collects the values of the identity in their order.
  ///
  /// - Returns: Whether none is missing or null.
  private func gatherIdentity(of entity: Int, _ values: PendingValues) -> Bool {
    var isComplete = true
    for attribute in plan.entities[entity].schema.identity {
      var found = RawValue.null
      for value in values
      where value.pointee.isIdentity && Int(value.pointee.number) == attribute
        && !value.pointee.isSuperseded
      {
        found = parsers.rawValue(of: value.pointee)
      }
      if found.isNull { isComplete = false }
      identityValues.push(found)
    }
    return isComplete
  }

  // MARK: By a bare identifier

  /// Returns the object that a bare identifier names.
  func find(_ value: RawValue, of property: PropertyPlan) -> ObjectID? {
    if let lookup = property.lookup {
      return lookups.object(with: value, by: lookup, in: transaction)
    }
    return BorrowedBuffer.withOne(value) {
      transaction.find(identityOf: property.destination, $0)
    }
  }

  /// Inserts an object that is known only by a bare identifier: its identity, one part of it, or another attribute.
  func insertStub(_ value: RawValue, of property: PropertyPlan) -> ObjectID {
    stubIdentity.truncate(to: 0)
    let attributes = schema.entities[property.destination].identity
    let isPart = attributes.contains(property.attribute)
    if isPart {
      for attribute in attributes {
        stubIdentity.push(attribute == property.attribute ? value : .null)
      }
    }
    let stub = transaction.insert(
      entity: property.destination, identity: stubIdentity.elements, stub: true)
    if !isPart { _ = transaction.set(stub, attribute: property.attribute, value) }
    if let lookup = property.lookup {
      lookups.note(stub, in: transaction)
      lookups.note(stub, by: lookup, in: transaction)
    }
    return stub
  }

  /// Returns whether an object is of an entity or one below it.
  func isKind(_ object: ObjectID, of entity: Int) -> Bool {
    object.entity == entity || schema.entities[entity].family.contains(object.entity)
  }

  /// Updates the indexes of attributes after an object was written, and replaces stubs that
  /// relationships have made for one of its values.
  ///
  /// For example, `"user_name": "ann"` has made a stub, and `"owner": 3` another one for user 3,
  /// who turns out to be Ann.
  func noteLookups(of object: ObjectID) {
    guard plan.hasLookups else { return }
    let keys = plan.lookups[object.entity]
    for stub in lookups.absorbStubs(into: object, by: keys, in: transaction) {
      outcomes.forget(stub)
      replacements[stub] = object
    }
  }

  /// Forgets the look-ups of other objects, because another writer has changed the graph.
  func resetLookups() {
    lookups = AttributeLookups()
  }

  // MARK: Promotion of stubs

  /// Replaces a stub by an object of a sub-entity, which takes over its identity and links.
  ///
  /// With the relationship `vehicle: Vehicle`, `"vehicle": 7` makes a stub of Vehicle. If
  /// `{"id": 7, "type": "Car"}` follows, the object is a Car, with an identifier of its own,
  /// because the identifier names the entity. Links that are not yet written still lead to the
  /// stub; ``current(_:)`` gives their current object.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - entity: The entity of the object, below the stub's.
  ///   - identity: The identity of both.
  ///   - remainsStub: Whether the object is still a stub.
  /// - Returns: The object.
  func promote(
    _ stub: ObjectID, to entity: Int, identity: BorrowedBuffer<RawValue>, remainsStub: Bool
  ) -> ObjectID {
    let object = transaction.promote(
      stub, to: entity, identity: identity, remainsStub: remainsStub)
    let isNew = outcomes[stub] == .inserted
    outcomes.forget(stub)
    outcomes.note(isNew ? .inserted : .updated, object)
    replacements[stub] = object
    return object
  }

  /// Whether links may lead to stubs that have been replaced.
  var hasReplacements: Bool { !replacements.isEmpty }

  /// Returns the object itself, or the object that has replaced it.
  func current(_ object: ObjectID) -> ObjectID { replacements.end(of: object) }

  /// Redirects all links of the graph from stubs to the objects that replace them; afterwards no
  /// replacement is remembered.
  ///
  /// - Returns: For each stub the object that replaces it.
  func settleReplacements() -> [ObjectID: ObjectID] {
    let settled = Dictionary(
      uniqueKeysWithValues: replacements.keys.map { ($0, current($0)) })
    if !settled.isEmpty { transaction.redirectOneWayLinks(settled) }
    replacements.removeAll()
    return settled
  }
}

extension PropertyPlan {
  /// The attribute by which a relationship finds its objects; nil for their identity.
  fileprivate var lookup: AttributeLookup? {
    isIdentity ? nil : AttributeLookup(entity: destination, attribute: attribute)
  }
}
