import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `A row whose required relationship has no object` {
  private static func model() throws -> GraphModel {
    try GraphModel(
      entities: [
        .make(
          "Post", [.make("title")],
          [
            RelationshipDescription(name: "author", destination: "User", isOptional: false),
            .make("notes", to: "Note", many: true),
          ]),
        .make("User", [.make("name")]), .make("Note", identity: "", [.make("text")]),
      ], dialect: .graft)
  }

  private func load(
    _ text: String, _ database: GraphDatabase, every count: Int? = nil,
    _ policy: ImportOptions.ErrorPolicy = .skipObject
  ) throws -> ImportReport {
    let importer = try database.makeImporter(
      [ImportRoot("Post")],
      options: .with {
        $0.errorPolicy = policy
        $0.savePolicy = count.map { .every(objects: $0) } ?? .atEnd
      })
    try importer.parse(Data(text.utf8))
    return try importer.finish()
  }

  @Test(arguments: DatabaseKind.with([1, 2, nil]))
  func `is left out of each save, and listed`(kind: DatabaseKind, count: Int?) throws {
    let place = try TrialDatabase(kind)
    let database = try place.open(Self.model())
    let objects = (1...9).map {
      $0 % 3 == 0
        ? #"{"id":\#($0),"author":null,"notes":[{"text":"x"}]}"# : #"{"id":\#($0),"author":7}"#
    }
    for isFirst in [true, false] {
      let report = try load("[\(objects.joined(separator: ","))]", database, every: count)
      #expect(report.issues.map(\.error.path) == ["$[2]", "$[5]", "$[8]"])
      #expect(report.insertedCount == (isFirst ? 7 : 0))
      #expect(
        try database.objects("Post").map { $0["id"] } == [1, 2, 4, 5, 7, 8].map { .integer($0) })
      #expect(try database.objects("Note").isEmpty)
    }
    #expect(try place.faults() == [])
  }

  @Test(arguments: DatabaseKind.with([1, nil]))
  func `keeps the one that it had before`(kind: DatabaseKind, count: Int?) throws {
    let place = try TrialDatabase(kind)
    let database = try place.open(Self.model())
    _ = try load(#"[{"id":1,"author":7,"title":"a"},{"id":2,"author":8}]"#, database)
    let change = #"[{"id":1,"author":null,"title":"b"},{"id":2,"author":null,"title":"c"}]"#
    let report = try load(change, place.openAgain(), every: count, .skipValue)
    #expect(report.issues.map(\.error.property) == ["author", "author"])
    let posts = try database.objects("Post", following: ["author"])
    #expect(posts.map { $0["title"] } == [.string("b"), .string("c")])
    #expect(posts.map { $0.object("author")?["id"] } == [.integer(7), .integer(8)])
    #expect(throws: ImportError.self) { try load(change, place.openAgain(), every: nil, .fail) }
    #expect(try place.faults() == [])
  }
}
