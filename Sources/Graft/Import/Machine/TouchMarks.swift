// One byte for each row that an import has met, so that an object that a document mentions many
// times is counted once.
//
// Raw memory: `rows[e]` holds `capacity[e]` initialised bytes; all of it belongs to this value,
// which is never copied.

/// What an import has done to each object.
struct TouchMarks: ~Copyable {
  enum Mark: UInt8 {
    case untouched
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

  /// The mark of an object.
  func mark(of id: ObjectID) -> Mark {
    guard id.row < capacity[id.entity] else { return .untouched }
    return Mark(rawValue: rows[id.entity][id.row]) ?? .untouched
  }

  /// Notes what was done to an object; what weighs more stays.
  @inline(__always)
  func note(_ mark: Mark, _ id: ObjectID) {
    let entity = id.entity
    if id.row >= capacity[entity] { grow(entity, to: id.row + 1) }
    let row = rows[entity] + id.row
    guard row.pointee < mark.rawValue else { return }
    counts[entity &* 4 &+ Int(row.pointee)] &-= 1
    counts[entity &* 4 &+ Int(mark.rawValue)] &+= 1
    row.pointee = mark.rawValue
  }

  /// Takes the mark of an object that does not exist any more.
  func forget(_ id: ObjectID) {
    guard id.row < capacity[id.entity] else { return }
    let row = rows[id.entity] + id.row
    counts[id.entity &* 4 &+ Int(row.pointee)] &-= 1
    row.pointee = Mark.untouched.rawValue
  }

  /// How many objects of an entity bear a mark.
  func count(_ mark: Mark, entity: Int) -> Int { counts[entity * 4 + Int(mark.rawValue)] }

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
