// Replays a transaction's changes onto a graph that was published after the transaction began.
//
// The changes are replayed onto a new transaction, with the same calls that made them. First each
// object of the old transaction is resolved to an object of the new one:
//
// - An object that the transaction changed is the same object, if it still exists. It keeps the
//   other writers' changes in its other properties. If another commit has deleted it, it is
//   inserted again with the transaction's values: the later commit wins.
// - An object that the transaction inserted may have a match: an object with the same identity from
//   another commit since then. The two become one object, which takes the transaction's values,
//   except for null and the attribute's default.
// - If the match is a stub of an entity above the object's own, it is promoted. A match of any
//   other entity is a conflict, and the commit fails as it would if the two had come one after the
//   other.
// - A stub that the transaction promoted is promoted in the new graph too, with all that leads to
//   it by now. It is not deleted, and its links are not changed by that alone.
// - A stub that has only a value (`JSONRelatedBy`) becomes the object that has the value by now; an
//   object with that value takes the place of such a stub from another commit.
//
// `RebaseRules` may except objects from that: an object that another commit has deleted is then not inserted again, or
// one that another commit has written keeps that commit's values, and the links that it alone gives.
//
// Then the values and links are replayed. A to-many relationship takes the difference. An ordered
// one that no other commit has changed takes the whole order. A to-one relationship that was cleared keeps what another
// commit has put there. Deletions come last, because the transaction may have unlinked objects from the deleted ones to
// spare them.
//
// Example: the base has user 1. The transaction sets the user's name and inserts tweet 5. Another
// commit has changed the user's followers, and has inserted tweet 5 with a text. The result has one
// tweet 5, with that text unless the transaction set one, and a user with both changes.

/// Finds the objects of the old graph in the new one.
package protocol RebaseLookup {
  /// Returns the object of the new graph that corresponds to an object of the old one.
  ///
  /// - Returns: The object, of the same entity; nil if the new graph lacks it.
  func object(_ id: ObjectID) -> ObjectID?

  /// Returns whether the members of a relationship are replayed at this end, and not only at the other.
  func replaysMembers(of id: ObjectID, _ relationship: Int) -> Bool

  /// Returns whether a list of the old graph has the same members in the new one, before anything is replayed.
  func hasSameMembers(_ members: [ObjectID], _ id: ObjectID, _ relationship: Int) -> Bool
}

/// Two graphs of one store, in which an object has the same identifier.
private struct StoreLookup: RebaseLookup {
  let target: GraphTransaction

  func object(_ id: ObjectID) -> ObjectID? { target.contains(id) ? id : nil }
  func replaysMembers(of id: ObjectID, _ relationship: Int) -> Bool { true }

  func hasSameMembers(_ members: [ObjectID], _ id: ObjectID, _ relationship: Int) -> Bool {
    target.base.members(of: id, relationship) == members
  }
}

