/// A set of objects, with one bit per row: for many objects at once.
package struct ObjectSet {
  /// The bits of each entity's rows; a word holds 64 rows.
  private var words: ContiguousArray<ContiguousArray<UInt64>>

  package init(entityCount: Int) {
    words = ContiguousArray(repeating: [], count: entityCount)
  }

  package func contains(_ id: ObjectID) -> Bool {
    let index = id.row >> 6
    guard index < words[id.entity].count else { return false }
    return words[id.entity][index] >> UInt64(id.row & 63) & 1 != 0
  }

  /// - Returns: Whether the object was not in the set yet.
  package mutating func insert(_ id: ObjectID) -> Bool {
    guard !contains(id) else { return false }
    let index = id.row >> 6
    if index >= words[id.entity].count {
      let missing = index + 1 - words[id.entity].count
      words[id.entity].append(contentsOf: repeatElement(0, count: missing))
    }
    words[id.entity][index] |= 1 << UInt64(id.row & 63)
    return true
  }

  /// Replaces objects by others.
  mutating func remap(_ identifiers: [ObjectID: ObjectID]) {
    // All are removed before any is inserted: one object may get the identifier that another had.
    let moved = identifiers.filter { contains($0.key) }
    for old in moved.keys { words[old.entity][old.row >> 6] &= ~(1 << UInt64(old.row & 63)) }
    for new in moved.values { _ = insert(new) }
  }
}
