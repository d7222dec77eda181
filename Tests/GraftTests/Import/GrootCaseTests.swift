import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Groot's own tests of its import, with its model and fixtures, in the order of its test file.
@Suite(.enabled(if: PeerModels.isPresent, PeerModels.absence))
struct `Groot's case` {
  private func trial(_ entity: String = "Character") throws -> ImportTrial {
    let mapper = EntityMapper(
      discriminator: JSONPath("type"), entities: ["A": "ConcreteA", "B": "ConcreteB"])
    let model = try GraphModel(
      contentsOf: PeerModels.folder.appending(path: "groot/Model.xcdatamodeld"),
      extensions: ModelExtensions(
        transformers: ["GrootTests.Transformer": .stringInteger],
        entityMappers: ["GrootTests.Abstract": mapper]))
    return ImportTrial(model, entity: entity)
  }

  private func fixture(_ name: String) throws -> String {
    let text = try String(
      contentsOf: PeerModels.folder.appending(path: "groot/json/\(name).json"), encoding: .utf8)
    // Two of the files end with a comma that JSON does not allow.
    return text.replacing(#/,\s*\]/#, with: "]")
  }

  static let batman = """
    {"id": "1699", "name": "Batman", "real_name": "Bruce Wayne",
     "powers": [{"id": "4", "name": "Agility"}, null, {"id": "9", "name": "Insanely Rich"}],
     "publisher": {"id": "10", "name": "DC Comics"}}
    """

  @Test func `G01, an object with its relationships`() throws {
    let trial = try trial()
    let report = try trial.load(Self.batman)
    #expect(report.skippedNullCount == 1)
    let batman = try #require(try trial.store.graph.objects("Character").first)
    #expect(batman["identifier"] == .integer(1699))
    #expect(batman["name"] == .string("Batman"))
    #expect(batman["realName"] == .string("Bruce Wayne"))
    #expect(batman.objects("powers").map { $0["identifier"] } == [.integer(4), .integer(9)])
    #expect(
      batman.objects("powers").map { $0["name"] } == [.string("Agility"), .string("Insanely Rich")])
    #expect(batman.object("publisher")?["identifier"] == .integer(10))
    #expect(batman.object("publisher")?["name"] == .string("DC Comics"))
  }

