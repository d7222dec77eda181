// Laying a transaction's changes onto a graph that was published after the transaction began.
//
// The changes are replayed with the same calls that made them, onto a new transaction:
// - An object that the transaction inserted is sought by its identity first: inserted by both, it
//   is one object, and takes the values that are neither null nor the attribute's default. A stub
//   of an entity above its own gives way to it; anything else that is not of its family is in the
//   way, as it would be if the two had come one after the other.
// - Where a stub gave way in the transaction, it gives way here too, with all that leads to it by
//   now. It is not deleted, and that alone is no change of the links that led to it.
// - An object that the transaction changed keeps what the other one changed elsewhere in it. If it
//   has been deleted meanwhile, it is inserted anew as the transaction saw it: what commits later
//   wins.
// - A to-many relationship takes the difference; an ordered one that nobody else changed takes the
//   whole order.
// - Deletions come last, because objects may have been unlinked from what is deleted to spare them.

/// The replay of one transaction onto another graph.
struct Rebase {
  /// What became of an object of the transaction.
  private enum Fate {
    case present
    case merged
    case inserted
    /// Put in the place of the stub that gave way to it in the transaction too.
    case succeeded
  }

  private let source: GraphTransaction
  private let changes: GraphDifference
  private let deleted: Set<ObjectID>
  /// By the objects in their place: the stubs that gave way in the transaction.
  private let forerunners: [ObjectID: ObjectID]
  /// Holds the changes on top of the other graph.
  let target: GraphTransaction
  /// Identifiers that differ from those in the transaction.
  private(set) var remapping: [ObjectID: ObjectID] = [:]
  private var fates: [ObjectID: Fate] = [:]

  /// Replays what `source` changed onto `graph`.
  ///
  /// - Throws: ``StoreError`` if an identity is taken or a deletion denied there.
  init(_ source: GraphTransaction, onto graph: Graph) throws(StoreError) {
    self.source = source
    changes = source.difference()
    forerunners = source.forerunners()
    deleted = Set(changes.deleted).subtracting(forerunners.values)
    target = GraphTransaction(base: graph)
    for object in changes.inserted { try place(object) }
    for update in changes.updated { try place(update.object) }
    if !target.successors.isEmpty { target.redirectUnanswered(target.successors) }
    for object in changes.inserted { try replayAttributes(.init(object: object)) }
    for update in changes.updated { try replayAttributes(update) }
    for isToMany in [false, true] {
      for object in changes.inserted {
        replayLinks(.init(object: object), isToMany: isToMany)
      }
      for update in changes.updated { replayLinks(update, isToMany: isToMany) }
    }
    try target.delete(changes.deleted.filter(deleted.contains))
  }

  /// Whether the object was there when the transaction began.
  private func isOld(_ id: ObjectID) -> Bool {
    id.row < source.base.storage.tables[id.entity].rowCount
  }

  /// Finds or inserts the object that stands for one of the transaction's.
  private mutating func place(_ id: ObjectID) throws(StoreError) {
    if isOld(id), target.contains(id) {
      fates[id] = .present
      return
    }
    try source.withIdentity(of: id) { identity throws(StoreError) in
      let namesake = target.find(identityOf: id.entity, identity)
      if let namesake, !deleted.contains(namesake) {
        if isOfFamily(namesake, of: id) {
          remapping[id] = namesake
          fates[id] = .merged
          return
        }
        guard target.isForerunner(namesake, of: id.entity) else {
          throw duplicate(id, of: namesake)
        }
      }
      // It makes room for the new object now; what is to be deleted is deleted at the end.
      if let namesake { target.unregister(namesake) }
      let new = target.insert(entity: id.entity, identity: identity, stub: source.isStub(id))
      remapping[id] = new
      fates[id] = .inserted
      guard let namesake, !deleted.contains(namesake) else { return }
      target.succeed(namesake, by: new)
      if forerunners[id] == namesake { fates[id] = .succeeded }
    }
  }

  /// Whether an object is of the entity of one of the transaction's, or of one below it.
  private func isOfFamily(_ namesake: ObjectID, of id: ObjectID) -> Bool {
    source.schema.entities[id.entity].family.contains(namesake.entity)
  }

  private func duplicate(_ id: ObjectID, of namesake: ObjectID) -> StoreError {
    StoreError(
      .duplicateIdentity,
      "\(source.describe(id)): its identity belongs to \(target.describe(namesake)), which was "
        + "committed meanwhile; identities are unique, give one of them another",
      entity: source.schema.entities[id.entity].name)
  }

  /// The object in the new graph; nil if it has been deleted there.
  private func current(_ id: ObjectID) -> ObjectID? {
    if let new = remapping[id] { return new }
    guard isOld(id) else { return nil }
    return target.contains(id) ? id : heir(of: id)
  }

