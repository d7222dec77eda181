// Values are compared, and not the memory of cells: a string may have moved to another page, and the bits of a null mean
// nothing.

/// Finds the differences between two versions of a row group.
struct GroupComparison {
  let entity: Int
  let shape: TableShape

  /// Adds the differences between two versions of a group to `result`.
  func compare(
    _ old: GroupPointer?, _ new: GroupPointer, number: Int, _ result: inout GraphDifference
  ) {
    for word in 0..<shape.wordCount {
      let before = old?.bits(word, at: TableShape.liveBits) ?? 0
      let after = new.bits(word, at: TableShape.liveBits)
      for row in Bits(before | after) {
        let bit: UInt64 = 1 << UInt64(row)
        let local = word * 64 + row
        let id = shape.objectID(number << shape.shift + local)
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

  /// Returns whether an object is the same in two versions of the group.
  ///
  /// It is the same if the values of its attributes and the objects that its relationships lead to
  /// are the same, and it is a stub in both versions or in none.
  func isSame(_ local: Int, _ old: GroupPointer, _ new: GroupPointer) -> Bool {
    old.isSame(as: new)
      || old.bit(local, at: shape.stubBits) == new.bit(local, at: shape.stubBits)
        && shape.attributes.indices.allSatisfy { isSame(attribute: $0, local, old, new) }
        && shape.relationships.indices.allSatisfy { isSame(relationship: $0, local, old, new) }
  }

  private func isSame(
    attribute number: Int, _ local: Int, _ old: GroupPointer, _ new: GroupPointer
  ) -> Bool {
    let column = shape.attributes[number]
    return new.holds(old.value(local, column), local, column)
  }

  private func isSame(
    relationship number: Int, _ local: Int, _ old: GroupPointer, _ new: GroupPointer
  ) -> Bool {
    let column = shape.relationships[number]
    guard column.isToMany else {
      return old.toOne(local, column) == new.toOne(local, column)
    }
    let members = old.list(local, column).members
    let others = new.list(local, column).members
    return members.count == others.count
      && (members.address == others.address || members.elementsEqual(others))
  }

  /// Returns the differing properties of an object in both versions; nil if none differ.
  func update(
    _ id: ObjectID, _ local: Int, _ old: GroupPointer, _ new: GroupPointer
  ) -> GraphDifference.Update? {
    var result = GraphDifference.Update(object: id)
    for number in shape.attributes.indices
    where !isSame(attribute: number, local, old, new) { result.attributes.append(number) }
    for number in shape.relationships.indices
    where !isSame(relationship: number, local, old, new) { result.relationships.append(number) }
    result.changesStub = old.bit(local, at: shape.stubBits) != new.bit(local, at: shape.stubBits)
    let isUnchanged =
      result.attributes.isEmpty && result.relationships.isEmpty && !result.changesStub
    return isUnchanged ? nil : result
  }
}
