/// What lies between two graphs of a store: found by comparing the row groups that they do not
/// share.
///
/// Rebasing replays it; observers are told it.
struct GraphDifference: Sendable, Equatable {
  /// An object that both graphs have, and its properties that differ.
  struct Update: Sendable, Hashable {
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
      let comparison = GroupComparison(entity: entity, shape: tables[entity].shape)
      for owned in tables[entity].owned.sorted(by: { $0.number < $1.number }) {
        comparison.compare(
          baseGroup(entity, owned.number), owned.group.pointer, number: owned.number, &result)
      }
    }
    return result
  }

  /// A group as it was when the transaction began; nil if it was not there yet.
  func baseGroup(_ entity: Int, _ number: Int) -> GroupPointer? {
    let shape = tables[entity].shape
    let count = (base.storage.tables[entity].rowCount + shape.mask) >> shape.shift
    return number < count ? base.storage.group(entity: entity, number: number) : nil
  }
}

extension GraphDifference {
  /// Compares an entity's table in two graphs, of which the first is the older.
  ///
  /// Costs a look at each run of 32 groups, and a comparison of the groups that differ.
  init(of entity: Int, from old: Graph, to new: Graph) {
    let shape = new.storage.layout.shapes[entity]
    let comparison = GroupComparison(entity: entity, shape: shape)
    let (before, after) = (old.storage.tables[entity].chunks, new.storage.tables[entity].chunks)
    for (number, chunk) in after.enumerated() {
      let base = number < before.count ? before[number] : nil
      if base === chunk { continue }
      for (place, group) in chunk.groups.enumerated() {
        let shared = base.flatMap { place < $0.groups.count ? $0.groups[place].pointer : nil }
        if shared?.base == group.pointer.base { continue }
        comparison.compare(
          shared, group.pointer, number: number << GroupChunk.shift + place, &self)
      }
    }
  }

  mutating func append(_ other: GraphDifference) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }
}
