// Laying a transaction's changes onto a graph that was published after the transaction began.
//
// The changes are replayed with the same calls that made them, onto a new transaction:
// - An object that the transaction inserted is sought by its identity first: inserted by both, it
//   is one object, and takes the values that are neither null nor the attribute's default.
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
  }

  private let source: GraphTransaction
  private let changes: GraphDifference
  private let deleted: Set<ObjectID>
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
    deleted = Set(changes.deleted)
    target = GraphTransaction(base: graph)
    for object in changes.inserted { place(object) }
    for update in changes.updated { place(update.object) }
    for object in changes.inserted { try replayAttributes(.init(object: object)) }
    for update in changes.updated { try replayAttributes(update) }
    for isToMany in [false, true] {
      for object in changes.inserted {
        replayLinks(.init(object: object), isToMany: isToMany)
      }
      for update in changes.updated { replayLinks(update, isToMany: isToMany) }
    }
    try target.delete(changes.deleted)
  }

  /// Whether the object was there when the transaction began.
  private func isOld(_ id: ObjectID) -> Bool {
    id.row < source.base.storage.tables[id.entity].rowCount
  }

  /// Finds or inserts the object that stands for one of the transaction's.
  private mutating func place(_ id: ObjectID) {
    if isOld(id), target.contains(id) {
      fates[id] = .present
      return
    }
    source.withIdentity(of: id) { identity in
      var found = target.find(identityOf: id.entity, identity)
      if let namesake = found, deleted.contains(namesake) {
        // It makes room for the new object now, and is deleted with the others at the end.
        target.unregister(namesake)
        found = nil
      }
      remapping[id] =
        found ?? target.insert(entity: id.entity, identity: identity, stub: source.isStub(id))
      fates[id] = found == nil ? .inserted : .merged
    }
  }

  /// The object in the new graph; nil if it has been deleted there.
  private func current(_ id: ObjectID) -> ObjectID? {
    if let new = remapping[id] { return new }
    return isOld(id) && target.contains(id) ? id : nil
  }

  private func replayAttributes(_ update: GraphDifference.Update) throws(StoreError) {
    let id = update.object
    guard let new = current(id), let fate = fates[id] else { return }
    let entity = source.schema.entities[id.entity]
    let shared = source.schema.sharedProperties(of: id.entity, new.entity)
    let row = target.row(new)
    let numbers = fate == .present ? update.attributes : Array(entity.attributes.indices)
    for number in numbers where number < shared.attributes && !entity.identity.contains(number) {
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
    let shared = source.schema.sharedProperties(of: id.entity, new.entity)
    let numbers = fate == .present ? update.relationships : Array(relationships.indices)
    for number in numbers
    where number < shared.relationships && relationships[number].isToMany == isToMany {
      if isToMany {
        replayMembers(of: id, number, in: new, isOrdered: relationships[number].isOrdered, fate)
      } else {
        let destination = source.toOne(id, relationship: number).flatMap(current)
        guard destination != nil || fate == .present else { continue }
        _ = target.setToOne(new, relationship: number, destination)
      }
    }
  }

  private func replayMembers(
    of id: ObjectID, _ relationship: Int, in new: ObjectID, isOrdered: Bool, _ fate: Fate
  ) {
    let members = source.toMany(id, relationship: relationship)
    let current = members.compactMap(current)
    guard fate == .present else {
      _ = current.withUnsafeBufferPointer { target.unite(new, relationship: relationship, $0) }
      return
    }
    let before = source.base.members(of: id, relationship)
    if isOrdered, before == target.base.members(of: id, relationship) {
      _ = current.withUnsafeBufferPointer {
        target.setToMany(new, relationship: relationship, $0)
      }
      return
    }
    let (old, kept) = (Set(before), Set(members))
    let removed = Set(before.filter { !kept.contains($0) })
    let added = members.filter { !old.contains($0) }.compactMap(self.current)
    let result =
      target.toMany(new, relationship: relationship).filter { !removed.contains($0) } + added
    _ = result.withUnsafeBufferPointer { target.setToMany(new, relationship: relationship, $0) }
  }
}

extension GraphTransaction {
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

extension ModelSchema {
  /// How many properties two entities of one family have in common: those of their nearest common
  /// super-entity come first in both.
  fileprivate func sharedProperties(
    of lhs: Int, _ rhs: Int
  ) -> (attributes: Int, relationships: Int) {
    var common: Int? = lhs
    while let entity = common, !entities[entity].family.contains(rhs) {
      common = entities[entity].superentity
    }
    guard let common else { return (0, 0) }
    return (entities[common].attributes.count, entities[common].relationships.count)
  }
}
