// A transaction asks its source for the rows that it lacks, and inserts their objects like any
// others. An example is the import of
//
//   {"id": 7, "text": "Hi!", "user": {"id": 3, "name": "Ada"}}
//
// where the source has user 3 and not tweet 7: the resolver looks for user 3, which the transaction
// does not hold; the source returns the row, and the transaction inserts it. Then the import continues
// as in memory: the user's name is compared and written, and the tweet inserted and linked.
//
// An object that is only the target of a link is inserted without its values, as a stub of its
// identity. Its values are read on the first look-up.

// Objects that are asked for. Without a source there are none.
extension GraphTransaction {
  /// Fetches the object with an identity.
  func fetch(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    guard let fetched else { return nil }
    let found: ObjectID? = fetched.attempt(nil) { () throws(StoreError) in
      guard try fetched.source.readRow(identityOf: entity, values, into: &fetched.row)
      else { return nil }
      return try insertRow(fetched, readingValues: true)
    }
    guard let found, fetched.hasIdentityChanges else { return found }
    return hasIdentity(found, values) ? found : nil
  }

  /// Fetches objects with a value of an attribute: objects of an entity and of its sub-entities.
  func fetchAll(of entity: Int, attribute: Int, _ value: RawValue) -> [ObjectID] {
    guard let fetched else { return [] }
    return fetched.attempt([]) { () throws(StoreError) in
      try objects(
        for: fetched.source.keys(of: entity, attribute: attribute, value), readingValues: true)
    }
  }

  /// Fetches any one object of a concrete entity.
  func fetchAny(of entity: Int) -> ObjectID? {
    guard let fetched else { return nil }
    return fetched.attempt(nil) { () throws(StoreError) in
      guard try fetched.source.readAnyRow(of: entity, into: &fetched.row) else { return nil }
      return try insertRow(fetched, readingValues: true)
    }
  }

  /// Fetches all objects of a concrete entity.
  package func fetchAll(of entity: Int) {
    guard let fetched else { return }
    fetched.attempt(()) { () throws(StoreError) in
      _ = try objects(for: fetched.source.keys(of: entity), readingValues: true)
    }
  }

  /// Fetches the object of a key, with its values.
  ///
  /// - Returns: The object; nil where there is none, and after a failure.
  package func find(_ key: RowKey) -> ObjectID? {
    fetched?.attempt(nil) { () throws(StoreError) in try object(for: key, readingValues: true) }
  }

  /// Fetches the objects of keys, in the same order and without removed ones; see
  /// ``object(for:readingValues:)``.
  package func objects(
    for keys: RowKeys, readingValues: Bool
  ) throws(StoreError) -> [ObjectID] {
    guard let fetched else { return [] }
    var objects: [ObjectID] = []
    objects.reserveCapacity(keys.count)
    for number in 0..<keys.count {
      let object = try keys.withKey(number) { (key) throws(StoreError) in
        try self.object(fetched, keys.table, key, readingValues: readingValues)
      }
      if let object { objects.append(object) }
    }
    return objects
  }

  /// Returns the object of a key, and fetches it if it is not held yet.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - readingValues: Whether its values are read too; otherwise a link may lead to it, and no more.
  /// - Returns: The object; nil where it was removed, or there is none.
  /// - Throws: ``StoreError`` where the source fails.
  package func object(for key: RowKey, readingValues: Bool) throws(StoreError) -> ObjectID? {
    guard let fetched else { return nil }
    return try OwnedValue.withRawValues(key.values[...]) { (values) throws(StoreError) in
      try object(fetched, key.table, values, readingValues: readingValues)
    }
  }

  private func object(
    _ fetched: FetchedObjects, _ table: Int, _ key: BorrowedBuffer<RawValue>, readingValues: Bool
  ) throws(StoreError) -> ObjectID? {
    if fetched.hasMovedRows {
      let key = RowKey(table: table, values: key.map { OwnedValue($0) })
      if fetched.removed.contains(key) { return nil }
      if let moved = fetched.movedObject(key) {
        if readingValues { readValues(of: moved) }
        return moved
      }
    }
    let entity = fetched.topEntities[table]
    let layout = fetched.layouts[entity]
    let held =
      layout.isKeyedByNumber
      ? fetched.object(key[0].integer, of: table) : held(identityOf: entity, key)
    if let held {
      if readingValues { readValues(of: held) }
      return held
    }
    if !readingValues, layout.isKnownByKey { return insertKnownByKey(fetched, entity, key) }
    guard
      try fetched.source.readRow(of: key, entity, isWhole: readingValues, into: &fetched.row)
    else { return nil }
    return try insertRow(fetched, readingValues: readingValues)
  }

  /// Reads the values of an object that was inserted without them.
  @inline(__always)
  package func readValues(of id: ObjectID) {
    if let fetched { readValues(of: id, fetched) }
  }

  @inline(never)
  private func readValues(of id: ObjectID, _ fetched: FetchedObjects) {
    guard fetched.state(of: id).contains(.unread) else { return }
    fetched.attempt(()) { () throws(StoreError) in
      let isFound = try withKey(of: id) { (key) throws(StoreError) in
        try fetched.source.readRow(of: key, id.entity, isWhole: true, into: &fetched.row)
      }
      if isFound { try fill(id, fetched) } else { try fetched.noteMissingRow(of: id) }
    }
  }

