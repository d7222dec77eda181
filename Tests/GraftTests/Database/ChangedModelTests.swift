import Foundation
import GraftSQLite
import Testing

@testable import Graft

@Suite struct `A model that has changed since its database was made` {
  private let file = TemporaryDatabase()

  private func model(_ entities: EntityDescription...) throws -> GraphModel {
    try GraphModel(entities: entities, dialect: .graft)
  }

  private func load(_ database: GraphDatabase, _ entity: String, _ text: String) throws {
    let importer = try database.makeImporter([ImportRoot(entity)])
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
  }

  @Test func `adds its entities, attributes and relationships, and keeps the objects`() throws {
    let old = try model(.make("Bird", [.make("name")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "name": "wren"}]"#)
    let new = try model(
      .make(
        "Bird", [.make("name"), .make("weight", .double)],
        [.make("nest", to: "Nest"), .make("friends", to: "Bird", many: true)]),
      .make("Nest", [.make("place")]))
    let database = try GraphDatabase(model: new, at: file.url)
    #expect(
      try database.graph().content(depth: 1) == [
        #"Bird id=1, name="wren", weight=-, stub=false, nest=[], friends=[]"#: 1
      ])
    let text = #"[{"id": 2, "weight": 0.5, "nest": {"id": 7, "place": "oak"}, "friends": [1]}]"#
    try load(database, "Bird", text)
    let store = GraphStore(model: new)
    try store.importJSON([ImportRoot("Bird")], from: Data(#"[{"id": 1, "name": "wren"}]"#.utf8))
    try store.importJSON([ImportRoot("Bird")], from: Data(text.utf8))
    #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2))
    #expect(try file.integrityFaults() == [])
    // The file has the new model from now on.
    #expect(try GraphDatabase(contentsOf: file.url).model.entities == new.entities)
  }

  @Test(arguments: [
    (
      [AttributeDescription.make("name", .integer64)], "id",
      #"has "Bird"."name" as String, and the model now says Integer 64"#
    ),
    (
      [.make("id", .string), .make("name")], "id",
      #"has "Bird"."id" as Integer 64, and the model now says String"#
    ),
    (
      [.make("id", .integer64), .make("name")], "name",
      #"has objects of "Bird" under the key "id", and the model now identifies them by "name""#
    ),
    (
      [.make("id", .integer64), .make("name")], "id, name",
      #"has objects of "Bird" under the key "id", and the model now identifies them by "id", "name""#
    ),
  ])
  func `is refused where nobody knows what the objects should become`(
    attributes: [AttributeDescription], identity: String, message: String
  ) throws {
    let old = try model(.make("Bird", [.make("name")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "name": "wren"}]"#)
    let schema = try file.rows("SELECT sql FROM sqlite_schema ORDER BY name")
    let new = try model(
      .make("Bird", identity: identity, attributes), .make("Another", [.make("x")]))
    #expect {
      try GraphDatabase(model: new, at: file.url)
    } throws: {
      "\($0)"
        == "\(file.url.path): \(message); import into a new database, or keep the model as it was"
    }
    #expect(try file.rows("SELECT sql FROM sqlite_schema ORDER BY name") == schema)
    #expect(
      try GraphDatabase(model: old, at: file.url).graph().content(depth: 0) == [
        #"Bird id=1, name="wren", stub=false"#: 1
      ])
  }
}
