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
    var changesStub = false

    package init(object: ObjectID) { self.object = object }
  }

  /// The inserted objects, ordered by entity and insertion, like `updated` and `deleted`.
  package var inserted: [ObjectID] = []
  package var updated: [Update] = []
  package var deleted: [ObjectID] = []

  package init() {}

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  package mutating func append(_ other: GraphDifference) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }
}