/// The replay of one transaction onto another graph.
package final class Rebase {
  /// The way in which an object of the transaction came into the new graph.
  private enum Resolution {
    /// The object exists in both graphs.
    case same
    /// An object with its identity existed already.
    case matched
    case inserted
    /// The object was inserted in the place of the stub that the transaction promoted too.
    case promoted
  }

  private let source: GraphTransaction
  /// The graph to which the transaction's changes are relative.
  private let base: Graph
  private let ground: any RebaseLookup
  /// The transaction's changes.
  package let changes: GraphDifference
  /// The objects of the new graph that are deleted at the end.
  private var deleted: Set<ObjectID> = []
  /// The objects of the transaction that the rules leave as other commits have made them.
  package private(set) var overruled: Set<ObjectID> = []
  /// The stubs that the transaction promoted, by the objects in their place.
  private let promotedStubs: [ObjectID: ObjectID]
  /// Holds the changes on top of the other graph.
  let target: GraphTransaction
  private let rules: RebaseRules
  /// Identifiers that differ from those in the transaction.
  private(set) var remapping = [ObjectID: ObjectID]()
  /// The number of deleted objects, by the number of the entity.
  private(set) var deletedCounts = [Int: Int]()
  private var resolutions = [ObjectID: Resolution]()
  /// The attributes by which relationships find the objects of each entity.
  private let attributes: [[AttributeLookup]]
  private var lookups = AttributeLookups()
  /// The objects in the place of stubs of the new graph that had only a value.
  private var absorbed = [ObjectID: ObjectID]()

  /// Replays the changes of `source` onto `graph`, by the rules that are given.
  ///
  /// - Throws: ``StoreError`` if an identity conflicts or a deletion is denied there.
  convenience init(
    _ source: GraphTransaction, onto graph: Graph, by rules: RebaseRules = RebaseRules()
  ) throws(StoreError) {
    let target = GraphTransaction(base: graph)
    target.rebaseRules = rules
    try self.init(
      source, base: source.base, source.difference(), onto: target, StoreLookup(target: target))
  }

  /// Replays changes onto a transaction of another graph.
  ///
  /// - Parameters:
  ///   - source: Holds the changes, on top of `base`.
  ///   - base: The graph to which the changes are relative.
  ///   - changes: The changes.
  ///   - target: Takes the changes, by its ``GraphTransaction/rebaseRules``.
  ///   - ground: Finds the objects of `base` in `target`.
  /// - Throws: ``StoreError`` if an identity conflicts or a deletion is denied there.
  package init(
    _ source: GraphTransaction, base: Graph, _ changes: GraphDifference,
    onto target: GraphTransaction, _ ground: any RebaseLookup
  ) throws(StoreError) {
    self.source = source
    self.base = base
    self.changes = changes
    self.target = target
    rules = target.rebaseRules
    self.ground = ground
    attributes = AttributeLookup.all(in: source.schema.entities)
    promotedStubs = source.promotedStubs(of: base)
    let stubs = Set(promotedStubs.values)
    deleted = Set(changes.deleted.filter { !stubs.contains($0) }.compactMap(ground.object))
    for object in changes.inserted { try resolve(object) }
    for update in changes.updated { try resolve(update.object) }
    if !target.promotions.isEmpty { target.redirectOneWayLinks(target.promotions) }
    let updates = changes.inserted.map { GraphDifference.Update(object: $0) } + changes.updated
    for update in updates { try replayAttributes(update) }
    for update in updates { absorbStubs(of: update) }
    if !absorbed.isEmpty { target.redirectOneWayLinks(absorbed) }
    for isToMany in [false, true] {
      for update in updates { replayLinks(update, isToMany: isToMany) }
    }
    let lost = changes.deleted.compactMap(ground.object).filter {
      deleted.contains($0) && target.contains($0)
    }
    if lost.isEmpty { return }
    // Another commit may have linked a deleted object to one that the transaction has written or mentioned, which stays.
    let written = Set(updates.compactMap { current($0.object) })
    let deletedObjects = try target.delete(lost) { object in
      written.contains(object) || base.contains(object) && rules.isMentioned(object)
    }
    for object in deletedObjects { deletedCounts[object.entity, default: 0] += 1 }
  }

  // This and the other passes are not inlined: the compiler's time grows faster than the length of a function.
  /// Finds or inserts the object that an object of the transaction becomes.
  @inline(never)
  private func resolve(_ id: ObjectID) throws(StoreError) {
    if base.contains(id), let object = ground.object(id) {
      if object != id { remapping[id] = object }
      resolutions[id] = .same
      return
    }
    if let match = object(withValueOfStub: id), !deleted.contains(match) {
      remapping[id] = match
      resolutions[id] = .matched
      return
    }
    try source.withIdentity(of: id) { identity throws(StoreError) in
      let isStub = source.isStub(id)
      let match = target.find(identityOf: id.entity, identity)
      guard let match, !deleted.contains(match) else {
        // A match that is deleted at the end frees its identity now.
        if let match { target.unregister(match) }
        // A stub that another attribute than its identity names.
        if let stub = promotedStubs[id].flatMap(ground.object),
          target.canPromote(stub, to: id.entity)
        {
          remapping[id] = target.promote(
            stub, to: id.entity, identity: identity, remainsStub: isStub)
          resolutions[id] = .promoted
          return
        }
        if rules.insertsObjects {
          remapping[id] = target.insert(entity: id.entity, identity: identity, stub: isStub)
          resolutions[id] = .inserted
        } else {
          overruled.insert(id)
        }
        return
      }
      if isOfFamily(match, of: id) {
        remapping[id] = match
        resolutions[id] = .matched
        return
      }
      guard target.canPromote(match, to: id.entity) else { throw conflict(id, match) }
      let isPromotedHere = promotedStubs[id].flatMap(ground.object) == match
      remapping[id] = target.promote(
        match, to: id.entity, identity: identity, remainsStub: isStub)
      resolutions[id] = isPromotedHere ? .promoted : .inserted
    }
  }

  /// Returns whether a match is of the object's entity, or of one below it.
  private func isOfFamily(_ match: ObjectID, of id: ObjectID) -> Bool {
    source.schema.entities[id.entity].family.contains(match.entity)
  }

  private func conflict(_ id: ObjectID, _ match: ObjectID) -> StoreError {
    StoreError(
      .duplicateIdentity,
      "\(source.describe(id)): its identity belongs to \(target.describe(match)), which was "
        + "committed meanwhile; identities are unique, give one of them another",
      entity: source.schema.entities[id.entity].name)
  }

  /// Returns the object in the new graph; nil if it has been deleted there.
  @inline(never)
  package func current(_ id: ObjectID) -> ObjectID? {
    let found =
      remapping[id]
      ?? (base.contains(id) ? ground.object(id) ?? replacement(ofStub: id) : nil)
    return found.map { absorbed[$0] ?? $0 }
  }

  @inline(never)
  private func current(_ objects: [ObjectID]) -> [ObjectID] { objects.compactMap { current($0) } }

  /// Returns the object that replaced a stub when another commit promoted it.
  private func replacement(ofStub stub: ObjectID) -> ObjectID? {
    guard source.contains(stub), source.isStub(stub) else { return nil }
    if let match = object(withValueOfStub: stub) { return match }
    let match = source.withIdentity(of: stub) { target.find(identityOf: stub.entity, $0) }
    return match.flatMap { isOfFamily($0, of: stub) ? $0 : nil }
  }

  /// Returns the object of the new graph that has the value of a stub without identity; nil for another object.
  private func object(withValueOfStub id: ObjectID) -> ObjectID? {
    guard !attributes[id.entity].isEmpty, AttributeLookups.isUnidentifiedStub(id, source) else {
      return nil
    }
    for attribute in attributes[id.entity] {
      let value = source.value(id, attribute: attribute.attribute)
      guard !value.isNull, let match = lookups.object(with: value, by: attribute, in: target),
        isOfFamily(match, of: id)
      else { continue }
      return match
    }
    return nil
  }

  /// Puts an object in the place of stubs that other commits have made for its values.
  @inline(never)
  private func absorbStubs(of update: GraphDifference.Update) {
    guard !attributes[update.object.entity].isEmpty, let new = current(update.object),
      let resolution = resolutions[update.object],
      !AttributeLookups.isUnidentifiedStub(new, target)
    else { return }
    let changed = attributes[new.entity].filter {
      resolution != .same || update.attributes.contains($0.attribute)
    }
    for stub in lookups.absorbStubs(into: new, by: changed, in: target) { absorbed[stub] = new }
  }

  @inline(never)
  private func replayAttributes(_ update: GraphDifference.Update) throws(StoreError) {
    let id = update.object
    guard let new = current(id), let resolution = resolutions[id] else { return }
    if isOverruled(update, new, resolution) {
      overruled.insert(id)
      return
    }
    let entity = source.schema.entities[id.entity]
    let row = target.row(new)
    let numbers = resolution == .same ? update.attributes : Array(entity.attributes.indices)
    for number in numbers where !entity.identity.contains(number) {
      let value = source.value(id, attribute: number)
      if resolution == .matched, source.isDefault(value, attribute: number, of: id.entity) {
        continue
      }
      if row.set(number, value) { target.fetched?.noteChange(of: new) }
    }
    if resolution == .same, update.attributes.contains(where: entity.identity.contains) {
      try source.withIdentity(of: id) { values throws(StoreError) in
        _ = try target.setIdentity(new, values)
      }
    }
    if resolution == .matched ? !source.isStub(id) : update.changesStub,
      target.isStub(new) != source.isStub(id)
    {
      target.setStub(new, source.isStub(id))
      target.fetched?.noteChange(of: new)
    }
  }

  /// Returns whether the rules leave an object as another commit has made it.
  private func isOverruled(
    _ update: GraphDifference.Update, _ new: ObjectID, _ resolution: Resolution
  ) -> Bool {
    let id = update.object
    guard resolution == .same || resolution == .matched, !source.isStub(id), !target.isStub(new)
    else { return false }
    if !rules.updatesObjects, resolution == .matched || update.changesStub { return true }
    guard let number = rules.modifiedAttribute(of: id.entity),
      resolution == .matched || update.attributes.contains(number)
    else { return false }
    let old = target.value(new, attribute: number)
    let value = source.value(id, attribute: number)
    // A value that was not given says nothing about the time.
    if old.isNull || source.isDefault(value, attribute: number, of: id.entity) { return false }
    let type = source.schema.entities[id.entity].attributes[number].type
    return !ValueOrder(type).isIncreasing(from: old, to: value)
  }

  /// Returns whether a link is given only by objects that the rules leave as other commits have made them.
  ///
  /// An end gives the link if its relationship has a place in JSON.
  private func isOverruled(linkOf id: ObjectID, _ relationship: Int, to other: ObjectID) -> Bool {
    guard !overruled.isEmpty, overruled.contains(id) || overruled.contains(other) else {
      return false
    }
    let relationship = source.schema.entities[id.entity].relationships[relationship]
    if relationship.isInJSON, !overruled.contains(id) { return false }
    guard let number = relationship.inverse, !overruled.contains(other) else { return true }
    return !source.schema.entities[relationship.destination].relationships[number].isInJSON
  }

  /// Returns whether an overruled object has taken the other end of a link away.
  private func isTakenByOverruled(
    _ end: ObjectID, from id: ObjectID, _ relationship: Int
  ) -> Bool {
    guard !overruled.isEmpty, source.contains(end),
      let inverse = source.schema.entities[id.entity].relationships[relationship].inverse,
      !source.schema.entities[end.entity].relationships[inverse].isToMany,
      let holder = source.toOne(end, relationship: inverse), holder != id
    else { return false }
    return isOverruled(linkOf: end, inverse, to: holder)
  }

  /// Returns the members of a relationship without those whose link the rules leave as another commit has made it.
  @inline(never)
  private func withoutOverruled(
    _ members: [ObjectID], _ id: ObjectID, _ relationship: Int
  ) -> [ObjectID] {
    if overruled.isEmpty { return members }
    return members.filter { !isOverruled(linkOf: id, relationship, to: $0) }
  }

  @inline(never)
  private func replayLinks(_ update: GraphDifference.Update, isToMany: Bool) {
    let id = update.object
    guard let new = current(id), let resolution = resolutions[id] else { return }
    let relationships = source.schema.entities[id.entity].relationships
    let numbers = resolution == .same ? update.relationships : Array(relationships.indices)
    for number in numbers where relationships[number].isToMany == isToMany {
      if isToMany {
        replayMembers(of: id, number, in: new, isOrdered: relationships[number].isOrdered)
      } else {
        replayTarget(of: id, number, in: new)
      }
    }
  }

  /// Returns the object of the base whose links were changed: the object itself, or the stub that it replaces.
  ///
  /// Nil if there was none, or the new graph lacks that object.
  private func origin(of id: ObjectID, _ relationship: Int) -> ObjectID? {
    guard resolutions[id] == .promoted else { return resolutions[id] == .same ? id : nil }
    return promotedStubs[id].flatMap {
      relationship < source.schema.entities[$0.entity].relationships.count ? $0 : nil
    }
  }

  @inline(never)
  private func replayTarget(of id: ObjectID, _ relationship: Int, in new: ObjectID) {
    let destination = source.toOne(id, relationship: relationship)
    let origin = origin(of: id, relationship)
    var end = destination
    if let origin {
      let before = base.toOne(origin, relationship: relationship).map(source.replacement(of:))
      if before == destination { return }
      if end == nil {
        // A link that another commit has given since is not the one that was removed.
        guard let before,
          target.toOne(new, relationship: relationship) == self.current(before),
          !isTakenByOverruled(before, from: id, relationship)
        else { return }
        end = before
      }
    }
    if let end, isOverruled(linkOf: id, relationship, to: end) { return }
    let current = destination.flatMap(current)
    guard current != nil || origin != nil else { return }
    _ = target.setToOne(new, relationship: relationship, current)
  }

  private func replayMembers(
    of id: ObjectID, _ relationship: Int, in new: ObjectID, isOrdered: Bool
  ) {
    guard resolutions[id] != .same || ground.replaysMembers(of: id, relationship) else { return }
    let members = source.toMany(id, relationship: relationship)
    let given = withoutOverruled(members, id, relationship)
    let current = current(given)
    guard let origin = origin(of: id, relationship) else {
      guard isOrdered, !overruled.contains(id) else {
        _ = target.unite(new, relationship: relationship, current.span)
        return
      }
      // The inverse has been replayed before, in the order of the other objects.
      let others = target.toMany(new, relationship: relationship).without(Set(current))
      _ = target.setToMany(new, relationship: relationship, (others + current).span)
      return
    }
    let links = base.members(of: origin, relationship)
    let before = links.map(source.replacement(of:))
    let taken = before.filter { isTakenByOverruled($0, from: id, relationship) }
    let givenBefore = withoutOverruled(before, id, relationship)
    let isWhole =
      given.count == members.count && givenBefore.count == before.count && taken.isEmpty
    if isOrdered, isWhole, !overruled.contains(id),
      ground.hasSameMembers(links, origin, relationship)
    {
      _ = target.setToMany(new, relationship: relationship, current.span)
      return
    }
    let removed = self.current(givenBefore.without(Set(members + taken)))
    let added = self.current(given.without(Set(before)))
    let moved = Set(removed + added)
    let result = target.toMany(new, relationship: relationship).without(moved) + added
    _ = target.setToMany(new, relationship: relationship, result.span)
  }
}

