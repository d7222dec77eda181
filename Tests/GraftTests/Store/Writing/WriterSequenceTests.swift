import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Writers of one store` {
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  @Test func `follow one another, each with what the one before left`() async throws {
    let store = store
    try store.write { try $0.insert("Person", ["name": .string("n"), "born": .integer(0)]) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            try store.write { graph in
              let person = try graph.findOrInsert(
                "Person", identifiedBy: ["name": .string("n")])
              guard case .integer(let count) = person["born"] else { return }
              person["born"] = .integer(count + 1)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(store.graph.lines == [#"Person(name: "n", born: 400)"#])
  }

  @Test func `may write while an import runs, and both make one object of one identity`() throws {
    let importer = try store.makeImporter(entity: "Book")
    try importer.parse(Data(#"[{"code":"b1","title":"Emma"},{"code":"b2"}"#.utf8))
    let id = try store.write { graph in
      try graph.insert("Book", ["code": .string("b1"), "copies": .integer(9)]).id
    }
    try importer.parse(Data("]".utf8))
    _ = try importer.finish()
    #expect(
      store.graph.lines == [
        #"Book(code: "b1", title: "Emma", copies: 9)"#,
        #"Book(code: "b2", title: "Untitled", copies: 1)"#,
      ])
    #expect(store.graph.object(id)?["code"] == .string("b1"))
  }
}
