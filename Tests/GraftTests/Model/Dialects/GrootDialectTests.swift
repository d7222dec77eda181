import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct GrootDialectTests {
  let entities = [
    EntityDescription(
      name: "Base",
      attributes: [.make("id", .integer64, ["JSONKeyPath": "data.id"]), .make("note")],
      relationships: [
        .make("next", to: "Base"), .make("all", to: "Base", many: true, ["JSONKeyPath": "all"]),
      ],
      userInfo: ["identityAttribute": "id"]),
    EntityDescription(
      name: "Sub", superentity: "Base",
      attributes: [.make("kind", .string, ["JSONKeyPath": "kind"])],
      userInfo: ["identityAttributes": "kind, id"]),
  ]

  @Test func `only annotated properties are in JSON`() throws {
    let model = try GraphModel(entities: entities, dialect: .groot)
    #expect(try model.paths("Base", "id") == ["data.id"])
    #expect(try model.paths("Base", "note") == [])
    #expect(try model.paths("Base", "next") == [])
    #expect(try model.paths("Base", "all") == ["all"])
  }

  @Test func `identity is that of the super-entity and the entity's own together`() throws {
    let model = try GraphModel(entities: entities, dialect: .groot)
    #expect(try model.identity(of: "Base") == ["id"])
    #expect(try model.identity(of: "Sub") == ["id", "kind"])
    #expect(try model.compiled("Sub").identityRoot == 1)
  }

  @Test func `the plural name goes before the older singular one`() throws {
    var entities = entities
    entities[0].attributes[1].userInfo = ["JSONKeyPath": "note"]
    entities[0].userInfo["identityAttributes"] = "note"
    let model = try GraphModel(entities: entities, dialect: .groot)
    #expect(try model.identity(of: "Base") == ["note"])
  }

  @Test func `a dictionary transformer that is not registered is refused`() {
    var entities = entities
    entities[0].userInfo["JSONDictionaryTransformerName"] = "App.Rename"
    #expect(
      errors(entities, dialect: .groot)
        == "Base: no dictionary transformer \"App.Rename\" is registered;"
        + " register it in the model's extensions")
  }
}