extension RelationshipSchema {
  /// Whether an import reads the relationship.
  var isInJSON: Bool { !paths.isEmpty || !identifierPaths.isEmpty }
}

extension GraphTransaction {
  /// Returns the promoted stubs of the base; the key of each is the object that replaced it.
  fileprivate func promotedStubs(of base: Graph) -> [ObjectID: ObjectID] {
    var result = [ObjectID: ObjectID]()
    for stub in promotions.keys where base.contains(stub) {
      let object = replacement(of: stub)
      if contains(object) { result[object] = stub }
    }
    return result
  }

  /// Returns whether a value is null, or the attribute's value in a new object.
  fileprivate func isDefault(_ value: RawValue, attribute: Int, of entity: Int) -> Bool {
    if value.isNull { return true }
    let column = layout.shapes[entity].attributes[attribute]
    return layout.defaults[entity].contains {
      $0.attribute == attribute && column.isEqual($0.value, value)
    }
  }
}

extension AttributeColumn {
  /// Returns whether two values of this column are equal; neither may be null.
  fileprivate func isEqual(_ lhs: RawValue, _ rhs: RawValue) -> Bool {
    switch kind {
    case .word, .flag: lhs.bits == rhs.bits
    case .uuid, .bytes: lhs.bytes.elementsEqual(rhs.bytes)
    }
  }
}

/// Says what a transaction may do to objects that other commits have inserted, changed or deleted since it began.
///
/// The policies of an import hold for the graph that it read. These are the ones that also hold for the graph onto
/// which a ``Rebase`` replays it.
struct RebaseRules {
  /// Whether an object that another commit has deleted is inserted again.
  var insertsObjects = true
  /// Whether an object that another commit has inserted too, or a stub that it has filled too, takes the values of
  /// the transaction.
  var updatesObjects = true
  /// The attribute of each entity that must be greater than in the new graph, so that an object takes the values of
  /// the transaction; empty for no such rule.
  var modifiedAttributes: [Int?] = []
  /// Whether the document mentions an object that the transaction has read.
  ///
  /// A deletion of another object spares it then.
  var isMentioned: (ObjectID) -> Bool = { _ in false }

  /// Returns the number of an entity's attribute that must be greater; nil if any value will do.
  func modifiedAttribute(of entity: Int) -> Int? {
    entity < modifiedAttributes.count ? modifiedAttributes[entity] : nil
  }
}
