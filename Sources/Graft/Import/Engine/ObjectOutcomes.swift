// Raw memory: `rows[e]` holds `capacity[e]` initialised bytes; all of it belongs to this object.

/// What an import has done to each object: one byte for each row, so that an object that a document
/// mentions a thousand times is counted once.
final class ObjectOutcomes {
  /// In rising order: a higher outcome replaces a lower one.
  enum Outcome: UInt8 {
    /// The document has not mentioned the object.
    case unmentioned
    case unchanged
    case updated
    case inserted
  }

  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>
  private let capacity: UnsafeMutablePointer<Int>
  private let counts: UnsafeMutablePointer<Int>
  private let entityCount: Int

  init(entityCount: Int) {
    self.entityCount = entityCount
    rows = .allocate(capacity: entityCount)
    capacity = .allocate(capacity: entityCount)
    counts = .allocate(capacity: entityCount * 4)
    for entity in 0..<entityCount { (rows + entity).initialize(to: .allocate(capacity: 0)) }
    capacity.initialize(repeating: 0, count: entityCount)
    counts.initialize(repeating: 0, count: entityCount * 4)
  }

  deinit {
    for entity in 0..<entityCount { rows[entity].deallocate() }
    rows.deallocate()
    capacity.deallocate()
    counts.deallocate()
  }

  /// The outcome of an object.
  subscript(id: ObjectID) -> Outcome {
    guard id.row < capacity[id.entity] else { return .unmentioned }
    return Outcome(rawValue: rows[id.entity][id.row]) ?? .unmentioned
  }

  /// Notes what was done to an object, unless more was done to it before.
  @inline(__always)
  func note(_ outcome: Outcome, _ id: ObjectID) {
    let entity = id.entity
    if id.row >= capacity[entity] { grow(entity, to: id.row + 1) }
    let row = rows[entity] + id.row
    guard row.pointee < outcome.rawValue else { return }
    counts[entity &* 4 &+ Int(row.pointee)] &-= 1
    counts[entity &* 4 &+ Int(outcome.rawValue)] &+= 1
    row.pointee = outcome.rawValue
  }

  /// Forgets the outcome of an object that no longer exists.
  func forget(_ id: ObjectID) {
    guard id.row < capacity[id.entity] else { return }
    let row = rows[id.entity] + id.row
    counts[id.entity &* 4 &+ Int(row.pointee)] &-= 1
    row.pointee = Outcome.unmentioned.rawValue
  }

  /// How many objects of an entity have an outcome.
  func count(_ outcome: Outcome, entity: Int) -> Int { counts[entity * 4 + Int(outcome.rawValue)] }

  /// Replaces the identifiers that a rebase or a promotion has changed.
  func remap(_ identifiers: [ObjectID: ObjectID]) {
    // All are forgotten before any is noted: one object may get the identifier that another had.
    let moved = identifiers.map { (new: $0.value, outcome: self[$0.key]) }
    for old in identifiers.keys { forget(old) }
    for (new, outcome) in moved { note(outcome, new) }
  }

  private func grow(_ entity: Int, to least: Int) {
    let old = capacity[entity]
    let new = max(least, old * 2, 256)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: new)
    larger.moveInitialize(from: rows[entity], count: old)
    (larger + old).initialize(repeating: 0, count: new - old)
    rows[entity].deallocate()
    rows[entity] = larger
    capacity[entity] = new
  }
}