  /// What is in the place of a stub that is not in the new graph any more.
  private func heir(of stub: ObjectID) -> ObjectID? {
    guard source.contains(stub), source.isStub(stub) else { return nil }
    let namesake = source.withIdentity(of: stub) { target.find(identityOf: stub.entity, $0) }
    return namesake.flatMap { isOfFamily($0, of: stub) ? $0 : nil }
  }

  /// Where the links are that one of the transaction's objects had when it began; nil if there were
  /// none, or the new graph does not have that object.
  private func origin(of id: ObjectID, _ relationship: Int) -> ObjectID? {
    guard fates[id] == .succeeded else { return fates[id] == .present ? id : nil }
    return forerunners[id].flatMap {
      relationship < source.schema.entities[$0.entity].relationships.count ? $0 : nil
    }
  }

  private func replayAttributes(_ update: GraphDifference.Update) throws(StoreError) {
    let id = update.object
    guard let new = current(id), let fate = fates[id] else { return }
    let entity = source.schema.entities[id.entity]
    let row = target.row(new)
    let numbers = fate == .present ? update.attributes : Array(entity.attributes.indices)
    for number in numbers where !entity.identity.contains(number) {
      let value = source.value(id, attribute: number)
      if fate == .merged, source.isDefault(value, attribute: number, of: id.entity) { continue }
      _ = row.set(number, value)
    }
    if fate == .present, update.attributes.contains(where: entity.identity.contains) {
      try source.withIdentity(of: id) { values throws(StoreError) in
        _ = try target.setIdentity(new, values)
      }
    }
    if fate == .merged ? !source.isStub(id) : update.changesStub {
      target.setStub(new, source.isStub(id))
    }
  }

  private func replayLinks(_ update: GraphDifference.Update, isToMany: Bool) {
    let id = update.object
    guard let new = current(id), let fate = fates[id] else { return }
    let relationships = source.schema.entities[id.entity].relationships
    let numbers = fate == .present ? update.relationships : Array(relationships.indices)
    for number in numbers where relationships[number].isToMany == isToMany {
      if isToMany {
        replayMembers(of: id, number, in: new, isOrdered: relationships[number].isOrdered)
      } else {
        replayTarget(of: id, number, in: new)
      }
    }
  }

  private func replayTarget(of id: ObjectID, _ relationship: Int, in new: ObjectID) {
    let destination = source.toOne(id, relationship: relationship)
    let origin = origin(of: id, relationship)
    if let origin {
      let before = source.base.toOne(origin, relationship: relationship)
      if before.map(source.successor(of:)) == destination { return }
    }
    let current = destination.flatMap(current)
    guard current != nil || origin != nil else { return }
    _ = target.setToOne(new, relationship: relationship, current)
  }

  private func replayMembers(
    of id: ObjectID, _ relationship: Int, in new: ObjectID, isOrdered: Bool
  ) {
    let members = source.toMany(id, relationship: relationship)
    let current = members.compactMap(current)
    guard let origin = origin(of: id, relationship) else {
      _ = current.withUnsafeBufferPointer { target.unite(new, relationship: relationship, $0) }
      return
    }
    let links = source.base.members(of: origin, relationship)
    if isOrdered, links == target.base.members(of: origin, relationship) {
      _ = current.withUnsafeBufferPointer {
        target.setToMany(new, relationship: relationship, $0)
      }
      return
    }
    let before = links.map(source.successor(of:))
    let (old, kept) = (Set(before), Set(members))
    let removed = Set(before.filter { !kept.contains($0) }.compactMap(self.current))
    let added = members.filter { !old.contains($0) }.compactMap(self.current)
    let result =
      target.toMany(new, relationship: relationship).filter { !removed.contains($0) } + added
    _ = result.withUnsafeBufferPointer { target.setToMany(new, relationship: relationship, $0) }
  }
}

extension GraphTransaction {
  /// The stubs of the base that gave way, by the objects that are in their place now.
  fileprivate func forerunners() -> [ObjectID: ObjectID] {
    var result: [ObjectID: ObjectID] = [:]
    for stub in successors.keys where base.contains(stub) {
      let object = successor(of: stub)
      if contains(object) { result[object] = stub }
    }
    return result
  }

  /// Whether a value is what the attribute of a new object has anyway.
  fileprivate func isDefault(_ value: RawValue, attribute: Int, of entity: Int) -> Bool {
    if value.isNull { return true }
    let column = layout.shapes[entity].attributes[attribute]
    return layout.defaults[entity].contains {
      $0.attribute == attribute && column.isEqual($0.value, value)
    }
  }
}

extension AttributeColumn {
  /// Whether two values of this column, neither of them null, are the same.
  fileprivate func isEqual(_ lhs: RawValue, _ rhs: RawValue) -> Bool {
    switch kind {
    case .word, .flag: lhs.bits == rhs.bits
    case .uuid, .bytes: lhs.bytes.elementsEqual(rhs.bytes)
    }
  }
}
