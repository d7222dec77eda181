/// A working copy of a graph, on which objects are inserted, changed, linked and deleted.
///
/// Others see nothing of it until ``GraphStore/commit(_:)`` publishes it. It copies only the row
/// groups that it writes; its tables share the others with the base graph.
///
/// It has one owner at a time and is not `Sendable`; nothing is synchronised. Its
/// parts: ``WorkingTables`` has the rows, ``LinkWriter`` writes relationships, ``IdentityRegister``
/// finds objects by identity, ``DeletionPlan`` applies delete rules, ``ModelCheck`` checks the
/// written groups before they are published.
package final class GraphTransaction {
  package let model: GraphModel
  let schema: ModelSchema
  package let layout: StoreLayout
  /// The graph that the changes are relative to.
  package private(set) var base: Graph
  package let tables: WorkingTables
  let links: LinkWriter
  /// Writes links that the source has returned, which are no change.
  let fetchedLinks: LinkWriter
  private let identities: IdentityRegister
  /// The entities of deleted objects, to which relationships without inverse may still lead.
  private(set) var entitiesWithDeletions: Set<Int> = []
  /// The object in the place of each promoted stub.
  ///
  /// Kept until the commit, because a promotion is not a deletion. If the changes are replayed onto
  /// another graph, the stub there is promoted as well, together with the links that it has by
  /// then.
  package private(set) var promotions = [ObjectID: ObjectID]()
  /// Holds if the changes are replayed onto another graph.
  var rebaseRules = RebaseRules()
  /// The objects that the tables have from a source; nil for a graph that is all in memory.
  package let fetched: FetchedObjects?

  /// - Parameters:
  ///   - base: The graph that it begins with.
  ///   - fetched: Has the source of objects that the tables lack.
  ///   - promotions: For each stub that was promoted before, the object in its place.
  package init(
    base: Graph, fetched: FetchedObjects? = nil, promotions: [ObjectID: ObjectID] = .init()
  ) {
    self.base = base
    self.fetched = fetched
    self.promotions = promotions
    model = base.model
    schema = base.model.schema
    layout = base.storage.layout
    tables = WorkingTables(base)
    links = LinkWriter(tables: tables, fetched: fetched)
    fetchedLinks = LinkWriter(tables: tables, fetched: nil)
    identities = IdentityRegister(base, tables)
  }

  // The helpers that have a copy of the tables belong to this object, and go with it.
  deinit { unsafe tables.deallocate() }

  /// Forgets all changes, and continues from another graph of the same store.
  package func reset(to graph: Graph) {
    tables.reset(to: graph)
    identities.reset(to: graph)
    entitiesWithDeletions = []
    promotions.removeAll()
    base = graph
  }

  /// Returns the graph with the transaction's changes; the transaction continues from it.
  ///
  /// - Complexity: O(*n*) in the number of row groups written, and a reference to each of the 32
  ///   groups beside them.
  package func freeze() -> Graph {
    let entities = 0..<layout.entityCount
    let storage = GraphStorage(
      layout: layout, tables: ContiguousArray(entities.map { tables.mergedTable($0).snapshot() }),
      indexes: identities.snapshot())
    let graph = Graph(storage: storage)
    reset(to: graph)
    return graph
  }

  /// Checks what a commit would publish, and freezes it.
  ///
  /// - Parameter values: Whether written values must obey the bounds and patterns of the model; an
  ///   import has checked them already, as its options say.
  /// - Returns: The graph as the transaction sees it, which is its base if nothing was written; the
  ///   transaction goes on from there.
  /// - Throws: ``StoreError`` if an object is not as the model requires.
  package func checked(values: Bool = false) throws(StoreError) -> Graph {
    clearDanglingLinks()
    guard isChanged else { return base }
    try ModelCheck.run(on: self, checkingValues: values)
    return freeze()
  }

  /// Whether a row was written, even if the change was undone later.
  package var isChanged: Bool { tables.isChanged }

  /// Returns the transaction's changes so far.
  ///
  /// - Complexity: O(*n*) in the number of row groups written.
  func difference() -> GraphDifference {
    var result = GraphDifference()
    for entity in 0..<layout.entityCount {
      let table = tables.mergedTable(entity)
      let comparison = GroupComparison(entity: entity, shape: table.shape)
      for owned in table.owned.inOrder(by: { $0.number < $1.number }) {
        comparison.compare(
          table.baseGroup(owned.number), owned.group.pointer, number: owned.number, &result)
      }
    }
    return result
  }
}

// Objects and identities.
extension GraphTransaction {
  /// Returns the number of rows ever made for an entity, deleted ones included.
  package func rowCount(_ entity: Int) -> Int { tables[entity].rowCount }

