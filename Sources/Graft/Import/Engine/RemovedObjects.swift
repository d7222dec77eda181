// Finds the objects that `JSONRemoved` = `delete` deletes at the end of the document. After
//
//   [{"id": 1, "items": [{"name": "x"}]}, {"id": 1, "items": [{"name": "z"}]}]
//
// item x is deleted: list 1 has lost it, no other list has it, and the value that mentioned it has
// been replaced. So a link of the document keeps an object only while it stands. Other mentions last:
// as an object of a root, or in an object that was skipped and so wrote no links.
//
// All of this is kept only for imports in which some relationship deletes. A destination that
// releases objects at a save takes these facts with them (``RemovedObjects/notes(of:)``), and gives
// them back when the document has ended.

/// Keeps the objects that a relationship with `JSONRemoved` = `delete` no longer leads to, and the mentions that save them.
package final class RemovedObjects {
  /// A fact about an object that counts when the document has ended.
  package enum Note: Hashable {
    /// The document mentions it in another way than by a link.
    case mentioned
    /// The document has linked it by a relationship.
    case linked(RelationshipKey)
    /// A relationship that deletes has lost it.
    case lost(RelationshipKey)
  }

  private let plan: ImportPlan
  private let transaction: GraphTransaction
  private var removed = [RelationshipKey: Set<ObjectID>]()
  /// The objects that the document has linked, by relationship.
  private var linked = [RelationshipKey: ObjectSet]()
  /// The objects that have been mentioned in another way than by a link.
  @safe @exclusivity(unchecked) private var mentioned: ObjectSet
  /// Tells of each entity whether its objects may be deleted, as lost ones or together with these.
  private let isDeletable: [Bool]
  /// Whether a save may release objects before the document has ended.
  ///
  /// It would refuse an object that has lost its owner and must have one.
  let canReleaseObjects: Bool

  /// Creates an empty record; nil if no relationship deletes.
  init?(plan: ImportPlan, transaction: GraphTransaction) {
    guard !plan.deletingRelationships.isEmpty else { return nil }
    self.plan = plan
    self.transaction = transaction
    mentioned = ObjectSet(entityCount: plan.entities.count)
    let entities = transaction.schema.entities
    let deletable = transaction.schema.reachedByCascade(from: plan.losableEntities)
    isDeletable = entities.indices.map(deletable.contains)
    canReleaseObjects = plan.deletingRelationships.allSatisfy { key in
      let relationship = entities[key.entity].relationships[key.number]
      let destination = entities[relationship.destination]
      return relationship.inverse.map { !destination.relationships[$0].isBounded } ?? true
    }
  }

  /// Notes that the document mentions an object; later changes of links to it do not matter.
  func mention(_ object: ObjectID) {
    _ = mentioned.insert(object)
  }

  /// Notes the objects of a skipped object's links, which are not written.
  func mention(linksOf values: PendingValues) {
    for value in values where !value.pointee.isSuperseded {
      if let object = value.pointee.linkedObject { mention(object) }
    }
  }

  /// Notes that the document writes a relationship of an object, before it is written.
  ///
  /// - Parameters:
  ///   - relationship: The number of the relationship.
  ///   - owner: The object that has it.
  ///   - members: The objects that it leads to afterwards.
  ///   - policy: The treatment of objects that it no longer leads to.
  func noteWrite(
    _ relationship: Int, of owner: ObjectID, to members: [ObjectID], _ policy: RemovedPolicy
  ) {
    let key = plan.entities[owner.entity].relationships[relationship].key
    for member in members where isDeletable[member.entity] { note(member, linkedBy: key) }
    guard policy == .delete else { return }
    let old = transaction.targets(owner, relationship: relationship)
    guard !old.isEmpty else { return }
    note(old.without(Set(members)), lostBy: key)
  }

  /// Notes objects that a later value has replaced before they were linked.
  func noteUnlinked(_ objects: [ObjectID], _ relationship: Int, of owner: ObjectID) {
    let policies = plan.entities[owner.entity].relationships[relationship]
    if policies.deletes { note(objects, lostBy: policies.key) }
  }

  private func note(_ objects: [ObjectID], lostBy key: RelationshipKey) {
    for object in objects { removed[key, default: []].insert(object) }
  }

  private func note(_ object: ObjectID, linkedBy key: RelationshipKey) {
    _ = linked[key, default: ObjectSet(entityCount: plan.entities.count)].insert(object)
  }

  /// Replaces the identifiers that a rebase or a promotion has changed.
  func remap(_ identifiers: [ObjectID: ObjectID]) {
    mentioned.remap(identifiers)
    for key in linked.keys { linked[key]?.remap(identifiers) }
    removed = removed.mapValues { Set($0.map { identifiers[$0] ?? $0 }) }
  }

  /// Finds the lost objects that no object owns any more and the document does not mention.
  ///
  /// The objects without identity that only these had are among them.
  ///
  /// - Parameter mayDelete: Whether an object may be deleted.
  /// - Returns: The objects.
  /// - Throws: The error of `mayDelete`.
  /// - Complexity: O(*n*) in the lost objects and in the links of the deleted ones. A relationship without inverse adds
  ///   all of its links.
  func orphans(
    where mayDelete: (ObjectID) throws(StoreError) -> Bool
  ) throws(StoreError) -> [ObjectID] {
    var owners = Owners(plan, transaction)
    var deletion = DeletionPlan(removing: [], from: transaction)
    var orphans: [ObjectID] = []
    var candidates: [(object: ObjectID, lostBy: RelationshipKey?)] = []
    for (key, objects) in removed.inOrder(by: { $0.key > $1.key }) {
      candidates += objects.sorted().reversed().map { ($0, key) }
    }
    for candidate in candidates { transaction.readNeighbours(of: candidate.object) }
    // An object that has an owner is checked again if the owner is deleted.
    var kept = [ObjectID: [RelationshipKey?]]()
    while let (object, relationship) = candidates.popLast() {
      guard transaction.contains(object), !owners.areGone(object) else { continue }
      guard !isKept(object, lostBy: relationship, &owners) else {
        kept[object, default: []].append(relationship)
        continue
      }
      guard try mayDelete(object) else { continue }
      orphans.append(object)
      owners.remove(object)
      for gone in try deletion.addCascade(from: object, sparing: { keeps($0, &owners) }) {
        for value in valueObjects(of: gone) {
          transaction.readNeighbours(of: value)
          candidates.append((value, nil))
        }
        for number in transaction.schema.entities[gone.entity].relationships.indices {
          for target in transaction.targets(gone, relationship: number) {
            candidates += (kept.removeValue(forKey: target) ?? []).map { (target, $0) }
          }
        }
      }
    }
    return orphans
  }

  /// Returns a function that says of an object whether the document keeps it when others are deleted; it is asked for
  /// each object that is deleted with them, from the outermost to the innermost.
  func keeping(whenDeleting objects: [ObjectID]) -> (ObjectID) -> Bool {
    var owners = Owners(plan, transaction)
    for object in objects { owners.remove(object) }
    return { self.keeps($0, &owners) }
  }

  /// Returns whether the document keeps an object that is deleted with others by the rule cascade; if not, it owns none
  /// from now on.
  private func keeps(_ object: ObjectID, _ owners: inout Owners) -> Bool {
    if mentioned.contains(object) || isLinked(object, &owners) { return true }
    owners.remove(object)
    return false
  }

  /// Returns whether a link that the document has written to an object still stands.
  @inline(never)
  private func isLinked(_ object: ObjectID, _ owners: inout Owners) -> Bool {
    linked.contains { $0.value.contains(object) && owners.have(object, by: $0.key) }
  }

  private func isKept(
    _ object: ObjectID, lostBy relationship: RelationshipKey?, _ owners: inout Owners
  ) -> Bool {
    if mentioned.contains(object) { return true }
    if let relationship, owners.have(object, by: relationship) { return true }
    // Many objects may lead to one by other relationships than this one. A list owns its members nevertheless. The
    // object of a to-one relationship is owned only if it belongs to nothing else.
    if relationship.map({ isToOne($0) && !transaction.lacksIdentity(object) }) ?? true,
      owners.have(object)
    {
      return true
    }
    return isLinked(object, &owners)
  }

  private func isToOne(_ key: RelationshipKey) -> Bool {
    !transaction.schema.entities[key.entity].relationships[key.number].isToMany
  }

  /// Returns the objects without identity that relationships of an object would delete.
  @inline(never)
  private func valueObjects(of object: ObjectID) -> [ObjectID] {
    plan.entities[object.entity].relationships.enumerated().filter(\.element.deletes)
      .flatMap { transaction.targets(object, relationship: $0.offset) }
      .filter { transaction.lacksIdentity($0) }
  }
}

