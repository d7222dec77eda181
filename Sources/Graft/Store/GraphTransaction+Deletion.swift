// Deletion in three steps: find all that goes (cascade), refuse if a rule says so (deny), then
// unlink and clear. Nothing is changed before the last step. Each list that loses members is
// filtered once, however many it loses.
//
// Links from relationships without inverse cannot be found from here; `clearLinksToNowhere` looks
// for them once, at the commit.

extension GraphTransaction {
  /// Deletes objects and what their delete rules take along; those that do not exist any more are
  /// passed over.
  ///
  /// - Returns: How many objects were deleted.
  /// - Throws: ``StoreError`` if a relationship with the rule deny leads to an object that stays;
  ///   nothing is deleted then.
  @discardableResult
  func delete(_ ids: [ObjectID]) throws(StoreError) -> Int {
    var doomed = ObjectSet(entityCount: layout.entityCount)
    let all = cascade(from: ids, into: &doomed)
    try checkDenials(all, doomed)
    erase(all, doomed)
    return all.count
  }

  /// Takes objects back that were inserted in vain, without regard to delete rules.
  func remove(_ ids: [ObjectID]) {
    var doomed = ObjectSet(entityCount: layout.entityCount)
    erase(ids.filter { contains($0) && doomed.insert($0) }, doomed)
  }

  private func erase(_ all: [ObjectID], _ doomed: ObjectSet) {
    var losingLists: [Place] = []
    for id in all {
      unlinkNeighbours(of: id, doomed, &losingLists)
    }
    filter(&losingLists, doomed)
    for id in all { clear(id) }
    entitiesWithDeletions.formUnion(doomed.entities)
  }

  /// Takes objects that do not exist out of relationships without inverse, after deletions.
  func clearLinksToNowhere() {
    guard !entitiesWithDeletions.isEmpty else { return }
    for (entity, relationship) in layout.unansweredRelationships {
      let shape = tables[entity].shape
      let column = shape.relationships[relationship]
      let family = schema.entities[column.destination].family
      guard family.contains(where: entitiesWithDeletions.contains) else { continue }
      for row in 0..<tables[entity].rowCount {
        let id = ObjectID(entity: entity, row: row)
        let group = group(of: id)
        let local = row & shape.mask
        guard group.isLive(local) else { continue }
        if column.isToMany {
          keepMembers(Place(owner: id, relationship: relationship)) { contains($0) }
        } else if let target = ObjectID(cell: group.toOne(local, column).pointee),
          !contains(target)
        {
          _ = setToOne(id, relationship: relationship, nil)
        }
      }
    }
  }
}

/// A relationship of an object.
private struct Place: Comparable {
  var owner: ObjectID
  var relationship: Int

  static func < (lhs: Place, rhs: Place) -> Bool {
    (lhs.owner, lhs.relationship) < (rhs.owner, rhs.relationship)
  }
}

extension GraphTransaction {
  /// All objects that go, those named first.
  private func cascade(from ids: [ObjectID], into doomed: inout ObjectSet) -> [ObjectID] {
    var all = ids.filter { contains($0) && doomed.insert($0) }
    var next = 0
    while next < all.count {
      let id = all[next]
      next += 1
      for (number, relationship) in schema.entities[id.entity].relationships.enumerated()
      where relationship.deleteRule == .cascade {
        forEachTarget(id, number) { target in
          if contains(target), doomed.insert(target) { all.append(target) }
        }
      }
    }
    return all
  }

  private func checkDenials(_ ids: [ObjectID], _ doomed: ObjectSet) throws(StoreError) {
    for id in ids {
      for (number, relationship) in schema.entities[id.entity].relationships.enumerated()
      where relationship.deleteRule == .deny {
        var survivor: ObjectID?
        forEachTarget(id, number) { target in
          if survivor == nil, contains(target), !doomed.contains(target) { survivor = target }
        }
        guard let survivor else { continue }
        throw StoreError(
          .deletionDenied,
          "\(describe(id)): cannot be deleted while \"\(relationship.name)\" leads to "
            + "\(describe(survivor)); delete that as well, or unlink it first",
          entity: schema.entities[id.entity].name, property: relationship.name)
      }
    }
  }

  /// Unlinks the to-one relationships that lead to an object, and notes the to-many ones.
  private func unlinkNeighbours(
    of id: ObjectID, _ doomed: ObjectSet, _ losingLists: inout [Place]
  ) {
    let shape = tables[id.entity].shape
    for number in 0..<shape.relationshipCount where shape.relationships[number].inverse >= 0 {
      let inverse = shape.relationships[number].inverse
      for target in targets(id, number) where !doomed.contains(target) {
        if tables[target.entity].shape.relationships[inverse].isToMany {
          losingLists.append(Place(owner: target, relationship: inverse))
        } else {
          unlink(target, inverse, from: id)
        }
      }
    }
  }

  private func filter(_ places: inout [Place], _ doomed: ObjectSet) {
    places.sort()
    var previous: Place?
    for place in places where place != previous {
      keepMembers(place) { !doomed.contains($0) }
      previous = place
    }
  }

  /// Takes the members out of a list that `isKept` refuses, without regard to the inverse.
  private func keepMembers(_ place: Place, where isKept: (ObjectID) -> Bool) {
    let (id, relationship) = (place.owner, place.relationship)
    let isComplete = withToMany(id, relationship: relationship) { $0.allSatisfy(isKept) }
    if isComplete { return }
    let kept = toMany(id, relationship: relationship).filter(isKept)
    let shape = tables[id.entity].shape
    let group = writableGroup(of: id)
    kept.withUnsafeBufferPointer {
      group.replaceMembers(
        $0, in: group.list(id.row & shape.mask, shape.relationships[relationship]))
    }
  }

  /// Ends an object: it is no longer found, and its row is as if it had never been written.
  private func clear(_ id: ObjectID) {
    unregister(id)
    let table = tables + id.entity
    let shape = table.pointee.shape
    let local = id.row & shape.mask
    let group = writableGroup(of: id)
    group.clearBit(local, at: TableShape.liveBits)
    group.clearBit(local, at: shape.stubBits)
    for number in 0..<shape.attributeCount { group.clear(local, shape.attributes[number]) }
    for number in 0..<shape.relationshipCount {
      let column = shape.relationships[number]
      if column.isToMany {
        group.removeAllMembers(from: group.list(local, column))
      } else {
        group.toOne(local, column).pointee = 0
      }
    }
    table.pointee.liveCount -= 1
  }

  private func targets(_ id: ObjectID, _ relationship: Int) -> [ObjectID] {
    if tables[id.entity].shape.relationships[relationship].isToMany {
      return toMany(id, relationship: relationship)
    }
    return toOne(id, relationship: relationship).map { [$0] } ?? []
  }

  /// Calls `body`, which must not write, with what a relationship leads to.
  private func forEachTarget(_ id: ObjectID, _ relationship: Int, _ body: (ObjectID) -> Void) {
    if tables[id.entity].shape.relationships[relationship].isToMany {
      withToMany(id, relationship: relationship) { for target in $0 { body(target) } }
    } else if let target = toOne(id, relationship: relationship) {
      body(target)
    }
  }
}
