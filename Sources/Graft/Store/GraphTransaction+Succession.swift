// An object never changes its entity, because its identifier says which it is. Where it turns out to
// be of a sub-entity, another object takes its place. What leads to it by relationships that have an
// inverse is found from its own side, and is brought over at once, each link staying where it was in
// its list. What leads to it by others is not found from here, and is brought over for all such
// objects together, by one pass over those relationships.
//
// What gave way is remembered until the commit, because it is no deletion: should the changes be
// laid onto another graph, the object there gives way as well, with all that leads to it by then.

extension GraphTransaction {
  /// Whether an object is a stub that may turn out to be of an entity.
  func isForerunner(_ object: ObjectID, of entity: Int) -> Bool {
    isStub(object) && schema.entities[object.entity].family.contains(entity)
  }

  /// The object that stands where another stood; the other itself, if it has not given way.
  func successor(of object: ObjectID) -> ObjectID {
    var current = object
    while let next = successors[current] { current = next }
    return current
  }

  /// Lets an object take the place of another in all relationships that have an inverse, and take
  /// over its links; the other is removed.
  ///
  /// - Precondition: The successor is of a sub-entity, and has no links yet.
  func succeed(_ old: ObjectID, by new: ObjectID) {
    for (number, relationship) in schema.entities[old.entity].relationships.enumerated() {
      let targets =
        relationship.isToMany
        ? toMany(old, relationship: number) : toOne(old, relationship: number).map { [$0] } ?? []
      if targets.isEmpty { continue }
      if let inverse = relationship.inverse {
        for target in targets where target != old { replace(old, by: new, in: target, inverse) }
      }
      adopt(targets.map { $0 == old ? new : $0 }, new, number)
    }
    remove([old])
    successors[old] = new
  }

  /// Lets objects take the place of others in the relationships without inverse.
  ///
  /// - Parameter successors: For each object that is no more, the one in its place.
  /// - Complexity: O(*n*) in the number of objects that have such relationships, and their links.
  func redirectUnanswered(_ successors: [ObjectID: ObjectID]) {
    let entities = Set(successors.keys.map(\.entity))
    for (entity, relationship) in layout.unansweredRelationships {
      let column = tables[entity].shape.relationships[relationship]
      let family = schema.entities[column.destination].family
      guard family.contains(where: entities.contains) else { continue }
      for row in 0..<tables[entity].rowCount {
        let id = ObjectID(entity: entity, row: row)
        guard contains(id) else { continue }
        if column.isToMany {
          redirectMembers(of: id, relationship, successors)
        } else if let target = toOne(id, relationship: relationship),
          let successor = successors[target]
        {
          _ = setToOne(id, relationship: relationship, successor)
        }
      }
    }
  }

  private func redirectMembers(
    of id: ObjectID, _ relationship: Int, _ successors: [ObjectID: ObjectID]
  ) {
    let isMeant = withToMany(id, relationship: relationship) { members in
      members.contains { successors[$0] != nil }
    }
    guard isMeant else { return }
    let members = toMany(id, relationship: relationship).map { successors[$0] ?? $0 }
    _ = members.withUnsafeBufferPointer { setToMany(id, relationship: relationship, $0) }
  }

  /// Puts a member in the place of another, without regard to the inverse.
  private func replace(
    _ old: ObjectID, by new: ObjectID, in owner: ObjectID, _ relationship: Int
  ) {
    let shape = tables[owner.entity].shape
    let column = shape.relationships[relationship]
    let local = owner.row & shape.mask
    let group = writableGroup(of: owner)
    guard column.isToMany else {
      if group.toOne(local, column).pointee == old.rawValue {
        group.toOne(local, column).pointee = new.rawValue
      }
      return
    }
    let list = group.list(local, column)
    let place = group.position(of: old, in: list, isOrdered: column.isOrdered)
    guard place.isFound else { return }
    group.remove(at: place.index, from: list)
    let index =
      column.isOrdered
      ? place.index : group.position(of: new, in: list, isOrdered: false).index
    group.insert(new, at: index, in: list)
  }

  /// Writes an object's own side of links, without regard to the inverse.
  private func adopt(_ targets: [ObjectID], _ owner: ObjectID, _ relationship: Int) {
    let shape = tables[owner.entity].shape
    let column = shape.relationships[relationship]
    let local = owner.row & shape.mask
    let group = writableGroup(of: owner)
    guard column.isToMany else {
      group.toOne(local, column).pointee = targets.last?.rawValue ?? 0
      return
    }
    let members = column.isOrdered ? targets : targets.sorted()
    members.withUnsafeBufferPointer {
      group.replaceMembers($0, in: group.list(local, column))
    }
  }
}
