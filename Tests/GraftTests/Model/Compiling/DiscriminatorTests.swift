import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct DiscriminatorTests {
  func entities(
    _ base: [String: String], a: [String: String] = [:], b: [String: String] = [:]
  ) -> [EntityDescription] {
    [
      EntityDescription(name: "Base", isAbstract: true, userInfo: base),
      EntityDescription(name: "A", superentity: "Base", userInfo: a),
      EntityDescription(name: "B", superentity: "Base", userInfo: b),
      EntityDescription(name: "B2", superentity: "B"),
      EntityDescription(name: "Other"),
    ]
  }

  @Test func `each entity below has its value, its name unless annotated`() throws {
    let model = try GraphModel(
      entities: entities(
        ["JSONDiscriminator": "kind.name"], a: ["JSONDiscriminatorValue": "first"]))
    let base = try model.compiled("Base")
    #expect(base.discriminators == [JSONPath([.member("kind"), .member("name")])])
    #expect(base.discriminated == ["Base": 0, "first": 1, "B": 2, "B2": 3])
    #expect(try model.compiled("A").discriminatorValue == "first")
    #expect(try model.compiled("B").discriminated == ["B": 2, "B2": 3])
    #expect(try model.compiled("Other").discriminators.isEmpty)
  }

  @Test func `an entity mapper compiles to the same`() throws {
    let path = JSONPath([.member("type")])
    let mapper = EntityMapper(
      discriminator: path, entities: ["1": "A", "one": "A", "2": "B2"])
    let model = try GraphModel(
      entities: entities(["entityMapperName": "Mapper"]),
      extensions: ModelExtensions(entityMappers: ["Mapper": mapper]))
    #expect(try model.compiled("Base").discriminators == [path])
    #expect(try model.compiled("Base").discriminated == ["1": 1, "one": 1, "2": 3])
    #expect(try model.compiled("B").discriminated == ["2": 3])
  }

  @Test func `a value is of the sub-entity that states it, and not of a base by that name`()
    throws
  {
    let model = try GraphModel(
      entities: entities(["JSONDiscriminator": "type"], a: ["JSONDiscriminatorValue": "Base"]))
    #expect(try model.compiled("Base").discriminated == ["Base": 1, "B": 2, "B2": 3])
    // The order of the entities does not matter.
    let reversed = try GraphModel(
      entities: entities(["JSONDiscriminator": "type"], a: ["JSONDiscriminatorValue": "Base"])
        .reversed())
    #expect(try reversed.compiled("Base").discriminated == ["Base": 3, "B": 2, "B2": 1])
    let stated = ["JSONDiscriminator": "type", "JSONDiscriminatorValue": "Base"]
    #expect(
      errors(entities(stated, a: ["JSONDiscriminatorValue": "Base"]))
        .contains("A: has the discriminator value \"Base\" of Base"))
  }

  @Test func `what cannot be told apart or found is refused`() {
    let base = ["JSONDiscriminator": "type"]
    #expect(
      errors(entities(base, a: ["JSONDiscriminatorValue": "B"]))
        .contains("B: has the discriminator value \"B\" of A"))
    for path in ["a[*]", "a | b.*", "@index", "'x'", "@parent.type"] {
      let text = errors(entities(["JSONDiscriminator": path]))
      #expect(text.contains("Base: JSONDiscriminator is") && text.contains("without a wildcard"))
      #expect(!text.contains("A: JSON"))
    }
    #expect(
      errors(entities(["entityMapperName": "Mapper"]))
        == "Base: no entity mapper \"Mapper\" is registered; register it in the model's extensions")
    let stray = EntityMapper(discriminator: JSONPath(), entities: ["x": "Other"])
    #expect(
      errors(
        entities(["entityMapperName": "M"]),
        extensions: ModelExtensions(entityMappers: ["M": stray]))
        == "Base: entity mapper \"M\" names \"Other\", expected Base or an entity below it")
  }

  @Test func `annotations without effect are warned of`() throws {
    let alone = try GraphModel(entities: entities([:], a: ["JSONDiscriminatorValue": "x"]))
    #expect(alone.warningText.contains("no effect without a JSONDiscriminator"))
    let both = try GraphModel(
      entities: entities(["JSONDiscriminator": "type", "entityMapperName": "M"]),
      extensions: ModelExtensions(toleratesMissing: true))
    #expect(both.warningText.contains("only JSONDiscriminator counts"))
  }

  private func sharing(
    _ base: [String: String] = [:], isAbstract: Bool = false, to destination: String? = nil
  ) throws -> [String] {
    let link = destination.map { [RelationshipDescription.make("r", to: $0)] } ?? []
    return try GraphModel(
      entities: [
        EntityDescription(name: "Base", isAbstract: isAbstract, userInfo: base),
        EntityDescription(name: "Sub", superentity: "Base"),
        EntityDescription(name: "Other", relationships: link),
      ], dialect: .graft, extensions: ModelExtensions(toleratesMissing: true)
    ).warnings.filter { $0.entity == "Sub" }.map(\.message)
  }

  @Test func `a sub-entity that nothing names is warned of`() throws {
    let message =
      "nothing in JSON says that an object of Base is one of Sub, so only an import with the root Sub"
      + " makes one; annotate Base with JSONDiscriminator"
    #expect(try sharing() == [message])
    #expect(try sharing(isAbstract: true, to: "Base") == [message])
    #expect(try sharing(["JSONDiscriminator": "type"]).isEmpty)
    #expect(try sharing(["entityMapperName": "M"]).isEmpty)
    #expect(try sharing(to: "Sub").isEmpty)
  }

  @Test func `a super-entity that only shares its properties is no fault`() throws {
    #expect(try sharing(isAbstract: true).isEmpty)
  }

  @Test func `a discriminator without sub-entities is warned of`() throws {
    let model = try GraphModel(entities: [
      EntityDescription(name: "E", userInfo: ["JSONDiscriminator": "type"])
    ])
    #expect(
      model.warningText == "E: JSONDiscriminator \"type\" has no effect: E has no sub-entities")
  }
}
