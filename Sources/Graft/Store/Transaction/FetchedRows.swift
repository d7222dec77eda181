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
  /// Fetches the object with an identity; nil if the entity has none.
  func fetch(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    guard let fetched, !values.isEmpty else { return nil }
    let found: ObjectID? = fetched.attempt(nil) { () throws(StoreError) in
      guard try fetched.source.readRow(identityOf: entity, values, into: &fetched.row)
      else { return nil }
      return try insertRow(fetched, readingValues: true)
    }
    // The object is held already if only its links could not be read.
    if found == nil, fetched.hasFailed { return held(identityOf: entity, values) }
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
    if !readingValues, layout.isKnownByKey { return try insertKnownByKey(fetched, entity, key) }
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
      guard isFound else { return try fetched.noteMissingRow(of: id) }
      try checkRow(fetched, of: id.entity)
      try fill(id, fetched)
    }
  }

  /// Calls a closure with the key that an object's row has in the source.
  func withKey<R, E: Error>(
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
    // Another writer has inserted the same object since; the import's changes are replayed onto that one.
    if let inserted = fetched.row.withValues(layout.identity, { held(identityOf: entity, $0) }) {
      return inserted
    }
    // Before the object is inserted, so that it is not found without its values.
    if readingValues { try checkRow(fetched, of: entity) }
    let id = try fetched.row.withValues(layout.identity) { (identity) throws(StoreError) in
      try check(identity: identity, layout, of: entity)
      return insert(entity: entity, identity: identity, stub: true)
    }
    fetched.setState([.stored, .unread], of: id)
    if layout.isKeyedByNumber {
      fetched.setNumber(fetched.row.withValues(layout.key) { $0[0].integer }, of: id)
    }
    if readingValues { try fill(id, fetched) }
    return id
  }

  /// Refuses the row that was read last where it has a value that the Swift type of its attribute no longer has.
  private func checkRow(_ fetched: FetchedObjects, of entity: Int) throws(StoreError) {
    let layout = fetched.layouts[entity]
    guard !layout.limitedAttributes.isEmpty else { return }
    try fetched.row.withAll { (values) throws(StoreError) in
      try check(values, layout, of: entity)
    }
  }

  /// Returns the object of a key that alone determines it, without reading the row.
  private func insertKnownByKey(
    _ fetched: FetchedObjects, _ entity: Int, _ key: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> ObjectID {
    if let held = held(identityOf: entity, key) { return held }
    try check(identity: key, fetched.layouts[entity], of: entity)
    let id = insert(entity: entity, identity: key, stub: true)
    fetched.setState([.stored, .unread], of: id)
    return id
  }

  /// Writes the values and links of the row that was read last into an object.
  private func fill(_ id: ObjectID, _ fetched: FetchedObjects) throws(StoreError) {
    fetched.noteValues(of: id)
    let layout = fetched.layouts[id.entity]
    let entity = schema.entities[id.entity]
    fetched.row.withAll { write($0, layout, to: id) }
    var others: [(relationship: Int, key: RowKey)] = []
    for (number, positions) in layout.references.enumerated() where !positions.isEmpty {
      let target = fetched.layouts[entity.relationships[number].destination]
      try fetched.row.withValues(positions) { (key) throws(StoreError) in
        if key.contains(where: \.isNull) { return }
        if target.isKnownByKey, !fetched.hasMovedRows {
          link(id, number, to: try insertKnownByKey(fetched, target.topEntity, key))
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

  /// Refuses a row with a value that the Swift type of its attribute no longer has.
  ///
  /// - Throws: ``StoreError`` with the attribute and the value.
  package func check(
    _ values: BorrowedBuffer<RawValue>, _ layout: RowLayout, of entity: Int
  ) throws(StoreError) {
    for (attribute, column) in layout.limitedAttributes {
      try check(values[column], ofAttribute: attribute, of: entity)
    }
  }

  /// Refuses an identity with such a value.
  private func check(
    identity: BorrowedBuffer<RawValue>, _ layout: RowLayout, of entity: Int
  ) throws(StoreError) {
    for (position, column) in layout.identity.enumerated() {
      for (attribute, limited) in layout.limitedAttributes where limited == column {
        try check(identity[position], ofAttribute: attribute, of: entity)
      }
    }
  }

  private func check(
    _ value: RawValue, ofAttribute number: Int, of entity: Int
  ) throws(StoreError) {
    try schema.entities[entity].checkDomain(
      value, attribute: number,
      remedy:
        " in the database; let the type have this value, or change the rows through a database that is"
        + " opened without types")
  }

  /// Writes the values of a row to an object, except for its identity and its links.
  package func write(_ values: BorrowedBuffer<RawValue>, _ layout: RowLayout, to id: ObjectID) {
    let writer = row(id)
    for (attribute, column) in layout.attributes { _ = writer.set(attribute, values[column]) }
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

  /// The change of a relationship by some objects.
  enum LinkChange {
    case add, remove, replace
  }

  /// Reads the links that must be known before a relationship is changed: those at the other end of each link that
  /// begins or ends.
  @inline(never)
  func prepareLinks(
    of id: ObjectID, _ relationship: Int, _ change: LinkChange, _ targets: Span<ObjectID>,
    _ fetched: FetchedObjects
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
    for index in targets.indices
    where links.isLinked(id, relationship, to: targets[index]) == (change == .remove) {
      prepare(targets[index])
    }
    if change == .replace, fetched.state(of: id).contains(.stored) {
      // A set costs too much for the one object of a to-one relationship.
      let kept = targets.count > 1 ? Set(targets.indices.map { targets[$0] }) : []
      let only = targets.count == 1 ? targets[0] : nil
      for target in tables.targets(id, relationship: relationship)
      where target != only && !kept.contains(target) {
        prepare(target)
      }
    }
  }
}
