import CommandLineSupport
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct IdentityTests {
  func entity(_ userInfo: [String: String]) -> [EntityDescription] {
    [
      EntityDescription(
        name: "Card",
        attributes: [
          .make("suit"), .make("value"), .make("face", .transformable), .make("at", .date),
          .make("isWild", .boolean), .make("secret", .string, ["JSONKeyPath": "-"]),
        ],
        relationships: [.make("deck", to: "Card")], userInfo: userInfo)
    ]
  }

  @Test(arguments: [
    ("suit", ["suit"]), ("suit, value", ["suit", "value"]), ("value suit", ["suit", "value"]),
    (" suit ,value,\tat ", ["at", "suit", "value"]), ("suit suit", ["suit"]),
  ])
  func `identity attributes are separated by commas or spaces, and ordered by name`(
    text: String, names: [String]
  ) throws {
    let model = try GraphModel(entities: entity(["identityAttributes": text]))
    #expect(try model.identity(of: "Card") == names)
  }

  @Test(arguments: [
    ("suite", "names \"suite\", which is no attribute of Card, did you mean \"suit\"?"),
    ("deck", "names \"deck\", which is a relationship of Card"),
    ("face", "a Transformable, which cannot identify objects"),
    (" ", "is empty, expected names of attributes"),
  ])
  func `an identity that names no fit attribute is refused`(text: String, message: String) {
    #expect(errors(entity(["identityAttributes": text])).contains(message))
  }

  @Test func `an identity attribute that is not in JSON is warned of`() throws {
    let model = try GraphModel(entities: entity(["identityAttributes": "secret"]))
    #expect(model.warningText.contains("\"secret\" has no place in JSON"))
  }

  @Test func `objects are compared by an attribute that can grow`() throws {
    let model = try GraphModel(entities: entity(["JSONModified": "at"]))
    #expect(try model.compiled("Card").modifiedAttribute == 3)
    #expect(errors(entity(["JSONModified": "isWild"])).contains("expected a date, a number"))
    #expect(errors(entity(["JSONModified": "att"])).contains("did you mean \"at\"?"))
  }

  @Test func `an identity that tells only two objects apart is warned of`() throws {
    let model = try GraphModel(entities: entity(["identityAttributes": "isWild"]))
    #expect(
      model.warningText.hasPrefix(
        "Card: identified by \"isWild\", which is only true or false, so there can be no more than 2"
      ))
    let both = try GraphModel(
      entities: entity(["identityAttributes": "isWild suit"]), dialect: .graft)
    #expect(both.warnings.isEmpty)
  }

  @Test(arguments: [["suit", "value"], ["value", "suit"]])
  func `people read an identity in the order of the model, and keys are in the order of names`(
    names: [String]
  ) throws {
    let text = names.joined(separator: " ")
    let model = try GraphModel(entities: entity(["identityAttributes": text]))
    #expect(model.summary.contains("identity \(names.joined(separator: " + "))"))
    #expect(try model.identity(of: "Card") == ["suit", "value"])
    let graph = GraphStore(model: model).graph
    #expect {
      try graph.object("Card", identifiedBy: ["at": .string("x")])
    } throws: {
      "\($0)".contains(names.quoted)
    }
    let other = try GraphModel(entities: entity(["identityAttributes": "suit,value"]))
    #expect(model == other)
  }
}
