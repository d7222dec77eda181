// What can only be done when the document has ended well: references that were to wait are looked
// up, and objects that nothing names any more are deleted.

extension ImportMachine {
  /// Finishes the graph after the last event.
  ///
  /// - Parameter isEmpty: Whether there was no document, as a stream of documents may have none:
  ///   then there is nothing to import, and no root to miss, unless what is missing is deleted.
  /// - Throws: ``ImportError`` where a root was not found, ``StoreError`` where a deletion is
  ///   denied.
  func finishDocument(isEmpty: Bool) throws {
    if !isEmpty || options.deletesMissing, let missing = missingRoot() { throw missing }
    settleSuccessors()
    linkDeferred()
    let unnamed = unownedMembers() + (options.deletesMissing ? missingObjects() : [])
    let doomed = unnamed.filter { isInScope($0) }
    guard !doomed.isEmpty else { return }
    let before = schema.entities.map { transaction.liveCount($0.number) }
    try transaction.delete(doomed)
    for entity in schema.entities {
      let deleted = before[entity.number] - transaction.liveCount(entity.number)
      if deleted > 0 { tally.deleted[entity.number] = deleted }
    }
  }

  /// Whether the program lets an object be deleted that the document no longer names.
  private func isInScope(_ object: ObjectID) -> Bool {
    guard !plan.deletionScopes.isEmpty, let scope = plan.deletionScopes[object.entity] else {
      return true
    }
    return scope(GraphObject(id: object, graph: transaction.base))
  }

  private func linkDeferred() {
    let references = tally.deferred.map { reference in
      let property = plan.properties[reference.property]
      return reference.value.withRawValue {
        referent($0, of: property.destination, by: property.lookup)
      }
    }
    let links = tally.deferredLinks.filter { !$0.isCancelled && transaction.contains($0.owner) }
    // What a later value has overwritten, or what went with its object, is missed by nobody.
    let wanted = Set(links.flatMap(\.references))
    for number in wanted.sorted() where references[number] == nil {
      let reference = tally.deferred[number]
      tally.notices.note(.notice, limit: options.issueLimit) { unknown(reference) }
      tally.ignoredReferences += 1
    }
    for link in links {
      let members = link.members.compactMap { member in
        switch member {
        // Between two saves another writer may have deleted it.
        case .object(let object): transaction.contains(object) ? object : nil
        case .reference(let number): references[number]
        }
      }
      for member in members { marks.note(.unchanged, member) }
      if setMembers(of: link.owner, link.relationship, members) {
        marks.note(.updated, link.owner)
      }
    }
  }

  private func setMembers(
    of owner: ObjectID, _ relationship: Int, _ members: [ObjectID]
  ) -> Bool {
    guard schema.entities[owner.entity].relationships[relationship].isToMany else {
      guard let target = members.last else { return false }
      return transaction.setToOne(owner, relationship: relationship, target)
    }
    return members.withUnsafeBufferPointer { setMembers(of: owner, relationship, $0) }
  }

  /// The objects of the roots' entities that the document did not mention, of those that were there
  /// when the import began: what other writers have inserted between two saves is no concern of it.
  private func missingObjects() -> [ObjectID] {
    let entities = Set(
      plan.roots.flatMap { schema.entities[schema.entityNumbers[$0.entity] ?? 0].family })
    return entities.sorted().flatMap { entity in
      (0..<initialRowCounts[entity]).lazy.map { ObjectID(entity: entity, row: $0) }
        .filter { self.transaction.contains($0) && self.marks.mark(of: $0) == .untouched }
    }
  }

  /// The objects that arrays no longer name, that nothing else owns and that the document did not
  /// mention.
  private func unownedMembers() -> [ObjectID] {
    var doomed: [ObjectID] = []
    var members: [MemberKey: ObjectSet] = [:]
    for removed in tally.removed {
      let relationship = schema.entities[removed.ownerEntity].relationships[removed.relationship]
      let key = MemberKey(entity: removed.ownerEntity, relationship: removed.relationship)
      if relationship.inverse == nil, members[key] == nil {
        members[key] = transaction.members(of: key.entity, key.relationship)
      }
      for object in removed.objects
      where transaction.contains(object) && marks.mark(of: object) == .untouched {
        guard let inverse = relationship.inverse else {
          if members[key]?.contains(object) == false { doomed.append(object) }
          continue
        }
        let isToMany = schema.entities[relationship.destination].relationships[inverse].isToMany
        let isOwned =
          isToMany
          ? !transaction.toMany(object, relationship: inverse).isEmpty
          : transaction.toOne(object, relationship: inverse) != nil
        if !isOwned { doomed.append(object) }
      }
    }
    return doomed
  }
}

extension GraphTransaction {
  /// The number of objects of an entity.
  func liveCount(_ entity: Int) -> Int { tables[entity].liveCount }

  /// All that the objects of an entity have as members of a relationship without inverse.
  ///
  /// - Complexity: O(*n*) in the number of links.
  fileprivate func members(of entity: Int, _ relationship: Int) -> ObjectSet {
    var members = ObjectSet(entityCount: schema.entities.count)
    for entity in schema.entities[entity].family {
      for row in 0..<rowCount(entity) {
        let owner = ObjectID(entity: entity, row: row)
        guard contains(owner) else { continue }
        for member in toMany(owner, relationship: relationship) { _ = members.insert(member) }
      }
    }
    return members
  }
}

/// A to-many relationship of the objects of an entity.
private struct MemberKey: Hashable {
  var entity: Int
  var relationship: Int
}