  @Test(arguments: [
    (
      #""publisher": [{"id": "10"}]"#,
      "$.publisher: expected an object of Publisher, found an array"
    ),
    (#""powers": {"id": "4"}"#, "$.powers: expected an array of Power, found an object"),
  ])
  func `G02 and G03, a relationship of the wrong shape`(member: String, message: String) throws {
    let failure = try trial().failure(#"{"id": "1699", "name": "Batman", \#(member)}"#)
    #expect(failure.hasSuffix(message))
  }

  @Test func `G04, an update merges`() throws {
    let trial = try trial()
    try trial.load(
      Self.batman.replacing("Bruce Wayne", with: "Guille Gonzalez").replacing(
        "DC Comics", with: "DC"))
    try trial.load(
      """
      [{"id": "1699", "real_name": "Bruce Wayne", "publisher": {"id": "10", "name": "DC Comics"}},
       {"id": "1455", "name": "Iron Man", "real_name": "Tony Stark",
        "powers": [{"id": "12", "name": "Power Suit"}, {"id": "9", "name": "Filthy Rich"}]}]
      """)
    let graph = trial.store.graph
    let characters = Array(try graph.objects("Character"))
    #expect(characters.map { $0["name"] } == [.string("Batman"), .string("Iron Man")])
    #expect(characters.map { $0["realName"] } == [.string("Bruce Wayne"), .string("Tony Stark")])
    #expect(characters.map { $0.objects("powers").count } == [2, 2])
    #expect(try graph.count(of: "Power") == 3)
    let rich = Set(characters[0].objects("powers")).intersection(characters[1].objects("powers"))
    #expect(rich.map { $0["name"] } == [.string("Filthy Rich")])
    #expect(try graph.objects("Publisher").map { $0["name"] } == [.string("DC Comics")])
  }

  @Test func `G05, a required value that is missing refuses the update`() throws {
    let trial = try trial()
    try trial.load(try fixture("characters"))
    let failure = trial.failure(try fixture("characters_update"))
    #expect(failure.contains("realName of Character (required"))
    #expect(try trial.store.graph.count(of: "Character") == 2)
  }

  @Test func `G06, identifiers alone`() throws {
    let trial = try trial()
    let report = try trial.load(#"["1699", "1455"]"#)
    #expect(report.unfilledStubCount == 2)
    #expect(
      try trial.store.graph.objects("Character").map { $0["identifier"] }
        == [.integer(1699), .integer(1455)])
  }

  @Test func `G07, identifiers for objects that come later`() throws {
    let trial = try trial()
    try trial.load(
      """
      {"id": "1699", "name": "Batman", "real_name": "Bruce Wayne",
       "powers": ["4", null, "9"], "publisher": "10"}
      """)
    try trial.load(
      #"[{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}]"#, as: "Power")
    try trial.load(#"{"id": "10", "name": "DC Comics"}"#, as: "Publisher")
    let batman = try #require(try trial.store.graph.objects("Character").first)
    #expect(
      batman.objects("powers").map { $0["name"] } == [.string("Agility"), .string("Insanely Rich")])
    #expect(batman.object("publisher")?["name"] == .string("DC Comics"))
    #expect(try trial.store.graph.count(of: "Power") == 2)
  }

  @Test func `G08, identifiers for an entity without identity`() throws {
    let model = try GraphModel(
      contentsOf: PeerModels.folder.appending(path: "groot/Model.xcdatamodeld"),
      extensions: ModelExtensions(toleratesMissing: true))
    var entities = model.entities
    for index in entities.indices where entities[index].name == "Character" {
      entities[index].userInfo = [:]
    }
    let trial = try ImportTrial(
      entities, dialect: .groot,
      extensions: ModelExtensions(
        transformers: ["GrootTests.Transformer": .none], toleratesMissing: true))
    let failure = trial.failure(#"["1699", "1455"]"#, as: "Character")
    #expect(failure.hasPrefix("1:2: $[0]: expected"))
    #expect(failure.hasSuffix("Character has no identity that a value could give"))
  }

  @Test(arguments: ["true", #""abc""#])
  func `G09, an identifier that is none`(wrong: String) throws {
    let failure = try trial().failure(#"["1699", \#(wrong)]"#)
    #expect(failure.contains("$[1]: expected"))
  }

  @Test func `G10 and G17, an abstract entity whose objects say what they are`() throws {
    let trial = try trial("Container")
    try trial.load(try fixture("container"))
    let expected = [
      #"ConcreteA/1 container: Container/1, foo: "this is A", identifier: 1"#,
      #"ConcreteB/1 bar: "this is B", container: Container/1, identifier: 2"#,
      "Container/1 abstracts: [ConcreteA/1, ConcreteB/1]",
    ]
    #expect(trial.lines == expected)
    // Nothing says what this one is but its identity.
    try trial.load(#"{"id": 1, "foo": "this is A, updated"}"#, as: "Abstract")
    #expect(trial.lines.first == expected.first?.replacing("this is A", with: "this is A, updated"))
    let others = expected.dropFirst()
    #expect(trial.lines.dropFirst() == others)
  }

  @Test func `G11 and G18, a dictionary transformer`() throws {
    let legacy = "GrootTests.DictionaryTransformer"
    var entities = try trial().store.model.entities
    let index = try #require(entities.firstIndex { $0.name == "Character" })
    entities[index].userInfo["JSONDictionaryTransformerName"] = legacy
    let model = try GraphModel(
      entities: entities, dialect: .groot,
      extensions: ModelExtensions(
        transformers: ["GrootTests.Transformer": .stringInteger],
        dictionaryTransformers: [
          legacy: DictionaryTransformer { object in
            object["legacy_id"].map { object.merging(["id": $0]) { $1 } }
          }
        ], toleratesMissing: true))
    let trial = ImportTrial(model, entity: "Character")
    try trial.load(#"{"legacy_id": "1699", "name": "Batman", "real_name": "Bruce Wayne"}"#)
    #expect(try trial.store.graph.objects("Character").first?["identifier"] == .integer(1699))
  }

  @Test func `G12, an identity of two attributes`() throws {
    let trial = try trial("Card")
    try trial.load(try fixture("cards"))
    let before = Array(try trial.store.graph.objects("Card"))
    #expect(before.map { $0["numberOfTimesPlayed"] } == [.integer(2), .integer(3)])
    try trial.load(try fixture("cards_update"))
    let cards = Array(try trial.store.graph.objects("Card"))
    #expect(cards.map { $0["suit"] } == ["Diamonds", "Hearts", "Clubs"].map { .string($0) })
    #expect(cards.map { $0["value"] } == ["Three", "Jack", "Three"].map { .string($0) })
    #expect(cards.map { $0["numberOfTimesPlayed"] } == [2, 4, 1].map { .integer($0) })
  }

  @Test func `G15 and G16, a named transformer, one way and back`() throws {
    let transformer = AttributeTransformer(
      forward: { value in
        guard case .string(let text) = value, let number = Int64(text) else { return nil }
        return .integer(number)
      },
      reverse: { value in
        guard case .integer(let number) = value else { return nil }
        return .string("\(number)")
      })
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Character",
          attributes: [
            .make("id", .integer64, ["JSONKeyPath": "id", "JSONTransformerName": "Test.Number"])
          ])
      ], dialect: .groot, extensions: ModelExtensions(transformers: ["Test.Number": transformer]))
    guard case .custom(let registered)? = try model.attribute("Character", "id").transformer else {
      Issue.record("the transformer is not the one that was registered")
      return
    }
    #expect(try registered.forward(.string("1699")) == .integer(1699))
    #expect(try registered.forward(.string("Batman")) == nil)
    #expect(try registered.reverse?(.integer(1699)) == .string("1699"))
    let trial = ImportTrial(model, entity: "Character")
    try trial.load(#"{"id": "1699"}"#)
    #expect(trial.lines == ["Character/1 id: 1699"])
  }
}
