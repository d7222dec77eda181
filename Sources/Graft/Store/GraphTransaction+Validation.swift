// What the model requires of every object is checked for the groups that the transaction wrote; the
// others were right before. Bitmaps answer for 64 rows at once whether an attribute is missing.
// Stubs are exempt until an object fills them.

extension GraphTransaction {
  /// Checks required properties and the bounds of to-many relationships.
  ///
  /// - Parameter checkingValues: Whether values are held to the model's bounds and patterns too.
  /// - Throws: ``StoreError`` with code `invalidObjects`.
  func validate(checkingValues: Bool = false) throws(StoreError) {
    var log = FailureLog()
    for entity in 0..<layout.entityCount {
      let schema = schema.entities[entity]
      for owned in tables[entity].owned {
        checkAttributes(entity, owned) { row, attribute in
          log.add {
            failure(
              entity, row, schema.attributes[attribute].name,
              "is required and has no value; give it one, or make the attribute optional")
          }
        }
        checkRelationships(entity, owned) { row, relationship, problem in
          log.add { failure(entity, row, schema.relationships[relationship].name, problem()) }
        }
        guard checkingValues else { continue }
        checkValues(entity, owned) { row, attribute, problem in
          log.add { failure(entity, row, schema.attributes[attribute].name, problem()) }
        }
      }
    }
    try log.throwIfAny()
  }

  private func failure(
    _ entity: Int, _ row: Int, _ property: String, _ problem: String
  ) -> ValidationFailure {
    let id = ObjectID(entity: entity, row: row)
    return ValidationFailure(
      object: id, entity: schema.entities[entity].name, property: property,
      description: "\(describe(id)): \"\(property)\" \(problem)")
  }

  private func checkAttributes(
    _ entity: Int, _ owned: WorkingTable.OwnedGroup,
    _ report: (_ row: Int, _ attribute: Int) -> Void
  ) {
    let shape = tables[entity].shape
    let group = owned.group.pointer
    for attribute in 0..<shape.attributeCount where shape.attributes[attribute].isRequired {
      let valid = group.words(at: shape.attributes[attribute].validity)
      for word in 0..<shape.wordCount {
        var missing = group.filledRows(word, shape) & ~valid[word]
        while missing != 0 {
          let local = word * 64 + missing.trailingZeroBitCount
          report(owned.number << shape.shift + local, attribute)
          missing &= missing - 1
        }
      }
    }
  }

  private func checkRelationships(
    _ entity: Int, _ owned: WorkingTable.OwnedGroup,
    _ report: (_ row: Int, _ relationship: Int, _ problem: () -> String) -> Void
  ) {
    let shape = tables[entity].shape
    let group = owned.group.pointer
    for (number, relationship) in schema.entities[entity].relationships.enumerated()
    where relationship.isBounded {
      let column = shape.relationships[number]
      for word in 0..<shape.wordCount {
        var rows = group.filledRows(word, shape)
        while rows != 0 {
          let local = word * 64 + rows.trailingZeroBitCount
          rows &= rows - 1
          let count =
            column.isToMany
            ? Int(group.list(local, column).pointee.count)
            : (group.toOne(local, column).pointee == 0 ? 0 : 1)
          guard !relationship.allows(count) else { continue }
          report(owned.number << shape.shift + local, number) { relationship.problem(with: count) }
        }
      }
    }
  }
}

extension GroupPointer {
  /// The rows of a bitmap word that hold an object which is more than a stub.
  func filledRows(_ word: Int, _ shape: TableShape) -> UInt64 {
    words(at: TableShape.liveBits)[word] & ~words(at: shape.stubBits)[word]
  }
}

extension RelationshipSchema {
  /// Whether there is anything to check.
  fileprivate var isBounded: Bool {
    !isOptional || isToMany && (minimumCount > 0 || maximumCount > 0)
  }

  /// Whether a relationship may lead to so many objects.
  ///
  /// An optional one may always be empty.
  fileprivate func allows(_ count: Int) -> Bool {
    if count == 0 { return isOptional }
    guard isToMany else { return true }
    return count >= minimumCount && (maximumCount == 0 || count <= maximumCount)
  }

  fileprivate func problem(with count: Int) -> String {
    if count == 0 {
      return "is required and leads to no object; link one, or make the relationship optional"
    }
    let least = minimumCount > 0 ? "at least \(minimumCount)" : nil
    let most = maximumCount > 0 ? "at most \(maximumCount)" : nil
    let bounds = [least, most].compactMap(\.self).joined(separator: " and ")
    return "leads to \(count) objects, where the model asks for \(bounds)"
  }
}
