import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `An index` {
  private func chunks(_ graph: Graph) throws -> [GroupChunk] {
    let number = try #require(graph.schema.entityNumbers["Item"])
    return Array(graph.storage.tables[number].chunks)
  }

  private func indexCounts(_ graph: Graph) throws -> [Int] {
    try chunks(graph).map { $0.indexes.withLock(\.count) }
  }

  @Test func `is made when it is first needed, of attributes that declare one`() throws {
    let trial = try QueryTrial(.integer64, count: 3500, commits: 1, seed: 5)
    let graph = trial.store.graph
    #expect(try indexCounts(graph) == [0, 0])
    _ = try graph.objects("Item").ordered(by: "plain").first
    #expect(try indexCounts(graph) == [0, 0])
    let ordered = try graph.objects("Item").ordered(by: "indexed")
    #expect(try indexCounts(graph) == [0, 0])
    _ = ordered.first
    #expect(try indexCounts(graph) == [1, 1])
  }

  @Test func `is kept by a commit where that touches nothing`() throws {
    let trial = try QueryTrial(.integer64, count: 3500, commits: 1, seed: 6)
    let before = trial.store.graph
    _ = try before.objects("Item").ordered(by: "indexed").first
    try trial.store.write { graph in
      try graph.insert("Item", ["indexed": .integer(.min), "plain": .integer(99)])
    }
    let after = trial.store.graph
    #expect(try indexCounts(after) == [1, 0])
    #expect(try indexCounts(before) == [1, 1])
    #expect(try after.objects("Item").where("plain", equals: .integer(99)).count == 1)
    #expect(try before.objects("Item").where("plain", equals: .integer(99)).isEmpty)
  }

  @Test(arguments: [AttributeType.string, .double])
  func `is right for all who need it first at the same time`(_ type: AttributeType) async throws {
    let trial = try QueryTrial(type, count: 3000, commits: 1, seed: 7)
    let objects = try trial.store.graph.objects("Item")
    let expected = QueryTrial.sorted(Array(objects), by: "indexed").map(\.id)
    let found = try await withThrowingTaskGroup(of: [ObjectID].self) { group in
      for _ in 0..<8 {
        group.addTask { try objects.ordered(by: "indexed").map(\.id) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: expected, count: 8))
  }

  @Test func `of no objects finds none`() throws {
    let trial = try QueryTrial(.integer64, count: 0, commits: 1, seed: 8)
    let objects = try trial.store.graph.objects("Item")
    #expect(try objects.ordered(by: "indexed").first == nil)
    #expect(try objects.where("indexed", equals: .integer(1)).count == 0)
    #expect(try objects.where("indexed", equals: nil).isEmpty)
  }
}

@Suite struct `A query by names` {
  @Test func `refuses a name that the entity does not have, and tells a near one`() throws {
    let trial = try QueryTrial(.integer64, count: 1, commits: 1, seed: 9)
    let objects = try trial.store.graph.objects("Item")
    let errors = [
      #expect(throws: StoreError.self) { try objects.where("indexd", equals: nil) },
      #expect(throws: StoreError.self) { try objects.where("indexd", in: 1...) },
      #expect(throws: StoreError.self) { try objects.ordered(by: "indexd") },
    ]
    for error in errors {
      #expect(error?.message.contains("unknown attribute \"indexd\" of Item") == true)
      #expect(error?.message.contains("did you mean \"indexed\"?") == true)
    }
  }

  @Test func `refuses a value of another type than the attribute's`() throws {
    let trial = try QueryTrial(.integer64, count: 1, commits: 1, seed: 10)
    let objects = try trial.store.graph.objects("Item")
    let errors = [
      #expect(throws: StoreError.self) { try objects.where("indexed", equals: .string("1")) },
      #expect(throws: StoreError.self) { try objects.where("indexed", in: "1"...) },
      #expect(throws: StoreError.self) { try objects.where("indexed", in: ...Date.now) },
    ]
    for error in errors {
      #expect(error?.message.contains("Item.indexed is of type Integer 64") == true)
    }
  }
}
