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

  /// Returns the memory of a group.
  func group(entity: Int, number: Int) -> GroupPointer {
    let chunk = tables[entity].chunks[number &>> GroupChunk.shift]
    return chunk.groups[number & (GroupChunk.capacity &- 1)].pointer
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

/// The identifiers of an entity's objects in order of insertion.
///
/// Rows of deleted objects are skipped 64 at a time.
package struct RowSequence: Sequence {
  let graph: Graph
  let entity: Int

  package func makeIterator() -> Iterator { Iterator(graph: graph, entity: entity) }

  package struct Iterator: IteratorProtocol {
    private let graph: Graph
    private let entity: Int
    private let shape: TableShape
    private let groupCount: Int
    private var group = -1
    private var word = 0
    private var rows: UInt64 = 0
    private var memory: GroupPointer?

    init(graph: Graph, entity: Int) {
      self.graph = graph
      self.entity = entity
      shape = graph.storage.layout.shapes[entity]
      groupCount = (graph.storage.tables[entity].rowCount + shape.mask) >> shape.shift
      word = shape.wordCount - 1
    }

    package mutating func next() -> ObjectID? {
      while rows == 0 {
        word += 1
        if word == shape.wordCount {
          group += 1
          guard group < groupCount else {
            group = groupCount - 1
            word -= 1
            return nil
          }
          word = 0
          memory = graph.storage.group(entity: entity, number: group)
        }
        rows = memory?.bits(word, at: TableShape.liveBits) ?? 0
      }
      let row = group << shape.shift + word << 6 + rows.trailingZeroBitCount
      rows &= rows - 1
      return shape.objectID(row)
    }
  }
}

/// The identifiers of the objects of several entities, one entity after the other.
@usableFromInline struct FamilyRows {
  let graph: Graph
  private var entities: ArraySlice<Int>
  private var rows: RowSequence.Iterator?

  init(graph: Graph, entities: [Int]) {
    self.graph = graph
    self.entities = entities[...]
  }

  @usableFromInline mutating func next() -> ObjectID? {
    while true {
      if let id = rows?.next() { return id }
      guard let entity = entities.popFirst() else { return nil }
      rows = graph.rows(entity).makeIterator()
    }
  }
}
