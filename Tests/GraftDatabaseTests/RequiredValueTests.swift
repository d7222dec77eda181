import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `A model that requires more than its database has` {
  private func model(
    _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = []
  ) throws -> GraphModel {
    try GraphModel(
      entities: [
        .make("Issue", attributes, relationships), .make("User", [.make("name")]),
      ], dialect: .graft)
  }

  private static func severity(
    isOptional: Bool, default value: Int64? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name: "severity", type: .integer64, isOptional: isOptional,
      defaultValue: value.map { .integer($0) })
  }

  private func load(_ text: String, _ database: GraphDatabase) throws {
    let importer = try database.makeImporter([ImportRoot("Issue")])
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
  }

  /// Two thousand issues; each refers to another one that no document describes.
  private static var issues: String {
    let objects = (1...2000).map { #"{"id": \#($0), "title": "t"}"# }
    return "[\(objects.joined(separator: ", "))]"
  }

  @Test(arguments: DatabaseKind.present, [false, true])
  func `fills a new attribute with its default`(kind: DatabaseKind, isOptional: Bool) throws {
    let place = try TrialDatabase(kind)
    try load(Self.issues, place.open(model([.make("title")])))
    let next = try model(
      [.make("title"), Self.severity(isOptional: isOptional, default: 3)],
      [.make("blockers", to: "Issue", many: true)])
    let database = try place.open(next)
    #expect(try database.objects("Issue", where: "severity = 3").count == 2000)
    #expect(try database.objects("Issue", where: "severity IS NULL").isEmpty)
    // Changing an old object, or a stub, works as with a new one.
    try load(#"[{"id": 7, "title": "x", "blockers": [9999]}, {"id": 8, "severity": 1}]"#, database)
    let seventh = try #require(try database.object("Issue", identifiedBy: ["id": .integer(7)]))
    #expect(seventh["severity"] == .integer(3))
    try database.write { graph in
      try graph.object("Issue", identifiedBy: ["id": .integer(5)])?["title"] = .string("y")
    }
    #expect(try database.objects("Issue", where: "severity = 3 AND _stub IS NULL").count == 1999)
    #expect(try place.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `fills what was optional and has a default`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    try load(
      #"[{"id": 1, "severity": 5}, {"id": 2}, {"id": 3, "severity": null}]"#,
      place.open(model([Self.severity(isOptional: true)])))
    let database = try place.open(model([Self.severity(isOptional: false, default: 3)]))
    let values = try database.objects("Issue").map { $0["severity"] }
    #expect(values == [.integer(5), .integer(3), .integer(3)])
    try load(#"[{"id": 2}]"#, database)
  }

  @Test func `leaves stubs alone, which lack their values until an object fills them`() throws {
    let place = try TrialDatabase(.sqlite)
    let old = try GraphModel(
      entities: [.make("Issue", [], [.make("after", to: "Issue")])], dialect: .graft)
    try load(#"[{"id": 1, "after": 2}]"#, place.open(old))
    let next = try GraphModel(
      entities: [.make("Issue", [Self.severity(isOptional: false)], [.make("after", to: "Issue")])],
      dialect: .graft)
    let error = #expect(throws: StoreError.self) { try place.open(next) }
    #expect(error?.message.contains("has 1 objects of \"Issue\" without \"severity\"") == true)
    try load(#"[{"id": 3, "after": 2}]"#, place.open(old))
    let message = #expect(throws: StoreError.self) { try place.open(next) }?.message
    #expect(message?.contains("has 2 objects") == true)
    #expect(
      message?.contains(": id 1, id 3; give the attribute a default, make it optional, or") == true)
  }

  @Test(arguments: DatabaseKind.present, [true, false])
  func `gives a stub the default that it would have had from the first`(
    kind: DatabaseKind, isOptional: Bool
  ) throws {
    let place = try TrialDatabase(kind)
    let blockers = RelationshipDescription.make("blockers", to: "Issue", many: true)
    try load(#"[{"id": 1, "blockers": [2, 3]}]"#, place.open(model([.make("title")], [blockers])))
    for (value, expected): (Int64, [Int64]) in [(3, [3, 3, 3]), (4, [3, 3, 4])] {
      let severity = Self.severity(isOptional: isOptional, default: value)
      let database = try place.open(model([.make("title"), severity], [blockers]))
      // The second object is more than a stub from the first document on.
      try load(#"[{"id": 2, "title": "t"}]"#, database)
      if value == 4 { try load(#"[{"id": 3, "title": "t"}]"#, database) }
      let severities = try database.objects("Issue").map { $0["severity"] }
      #expect(severities == expected.map { .integer($0) })
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `is refused without a default, naming the first objects`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    let old = try model([.make("title")])
    try load(Self.issues, place.open(old))
    let error = #expect(throws: StoreError.self) {
      try place.open(model([.make("title"), Self.severity(isOptional: false)]))
    }
    let message = error?.message ?? ""
    #expect(
      message.hasSuffix(
        #"has 2000 objects of "Issue" without "severity", which the model now requires: id 1, id 2, id 3 and"#
          + " 1997 more; give the attribute a default, make it optional, or give these objects a value before"
      ))
    // Nothing has changed, and what the remedy says helps.
    #expect(try place.openAgain().model.entities == old.entities)
    _ = try place.open(model([.make("title"), Self.severity(isOptional: true)]))
    #expect(throws: StoreError.self) {
      try place.open(model([.make("title"), Self.severity(isOptional: false)]))
    }
    _ = try place.open(model([.make("title"), Self.severity(isOptional: false, default: 1)]))
  }

  @Test func `is refused where a relationship is required that objects lack`() throws {
    let place = try TrialDatabase(.sqlite)
    try load(
      #"[{"id": 1, "author": {"id": 7}}, {"id": 2}]"#,
      place.open(model([], [.make("author", to: "User")])))
    var author = RelationshipDescription.make("author", to: "User")
    author.isOptional = false
    let error = #expect(throws: StoreError.self) { try place.open(model([], [author])) }
    #expect(
      error?.message.contains(
        #"has 1 objects of "Issue" with fewer or more "author" than the model now requires: id 2;"#)
        == true)
  }

  @Test func `fills the file of a store in memory too`() throws {
    let file = TemporaryDatabase()
    let store = try GraphStore(model: model([.make("title")]), at: file.url, configuration: .quick)
    try store.importJSON(entity: "Issue", from: Data(#"[{"id": 1, "title": "t"}]"#.utf8))
    let next = try GraphStore(
      model: model([.make("title"), Self.severity(isOptional: false, default: 3)]), at: file.url,
      configuration: .quick)
    #expect(try next.graph.objects("Issue").map { $0["severity"] } == [.integer(3)])
    try next.importJSON(entity: "Issue", from: Data(#"[{"id": 1, "title": "u"}]"#.utf8))
    #expect(try file.rows("SELECT title, severity FROM Issue") == ["u|3"])
    #expect(throws: StoreError.self) {
      var required = AttributeDescription.make("state")
      required.isOptional = false
      _ = try GraphStore(
        model: model([.make("title"), required]), at: file.url, configuration: .quick)
    }
  }
}
