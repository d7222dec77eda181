/// The objects of a query chunk by chunk, in order of insertion.
struct ChunkWalk {
  /// Which of a chunk's rows are wanted.
  enum Rows {
    case withValue
    case withoutValue
  }

  private let plan: SelectionPlan
  private let wanted: Rows
  private var entities: ArraySlice<Int>
  private var reader: ChunkReader?
  private var entity = 0
  private var chunkNumber = -1
  private var rows: ArraySlice<UInt16> = []

  init(_ plan: SelectionPlan, _ wanted: Rows) {
    self.plan = plan
    self.wanted = wanted
    entities = plan.entities[...]
  }

  mutating func next() -> ObjectID? {
    while true {
      if let reader, let row = rows.popFirst() {
        return reader.object(row, inChunk: chunkNumber, of: entity)
      }
      guard advance() else { return nil }
    }
  }

  /// Goes on to the next chunk.
  private mutating func advance() -> Bool {
    chunkNumber += 1
    while reader == nil || chunkNumber >= plan.graph.storage.tables[entity].chunks.count {
      guard let next = entities.popFirst() else { return false }
      entity = next
      chunkNumber = 0
      reader = ChunkReader(plan, entity: next)
    }
    guard let reader else { return false }
    let chunk = plan.graph.storage.tables[entity].chunks[chunkNumber]
    switch wanted {
    case .withValue:
      rows = reader.run(chunk).map { Array($0.index.rows[$0.positions])[...] } ?? []
    case .withoutValue:
      rows = Array(reader.missing(chunk))[...]
    }
    return true
  }
}

/// The objects of a query in its order.
struct SelectionRows {
  private enum Phase {
    case values(ChunkWalk)
    case ordered(RunMerge)
    case missing(ChunkWalk)
    case end
  }

  let plan: SelectionPlan
  private var phase: Phase

  init(_ plan: SelectionPlan) {
    self.plan = plan
    phase =
      plan.arrangement == .byInsertion
      ? .values(ChunkWalk(plan, .withValue)) : .ordered(RunMerge(plan))
  }

  mutating func next() -> ObjectID? {
    while true {
      switch phase {
      case .values(var walk):
        phase = .end
        let object = walk.next()
        phase = object == nil ? behindValues : .values(walk)
        if let object { return object }
      case .ordered(var merge):
        phase = .end
        let object = merge.next()
        phase = object == nil ? behindValues : .ordered(merge)
        if let object { return object }
      case .missing(var walk):
        phase = .end
        let object = walk.next()
        phase = object == nil ? .end : .missing(walk)
        return object
      case .end: return nil
      }
    }
  }

  private var behindValues: Phase {
    plan.includesMissing ? .missing(ChunkWalk(plan, .withoutValue)) : .end
  }
}
