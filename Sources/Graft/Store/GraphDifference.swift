/// What lies between two graphs of a store: found by comparing the row groups that a transaction
/// wrote with those of its base.
///
/// Rebasing replays it; observers are told it.
struct GraphDifference {
  /// An object that both graphs have, and its properties that differ.
  struct Update {
    var object: ObjectID
    var attributes: [Int] = []
    var relationships: [Int] = []
    /// Whether an object that was only a stub has been filled, or the reverse.
    var changesStub = false
  }

  /// By entity and insertion, as all three.
  var inserted: [ObjectID] = []
  var updated: [Update] = []
  var deleted: [ObjectID] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension GraphTransaction {
  /// What the transaction changed so far.
  ///
  /// Costs a comparison of the row groups written.
  func difference() -> GraphDifference {
    var result = GraphDifference()
    for entity in 0..<layout.entityCount {
      let baseGroups =
        (base.storage.tables[entity].rowCount + tables[entity].shape.mask)
        >> tables[entity].shape.shift
      for owned in tables[entity].owned.sorted(by: { $0.number < $1.number }) {
        let old =
          owned.number < baseGroups
          ? base.storage.group(entity: entity, number: owned.number) : nil
        compare(entity, owned.number, old, owned.group.pointer, &result)
      }
    }
    return result
  }

  private func compare(
    _ entity: Int, _ number: Int, _ old: GroupPointer?, _ new: GroupPointer,
    _ result: inout GraphDifference
  ) {
    let shape = tables[entity].shape
    for word in 0..<shape.wordCount {
      let before = old?.words(at: TableShape.liveBits)[word] ?? 0
      let after = new.words(at: TableShape.liveBits)[word]
      var rows = before | after
      while rows != 0 {
        let bit = rows & (~rows + 1)
        let local = word * 64 + rows.trailingZeroBitCount
        let id = ObjectID(entity: entity, row: number << shape.shift + local)
        rows &= rows - 1
        if before & bit == 0 {
          result.inserted.append(id)
        } else if after & bit == 0 {
          result.deleted.append(id)
        } else if let old, let update = update(id, local, old, new) {
          result.updated.append(update)
        }
      }
    }
  }

  private func update(
    _ id: ObjectID, _ local: Int, _ old: GroupPointer, _ new: GroupPointer
  ) -> GraphDifference.Update? {
    let shape = tables[id.entity].shape
    var result = GraphDifference.Update(object: id)
    for number in 0..<shape.attributeCount {
      let column = shape.attributes[number]
      if !new.holds(old.value(local, column), local, column) { result.attributes.append(number) }
    }
    for number in 0..<shape.relationshipCount {
      let column = shape.relationships[number]
      let isSame =
        column.isToMany
        ? old.members(old.list(local, column)).elementsEqual(new.members(new.list(local, column)))
        : old.toOne(local, column).pointee == new.toOne(local, column).pointee
      if !isSame { result.relationships.append(number) }
    }
    result.changesStub = old.bit(local, at: shape.stubBits) != new.bit(local, at: shape.stubBits)
    let isUnchanged =
      result.attributes.isEmpty && result.relationships.isEmpty && !result.changesStub
    return isUnchanged ? nil : result
  }
}
