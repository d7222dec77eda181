import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct GraphModelTests {
  let hero = EntityDescription(name: "Hero", attributes: [.make("name")])

  @Test func `a model gives its entities back in order and by name`() throws {
    let power = EntityDescription(name: "Power", attributes: [.make("name")])
    let model = try GraphModel(entities: [power, hero])
    #expect(model.entities == [power, hero])
    #expect(model.entity(named: "Hero") == hero)
    #expect(model.entity(named: "hero") == nil)
    #expect(model.warnings.isEmpty)
  }

  @Test func `models that mean the same are equal, however they were annotated`() throws {
    var annotated = hero
    annotated.attributes[0].userInfo = ["JSONKeyPath": "name"]
    var renamed = hero
    renamed.attributes[0].userInfo = ["JSONKeyPath": "title"]
    let model = try GraphModel(entities: [hero], dialect: .graft)
    #expect(try model == GraphModel(entities: [annotated], dialect: .graft))
    #expect(try model != GraphModel(entities: [renamed], dialect: .graft))
    #expect(try model != GraphModel(entities: [hero], dialect: .zds))
  }

  @Test func `all errors of a model are told at once, with their places`() {
    let text = errors([
      EntityDescription(
        name: "Hero",
        attributes: [.make("id", .integer64, ["JSONKeyPath": "a["])],
        relationships: [.make("team", to: "Taem")],
        userInfo: ["identityAttributes": "ident"]),
      EntityDescription(name: "Team", superentity: "Grup"),
    ])
    #expect(
      text.split(separator: "\n").sorted() == [
        "Hero.id: JSONKeyPath: invalid path \"a[\" at character 3: "
          + "expected a position, \"*\" or a quoted name, found the end",
        "Hero.team: unknown destination \"Taem\", did you mean \"Team\"?",
        "Hero: identityAttributes names \"ident\", which is no attribute of Hero",
        "Team: unknown super-entity \"Grup\"",
      ])
  }

  @Test func `names must be given and must not occur twice`() {
    #expect(errors([]).contains("no entities"))
    #expect(errors([hero, hero]) == "Hero: declared twice; rename or remove one")
    #expect(errors([EntityDescription(name: "")]).contains("has no name"))
    let twice = EntityDescription(
      name: "Hero", attributes: [.make("team")], relationships: [.make("team", to: "Hero")])
    #expect(errors([twice]) == "Hero.team: declared twice; rename or remove one")
    let nameless = EntityDescription(name: "Hero", attributes: [.make("")])
    #expect(errors([nameless]).contains("without a name"))
  }

  @Test func `a hostile number of faults is told up to a limit`() {
    let entities = (0..<2000).map { EntityDescription(name: "E\($0)", superentity: "X\($0)") }
    let error = #expect(throws: ModelError.self) { try GraphModel(entities: entities) }
    #expect(error?.issues.count == 200)
  }
}
