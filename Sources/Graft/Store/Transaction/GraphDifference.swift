/// The difference between two graphs of a store, found by comparing the row groups that they do not
/// share.
///
/// A rebase replays it, and observers receive it.
package struct GraphDifference: Sendable, Equatable {
  /// An object that both graphs have, and its properties that differ.
  package struct Update: Sendable, Hashable {
    package var object: ObjectID
    package var attributes: [Int] = []
    package var relationships: [Int] = []
    /// Whether a stub became a full object, or the reverse.
    package var changesStub = false

    package init(object: ObjectID) { self.object = object }
  }

  /// By entity and insertion, as the two after it.
  package var inserted: [ObjectID] = []
  package var updated: [Update] = []
  package var deleted: [ObjectID] = []

  package init() {}

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension GraphDifference {
  /// Compares an entity's table in an older and a newer graph.
  ///
  /// - Complexity: O(*n*) in the number of chunks of 32 groups, and in the rows of groups that
  ///   differ.
  package init(of entity: Int, from old: Graph, to new: Graph) {
    let shape = new.storage.layout.shapes[entity]
    let comparison = GroupComparison(entity: entity, shape: shape)
    let (before, after) = (old.storage.tables[entity].chunks, new.storage.tables[entity].chunks)
    for (number, chunk) in after.enumerated() {
      let base = number < before.count ? before[number] : nil
      if base === chunk { continue }
      for (position, group) in chunk.groups.enumerated() {
        let shared = base.flatMap { position < $0.groups.count ? $0.groups[position].pointer : nil }
        if let shared, shared.isSame(as: group.pointer) { continue }
        comparison.compare(
          shared, group.pointer, number: number << GroupChunk.shift + position, &self)
      }
    }
  }

  package mutating func append(_ other: GraphDifference) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }
}
