extension GraphTransaction {
  /// The object that has this identity.
  ///
  /// - Parameters:
  ///   - entity: Any entity of those that share the identity.
  ///   - values: The values of `EntitySchema.identity`, in that order. Null values name no object.
  /// - Returns: The object; nil if there is none.
  func find(
    identityOf entity: Int, _ values: UnsafeBufferPointer<RawValue>
  ) -> ObjectID? {
    let identity = layout.identities[entity]
    guard identity.index >= 0, let hash = layout.hash(values, of: entity) else { return nil }
    return index(identity.index).pointee.view.find(hash) { candidate in
      let row = candidate.row & tables[candidate.entity].shape.mask
      return layout.matches(group(of: candidate), row, entity: candidate.entity, values)
    }
  }

  /// Inserts an object with its defaults.
  ///
  /// - Parameters:
  ///   - entity: The object's concrete entity.
  ///   - values: The identity, as for ``find(identityOf:_:)``; empty for none.
  ///   - stub: Whether nothing but the identity is known yet.
  /// - Returns: The object.
  /// - Precondition: No object has the identity.
  func insert(
    entity: Int, identity values: UnsafeBufferPointer<RawValue>, stub: Bool = false
  ) -> ObjectID {
    assert(find(identityOf: entity, values) == nil, "two objects cannot have one identity")
    let table = tables + entity
    let row = table.pointee.rowCount
    precondition(row < Int(UInt32.max), "an entity cannot have more rows")
    let local = row & table.pointee.shape.mask
    if local == 0 { table.pointee.addGroup() }
    table.pointee.rowCount = row &+ 1
    table.pointee.liveCount &+= 1
    let id = ObjectID(entity: entity, row: row)
    let group = writableGroup(of: id)
    group.setBit(local, at: TableShape.liveBits)
    if stub { group.setBit(local, at: table.pointee.shape.stubBits) }
    for value in layout.defaults[entity] {
      group.store(value.value, local, table.pointee.shape.attributes[value.attribute])
    }
    let identity = layout.identities[entity]
    guard values.count == identity.count, identity.index >= 0 else { return id }
    for number in 0..<identity.count where !values[number].isNull {
      let column = table.pointee.shape.attributes[identity.attributes[number]]
      group.store(values[number], local, column)
    }
    if let hash = layout.hash(values, of: entity) {
      index(identity.index).pointee.insert(id, hash: hash)
    }
    return id
  }

  /// Gives an object another identity.
  ///
  /// - Returns: Whether it differed.
  /// - Throws: ``StoreError`` if another object has the identity.
  func setIdentity(
    _ id: ObjectID, _ values: UnsafeBufferPointer<RawValue>
  ) throws(StoreError) -> Bool {
    let identity = layout.identities[id.entity]
    let shape = tables[id.entity].shape
    let local = id.row & shape.mask
    if layout.matches(group(of: id), local, entity: id.entity, values) { return false }
    if let other = find(identityOf: id.entity, values), other != id {
      throw StoreError(
        .duplicateIdentity,
        "\(describe(id)): cannot take the identity of \(describe(other)); identities are unique",
        entity: schema.entities[id.entity].name)
    }
    unregister(id)
    let group = writableGroup(of: id)
    for number in 0..<identity.count {
      let column = shape.attributes[identity.attributes[number]]
      // What stays may be borrowed from this very cell.
      if !group.holds(values[number], local, column) {
        group.replace(values[number], local, column)
      }
    }
    if let hash = layout.hash(values, of: id.entity) {
      index(identity.index).pointee.insert(id, hash: hash)
    }
    return true
  }

  /// Takes an object out of its identity index.
  func unregister(_ id: ObjectID) {
    let identity = layout.identities[id.entity]
    guard identity.index >= 0 else { return }
    let hash = withIdentity(of: id) { layout.hash($0, of: id.entity) }
    if let hash { index(identity.index).pointee.remove(id, hash: hash) }
  }

  /// Calls `body` with the identity's values, borrowed from the object's row.
  func withIdentity<R, E: Error>(
    of id: ObjectID, _ body: (UnsafeBufferPointer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    let identity = layout.identities[id.entity]
    let shape = tables[id.entity].shape
    let group = group(of: id)
    let values = (0..<identity.count).map {
      group.value(id.row & shape.mask, shape.attributes[identity.attributes[$0]])
    }
    return try values.withUnsafeBufferPointer(body)
  }
}

extension StoreLayout {
  /// The hash of an identity; nil if a value is null or missing, because then it is none.
  func hash(_ values: UnsafeBufferPointer<RawValue>, of entity: Int) -> UInt32? {
    let identity = identities[entity]
    guard values.count == identity.count else { return nil }
    if identity.isWord {
      guard !values[0].isNull else { return nil }
      let column = shapes[entity].attributes + identity.attributes[0]
      return IdentityHash.finish(
        IdentityHash.combine(seed, word: column.pointee.canonical(values[0].bits)))
    }
    var state = seed
    for number in 0..<identity.count {
      let value = values[number]
      if value.isNull { return nil }
      let column = shapes[entity].attributes[identity.attributes[number]]
      switch column.kind {
      case .word, .flag: state = IdentityHash.combine(state, word: column.canonical(value.bits))
      case .uuid, .bytes: state = IdentityHash.combine(state, bytes: value.bytes)
      }
    }
    return IdentityHash.finish(state)
  }

  /// Whether a row has this identity.
  func matches(
    _ group: GroupPointer, _ row: Int, entity: Int, _ values: UnsafeBufferPointer<RawValue>
  ) -> Bool {
    let identity = identities[entity]
    if identity.isWord, !values[0].isNull {
      let column = shapes[entity].attributes + identity.attributes[0]
      let bits = group.word(row, column).pointee
      return group.bit(row, at: column.pointee.validity)
        && column.pointee.canonical(bits) == column.pointee.canonical(values[0].bits)
    }
    for number in 0..<identity.count {
      let column = shapes[entity].attributes[identity.attributes[number]]
      guard group.holds(values[number], row, column, asIdentity: true) else { return false }
    }
    return true
  }
}

extension AttributeColumn {
  /// The bits by which a word is compared as an identity: 0 and -0 are the same number.
  func canonical(_ bits: UInt64) -> UInt64 {
    isFloating && bits == 1 &<< 63 ? 0 : bits
  }
}
