import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Imports that belong together` {
  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make("Hero", [.make("year", .integer64)], [.make("boss", to: "Hero")]), .make("Power"),
    ])
    try trial.load(#"[{"id":1},{"id":2},{"id":3,"year":9},{"id":4},{"id":5}]"#)
    try trial.load("[1,2]", as: "Power")
  }

  private var heroes: [Int64] {
    get throws {
      try trial.store.graph.objects("Hero").compactMap {
        if case .integer(let id) = $0["id"] { id } else { nil }
      }
    }
  }

  private func options(
    _ group: ImportGroup, _ change: (inout ImportOptions) -> Void = { _ in }
  ) -> ImportOptions {
    .with {
      $0.deletesMissing = true
      $0.group = group
      change(&$0)
    }
  }

  @Test func `delete what none of them mentions, at their end`() async throws {
    let report = try await trial.store.importGroup { group in
      for page in [#"[{"id":1}]"#, #"[{"id":7,"boss":3}]"#, "[]"] {
        try trial.load(page, options(group))
        #expect(try heroes.starts(with: [1, 2, 3, 4, 5]))
      }
    }
    #expect(try heroes == [1, 3, 7])
    #expect(report.entities == [.init(entity: "Hero", deleted: 3)])
    #expect(try trial.store.graph.count(of: "Power") == 2)
  }

  @Test func `may run side by side, and be asynchronous`() async throws {
    let store = trial.store
    try await store.importGroup { group in
      await withThrowingTaskGroup(of: Void.self) { tasks in
        for id in [1, 3, 8, 9] {
          let options = options(group)
          tasks.addTask {
            _ = try await store.importJSON(
              entity: "Hero", from: .data(Data("[\(id)]".utf8)), options: options)
          }
        }
      }
    }
    #expect(Set(try heroes) == [1, 3, 8, 9])
  }

  @Test(arguments: ["[{", #"[{"id":"x"}]"#])
  func `delete nothing where one of them fails`(json: String) async throws {
    let report = try await trial.store.importGroup { group in
      try trial.load("[1]", options(group))
      #expect(throws: ImportError.self) { try trial.load(json, options(group)) }
      try trial.load("[2]", options(group))
    }
    #expect(try heroes == [1, 2, 3, 4, 5])
    #expect(report.entities == [])
    #expect(
      report.notices.map(\.description) == [
        "nothing that is missing was deleted: of 3 imports of the group, 1 did not end well"
      ])
    await #expect(throws: ImportError.self) {
      try await trial.store.importGroup { group in
        try trial.load("[1]", options(group))
        try trial.load(json, options(group))
      }
    }
    #expect(try heroes == [1, 2, 3, 4, 5])
  }

  @Test func `delete nothing where one of them has not ended`() async throws {
    try await trial.store.importGroup { group in
      try trial.load("[1]", options(group))
      _ = try trial.store.makeImporter(entity: "Hero", options: options(group))
    }
    #expect(try heroes == [1, 2, 3, 4, 5])
  }

  @Test func `delete nothing by a root that is null`() async throws {
    try await trial.store.importGroup { try trial.load("null", options($0)) }
    #expect(try heroes == [1, 2, 3, 4, 5])
    try await trial.store.importGroup { group in
      try trial.load("null", options(group))
      try trial.load("[1]", options(group))
    }
    #expect(try heroes == [1])
  }

  @Test func `spare what one mentions that itself deletes nothing`() async throws {
    try await trial.store.importGroup { group in
      try trial.load("[1]", options(group))
      try trial.load("[2]", options(group) { $0.deletesMissing = false })
      try trial.load("[1]", as: "Power", options(group) { $0.deletesMissing = false })
    }
    #expect(try heroes == [1, 2])
    #expect(try trial.store.graph.count(of: "Power") == 2)
  }

  @Test func `spare objects that others have written, and objects out of scope`() async throws {
    try await trial.store.importGroup { group in
      try trial.load("[1]", options(group) { $0.deletionScopes["Hero"] = { $0["year"] == nil } })
      try trial.load("[77]")
    }
    #expect(try heroes == [1, 3, 77])
  }

  @Test func `are of one store, and end once`() throws {
    let other = try ImportTrial([.make("Hero")])
    let group = ImportGroup(other.store)
    let message = trial.failure("[1]", options(group))
    #expect(message == "the group of imports was begun for another store; begin one for this store")
    try group.finish()
    #expect(throws: ImportError.self) { try group.finish() }
    #expect(throws: ImportError.self) { try other.load("[1]", options(group)) }
  }
}
