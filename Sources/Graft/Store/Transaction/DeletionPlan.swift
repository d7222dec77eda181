// Deletion in three steps: find all objects that are deleted (cascade), refuse if a rule forbids it
// (deny), then unlink and clear them. Nothing is changed before the last step. A list that loses many
// members is filtered once; a few are removed one by one, so that deletions one after another do not
// read a long list each time.
//
// Example: user 1 has the tweets 1 and 2 by a relationship with the rule cascade, and is also a
// friend of user 2. Deleting user 1 deletes both tweets, and takes user 1 out of the friends of
// user 2. If `tweets` had the rule deny, the deletion would be refused, unless both tweets were
// among the objects to be deleted. An import spares a tweet that its document mentions.
//
// Links by relationships without inverse cannot be found from here. They are looked for once, when
// the transaction is committed.

/// Finds the objects that are deleted together: the given ones, and what their delete rules add.
struct DeletionPlan {
  private let transaction: GraphTransaction
  /// The objects in the order in which they were found, those named first.
  private(set) var objects: [ObjectID] = []
  private var isDeleted: ObjectSet

  /// Plans a deletion by the rules of the model.
  ///
  /// - Parameters:
  ///   - ids: The objects; deleted ones are skipped.
  ///   - transaction: The transaction that has the objects.
  ///   - isSpared: Whether an object stays although the rule cascade leads to it.
  /// - Throws: ``StoreError`` if a relationship with the rule deny leads to an object that stays, and what `isSpared`
  ///   throws.
  init(
    deleting ids: [ObjectID], in transaction: GraphTransaction,
    sparing isSpared: (ObjectID) throws(StoreError) -> Bool = { _ in false }
  ) throws(StoreError) {
    self.init(removing: ids, from: transaction)
    try cascade(from: 0, sparing: isSpared)
    try checkDenials()
  }

  /// Plans to remove objects without applying delete rules.
  @inline(never)
  init(removing ids: [ObjectID], from transaction: GraphTransaction) {
    self.transaction = transaction
    isDeleted = ObjectSet(entityCount: transaction.layout.entityCount)
    for id in ids where transaction.contains(id) { add(id) }
  }

  /// Adds an object and the objects that are deleted with it, whether or not a rule denies it.
  ///
  /// - Parameters:
  ///   - id: An object that the transaction has.
  ///   - isSpared: Whether an object stays although the rule cascade leads to it.
  /// - Returns: The added objects, without those that the plan had before.
  /// - Throws: What `isSpared` throws.
  mutating func addCascade(
    from id: ObjectID, sparing isSpared: (ObjectID) throws(StoreError) -> Bool
  ) throws(StoreError) -> ArraySlice<ObjectID> {
    let count = objects.count
    add(id)
    try cascade(from: count, sparing: isSpared)
    return objects[count...]
  }

  /// The entities of the objects.
  var entities: Set<Int> { Set(objects.map(\.entity)) }

  @inline(never)
  private mutating func add(_ id: ObjectID) {
    guard isDeleted.insert(id) else { return }
    transaction.readNeighbours(of: id)
    objects.append(id)
  }

  /// Adds the objects that are deleted with the planned ones from an index on.
  private mutating func cascade(
    from start: Int, sparing isSpared: (ObjectID) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var next = start
    while next < objects.count {
      let id = objects[next]
      next += 1
      for number in transaction.schema.entities[id.entity].cascading {
        for target in transaction.targets(id, relationship: number)
        where transaction.contains(target) && !isDeleted.contains(target) {
          if try !isSpared(target) { add(target) }
        }
      }
    }
  }

  private func checkDenials() throws(StoreError) {
    for id in objects {
      let entity = transaction.schema.entities[id.entity]
      for (number, relationship) in entity.relationships.enumerated()
      where relationship.deleteRule == .deny {
        let survivor = transaction.targets(id, relationship: number).first {
          transaction.contains($0) && !isDeleted.contains($0)
        }
        guard let survivor else { continue }
        throw StoreError(
          .deletionDenied,
          "\(transaction.describe(id)): cannot be deleted while \"\(relationship.name)\" leads to "
            + "\(transaction.describe(survivor)); delete that as well, or unlink it first",
          entity: entity.name, property: relationship.name)
      }
    }
  }

  /// The most members that are removed from a list one by one.
  private static let fewMembers = 1024

  /// Unlinks the objects from all others, and clears their rows.
  func carryOut(_ links: LinkWriter, _ identities: borrowing IdentityRegister) {
    var losses: [Loss] = []
    for id in objects { unlinkNeighbours(of: id, links, &losses) }
    losses.sort { $0.list < $1.list }
    var rest = losses[...]
    while let list = rest.first?.list {
      let members = rest.prefix { $0.list == list }
      rest = rest.dropFirst(members.count)
      if members.count <= Self.fewMembers {
        for loss in members { links.unlink(list.owner, list.relationship, from: loss.member) }
      } else {
        links.keepMembers(list.owner, list.relationship) { !isDeleted.contains($0) }
      }
    }
    for id in objects {
      identities.remove(id)
      links.tables.clearRow(id)
    }
  }

  /// A member that a to-many relationship loses.
  private struct Loss {
    var list: LinkEnd
    var member: ObjectID
  }

  /// Unlinks the to-one relationships that lead to an object, and collects the to-many ones.
  private func unlinkNeighbours(
    of id: ObjectID, _ links: LinkWriter, _ losses: inout [Loss]
  ) {
    let tables = links.tables
    let shape = tables[id.entity].shape
    for number in shape.relationships.indices where shape.relationships[number].inverse >= 0 {
      let inverse = shape.relationships[number].inverse
      for target in tables.targets(id, relationship: number) where !isDeleted.contains(target) {
        if tables[target.entity].shape.relationships[inverse].isToMany {
          losses.append(Loss(list: LinkEnd(owner: target, relationship: inverse), member: id))
        } else {
          links.unlink(target, inverse, from: id)
        }
      }
    }
  }
}

extension EntitySchema {
  /// The numbers of the relationships with the rule cascade.
  @inline(never)
  fileprivate var cascading: [Int] {
    relationships.indices.filter { relationships[$0].deleteRule == .cascade }
  }
}

extension ModelSchema {
  /// Returns entities, and those whose objects the rule cascade deletes with objects of them.
  package func reachedByCascade(from entities: Set<Int>) -> Set<Int> {
    var reached = entities
    var waiting = Array(entities)
    while let entity = waiting.popLast() {
      for relationship in self.entities[entity].relationships
      where relationship.deleteRule == .cascade {
        let family = self.entities[relationship.destination].family
        waiting += family.filter { reached.insert($0).inserted }
      }
    }
    return reached
  }
}
