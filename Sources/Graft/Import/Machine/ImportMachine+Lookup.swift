// Objects that are found by an attribute that is not their identity, as MagicalRecord's
// `relatedByAttribute` asks for. An index is made at the first such look-up, and kept up with what
// the import writes.

/// An attribute of the objects of an entity and its sub-entities.
struct LookupKey: Hashable {
  var entity: Int
  var attribute: Int
}

extension PropertyPlan {
  /// The attribute by which a relationship finds its objects, where that is not their identity.
  var lookup: LookupKey? {
    isIdentity ? nil : LookupKey(entity: destination, attribute: attribute)
  }
}

extension ImportMachine {
  /// The object of an entity that a bare identifier names.
  func referent(_ value: RawValue, of entity: Int, by lookup: LookupKey?) -> ObjectID? {
    if let lookup { return lookUp(value, lookup) }
    return withUnsafePointer(to: value) {
      transaction.find(identityOf: entity, UnsafeBufferPointer(start: $0, count: 1))
    }
  }

  /// The object whose attribute has a value; the first of several.
  func lookUp(_ value: RawValue, _ key: LookupKey) -> ObjectID? {
    if lookups[key] == nil { lookups[key] = index(key) }
    guard let object = lookups[key]?[OwnedValue(value)], transaction.contains(object) else {
      return nil
    }
    let present = OwnedValue(transaction.value(object, attribute: key.attribute))
    return present == OwnedValue(value) ? object : nil
  }

  private func index(_ key: LookupKey) -> [OwnedValue: ObjectID] {
    var objects: [OwnedValue: ObjectID] = [:]
    for entity in schema.entities[key.entity].family {
      for row in 0..<transaction.rowCount(entity) {
        let object = ObjectID(entity: entity, row: row)
        guard transaction.contains(object) else { continue }
        note(object, key, in: &objects)
      }
    }
    return objects
  }

  /// Keeps the indexes up with an object that has been written.
  func noteLookups(of object: ObjectID) {
    for attribute in plan.lookedUp[object.entity] {
      for key in lookups.keys
      where key.attribute == attribute && schema.entities[key.entity].family.contains(object.entity)
      {
        note(object, key, in: &lookups[key, default: [:]])
      }
    }
  }

  private func note(
    _ object: ObjectID, _ key: LookupKey, in objects: inout [OwnedValue: ObjectID]
  ) {
    let value = transaction.value(object, attribute: key.attribute)
    guard !value.isNull else { return }
    let owned = OwnedValue(value)
    if let other = objects[owned], transaction.contains(other) { return }
    objects[owned] = object
  }

  /// The one object of an entity that has no more than one.
  func singleton(of entity: Int) -> ObjectID? {
    (0..<transaction.rowCount(entity)).lazy.map { ObjectID(entity: entity, row: $0) }
      .first { self.transaction.contains($0) }
  }

  /// Writes an object that came without identity into the one that is linked already, and takes it
  /// back.
  ///
  /// - Returns: Whether there was one to write into.
  func fill(_ present: ObjectID, from new: ObjectID) -> Bool {
    guard present != new, present.entity == new.entity else { return false }
    let entity = schema.entities[new.entity]
    var hasChanged = false
    for number in entity.attributes.indices where !entity.identity.contains(number) {
      let value = OwnedValue(transaction.value(new, attribute: number))
      guard !transaction.isNull(new, attribute: number) else { continue }
      let differs = value.withRawValue { transaction.set(present, attribute: number, $0) }
      hasChanged = hasChanged || differs
    }
    for (number, relationship) in entity.relationships.enumerated() {
      if relationship.isToMany {
        let members = transaction.toMany(new, relationship: number)
        guard !members.isEmpty else { continue }
        let differs = members.withUnsafeBufferPointer {
          transaction.setToMany(present, relationship: number, $0)
        }
        hasChanged = hasChanged || differs
      } else if let target = transaction.toOne(new, relationship: number) {
        let differs = transaction.setToOne(present, relationship: number, target)
        hasChanged = hasChanged || differs
      }
    }
    transaction.remove([new])
    marks.forget(new)
    marks.note(hasChanged ? .updated : .unchanged, present)
    return true
  }
}
