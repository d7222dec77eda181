import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct InheritanceTests {
  /// A line of three entities, declared from the bottom up.
  static let entities = [
    EntityDescription(
      name: "Poodle", superentity: "Dog", attributes: [.make("curls", .integer16)]),
    EntityDescription(
      name: "Dog", superentity: "Animal", attributes: [.make("breed")],
      relationships: [.make("friends", to: "Animal", many: true)]),
    EntityDescription(
      name: "Animal", isAbstract: true, attributes: [.make("id"), .make("name")],
      relationships: [.make("mother", to: "Animal")],
      userInfo: ["identityAttributes": "id", "JSONMissingIdentity": "skip"]),
    EntityDescription(name: "Stone", attributes: [.make("weight", .double)]),
  ]
  let model: GraphModel

  init() throws {
    model = try GraphModel(entities: Self.entities)
  }

  @Test func `inherited properties come first, so numbers hold for all sub-entities`() throws {
    let poodle = try model.compiled("Poodle")
    #expect(poodle.attributes.map(\.name) == ["id", "name", "breed", "curls"])
    #expect(poodle.relationships.map(\.name) == ["mother", "friends"])
    for entity in model.schema.entities {
      for number in entity.family {
        let below = model.schema.entities[number]
        #expect(
          Array(below.attributes.prefix(entity.attributes.count)) == entity.attributes)
        #expect(
          Array(below.relationships.prefix(entity.relationships.count)) == entity.relationships)
      }
    }
  }

  @Test func `a family is the entity and all below it`() throws {
    #expect(try model.compiled("Animal").family == [0, 1, 2])
    #expect(try model.compiled("Dog").family == [0, 1])
    #expect(try model.compiled("Stone").family == [3])
    #expect(try model.compiled("Dog").superentity == 2)
  }

  @Test func `identity and policies are inherited, and share the topmost root`() throws {
    #expect(try model.identity(of: "Poodle") == ["id"])
    #expect(try model.compiled("Poodle").identityRoot == 2)
    #expect(try model.compiled("Poodle").missingIdentity == .skip)
    #expect(try model.compiled("Stone").missingIdentity == nil)
  }

  @Test func `a sub-entity's own annotation overrides the inherited one, and is warned of`() throws
  {
    var entities = Self.entities
    entities[1].userInfo = ["identityAttributes": "breed", "JSONMissingIdentity": "insert"]
    let model = try GraphModel(entities: entities)
    #expect(try model.identity(of: "Dog") == ["breed"])
    #expect(try model.identity(of: "Poodle") == ["breed"])
    #expect(try model.compiled("Poodle").identityRoot == 1)
    #expect(try model.compiled("Poodle").missingIdentity == .insert)
    #expect(model.warningText.contains("identified otherwise than its super-entity Animal"))
  }

  @Test func `an inherited property cannot be defined anew`() {
    var entities = Self.entities
    entities[0].attributes.append(.make("name"))
    #expect(
      errors(entities) == "Poodle.name: redefines an inherited property; rename or remove it")
  }

  @Test func `an entity that inherits from itself is refused`() {
    let ring = ["A", "B", "C"].enumerated().map { index, name in
      EntityDescription(name: name, superentity: ["B", "C", "A"][index])
    }
    #expect(errors(ring).contains("inherits from itself: A → B → C → A"))
    #expect(errors([EntityDescription(name: "A", superentity: "A")]).contains("A → A"))
  }

  @Test(arguments: [(64, true), (65, false)])
  func `a line of inheritance has a limit`(length: Int, isFine: Bool) {
    let line = (0..<length).map {
      EntityDescription(name: "E\($0)", superentity: $0 == 0 ? nil : "E\($0 - 1)")
    }
    #expect(errors(line).isEmpty == isFine)
    #expect(errors(line.reversed()).isEmpty == isFine)
  }

  @Test
  func `an abstract entity without a concrete one below is warned of, except by MagicalRecord`()
    throws
  {
    let entities = [
      EntityDescription(name: "A", isAbstract: true),
      EntityDescription(name: "B", superentity: "A", isAbstract: true),
    ]
    #expect(try GraphModel(entities: entities).warnings.map(\.entity) == ["A", "B"])
    #expect(try GraphModel(entities: entities, dialect: .magicalrecord).warnings.isEmpty)
  }
}
