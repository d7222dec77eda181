/// An immutable snapshot of a store.
///
/// A graph never changes: what is read from it stays as it was when the snapshot was taken,
/// whatever is imported or written meanwhile, and any number of threads may read it at once.
/// Copying a graph costs one reference count.
public struct Graph: Sendable {
  let storage: GraphStorage

  init(storage: GraphStorage) {
    self.storage = storage
  }

  /// An empty graph.
  init(layout: StoreLayout) {
    let tables = ContiguousArray(repeating: TableSnapshot(), count: layout.entityCount)
    let indexes = ContiguousArray((0..<layout.indexCount).map { _ in IdentityIndex() })
    storage = GraphStorage(layout: layout, tables: tables, indexes: indexes)
  }

  /// The model that the objects follow.
  public var model: GraphModel { storage.layout.model }
}

/// What a graph consists of; immutable.
final class GraphStorage: Sendable {
  let layout: StoreLayout
  /// By entity number.
  let tables: ContiguousArray<TableSnapshot>
  let indexes: ContiguousArray<IdentityIndex>

  init(
    layout: StoreLayout, tables: ContiguousArray<TableSnapshot>,
    indexes: ContiguousArray<IdentityIndex>
  ) {
    self.layout = layout
    self.tables = tables
    self.indexes = indexes
  }

  /// The memory of a group.
  func group(entity: Int, number: Int) -> GroupPointer {
    let chunk = tables[entity].chunks[number &>> GroupChunk.shift]
    return chunk.groups[number & (GroupChunk.capacity &- 1)].pointer
  }
}

/// The rows of one entity in a graph.
struct TableSnapshot: Sendable {
  var chunks: ContiguousArray<GroupChunk> = []
  /// The rows ever made, those of deleted objects included.
  var rowCount = 0
  var liveCount = 0
}

/// A run of row groups.
///
/// Tables refer to groups in two steps, so that a commit that touched one group does not count
/// references to all.
final class GroupChunk: Sendable {
  static let shift = 5
  static let capacity = 1 << shift

  /// A group and, to spare a step, its memory.
  struct Element: @unchecked Sendable {
    // Sendable because the memory belongs to `owner`, and published groups are never written.
    let pointer: GroupPointer
    let owner: RowGroup

    init(_ group: RowGroup) {
      pointer = group.pointer
      owner = group
    }
  }

  let groups: ContiguousArray<Element>
  /// What queries have sorted so far, by attribute; see ChunkIndex.swift.
  let indexes = Guarded<[Int: ChunkIndex]>([:])

  init(groups: ContiguousArray<Element>) {
    self.groups = groups
  }
}
