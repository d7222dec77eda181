// Invariants: nothing here is written after it is made, and published groups are never written. A
// `GroupPointer` is valid as long as the graph that it was taken from is kept alive.

/// Stores the contents of a graph: one table for each entity, and the identity indexes.
package final class GraphStorage: Sendable {
  package let layout: StoreLayout
  /// The tables, indexed by entity number.
  package let tables: ContiguousArray<TableSnapshot>
  let indexes: ContiguousArray<IdentityIndex>
  /// The parts of a database's graph that were not read; nil for a complete graph.
  let unread: UnreadParts?

  init(
    layout: StoreLayout, tables: ContiguousArray<TableSnapshot>,
    indexes: ContiguousArray<IdentityIndex>, unread: UnreadParts? = nil
  ) {
    self.layout = layout
    self.tables = tables
    self.indexes = indexes
    self.unread = unread
  }
}

/// The rows of one entity in a graph.
package struct TableSnapshot: Sendable {
  var chunks: ContiguousArray<GroupChunk> = []
  /// The number of rows ever made, including those of deleted objects.
  package var rowCount = 0
  var liveCount = 0
  /// The group that replaces all groups without live rows, so that deleted objects free their memory.
  var emptyGroup: RowGroup?

  /// Returns the memory of a group.
  func group(_ number: Int) -> GroupPointer {
    chunks[number &>> GroupChunk.shift].groups[number & (GroupChunk.capacity &- 1)].pointer
  }
}

/// A run of up to 32 row groups.
///
/// Tables refer to groups in two steps, so that a commit that changed one group does not count a
/// reference to each.
final class GroupChunk: Sendable {
  static let shift = 5
  static let capacity = 1 << shift

  /// A group, with a pointer to its memory that saves a step.
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
  /// The sorted columns that queries have made so far, by attribute; see ChunkIndex.swift.
  let indexes = Guarded([Int: ChunkIndex]())

  init(groups: ContiguousArray<Element>) {
    self.groups = groups
  }
}

/// The identifiers of the objects of some entities, by entity and then in order of insertion.
///
/// Rows of deleted objects are skipped 64 at a time.
@usableFromInline package struct RowSequence: Sequence, IteratorProtocol {
  let graph: Graph
  private var entities: ArraySlice<Int>
  /// The entity whose rows are read.
  private var entity = 0
  private var shape: TableShape?
  private var groupCount = 0
  private var group = 0
  private var memory: GroupPointer?
  private var word = 0
  /// The objects that are left of the 64 rows of the word.
  private var rows: UInt64 = 0

  init(graph: Graph, entities: [Int]) {
    self.graph = graph
    self.entities = entities[...]
  }

  @usableFromInline package mutating func next() -> ObjectID? {
    while rows == 0 { guard advance() else { return nil } }
    guard let shape else { return nil }
    let row = group << shape.shift + word << 6 + rows.trailingZeroBitCount
    rows &= rows - 1
    return shape.objectID(row)
  }

  /// Goes on to the next 64 rows; returns false at the end.
  private mutating func advance() -> Bool {
    word += 1
    if let memory, let shape, word < shape.wordCount {
      rows = memory.bits(word, at: TableShape.liveBits)
      return true
    }
    group += 1
    while group >= groupCount {
      guard let next = entities.popFirst() else { return false }
      let shape = graph.storage.layout.shapes[next]
      groupCount = (graph.storage.tables[next].rowCount + shape.mask) >> shape.shift
      (entity, self.shape, group) = (next, shape, 0)
    }
    let memory = graph.storage.tables[entity].group(group)
    (self.memory, word, rows) = (memory, 0, memory.bits(0, at: TableShape.liveBits))
    return true
  }
}