  /// Returns the number of objects of an entity.
  func liveCount(_ entity: Int) -> Int { tables[entity].liveCount }

  /// Returns whether the object exists; deletion ends that.
  @inline(never)
  func contains(_ id: ObjectID) -> Bool { tables.contains(id) }

  /// Returns the object with an identity.
  ///
  /// - Parameters:
  ///   - entity: Any of the entities that share the identity.
  ///   - values: The values of `EntitySchema.identity`, in the same order; an identity with a null
  ///     value belongs to no object.
  /// - Returns: The object; nil if there is none.
  package func find(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    guard let found = identities.find(entity, values) else {
      return fetched == nil ? nil : fetch(identityOf: entity, values)
    }
    readValues(of: found)
    return found
  }

  /// Returns the object with an identity, among the objects that the tables hold.
  package func held(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    identities.find(entity, values)
  }

  /// Returns whether an object has an identity.
  func hasIdentity(_ id: ObjectID, _ values: BorrowedBuffer<RawValue>) -> Bool {
    identities.matches(id, values)
  }

  /// Returns the present objects of a concrete entity, in the order of insertion.
  func objects(of entity: Int) -> some BidirectionalCollection<ObjectID> {
    (0..<rowCount(entity)).lazy.map { self.layout.objectID(entity: entity, row: $0) }
      .filter { self.contains($0) }
  }

  /// Returns any object of a concrete entity.
  ///
  /// - Complexity: O(*n*) in the objects of the entity that were deleted.
  func any(of entity: Int) -> ObjectID? {
    guard let held = objects(of: entity).first(where: { _ in true }) else {
      return fetchAny(of: entity)
    }
    readValues(of: held)
    return held
  }

