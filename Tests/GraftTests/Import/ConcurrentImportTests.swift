import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Imports and other writers do not shut each other out, and readers see whole commits.
@Suite struct `Imports side by side` {
  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make(
        "Hero", [.make("name"), .make("age", .integer64)],
        [
          .make("boss", to: "Hero", inverse: "team"),
          .make("team", to: "Hero", many: true, inverse: "boss", ["JSONKeyPath": "-"]),
        ])
    ])
  }

  private func importer(_ json: String) throws -> JSONImporter {
    let importer = try trial.store.makeImporter(entity: "Hero")
    try importer.parse(Data(json.utf8))
    return importer
  }

  @Test func `both hold, and an object that both made is one`() throws {
    let one = try importer(#"[{"id":1,"name":"Ada","boss":9},{"id":2,"boss":1}]"#)
    let two = try importer(#"[{"id":3,"name":"Cyd"},{"id":1,"age":36,"boss":3}]"#)
    _ = try one.finish()
    let report = try two.finish()
    #expect(
      trial.lines == [
        "Hero/1 id: 9", #"Hero/2 age: 36, boss: Hero/4, id: 1, name: "Ada", team: [Hero/3]"#,
        "Hero/3 boss: Hero/2, id: 2", #"Hero/4 id: 3, name: "Cyd", team: [Hero/2]"#,
      ])
    #expect(report.unfilledStubCount == 0)
  }

  @Test func `a stub of the one is filled by the other, whichever ends first`() throws {
    for filledFirst in [true, false] {
      let trial = try Self()
      let stub = try trial.importer(#"[{"id":1,"boss":2}]"#)
      let full = try trial.importer(#"[{"id":2,"name":"Bob"}]"#)
      let order = filledFirst ? [full, stub] : [stub, full]
      for importer in order { _ = try importer.finish() }
      let bob = try trial.trial.store.graph.object("Hero", identifiedBy: ["id": .integer(2)])
      #expect(bob?["name"] == .string("Bob"))
      #expect(bob?.isStub == false)
      #expect(bob?.objects("team").map { $0["id"] } == [.integer(1)])
    }
  }

  @Test func `a writer commits while an import runs, and both hold`() throws {
    try trial.load(#"[{"id":1,"name":"Ada","age":1},{"id":2,"name":"Bob"}]"#)
    let running = try importer(#"[{"id":1,"age":2},{"id":5,"boss":2}"#)
    let writer = trial.store.begin()
    let bob = try #require(
      try trial.store.graph.object("Hero", identifiedBy: ["id": .integer(2)]))
    writer.set(bob.id, 1, .string("Bert"))
    _ = try trial.store.commit(writer)
    #expect(try trial.store.graph.count(of: "Hero") == 2)
    try running.parse(Data("]".utf8))
    _ = try running.finish()
    #expect(
      trial.lines == [
        #"Hero/1 age: 2, id: 1, name: "Ada""#, #"Hero/2 id: 2, name: "Bert", team: [Hero/3]"#,
        "Hero/3 boss: Hero/2, id: 5",
      ])
  }

  @Test func `a report counts what its commit did, and not what the import meant to do`() throws {
    try trial.load(#"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"},{"id":3},{"id":4}]"#)
    let json = #"[{"id":1,"name":"Eve"},{"id":2,"age":3},{"id":5,"boss":6},{"id":7},{"id":8}]"#
    let options = ImportOptions.with { $0.deletesMissing = true }
    func begin() throws -> JSONImporter {
      let importer = try trial.store.makeImporter(entity: "Hero", options: options)
      try importer.parse(Data(json.utf8))
      return importer
    }
    let (one, two) = (try begin(), try begin())
    let first = try one.finish()
    #expect(
      first.count(of: "Hero")
        == .init(entity: "Hero", inserted: 4, updated: 2, unchanged: 0, deleted: 2))
    #expect(first.unfilledStubCount == 1)
    let again = try two.finish()
    #expect(again.count(of: "Hero") == .init(entity: "Hero", unchanged: 6))
    #expect(again.insertedCount == 0 && again.updatedCount == 0)
  }

  @Test func `a report lists no stub that the other import has filled`() throws {
    let stub = try importer(#"[{"id":1,"boss":2}]"#)
    _ = try importer(#"[{"id":2,"name":"Bob"}]"#).finish()
    let report = try stub.finish()
    #expect(report.unfilledStubCount == 0 && report.unfilledStubs == [])
    #expect(report.count(of: "Hero") == .init(entity: "Hero", inserted: 1, unchanged: 1))
  }

  @Test func `a report counts as inserted an object that another writer has deleted`() throws {
    try trial.load(#"[{"id":1,"name":"Ada"}]"#)
    let running = try importer(#"[{"id":1,"name":"Eve"}]"#)
    try trial.store.write { try $0.delete($0.objects("Hero")) }
    let report = try running.finish()
    #expect(report.count(of: "Hero") == .init(entity: "Hero", inserted: 1))
    #expect(trial.lines == [#"Hero/1 id: 1, name: "Eve""#])
  }

  @Test func `an older state overwrites none that was committed meanwhile`() throws {
    let options = ImportOptions.with { $0.modifiedAttributes = ["Hero": "age"] }
    func begin(_ json: String) throws -> JSONImporter {
      let importer = try trial.store.makeImporter(entity: "Hero", options: options)
      try importer.parse(Data(json.utf8))
      return importer
    }
    try trial.load(#"[{"id":1,"age":1,"name":"base"}]"#)
    let older = try begin(
      #"[{"id":1,"age":5,"name":"old","boss":3},{"id":2,"age":5,"name":"old"}]"#)
    _ = try importer(#"[{"id":1,"age":9,"name":"new"},{"id":2,"age":9,"name":"new"}]"#).finish()
    let newer = try begin(#"[{"id":1,"age":10,"name":"last"},{"id":2,"name":"any time"}]"#)
    let report = try older.finish()
    #expect(report.count(of: "Hero") == .init(entity: "Hero", inserted: 1, unchanged: 2))
    #expect(
      trial.lines == [
        #"Hero/1 age: 9, id: 1, name: "new""#, #"Hero/2 age: 9, id: 2, name: "new""#,
        "Hero/3 id: 3",
      ])
    #expect(try newer.finish().updatedCount == 2)
    #expect(
      trial.lines == [
        #"Hero/1 age: 10, id: 1, name: "last""#, #"Hero/2 age: 9, id: 2, name: "any time""#,
        "Hero/3 id: 3",
      ])
  }

  @Test func `one that inserts only leaves what was inserted meanwhile, and links it`() throws {
    let options = ImportOptions.with { $0.mode = .insertOnly }
    let second = try trial.store.makeImporter(entity: "Hero", options: options)
    try second.parse(Data(#"[{"id":1,"name":"second","age":2,"boss":4},{"id":2,"boss":1}]"#.utf8))
    _ = try importer(#"[{"id":1,"name":"first","boss":3}]"#).finish()
    let report = try second.finish()
    #expect(report.count(of: "Hero") == .init(entity: "Hero", inserted: 2, unchanged: 1))
    #expect(
      trial.lines == [
        "Hero/1 id: 3, team: [Hero/2]",
        #"Hero/2 boss: Hero/1, id: 1, name: "first", team: [Hero/4]"#, "Hero/3 id: 4",
        "Hero/4 boss: Hero/2, id: 2",
      ])
  }

  @Test func `one that updates only passes over what was deleted meanwhile`() throws {
    try trial.load(#"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]"#)
    let options = ImportOptions.with { $0.mode = .updateOnly }
    let running = try trial.store.makeImporter(entity: "Hero", options: options)
    try running.parse(Data(#"[{"id":1,"name":"Eve","boss":2},{"id":2,"name":"Bert"}]"#.utf8))
    try trial.store.write {
      try $0.object("Hero", identifiedBy: ["id": .integer(1)])?.delete()
    }
    let report = try running.finish()
    #expect(report.count(of: "Hero") == .init(entity: "Hero", updated: 1))
    #expect(trial.lines == [#"Hero/1 id: 2, name: "Bert""#])
  }

  @Test func `an import that fails beside another takes nothing of it along`() throws {
    let failing = try importer(#"[{"id":1,"name":"wrong"}"#)
    let good = try importer(#"[{"id":1,"name":"right"}]"#)
    _ = try good.finish()
    #expect(throws: ImportError.self) { try failing.finish() }
    #expect(trial.lines == [#"Hero/1 id: 1, name: "right""#])
  }

  @Test func `on many threads, readers see each import whole`() async throws {
    let store = trial.store
    let size = 50
    await withTaskGroup(of: Int?.self) { group in
      for number in 0..<8 {
        group.addTask {
          let json = (0..<size).map { #"{"id":\#(number * size + $0),"boss":-1}"# }
            .joined(separator: ",")
          return try? store.importJSON(entity: "Hero", from: Data("[\(json)]".utf8)).insertedCount
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let count = (try? store.graph.count(of: "Hero")) ?? 0
            if count > 0, (count - 1) % size != 0 { return count }
          }
          return 0
        }
      }
      for await count in group { #expect(count == 0 || count == size || count == size + 1) }
    }
    let boss = try store.graph.object("Hero", identifiedBy: ["id": .integer(-1)])
    #expect(boss?.objects("team").count == 8 * size)
  }
}

/// One import knows only the identity of an object, and the other its sub-entity.
@Suite struct `Imports side by side of an entity and one below it` {
  private static let note = (entity: "Note", json: #"[{"id":1,"party":7}]"#)
  private static let person = (
    entity: "Party", json: #"[{"type":"Person","id":7,"name":"Ada","age":36}]"#
  )
  private static let company = (entity: "Party", json: #"[{"type":"Company","id":7}]"#)

  private func trial(hasInverse: Bool = true) throws -> ImportTrial {
    try ImportTrial([
      .make("Note", [], [.make("party", to: "Party", inverse: hasInverse ? "notes" : nil)]),
      .make(
        "Party", [.make("name")],
        hasInverse ? [.make("notes", to: "Note", many: true, inverse: "party")] : [],
        ["JSONDiscriminator": "type"]),
      .make("Person", identity: "", parent: "Party", [.make("age", .integer64)]),
      .make("Company", identity: "", parent: "Party"),
    ])
  }

  private func begin(
    _ document: (entity: String, json: String), in trial: ImportTrial
  ) throws -> JSONImporter {
    let importer = try trial.store.makeImporter(entity: document.entity)
    try importer.parse(Data(document.json.utf8))
    return importer
  }

  @Test(arguments: [false, true], [false, true])
  func `give what they give one after the other`(hasInverse: Bool, isStubThere: Bool) throws {
    for documents in [[Self.note, Self.person], [Self.person, Self.note]] {
      let (beside, after) = try (
        trial(hasInverse: hasInverse), trial(hasInverse: hasInverse)
      )
      if isStubThere {
        for trial in [beside, after] { try trial.load(#"[{"id":2,"party":7}]"#) }
      }
      let importers = try documents.map { try begin($0, in: beside) }
      for importer in importers { _ = try importer.finish() }
      for document in documents { try after.load(document.json, as: document.entity) }
      #expect(try beside.store.graph.content(depth: 2) == after.store.graph.content(depth: 2))
      let ada = try beside.store.graph.object("Party", identifiedBy: ["id": .integer(7)])
      #expect(ada?.entityName == "Person")
      #expect(ada?["age"] == .integer(36))
    }
  }

  @Test func `are refused where the entities are no kin, as one after the other`() throws {
    let (beside, after) = try (trial(), trial())
    let importers = try [Self.person, Self.company].map { try begin($0, in: beside) }
    _ = try importers[0].finish()
    let error = #expect(throws: ImportError.self) { try importers[1].finish() }
    #expect(error?.description.contains("Company(id: 7): its identity belongs to Person") == true)
    try after.load(Self.person.json, as: "Party")
    _ = after.failure(Self.company.json, as: "Party")
    #expect(beside.lines == after.lines)
  }
}