  /// Calls a closure with the key that an object's row has in the source.
  package func withKey<R, E: Error>(
    of id: ObjectID, _ body: (BorrowedBuffer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    if let fetched {
      if !fetched.formerKeys.isEmpty, let former = fetched.formerKeys[id] {
        return try OwnedValue.withRawValues(former.values[...], body)
      }
      if fetched.layouts[id.entity].isKeyedByNumber {
        return try BorrowedBuffer.withOne(.integer(fetched.number(of: id) ?? 0), body)
      }
    }
    return try withIdentity(of: id, body)
  }

  /// Returns the key of an object's row.
  package func key(of id: ObjectID) -> RowKey {
    RowKey(
      table: fetched?.layouts[id.entity].table ?? 0,
      values: withKey(of: id) { $0.map { OwnedValue($0) } })
  }
}

// Rows that a source has returned.
extension GraphTransaction {
  /// Inserts the object of the row that was read last.
  ///
  /// - Returns: The object; nil where it was removed.
  private func insertRow(
    _ fetched: FetchedObjects, readingValues: Bool
  ) throws(StoreError) -> ObjectID? {
    let entity = fetched.row.entity
    let layout = fetched.layouts[entity]
    if fetched.hasMovedRows {
      let key = fetched.row.key(layout.key, of: layout.table)
      if fetched.removed.contains(key) { return nil }
      if let moved = fetched.movedObject(key) { return moved }
    }
    if layout.isKeyedByNumber {
      let number = fetched.row.withValues(layout.key) { $0[0].integer }
      if let held = fetched.object(number, of: layout.table) {
        if readingValues { readValues(of: held) }
        return held
      }
    }
    let id = fetched.row.withValues(layout.identity) {
      insert(entity: entity, identity: $0, stub: true)
    }
    fetched.setState([.stored, .unread], of: id)
    if layout.isKeyedByNumber {
      fetched.setNumber(fetched.row.withValues(layout.key) { $0[0].integer }, of: id)
    }
    if readingValues { try fill(id, fetched) }
    return id
  }

  /// Returns the object of a key that alone determines it, without reading the row.
  private func insertKnownByKey(
    _ fetched: FetchedObjects, _ entity: Int, _ key: BorrowedBuffer<RawValue>
  ) -> ObjectID {
    if let held = held(identityOf: entity, key) { return held }
    let id = insert(entity: entity, identity: key, stub: true)
    fetched.setState([.stored, .unread], of: id)
    return id
  }

  /// Writes the values and links of the row that was read last into an object.
  private func fill(_ id: ObjectID, _ fetched: FetchedObjects) throws(StoreError) {
    fetched.noteValues(of: id)
    let layout = fetched.layouts[id.entity]
    let entity = schema.entities[id.entity]
    try fetched.row.withAll { (values) throws(StoreError) in try write(values, layout, to: id) }
    var others: [(relationship: Int, key: RowKey)] = []
    for (number, positions) in layout.references.enumerated() where !positions.isEmpty {
      let target = fetched.layouts[entity.relationships[number].destination]
      fetched.row.withValues(positions) { key in
        if key.contains(where: \.isNull) { return }
        if target.isKnownByKey, !fetched.hasMovedRows {
          link(id, number, to: insertKnownByKey(fetched, target.topEntity, key))
        } else {
          others.append((number, RowKey(table: target.table, values: key.map { OwnedValue($0) })))
        }
      }
    }
    // The calls below read other rows into the same buffer.
    for (number, key) in others {
      guard let target = try object(for: key, readingValues: false) else { continue }
      link(id, number, to: target)
    }
    for (number, relationship) in entity.relationships.enumerated()
    where relationship.isToMany && relationship.isBounded {
      readTargets(of: id, number)
    }
  }

  /// Writes the values of a row to an object, except for its identity and its links.
  ///
  /// - Throws: ``StoreError`` for a value that the attribute's Swift type no longer has, unless another takes its place.
  package func write(
    _ values: BorrowedBuffer<RawValue>, _ layout: RowLayout, to id: ObjectID
  ) throws(StoreError) {
    let writer = row(id)
    for (attribute, column) in layout.attributes { _ = writer.set(attribute, values[column]) }
    let entity = schema.entities[id.entity]
    for (number, column) in layout.limitedAttributes {
      let (value, attribute) = (values[column], entity.attributes[number])
      guard !value.isNull, !attribute.domain.admits(value) else { continue }
      let isReplaced = attribute.unknownValue?.withRawValue(for: attribute.type) {
        writer.set(number, $0)
      }
      if isReplaced == nil {
        throw entity.outsideDomain(
          value, attribute,
          " in the database; give the attribute `unknown:`, a value that takes its place, or correct"
            + " the rows")
      }
    }
    setStub(id, !values[layout.stubColumn].isNull)
  }

