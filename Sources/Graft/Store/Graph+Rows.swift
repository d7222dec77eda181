// Reading by number, for the other rooms: no name is looked up, no String made. Bytes are borrowed
// from the graph, and valid as long as it is kept alive.

extension Graph {
  var schema: ModelSchema { storage.layout.model.schema }

  /// The memory of an object's group, and its row there.
  func place(of id: ObjectID) -> (group: GroupPointer, row: Int, shape: TableShape) {
    let shape = storage.layout.shapes[id.entity]
    return (
      storage.group(entity: id.entity, number: id.row &>> shape.shift), id.row & shape.mask, shape
    )
  }

  /// Whether the object exists in this graph.
  func contains(_ id: ObjectID) -> Bool {
    guard id.entity < storage.tables.count, id.row < storage.tables[id.entity].rowCount else {
      return false
    }
    let place = place(of: id)
    return place.group.isLive(place.row)
  }

  func isStub(_ id: ObjectID) -> Bool {
    let place = place(of: id)
    return place.group.bit(place.row, at: place.shape.stubBits)
  }

  /// The value of an attribute.
  @usableFromInline func value(_ id: ObjectID, attribute: Int) -> RawValue {
    let place = place(of: id)
    return place.group.value(place.row, place.shape.attributes[attribute])
  }

  @usableFromInline func toOne(_ id: ObjectID, relationship: Int) -> ObjectID? {
    let place = place(of: id)
    let column = place.shape.relationships[relationship]
    return ObjectID(cell: place.group.toOne(place.row, column).pointee)
  }

  /// Calls `body` with what a to-many relationship leads to: in its order, or sorted by identifier.
  func withToMany<R>(
    _ id: ObjectID, relationship: Int, _ body: (UnsafeBufferPointer<ObjectID>) throws -> R
  ) rethrows -> R {
    let place = place(of: id)
    let cell = place.group.list(place.row, place.shape.relationships[relationship])
    return try body(place.group.members(cell))
  }

  /// The number of objects that a to-many relationship leads to.
  @usableFromInline func memberCount(_ id: ObjectID, relationship: Int) -> Int {
    withToMany(id, relationship: relationship) { $0.count }
  }

  /// One of the objects that a to-many relationship leads to.
  @usableFromInline func member(
    _ id: ObjectID, relationship: Int, at position: Int
  ) -> ObjectID {
    withToMany(id, relationship: relationship) { members in
      precondition(
        members.indices.contains(position),
        "position \(position) is out of range: the relationship leads to \(members.count) objects")
      return members[position]
    }
  }

  /// What a to-many relationship leads to; nothing for an object that the graph does not have.
  func members(of id: ObjectID, _ relationship: Int) -> [ObjectID] {
    guard contains(id) else { return [] }
    return withToMany(id, relationship: relationship) { Array($0) }
  }

  /// The objects of one concrete entity in order of insertion.
  func rows(_ entity: Int) -> RowSequence { RowSequence(graph: self, entity: entity) }

  /// The number of objects of one concrete entity.
  func liveCount(_ entity: Int) -> Int { storage.tables[entity].liveCount }

  /// The object with an identity, whose values are in the order of `EntitySchema.identity`.
  func find(identityOf entity: Int, _ values: UnsafeBufferPointer<RawValue>) -> ObjectID? {
    let layout = storage.layout
    let identity = layout.identities[entity]
    guard identity.index >= 0, let hash = layout.hash(values, of: entity) else { return nil }
    return storage.indexes[identity.index].view.find(hash) { candidate in
      let place = place(of: candidate)
      return layout.matches(place.group, place.row, entity: candidate.entity, values)
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

/// The identifiers of an entity's objects; rows of deleted objects are passed over 64 at a time.
struct RowSequence: Sequence {
  let graph: Graph
  let entity: Int

  func makeIterator() -> Iterator { Iterator(graph: graph, entity: entity) }

  struct Iterator: IteratorProtocol {
    private let graph: Graph
    private let entity: Int
    private let shape: TableShape
    private let groupCount: Int
    private var group = -1
    private var word = 0
    private var rows: UInt64 = 0
    private var words: UnsafeMutablePointer<UInt64>?

    init(graph: Graph, entity: Int) {
      self.graph = graph
      self.entity = entity
      shape = graph.storage.layout.shapes[entity]
      groupCount = (graph.storage.tables[entity].rowCount + shape.mask) >> shape.shift
      word = shape.wordCount - 1
    }

    mutating func next() -> ObjectID? {
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
          words = graph.storage.group(entity: entity, number: group).words(at: TableShape.liveBits)
        }
        rows = words?[word] ?? 0
      }
      let row = group << shape.shift + word << 6 + rows.trailingZeroBitCount
      rows &= rows - 1
      return ObjectID(entity: entity, row: row)
    }
  }
}
