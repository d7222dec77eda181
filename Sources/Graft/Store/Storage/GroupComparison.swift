// Compares two versions of a row group. A commit mostly changes a few rows of a group, so 64 rows at a time are
// compared as plain memory, and value by value only where the memory differs.
//
// Equal cells are equal values, except where they refer to a heap page: then only if the newer
// group still shares the older one's pages, which are never written again. Unequal cells may be
// equal values (a string that was moved, the meaningless bits of a null), so they are compared
// again.
//
// Raw memory: both versions are groups of one shape, so that 64 cells of a column are in both.

/// Finds the differences between two versions of a row group.
struct GroupComparison {
  let entity: Int
  let shape: TableShape

  /// Adds the differences between two versions of a group to `result`.
  func compare(
    _ old: GroupPointer?, _ new: GroupPointer, number: Int, _ result: inout GraphDifference
  ) {
    let sharesPages = old.map(new.sharesAllPages) ?? false
    for word in 0..<shape.wordCount {
      if let old, isSame(word, old, new, sharesPages) { continue }
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
        && (0..<shape.attributeCount).allSatisfy { isSame(attribute: $0, local, old, new) }
        && (0..<shape.relationshipCount).allSatisfy { isSame(relationship: $0, local, old, new) }
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
    for number in 0..<shape.attributeCount
    where !isSame(attribute: number, local, old, new) { result.attributes.append(number) }
    for number in 0..<shape.relationshipCount
    where !isSame(relationship: number, local, old, new) { result.relationships.append(number) }
    result.changesStub = old.bit(local, at: shape.stubBits) != new.bit(local, at: shape.stubBits)
    let isUnchanged =
      result.attributes.isEmpty && result.relationships.isEmpty && !result.changesStub
    return isUnchanged ? nil : result
  }

  /// Returns whether 64 rows are certainly the same; false if that takes a second look.
  private func isSame(
    _ word: Int, _ old: GroupPointer, _ new: GroupPointer, _ sharesPages: Bool
  ) -> Bool {
    func hasEqualBits(_ offset: Int) -> Bool {
      old.bits(word, at: offset) == new.bits(word, at: offset)
    }
    func hasEqualCells(_ cells: Int, _ byteCount: Int) -> Bool {
      let start = cells + word * 64 * byteCount
      return unsafe CLibrary.isEqual(
        old.base + start, new.base + start, byteCount: 64 * byteCount)
    }
    guard hasEqualBits(TableShape.liveBits), hasEqualBits(shape.stubBits) else { return false }
    for number in 0..<shape.attributeCount {
      let column = shape.attributes[number]
      if column.kind == .bytes, !sharesPages { return false }
      guard hasEqualBits(column.validity), hasEqualCells(column.cells, column.kind.byteCount)
      else { return false }
    }
    for number in 0..<shape.relationshipCount {
      let column = shape.relationships[number]
      if column.isToMany, !sharesPages { return false }
      guard hasEqualCells(column.cells, column.byteCount) else { return false }
    }
    return true
  }
}

extension GroupPointer {
  /// Returns whether this group still has each page of an older version, under the same number,
  /// except for freed pages.
  fileprivate func sharesAllPages(of old: GroupPointer) -> Bool {
    let (header, other) = (header, old.header)
    guard header.frozenPages >= other.pageCount else { return false }
    guard let pages = unsafe header.pages, let others = unsafe other.pages else {
      return other.pageCount == 0
    }
    return (0..<Int(other.pageCount)).allSatisfy { number in
      unsafe pages[number].bytes == others[number].bytes || pages[number].bytes == nil
    }
  }
}