// Destinations that release objects.
extension RemovedObjects {
  /// Returns whether objects of an entity may be deleted, as lost ones or together with these.
  package func mayDelete(objectsOf entity: Int) -> Bool { isDeletable[entity] }

  /// Returns the facts about an object that count when the document has ended.
  package func notes(of object: ObjectID) -> [Note] {
    guard isDeletable[object.entity] else { return [] }
    var notes: [Note] = mentioned.contains(object) ? [.mentioned] : []
    for (key, objects) in linked where objects.contains(object) { notes.append(.linked(key)) }
    for (key, objects) in removed where objects.contains(object) { notes.append(.lost(key)) }
    return notes
  }

  /// Takes back a fact about an object that was released.
  package func restore(_ note: Note, of object: ObjectID) {
    switch note {
    case .mentioned: mention(object)
    case .linked(let key): self.note(object, linkedBy: key)
    case .lost(let key): self.note([object], lostBy: key)
    }
  }

  /// Forgets the objects that a save has released.
  func startBatch() {
    removed.removeAll()
    linked.removeAll()
    mentioned = ObjectSet(entityCount: plan.entities.count)
  }
}

/// Finds the owners of an object; the object itself and objects to be deleted do not count.
private struct Owners {
  private let plan: ImportPlan
  private let transaction: GraphTransaction
  private var gone: ObjectSet
  /// The owners by each relationship without inverse.
  private var tallies = [RelationshipKey: Tally]()

