// Finds the objects that `JSONRemoved` = `delete` deletes at the end of the document. After Of
//
//   [{"id": 1, "items": [{"name": "x"}]}, {"id": 1, "items": [{"name": "z"}]}]
//
// item x is deleted: list 1 has lost it, no other list has it, and the value that mentioned it has
// been replaced. So a mention alone does not keep an object; a link does, in a relationship that
// the document has written. Other mentions are lasting: as an object of a root, or in an object
// that was skipped and so wrote no links.
//
// All of this is kept only for imports in which some relationship deletes.

/// A relationship, with the topmost entity that has it.
struct RelationshipKey: Hashable, Comparable {
  var entity: Int
  var number: Int

  static func < (lhs: RelationshipKey, rhs: RelationshipKey) -> Bool {
    (lhs.entity, lhs.number) < (rhs.entity, rhs.number)
  }
}

/// The objects that deleting relationships have lost, and the objects that the document mentions.
final class RemovedObjects {
  private let plan: ImportPlan
  private let transaction: GraphTransaction
  private let outcomes: ObjectOutcomes
  private var removed: [RelationshipKey: Set<ObjectID>] = [:]
  /// For each relationship, the objects for which the document has written it.
  private var writers: [RelationshipKey: ObjectSet] = [:]
  /// The objects that have been mentioned in another way than by a link.
  private var mentioned: ObjectSet

  /// Creates an empty record; nil if no relationship deletes.
  init?(plan: ImportPlan, transaction: GraphTransaction, outcomes: ObjectOutcomes) {
    guard plan.deletesRemoved else { return nil }
    self.plan = plan
    self.transaction = transaction
    self.outcomes = outcomes
    mentioned = ObjectSet(entityCount: plan.entities.count)
  }

  /// Notes that the document mentions an object; later changes of links to it do not matter.
  func mention(_ object: ObjectID) {
    _ = mentioned.insert(object)
  }

  /// Notes the objects of links that are not written, because the object that has them is skipped.
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
  func noteWrite<Members: Collection<ObjectID>>(
    _ relationship: Int, of owner: ObjectID, to members: Members, _ policy: RemovedPolicy
  ) {
    let key = plan.entities[owner.entity].relationships[relationship].key
    _ = writers[key, default: ObjectSet(entityCount: plan.entities.count)].insert(owner)
    guard policy == .delete else { return }
    let old = transaction.targets(owner, relationship: relationship)
    guard !old.isEmpty else { return }
    let kept = Set(members)
    note(old.filter { !kept.contains($0) }, lostBy: key)
  }

  /// Notes objects that a later value has replaced before they were linked.
  func noteUnlinked<Members: Sequence<ObjectID>>(
    _ objects: Members, _ relationship: Int, of owner: ObjectID
  ) {
    let policies = plan.entities[owner.entity].relationships[relationship]
    if policies.deletes { note(objects, lostBy: policies.key) }
  }

  private func note(_ objects: some Sequence<ObjectID>, lostBy key: RelationshipKey) {
    for object in objects { removed[key, default: []].insert(object) }
  }

  /// Replaces the identifiers that a rebase or a promotion has changed.
  func remap(_ identifiers: [ObjectID: ObjectID]) {
    mentioned.remap(identifiers)
    for key in writers.keys { writers[key]?.remap(identifiers) }
    removed = removed.mapValues { Set($0.map { identifiers[$0] ?? $0 }) }
  }

  /// Finds the objects to delete: objects that the document has removed, that it does not mention,
  /// and that no object owns any more, with the objects without identity that only these had.
  ///
  /// - Parameter mayDelete: Whether an object may be deleted.
  /// - Returns: The objects.
  /// - Throws: The error of `mayDelete`.
  /// - Complexity: O(*n*) in the objects that were removed; for relationships without inverse, in all
  ///   links of these.
  func orphans<E: Error>(
    where mayDelete: (ObjectID) throws(E) -> Bool
  ) throws(E) -> [ObjectID] {
    var owners = Owners(plan, transaction, writers)
    var orphans: [ObjectID] = []
    var candidates: [(object: ObjectID, lostBy: RelationshipKey?)] = []
    for (key, objects) in removed.inOrder(by: { $0.key > $1.key }) {
      candidates += objects.sorted(by: >).map { ($0, key) }
    }
    while let (object, relationship) = candidates.popLast() {
      guard transaction.contains(object), !owners.areGone(object),
        !isKept(object, lostBy: relationship, &owners), try mayDelete(object)
      else { continue }
      orphans.append(object)
      owners.remove(object)
      candidates += valueObjects(of: object).map { ($0, nil) }
    }
    return orphans
  }

