extension GraphTransaction {
  /// The graph as the transaction sees it; the transaction goes on from there.
  ///
  /// Costs what was touched and, per touched table, a reference per 32 groups.
  func freeze() -> Graph {
    var snapshots = base.storage.tables
    for entity in 0..<layout.entityCount where tables[entity].isTouched {
      snapshots[entity] = snapshot(of: entity)
    }
    let indexes = ContiguousArray((0..<layout.indexCount).map(publishedIndex))
    let graph = Graph(storage: GraphStorage(layout: layout, tables: snapshots, indexes: indexes))
    reset(to: graph)
    return graph
  }

  private func snapshot(of entity: Int) -> TableSnapshot {
    let table = tables + entity
    var result = base.storage.tables[entity]
    result.rowCount = table.pointee.rowCount
    result.liveCount = table.pointee.liveCount
    let owned = table.pointee.owned.sorted { $0.number < $1.number }
    let vacant = Vacancy(shape: table.pointee.shape)
    var next = 0
    while next < owned.count {
      let chunkNumber = owned[next].number >> GroupChunk.shift
      var groups: ContiguousArray<GroupChunk.Element> = []
      if chunkNumber < result.chunks.count { groups = result.chunks[chunkNumber].groups }
      while next < owned.count, owned[next].number >> GroupChunk.shift == chunkNumber {
        let isFull = owned[next].number < table.pointee.rowCount >> table.pointee.shape.shift
        let element = GroupChunk.Element(vacant.leanest(owned[next].group, isFull: isFull))
        let place = owned[next].number & (GroupChunk.capacity - 1)
        if place < groups.count { groups[place] = element } else { groups.append(element) }
        next += 1
      }
      let chunk = GroupChunk(groups: groups)
      if chunkNumber < result.chunks.count {
        result.chunks[chunkNumber] = chunk
      } else {
        result.chunks.append(chunk)
      }
    }
    return result
  }
}

/// Keeps what was deleted from lingering in memory: a group whose rows are all dead is published as
/// an empty one that such groups share, and one that is mostly garbage as a compacted copy.
private final class Vacancy {
  private let shape: TableShape
  private lazy var empty = RowGroup(shape: shape)

  init(shape: TableShape) { self.shape = shape }

  func leanest(_ group: RowGroup, isFull: Bool) -> RowGroup {
    let live = UnsafeBufferPointer(
      start: group.pointer.words(at: TableShape.liveBits), count: shape.wordCount)
    if isFull, live.allSatisfy({ $0 == 0 }) { return empty }
    guard group.pointer.needsCompaction else { return group }
    return RowGroup(copying: group.pointer, shape: shape)
  }
}
