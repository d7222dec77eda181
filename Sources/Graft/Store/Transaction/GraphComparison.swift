// Finds what differs between two graphs of a store: tables are compared chunk by chunk, and only the
// row groups that the graphs do not share are looked into (`GroupComparison`).

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
}