  /// Writes a link that a source has returned, and its inverse.
  package func link(_ id: ObjectID, _ relationship: Int, to target: ObjectID) {
    _ = fetchedLinks.setToOne(id, relationship, target)
  }

  /// Writes the members of a list that a source has returned, in their order, and their inverse.
  package func link(_ id: ObjectID, _ relationship: Int, toAll members: [ObjectID]) {
    if tables[id.entity].shape.relationships[relationship].isOrdered {
      _ = fetchedLinks.setToMany(id, relationship, members.span)
    } else {
      _ = fetchedLinks.unite(id, relationship, members.span)
    }
  }
}

// Links that are read before they are used.
extension GraphTransaction {
  /// Reads the objects of a relationship.
  @inline(__always)
  package func readTargets(of id: ObjectID, _ relationship: Int) {
    if let fetched { readTargets(of: id, relationship, fetched) }
  }

  @inline(never)
  private func readTargets(of id: ObjectID, _ relationship: Int, _ fetched: FetchedObjects) {
    if fetched.source.isLookAhead {
      return fetched.attempt(()) { () throws(StoreError) in
        _ = try members(of: id, relationship, fetched)
      }
    }
    guard fetched.state(of: id).contains(.stored) else { return }
    readValues(of: id)
    guard fetched.layouts[id.entity].isList[relationship],
      !fetched.lists.hasRead(relationship, of: id)
    else { return }
    fetched.lists.noteRead(relationship, of: id)
    fetched.attempt(()) { () throws(StoreError) in
      let stored = try objects(for: members(of: id, relationship, fetched), readingValues: false)
      guard !stored.isEmpty else { return }
      fetched.lists.setMembers(stored, relationship, of: id)
      let hasAll = !stored.contains { hasLeft($0, id, relationship, fetched) }
      let present = hasAll ? stored : stored.filter { !hasLeft($0, id, relationship, fetched) }
      link(id, relationship, toAll: present)
    }
  }

  private func members(
    of id: ObjectID, _ relationship: Int, _ fetched: FetchedObjects
  ) throws(StoreError) -> RowKeys {
    try withKey(of: id) { (key) throws(StoreError) in
      try fetched.source.keys(ofMembers: relationship, of: id.entity, key)
    }
  }

  /// Returns whether this transaction has removed a link of the source, from its other end.
  private func hasLeft(
    _ member: ObjectID, _ owner: ObjectID, _ relationship: Int, _ fetched: FetchedObjects
  ) -> Bool {
    guard let inverse = schema.entities[owner.entity].relationships[relationship].inverse
    else { return false }
    let isKnown =
      schema.entities[member.entity].relationships[inverse].isToMany
      ? fetched.lists.hasRead(inverse, of: member) && !(member == owner && inverse == relationship)
      : !fetched.state(of: member).contains(.unread)
    return isKnown && !tables.targets(member, relationship: inverse).contains(owner)
  }

  /// Reads all links to an object or from it.
  func readNeighbours(of id: ObjectID) {
    guard let fetched, fetched.state(of: id).contains(.stored) else { return }
    readValues(of: id)
    for (number, relationship) in schema.entities[id.entity].relationships.enumerated() {
      readTargets(of: id, number)
      guard let inverse = relationship.inverse else { continue }
      let isToMany = schema.entities[relationship.destination].relationships[inverse].isToMany
      for target in tables.targets(id, relationship: number) {
        if isToMany { readTargets(of: target, inverse) } else { readValues(of: target) }
      }
    }
    for (entity, number) in layout.oneWayRelationships {
      let destination = schema.entities[entity].relationships[number].destination
      guard schema.entities[destination].family.contains(id.entity) else { continue }
      fetched.attempt(()) { () throws(StoreError) in
        let keys = try withKey(of: id) { (key) throws(StoreError) in
          try fetched.source.keys(ofOwners: number, of: entity, key)
        }
        for owner in try objects(for: keys, readingValues: true) { readTargets(of: owner, number) }
      }
    }
  }

  /// Reads the links that must be known before an object is linked to others.
  @inline(never)
  func prepareLinks(
    of id: ObjectID, _ relationship: Int, to targets: Span<ObjectID>, _ fetched: FetchedObjects
  ) {
    readTargets(of: id, relationship, fetched)
    let link = schema.entities[id.entity].relationships[relationship]
    guard !fetched.source.isLookAhead, let inverse = link.inverse else { return }
    let back = schema.entities[link.destination].relationships[inverse]
    // A list without order takes its members by the key alone.
    guard !back.isToMany || back.isOrdered || back.isBounded else { return }
    func prepare(_ target: ObjectID) {
      guard fetched.state(of: target).contains(.stored) || !back.isToMany else { return }
      readTargets(of: target, inverse)
      guard !back.isToMany else { return }
      // A list that the target is taken from must be known where its order is kept.
      if let previous = tables.toOne(target, relationship: inverse), previous != id {
        readTargets(of: previous, relationship)
      }
    }
    for index in targets.indices { prepare(targets[index]) }
    if fetched.state(of: id).contains(.stored) {
      for target in tables.targets(id, relationship: relationship) { prepare(target) }
    }
  }
}
