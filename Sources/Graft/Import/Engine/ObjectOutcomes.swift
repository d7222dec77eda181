/// Keeps the outcome of an import for each object, one byte for each row.
///
/// An object that a document mentions a thousand times is counted once.
package final class ObjectOutcomes {
  /// The outcomes in rising order: a higher one replaces a lower one.
  package enum Outcome: UInt8, Comparable {
    /// The document has not mentioned the object.
    case unmentioned
    case unchanged
    case updated
    case inserted

    package static func < (lhs: Outcome, rhs: Outcome) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The outcomes of each entity's rows.
  private let rows: FixedArray<RawStack<UInt8>>
  /// The number of objects, by entity and outcome.
  private let counts: FixedArray<Int>
  /// Objects updated more than once; some may have returned to their original values.
  private(set) var updatedRepeatedly: Set<ObjectID> = []

  package init(entityCount: Int) {
    rows = FixedArray(count: entityCount) { _ in RawStack(capacity: 256) }
    counts = FixedArray(count: entityCount * 4) { _ in 0 }
  }

  /// Copies the outcomes of the objects since the last save, and no counts.
  package convenience init(batchOf other: ObjectOutcomes) {
    self.init(entityCount: other.rows.count)
    for entity in rows.indices {
      for row in 0..<other.rows[entity].count { rows[entity].push(other.rows[entity][row]) }
    }
  }

  /// The outcome of an object.
  package subscript(id: ObjectID) -> Outcome {
    guard id.row < rows[id.entity].count else { return .unmentioned }
    return Outcome(rawValue: rows[id.entity][id.row]) ?? .unmentioned
  }

  /// Notes the outcome of an object, unless it has a greater one already.
  @inline(__always)
  func note(_ outcome: Outcome, _ id: ObjectID) {
    let entity = id.entity
    if id.row >= rows[entity].count { grow(entity, to: id.row + 1) }
    let old = rows[entity][id.row]
    guard old < outcome.rawValue else {
      if outcome == .updated, old == outcome.rawValue { updatedRepeatedly.insert(id) }
      return
    }
    counts[entity &* 4 &+ Int(old)] &-= 1
    counts[entity &* 4 &+ Int(outcome.rawValue)] &+= 1
    rows[entity][id.row] = outcome.rawValue
  }

  /// Replaces the outcome of an object by the outcome of its commit, which may have changed less.
  func replace(_ outcome: Outcome, of id: ObjectID) {
    forget(id)
    note(outcome, id)
  }

  /// Returns the rows of an entity that the document has mentioned, among the first `rowCount`.
  func mentionedRows(of entity: Int, inFirst rowCount: Int) -> [Int] {
    (0..<min(rowCount, rows[entity].count))
      .filter { rows[entity][$0] != Outcome.unmentioned.rawValue }
  }

  /// Forgets the outcome of an object that no longer exists.
  func forget(_ id: ObjectID) {
    guard id.row < rows[id.entity].count else { return }
    counts[id.entity &* 4 &+ Int(rows[id.entity][id.row])] &-= 1
    rows[id.entity][id.row] = Outcome.unmentioned.rawValue
  }

  /// Forgets the objects, and keeps the counts: other objects follow under the same identifiers.
  func startBatch() {
    for entity in rows.indices { rows[entity].truncate(to: 0) }
    updatedRepeatedly = []
  }

  /// Returns the number of an entity's objects that have this outcome.
  func count(_ outcome: Outcome, entity: Int) -> Int { counts[entity * 4 + Int(outcome.rawValue)] }

  /// Replaces the identifiers that a rebase or a promotion has changed.
  func remap(_ identifiers: [ObjectID: ObjectID]) {
    // All are forgotten before any is noted: one object may get the identifier that another had.
    let moved = identifiers.map { (new: $0.value, outcome: self[$0.key]) }
    for old in identifiers.keys { forget(old) }
    for (new, outcome) in moved { note(outcome, new) }
  }

  /// Changes the count of an outcome by a number of objects of an entity.
  package func count(_ outcome: Outcome, _ entity: Int, by step: Int) {
    counts[entity &* 4 &+ Int(outcome.rawValue)] += step
  }

  /// Moves the outcomes of a batch to the objects of another graph that its objects have become.
  ///
  /// - Parameters:
  ///   - layout: The layout of the batch's graph.
  ///   - current: Returns the new object for an object, and the outcome there; with `unmentioned`, it is not counted
  ///     any more. One that has become none is counted as before.
  package func move(
    _ layout: StoreLayout, _ current: (ObjectID, Outcome) -> (object: ObjectID, outcome: Outcome)?
  ) {
    var moved: [(object: ObjectID, outcome: Outcome)] = []
    for entity in rows.indices {
      for row in 0..<rows[entity].count {
        let id = layout.objectID(entity: entity, row: row)
        let old = self[id]
        guard old != .unmentioned, let new = current(id, old) else { continue }
        moved.append(new)
        counts[entity &* 4 &+ Int(old.rawValue)] &-= 1
      }
    }
    startBatch()
    for (object, outcome) in moved { note(outcome, object) }
  }

  @inline(never)
  private func grow(_ entity: Int, to count: Int) {
    while rows[entity].count < count { rows[entity].push(Outcome.unmentioned.rawValue) }
  }
}