  private func isKept(
    _ object: ObjectID, lostBy relationship: RelationshipKey?, _ owners: inout Owners
  ) -> Bool {
    if mentioned.contains(object) { return true }
    if let relationship, owners.have(object, by: relationship) { return true }
    // Many objects may lead to one by other relationships than this one. A list owns its members
    // nevertheless. The object of a to-one relationship is owned only if it belongs to nothing
    // else.
    if relationship.map({ isToOne($0) && hasIdentity(object) }) ?? true, owners.have(object) {
      return true
    }
    return outcomes[object] != .unmentioned && owners.haveWritten(object)
  }

  private func isToOne(_ key: RelationshipKey) -> Bool {
    !transaction.schema.entities[key.entity].relationships[key.number].isToMany
  }

  private func hasIdentity(_ object: ObjectID) -> Bool {
    let identity = transaction.schema.entities[object.entity].identity
    return !identity.isEmpty
      && !identity.contains { transaction.isNull(object, attribute: $0) }
  }

  /// The objects without identity that relationships of an object would delete.
  private func valueObjects(of object: ObjectID) -> [ObjectID] {
    plan.entities[object.entity].relationships.enumerated().filter(\.element.deletes)
      .flatMap { transaction.targets(object, relationship: $0.offset) }
      .filter { !hasIdentity($0) }
  }
}

/// The links to an object, without links of the object itself and of objects to be deleted.
private struct Owners {
  private let plan: ImportPlan
  private let transaction: GraphTransaction
  private let writers: [RelationshipKey: ObjectSet]
  private var gone: ObjectSet
  /// The number of objects that lead to each object by a relationship without inverse: all of them,
  /// and the ones whose relationship the document has written.
  private var counts: [RelationshipKey: [ObjectID: (all: Int, writers: Int)]] = [:]

  init(
    _ plan: ImportPlan, _ transaction: GraphTransaction, _ writers: [RelationshipKey: ObjectSet]
  ) {
    self.plan = plan
    self.transaction = transaction
    self.writers = writers
    gone = ObjectSet(entityCount: transaction.schema.entities.count)
  }

  private var schema: ModelSchema { transaction.schema }

  /// Returns whether an object will be deleted.
  func areGone(_ object: ObjectID) -> Bool { gone.contains(object) }

  /// Leaves an object out from now on, because it will be deleted.
  mutating func remove(_ owner: ObjectID) {
    _ = gone.insert(owner)
    for key in counts.keys where schema.entities[key.entity].family.contains(owner.entity) {
      count(owner, key, by: -1)
    }
  }

  /// Whether anything leads to an object by a relationship.
  mutating func have(_ object: ObjectID, by key: RelationshipKey) -> Bool {
    guard leads(key, to: object) else { return false }
    guard let inverse = inverse(of: key) else {
      countIfNeeded(key)
      return (counts[key]?[object]?.all ?? 0) > 0
    }
    return transaction.targets(object, relationship: inverse)
      .contains { $0 != object && !gone.contains($0) }
  }

  /// Returns whether a link leads to an object that makes its source an owner.
  ///
  /// The way back from an object of a deleting relationship makes no owner.
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

  /// Whether anything leads to an object by a relationship that the document has written.
  mutating func haveWritten(_ object: ObjectID) -> Bool {
    for (key, writers) in writers where leads(key, to: object) {
      if let inverse = inverse(of: key) {
        let targets = transaction.targets(object, relationship: inverse)
        if targets.contains(where: { !gone.contains($0) && writers.contains($0) }) { return true }
      } else {
        countIfNeeded(key)
        if (counts[key]?[object]?.writers ?? 0) > 0 { return true }
      }
    }
    return false
  }

  private func leads(_ key: RelationshipKey, to object: ObjectID) -> Bool {
    let destination = schema.entities[key.entity].relationships[key.number].destination
    return schema.entities[destination].family.contains(object.entity)
  }

  private func inverse(of key: RelationshipKey) -> Int? {
    schema.entities[key.entity].relationships[key.number].inverse
  }

  private mutating func countIfNeeded(_ key: RelationshipKey) {
    guard counts[key] == nil else { return }
    counts[key] = [:]
    for entity in schema.entities[key.entity].family {
      for row in 0..<transaction.rowCount(entity) {
        let owner = transaction.layout.objectID(entity: entity, row: row)
        if transaction.contains(owner), !gone.contains(owner) { count(owner, key, by: 1) }
      }
    }
  }

  private mutating func count(_ owner: ObjectID, _ key: RelationshipKey, by step: Int) {
    let isWriter = writers[key]?.contains(owner) ?? false
    for target in transaction.targets(owner, relationship: key.number) where target != owner {
      counts[key]?[target, default: (0, 0)].all += step
      if isWriter { counts[key]?[target, default: (0, 0)].writers += step }
    }
  }
}