  private struct Tally {
    /// The number of rows when the owners were counted.
    var rowCount: Int
    /// The number of objects that lead to each object.
    var counts = [ObjectID: Int]()
  }

  init(_ plan: ImportPlan, _ transaction: GraphTransaction) {
    self.plan = plan
    self.transaction = transaction
    gone = ObjectSet(entityCount: transaction.schema.entities.count)
  }

  private var schema: ModelSchema { transaction.schema }

  /// Returns whether an object will be deleted.
  func areGone(_ object: ObjectID) -> Bool { gone.contains(object) }

  /// Ignores an object from now on, because it will be deleted.
  mutating func remove(_ owner: ObjectID) {
    _ = gone.insert(owner)
    for key in tallies.keys where schema.entities[key.entity].family.contains(owner.entity) {
      count(owner, key, by: -1)
    }
  }

  /// Returns whether anything leads to an object by a relationship.
  @inline(never)
  mutating func have(_ object: ObjectID, by key: RelationshipKey) -> Bool {
    guard leads(key, to: object) else { return false }
    guard let inverse = inverse(of: key) else {
      countIfNeeded(key)
      return (tallies[key]?.counts[object] ?? 0) > 0
    }
    return transaction.targets(object, relationship: inverse)
      .contains { $0 != object && !gone.contains($0) }
  }

  /// Returns whether a link leads to an object that makes its source an owner.
  ///
  /// The way back from an object of a deleting relationship makes no owner.
  @inline(never)
  mutating func have(_ object: ObjectID) -> Bool {
    for entity in schema.entities {
      let inherited = entity.superentity.map { schema.entities[$0].relationships.count } ?? 0
      for number in entity.relationships.indices.dropFirst(inherited)
      where !leadsBack(number, of: entity)
        && have(object, by: RelationshipKey(entity: entity.number, number: number))
      {
        return true
      }
    }
    return false
  }

  private func leadsBack(_ number: Int, of entity: EntitySchema) -> Bool {
    let relationship = entity.relationships[number]
    guard let inverse = relationship.inverse else { return false }
    return plan.entities[relationship.destination].relationships[inverse].deletes
  }

  private func leads(_ key: RelationshipKey, to object: ObjectID) -> Bool {
    let destination = schema.entities[key.entity].relationships[key.number].destination
    return schema.entities[destination].family.contains(object.entity)
  }

  private func inverse(of key: RelationshipKey) -> Int? {
    schema.entities[key.entity].relationships[key.number].inverse
  }

  private mutating func countIfNeeded(_ key: RelationshipKey) {
    let rowCount = schema.entities[key.entity].family.reduce(0) { $0 + transaction.rowCount($1) }
    // The source may have added owners since.
    guard tallies[key]?.rowCount != rowCount else { return }
    tallies[key] = Tally(rowCount: rowCount)
    for entity in schema.entities[key.entity].family {
      for owner in transaction.objects(of: entity) where !gone.contains(owner) {
        count(owner, key, by: 1)
      }
    }
  }

  private mutating func count(_ owner: ObjectID, _ key: RelationshipKey, by step: Int) {
    for target in transaction.targets(owner, relationship: key.number) where target != owner {
      tallies[key]?.counts[target, default: 0] += step
    }
  }
}
