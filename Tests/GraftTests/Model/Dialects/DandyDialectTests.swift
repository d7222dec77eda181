import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct DandyDialectTests {
  func entities(
    _ base: [String: String], sub: [String: String] = [:], mapping: String? = nil
  ) -> [EntityDescription] {
    [
      EntityDescription(
        name: "Hat",
        attributes: [
          .make("id", .string, mapping.map { ["@mapping": $0] } ?? [:]), .make("name"),
        ],
        relationships: [
          .make("owner", to: "Hat", ["@mapping": "meta.owner"]),
          .make("twin", to: "Hat", ["@mapping": "@false"]),
        ], userInfo: base),
      EntityDescription(name: "Cap", superentity: "Hat", userInfo: sub),
    ]
  }

  @Test func `properties stand under their names, elsewhere, or nowhere`() throws {
    let model = try GraphModel(entities: entities([:], mapping: "a.b"), dialect: .dandy)
    #expect(try model.paths("Hat", "id") == ["a.b"])
    #expect(try model.paths("Hat", "name") == ["name"])
    #expect(try model.paths("Hat", "owner") == ["meta.owner"])
    #expect(try model.paths("Hat", "twin") == [])
  }

  @Test func `a primary key is inherited, and replaced by one below`() throws {
    let inherited = try GraphModel(entities: entities(["@primaryKey": "id"]), dialect: .dandy)
    #expect(try inherited.identity(of: "Cap") == ["id"])
    #expect(try inherited.compiled("Cap").identityRoot == 0)
    let replaced = try GraphModel(
      entities: entities(["@primaryKey": "id"], sub: ["@primaryKey": "name"]), dialect: .dandy)
    #expect(try replaced.identity(of: "Cap") == ["name"])
    #expect(
      errors(entities(["@primaryKey": "nam"]), dialect: .dandy).contains("did you mean \"name\"?"))
  }

  @Test func `a singleton needs no attribute`() throws {
    let model = try GraphModel(
      entities: entities(["@primaryKey": "id"], sub: ["@primaryKey": "@singleton"]),
      dialect: .dandy)
    #expect(try model.compiled("Cap").isSingleton)
    #expect(try model.identity(of: "Cap") == [])
    #expect(try !model.compiled("Hat").isSingleton)
  }

  @Test func `an identity that is kept out of JSON is warned of`() throws {
    let model = try GraphModel(
      entities: entities(["@primaryKey": "id"], mapping: "@false"), dialect: .dandy)
    #expect(model.warningText.contains("Hat: identity attribute \"id\" has no place in JSON"))
    #expect(try model.identity(of: "Hat") == ["id"])
  }
}
