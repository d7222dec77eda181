import Testing

@testable import Graft
@testable import GraftTestSupport

/// Laws of change sets, held against a comparison of all objects through the public handles.
@Suite(.timeLimit(.minutes(1))) struct `Changes laid together` {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `say what differs between the graphs before and after, no more and no less`(
    _ seed: UInt64
  ) async throws {
    let store = try LibrarySample.store()
    var writer = RandomWriter(seed: seed)
    var graphs = [store.graph]
    for _ in 0..<30 {
      try writer.write(to: store)
      graphs.append(store.graph)
    }
    for _ in 0..<40 {
      let first = Int.random(in: 0..<graphs.count, using: &writer.random)
      let last = Int.random(in: first..<graphs.count, using: &writer.random)
      let commit = GraphCommit(from: graphs[first], to: graphs[last])
      let changes = await commit.changes(in: .everything)
      #expect(Summary(changes) == Summary(from: graphs[first], to: graphs[last]))
    }
  }

  @Test func `reach a slow observer in few elements, which follow one another`() async throws {
    let store = try LibrarySample.store()
    var writer = RandomWriter(seed: 99)
    let start = store.graph
    var changes = store.changes.makeAsyncIterator()
    for _ in 0..<(ChangeQueue.capacity * 5) {
      try writer.write(to: store)
      try store.write { try $0.insert("Film") }
    }
    var last = start
    for number in 1...ChangeQueue.capacity {
      let change = try #require(await changes.next())
      #expect(change.previous.storage === last.storage)
      #expect(Summary(change) == Summary(from: last, to: change.graph))
      last = change.graph
      #expect((last.storage === store.graph.storage) == (number == ChangeQueue.capacity))
    }
  }

  @Test func `leave out what came and went, and what was changed back`() async throws {
    let store = try LibrarySample.store()
    let (kept, lost) = try store.write { graph in
      (try graph.insert("Book").id, try graph.insert("Book").id)
    }
    let sequence = store.changes
    let new = try store.write { graph in
      graph.object(kept)?["title"] = .string("a longer title yet")
      graph.object(lost)?["copies"] = .integer(9)
      return (try graph.insert("Film").id, try graph.insert("Film").id)
    }
    try store.write { graph in
      graph.object(kept)?["title"] = .string("Untitled")
      graph.object(new.0)?["code"] = .string("new")
      try graph.object(lost)?.delete()
      try graph.object(new.1)?.delete()
    }
    var changes = sequence.makeAsyncIterator()
    let change = await changes.next()
    #expect(change?.inserted == [new.0])
    #expect(change?.updated == [])
    #expect(change?.deleted == [lost])
  }
}

/// A change set in a form that can be compared, or what it should be.
private struct Summary: Equatable {
  var inserted: [ObjectID] = []
  var updated: [ObjectID: [String]] = [:]
  var deleted: [ObjectID] = []

  init(_ changes: GraphChanges?) {
    guard let changes else { return }
    inserted = changes.inserted
    for update in changes.updated { updated[update.object] = update.properties }
    deleted = changes.deleted
  }

  /// Compares all objects of two graphs by their values.
  init(from old: Graph, to new: Graph) {
    for entity in new.model.schema.entities {
      for id in new.rows(entity.number) {
        guard let before = old.object(id), let after = new.object(id) else {
          inserted.append(id)
          continue
        }
        let attributes = entity.attributes.map(\.name).filter { before[$0] != after[$0] }
        let relationships = entity.relationships.filter { relationship in
          let name = relationship.name
          return relationship.isToMany
            ? before.objects(name).map(\.id) != after.objects(name).map(\.id)
            : before.object(name)?.id != after.object(name)?.id
        }
        let names = attributes + relationships.map(\.name)
        if !names.isEmpty { updated[id] = names }
      }
      deleted += old.rows(entity.number).filter { !new.contains($0) }
    }
  }
}