  /// Calls `body` with the identity's values, borrowed from the object's row.
  package func withIdentity<R, E: Error>(
    of id: ObjectID, _ body: (BorrowedBuffer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    try identities.withIdentity(of: id, body)
  }

  /// Returns whether an object lacks a complete identity.
  ///
  /// A stub that has been filled has one.
  func lacksIdentity(_ id: ObjectID) -> Bool {
    withIdentity(of: id) { $0.isEmpty || $0.contains(where: \.isNull) }
  }

  /// Inserts an object with its defaults.
  ///
  /// - Parameters:
  ///   - entity: The object's concrete entity.
  ///   - values: The identity, as for ``find(identityOf:_:)``; empty for none.
  ///   - stub: Whether only the identity is known so far.
  /// - Returns: The object.
  /// - Precondition: No object has the identity.
  package func insert(
    entity: Int, identity values: BorrowedBuffer<RawValue>, stub: Bool = false
  ) -> ObjectID {
    assert(held(identityOf: entity, values) == nil, "two objects cannot have one identity")
    let id = tables.addRow(entity, isStub: stub, defaults: layout.defaults[entity])
    if !values.isEmpty { identities.assign(values, to: id) }
    return id
  }

  /// Changes the identity of an object.
  ///
  /// - Returns: Whether it differed.
  /// - Throws: ``StoreError`` if another object has the identity.
  func setIdentity(
    _ id: ObjectID, _ values: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> Bool {
    if identities.matches(id, values) { return false }
    if let other = find(identityOf: id.entity, values), other != id {
      throw duplicateIdentity(
        of: other, for: lacksIdentity(id) ? nil : id, schema.entities[id.entity])
    }
    fetched?.noteIdentityChange(of: id, from: key(of: id))
    identities.reassign(values, to: id)
    return true
  }

  /// Returns the error for an identity that another object has.
  ///
  /// - Parameters:
  ///   - other: The object that has it.
  ///   - id: The object that was to get it instead of its own; nil for one that had none.
  ///   - entity: The entity of the object that was to get it.
  /// - Returns: The error; it names `findOrInsert` where that finds the other object.
  func duplicateIdentity(
    of other: ObjectID, for id: ObjectID? = nil, _ entity: EntitySchema
  ) -> StoreError {
    let message =
      if let id {
        "\(describe(id)): cannot take the identity of \(describe(other)); identities are unique"
      } else {
        "\(describe(other)) exists already, and identities are unique; "
          + (entity.family.contains(other.entity)
            ? "use findOrInsert(_:identifiedBy:) to write to it" : "it is no \(entity.name)")
      }
    return StoreError(.duplicateIdentity, message, entity: entity.name)
  }

  /// Returns the object as messages name it: by its entity and its identity.
  func describe(_ id: ObjectID) -> String {
    let entity = schema.entities[id.entity]
    guard !entity.identity.isEmpty else { return "\(entity.name)/\(id.row + 1)" }
    let values = entity.declaredIdentity.map { number in
      let attribute = entity.attributes[number]
      let value = AttributeValue(self.value(id, attribute: number), type: attribute.type)
      return "\(attribute.name): \(value.map(\.shortText) ?? "nil")"
    }
    return "\(entity.name)(\(values.joined(separator: ", ")))"
  }
}

// Attributes.
extension GraphTransaction {
  /// Returns a writer for several attributes of one object, valid until the next insertion of its entity.
  func row(_ id: ObjectID) -> RowWriter { tables.row(id) }

  /// Sets an attribute that is not part of the identity.
  ///
  /// - Returns: Whether the value differed from the current one.
  package func set(_ id: ObjectID, attribute: Int, _ value: RawValue) -> Bool {
    tables.row(id).set(attribute, value)
  }

  /// Returns whether an attribute has no value.
  func isNull(_ id: ObjectID, attribute: Int) -> Bool { tables.isNull(id, attribute: attribute) }

  /// Returns the value of an attribute; its bytes are borrowed until the next write.
  package func value(_ id: ObjectID, attribute: Int) -> RawValue {
    tables.value(id, attribute: attribute)
  }

  /// Returns whether only the object's identity is known.
  package func isStub(_ id: ObjectID) -> Bool { tables.isStub(id) }

  func setStub(_ id: ObjectID, _ isStub: Bool) { tables.setStub(id, isStub) }
}

// Relationships. The setters keep the inverse.
extension GraphTransaction {
  /// Returns the object that a to-one relationship leads to.
  func toOne(_ id: ObjectID, relationship: Int) -> ObjectID? {
    readTargets(of: id, relationship)
    return tables.toOne(id, relationship: relationship)
  }

  /// Returns the objects that a to-many relationship leads to: in their order, or sorted by
  /// identifier if the relationship has none.
  func toMany(_ id: ObjectID, relationship: Int) -> [ObjectID] {
    readTargets(of: id, relationship)
    return tables.toMany(id, relationship: relationship)
  }

  /// Calls `body` with the members of a to-many relationship; it must not write.
  func withToMany<R>(
    _ id: ObjectID, relationship: Int, _ body: (BorrowedBuffer<ObjectID>) throws -> R
  ) rethrows -> R {
    readTargets(of: id, relationship)
    return try tables.withToMany(id, relationship: relationship, body)
  }

  /// Returns the objects that a relationship leads to, whether it is to-one or to-many.
  func targets(_ id: ObjectID, relationship: Int) -> [ObjectID] {
    readTargets(of: id, relationship)
    return tables.targets(id, relationship: relationship)
  }

  /// Links an object to another one, or to none.
  ///
  /// - Returns: Whether the link differed.
  func setToOne(_ id: ObjectID, relationship: Int, _ target: ObjectID?) -> Bool {
    assert(target.map { isTarget($0, of: id, relationship) } ?? true)
    if let fetched {
      BorrowedBuffer.withOptional(target) {
        $0.withSpan { prepareLinks(of: id, relationship, .replace, $0, fetched) }
      }
    }
    return links.setToOne(id, relationship, target)
  }

  /// Makes a to-many relationship lead to these objects and no others.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - relationship: The relationship's number.
  ///   - targets: The objects; where one occurs twice, its first place counts.
  /// - Returns: Whether anything differed.
  func setToMany(_ id: ObjectID, relationship: Int, _ targets: Span<ObjectID>) -> Bool {
    if let fetched { prepareLinks(of: id, relationship, .replace, targets, fetched) }
    return links.setToMany(id, relationship, targets)
  }

  /// Adds objects to a to-many relationship, at the end if it is ordered.
  ///
  /// - Returns: Whether any of them was not a member yet.
  func unite(_ id: ObjectID, relationship: Int, _ targets: Span<ObjectID>) -> Bool {
    if let fetched { prepareLinks(of: id, relationship, .add, targets, fetched) }
    return links.unite(id, relationship, targets)
  }

  /// Removes an object from a to-many relationship; nothing happens if it is no member.
  func removeMember(_ member: ObjectID, of id: ObjectID, relationship: Int) {
    readTargets(of: id, relationship)
    guard tables.hasMember(member, id, relationship: relationship) else { return }
    if let fetched {
      BorrowedBuffer.withOne(member) {
        $0.withSpan { prepareLinks(of: id, relationship, .remove, $0, fetched) }
      }
    }
    links.removeMember(member, id, relationship)
  }

  private func isTarget(_ target: ObjectID, of id: ObjectID, _ relationship: Int) -> Bool {
    let destination = tables[id.entity].shape.relationships[relationship].destination
    return contains(target) && schema.entities[destination].family.contains(target.entity)
  }
}

// Deletion and promotion.
extension GraphTransaction {
  /// Deletes objects, and others by their delete rules.
  ///
  /// - Parameters:
  ///   - ids: The objects; an object that no longer exists is skipped.
  ///   - isSpared: Whether an object stays although the rule cascade leads to it.
  /// - Returns: All objects that were deleted.
  /// - Throws: ``StoreError`` if a relationship with the rule deny leads to an object that stays;
  ///   nothing is deleted then.
  @discardableResult
  package func delete(
    _ ids: [ObjectID], sparing isSpared: (ObjectID) throws(StoreError) -> Bool = { _ in false }
  ) throws(StoreError) -> [ObjectID] {
    let plan = try DeletionPlan(deleting: ids, in: self, sparing: isSpared)
    carryOut(plan)
    return plan.objects
  }

  /// Returns an object, and the objects that the rule cascade deletes with it.
  package func objectsDeleted(with id: ObjectID) throws(StoreError) -> [ObjectID] {
    var plan = DeletionPlan(removing: [], from: self)
    return try Array(plan.addCascade(from: id, sparing: { _ in false }))
  }

  /// Removes objects that were inserted by mistake, without applying delete rules.
  package func remove(_ ids: [ObjectID]) { carryOut(DeletionPlan(removing: ids, from: self)) }

  @inline(never)
  private func carryOut(_ plan: DeletionPlan) {
    if let fetched {
      for object in plan.objects { fetched.noteRemoval(of: object, key: key(of: object)) }
    }
    plan.carryOut(links, identities)
    entitiesWithDeletions.formUnion(plan.entities)
  }

  /// Removes links to deleted objects from relationships without inverse.
  package func clearDanglingLinks() {
    redirectOneWayLinks(to: entitiesWithDeletions) { contains($0) ? $0 : nil }
  }

  /// Returns whether an object is a stub that can become an object of an entity: the stub's own
  /// entity, or one below.
  func canPromote(_ object: ObjectID, to entity: Int) -> Bool {
    isStub(object) && schema.entities[object.entity].family.contains(entity)
  }

  /// Inserts an object in the place of a stub, and removes the stub.
  ///
  /// The object takes over the stub's links. Relationships without inverse still lead to the stub
  /// until ``redirectOneWayLinks(_:)``.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - entity: The object's entity, below the stub's.
  ///   - identity: The identity of both.
  ///   - remainsStub: Whether the object, too, is known by its identity only.
  /// - Returns: The object.
  func promote(
    _ stub: ObjectID, to entity: Int, identity: BorrowedBuffer<RawValue>, remainsStub: Bool
  ) -> ObjectID {
    identities.remove(stub)
    let object = insert(entity: entity, identity: identity, stub: remainsStub)
    fetched?.notePromotion(of: stub, to: object)
    links.moveLinks(of: stub, to: object)
    remove([stub])
    promotions[stub] = object
    return object
  }

  /// Moves the links of a stub to the object that it stands for, and removes the stub.
  ///
  /// If both have a to-one link, the object's own link stays. Relationships without inverse still
  /// lead to the stub until ``redirectOneWayLinks(_:)``.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - object: An object of the stub's entity, or of one below.
  func absorb(_ stub: ObjectID, into object: ObjectID) {
    readNeighbours(of: stub)
    for (number, relationship) in schema.entities[stub.entity].relationships.enumerated() {
      let targets = targets(stub, relationship: number).map { $0 == stub ? object : $0 }
      if relationship.isToMany {
        _ = unite(object, relationship: number, targets.span)
      } else if let target = targets.first, toOne(object, relationship: number) == nil {
        _ = setToOne(object, relationship: number, target)
      }
    }
    remove([stub])
  }

  /// Returns the object in the place of a promoted stub; the object itself if it was not promoted.
  func replacement(of object: ObjectID) -> ObjectID { promotions.end(of: object) }

  /// Removes an object's identity from the index, so that another object can be inserted with it.
  func unregister(_ id: ObjectID) { identities.remove(id) }

  /// Redirects relationships without inverse from promoted stubs to the objects in their place.
  ///
  /// - Parameter replacements: For each stub that was removed, the object in its place.
  /// - Complexity: O(*n*) in the number of objects that have such relationships, and their links.
  func redirectOneWayLinks(_ replacements: [ObjectID: ObjectID]) {
    redirectOneWayLinks(to: Set(replacements.keys.map(\.entity))) { replacements[$0] ?? $0 }
  }

  private func redirectOneWayLinks(
    to entities: Set<Int>, _ replacement: (ObjectID) -> ObjectID?
  ) {
    guard !entities.isEmpty else { return }
    for (entity, relationship) in layout.oneWayRelationships {
      let destination = tables[entity].shape.relationships[relationship].destination
      guard schema.entities[destination].family.contains(where: entities.contains) else { continue }
      links.redirectAll(of: entity, relationship, replacement)
    }
  }
}
