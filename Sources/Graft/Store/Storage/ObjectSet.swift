/// A set of objects, with one bit for each row between the least and the greatest: for many objects at once.
package struct ObjectSet {
  /// The bits of an entity's rows; a word holds 64 rows.
  private struct Rows {
    /// The number of the first word.
    ///
    /// Rows are counted for as long as a store lives, so a set of new objects may begin far from 0.
    var start = 0
    var words: ContiguousArray<UInt64> = []
  }

  private var rows: ContiguousArray<Rows>

  package init(entityCount: Int) {
    rows = ContiguousArray(repeating: Rows(), count: entityCount)
  }

  package func contains(_ id: ObjectID) -> Bool {
    let index = (id.row >> 6) - rows[id.entity].start
    guard rows[id.entity].words.indices.contains(index) else { return false }
    return rows[id.entity].words[index] >> UInt64(id.row & 63) & 1 != 0
  }

  /// - Returns: Whether the object was not in the set yet.
  package mutating func insert(_ id: ObjectID) -> Bool {
    guard !contains(id) else { return false }
    let word = id.row >> 6
    if !rows[id.entity].words.indices.contains(word - rows[id.entity].start) {
      makeWord(word, ofEntity: id.entity)
    }
    rows[id.entity].words[word - rows[id.entity].start] |= 1 << UInt64(id.row & 63)
    return true
  }

  @inline(never)
  private mutating func makeWord(_ word: Int, ofEntity entity: Int) {
    let count = rows[entity].words.count
    if count == 0 { rows[entity].start = word }
    let start = rows[entity].start
    if word < start {
      // At least as many words again, so that rows that come in descending order are not moved for each word.
      let missing = min(max(start - word, count), start)
      rows[entity].words.insert(contentsOf: repeatElement(0, count: missing), at: 0)
      rows[entity].start -= missing
    } else {
      rows[entity].words.append(contentsOf: repeatElement(0, count: word + 1 - start - count))
    }
  }

  /// Replaces objects by others.
  mutating func remap(_ identifiers: [ObjectID: ObjectID]) {
    // All are removed before any is inserted: one object may get the identifier that another had.
    let moved = identifiers.filter { contains($0.key) }
    for old in moved.keys {
      rows[old.entity].words[(old.row >> 6) - rows[old.entity].start] &=
        ~(1 << UInt64(old.row & 63))
    }
    for new in moved.values { _ = insert(new) }
  }
}
