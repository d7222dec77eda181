import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Objects that are found in several batches of one import.
@Suite struct `A conflict in a database` {
  private func load(
    _ text: String, _ kind: DatabaseKind, before: String? = nil,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportReport {
    let trial = try TrialDatabase(kind)
    let database = try trial.open(
      GraphModel(entities: AgreeingDocument.model, dialect: .graft))
    if let before { _ = try load(before, ImportOptions(), into: database) }
    return try load(text, .with(change), into: database)
  }

  private func load(
    _ text: String, _ options: ImportOptions, into database: GraphDatabase
  ) throws -> ImportReport {
    let importer = try database.makeImporter([ImportRoot("Person")], options: options)
    try importer.parse(Data(text.utf8))
    return try importer.finish()
  }

  @Test(arguments: DatabaseKind.present, [1, 2, 1000])
  func `is that of the import into memory`(kind: DatabaseKind, interval: Int) throws {
    for seed in Seeds.some(4, of: 40) {
      var random = SeededGenerator(seed: seed)
      let document = AgreeingDocument(&random)
      for isPlanted in [false, true] {
        let text = document.text(isPlanted: isPlanted)
        let memory = try ImportTrial(AgreeingDocument.model).load(text)
        for isDryRun in [false, true] {
          let report = try load(text, kind) {
            $0.savePolicy.objects = interval
            $0.isDryRun = isDryRun
          }
          try #require(report.notices == memory.notices, "\(seed): \(text)")
          try #require(report.entities.map(\.conflicting) == memory.entities.map(\.conflicting))
        }
      }
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `is none with what the database had before`(kind: DatabaseKind) throws {
    let report = try load(
      #"[{"id":1,"age":2},{"id":1,"name":"b"},{"id":1,"score":3},{"id":1,"name":"b","age":2,"score":3}]"#,
      kind, before: #"[{"id":1,"name":"a","age":1,"score":2}]"#
    ) { $0.savePolicy.objects = 1 }
    #expect(report.notices == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `of an object in many batches is counted once`(kind: DatabaseKind) throws {
    let report = try load(
      #"[{"id":1,"age":1},{"id":1,"age":2},{"id":1,"age":3},{"id":1,"name":"a"},{"id":1,"name":"b"}]"#,
      kind
    ) { $0.savePolicy.objects = 1 }
    #expect(report.count(of: "Person").conflicting == 1)
    #expect(report.noticeCount == 1)
  }

  @Test(arguments: DatabaseKind.present)
  func `is found though the object came again unchanged before`(kind: DatabaseKind) throws {
    let report = try load(
      #"""
      [{"id":1,"age":1,"name":"a"},{"id":2},
       {"id":1,"age":1},{"id":1,"name":"b"}]
      """#, kind
    ) { $0.savePolicy.objects = 2 }
    #expect(report.count(of: "Person").conflictingAttributes == ["name"])
  }
}
