import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct GraftDialectTests {
  func model(
    attribute: [String: String] = [:], type: AttributeType = .string,
    relationship: [String: String] = [:], many: Bool = false, entity: [String: String] = [:]
  ) throws -> GraphModel {
    try GraphModel(entities: Self.entities(attribute, type, relationship, many, entity))
  }

  static func entities(
    _ attribute: [String: String] = [:], _ type: AttributeType = .string,
    _ relationship: [String: String] = [:], _ many: Bool = false, _ entity: [String: String] = [:]
  ) -> [EntityDescription] {
    [
      EntityDescription(
        name: "E", attributes: [.make("a", type, attribute)],
        relationships: [.make("r", to: "E", many: many, relationship)], userInfo: entity)
    ]
  }

  @Test func `unannotated properties stand under their own names, an inverse too`() throws {
    let model = try GraphModel(entities: [
      EntityDescription(name: "A", relationships: [.make("b", to: "B", inverse: "a")]),
      EntityDescription(
        name: "B", attributes: [.make("name.first")], relationships: [.make("a", to: "A")]),
    ])
    #expect(try model.paths("A", "b") == ["b"])
    #expect(try model.paths("B", "a") == ["a"])
    #expect(try model.attribute("B", "name.first").paths == [JSONPath([.member("name.first")])])
  }

  @Test(arguments: [
    ("x", ["x"]), ("x.y[0]", ["x.y[0]"]), ("x | y.z|w", ["x", "y.z", "w"]), ("-", []),
    ("@value", ["@value"]), ("['a|b'] | c", ["['a|b']", "c"]),
    (#"["it's | ]"] | c"#, [#"['it\'s | ]']"#, "c"]),
    (" x ", ["x"]), ("a.@key", ["a.@key"]),
  ])
  func `a key path names one place, several, or none`(text: String, paths: [String]) throws {
    let model = try model(
      attribute: ["JSONKeyPath": text, "JSONNull": "keep"], relationship: ["JSONKeyPath": text])
    #expect(try model.paths("E", "a") == paths)
    #expect(try model.paths("E", "r") == paths)
  }

  @Test func `a transient attribute is in JSON only if it is annotated`() throws {
    var entities = Self.entities()
    entities[0].attributes[0].isTransient = true
    #expect(try GraphModel(entities: entities).paths("E", "a") == [])
    entities[0].attributes[0].userInfo = ["JSONKeyPath": "x"]
    #expect(try GraphModel(entities: entities).paths("E", "a") == ["x"])
  }

  @Test(
    arguments: [
      ("auto", .automatic), ("iso8601", .iso8601), ("unix", .unix), ("unix-ms", .unixMilliseconds),
      ("dd.MM.yyyy", .pattern("dd.MM.yyyy")),
    ] as [(String, DateFormat)])
  func `a date format is a word or a pattern`(text: String, format: DateFormat) throws {
    let model = try model(attribute: ["JSONDateFormat": text], type: .date)
    #expect(try model.attribute("E", "a").dateFormat == format)
  }

  @Test func `policies of attributes are read`() throws {
    for policy in NullPolicy.allCases {
      let model = try model(attribute: ["JSONNull": policy.rawValue])
      #expect(try model.attribute("E", "a").policies.onNull == policy)
    }
    for policy in AbsentPolicy.allCases {
      let model = try model(attribute: ["JSONAbsent": policy.rawValue])
      #expect(try model.attribute("E", "a").policies.onAbsent == policy)
    }
    let omitted = try model(attribute: ["JSONExport": "omit"])
    #expect(try omitted.attribute("E", "a").policies.export == .omit)
  }

  @Test func `policies of relationships are read`() throws {
    let model = try model(
      relationship: [
        "JSONNull": "keep", "JSONAbsent": "error", "JSONCollection": "union",
        "JSONRemoved": "delete", "JSONReference": "defer", "JSONExport": "identifier",
      ], many: true)
    let relationship = try model.relationship("E", "r")
    #expect(relationship.policies.onNull == .keep)
    #expect(relationship.policies.onAbsent == .error)
    #expect(relationship.policies.collection == .union)
    #expect(relationship.policies.removed == .delete)
    #expect(relationship.policies.reference == .defer)
    #expect(relationship.policies.export == .identifier)
  }

  @Test func `what is not annotated is left to the import's options`() throws {
    let model = try model()
    #expect(try model.attribute("E", "a").policies.onNull == nil)
    #expect(try model.relationship("E", "r").policies.collection == nil)
    #expect(try model.compiled("E").missingIdentity == nil)
  }

  @Test(arguments: MissingIdentityPolicy.allCases)
  func `the policy for a missing identity is read`(policy: MissingIdentityPolicy) throws {
    let model = try model(entity: ["JSONMissingIdentity": policy.rawValue])
    #expect(try model.compiled("E").missingIdentity == policy)
  }

  @Test(
    arguments: [
      (
        ["JSONNull": "clar"], [:],
        "E.a: JSONNull is \"clar\", expected clear, keep, default or error, did you mean \"clear\"?"
      ),
      (
        ["JSONExport": "identifier"], [:],
        "E.a: JSONExport is \"identifier\", expected nested or omit"
      ),
      ([:], ["JSONNull": "default"], "E.r: JSONNull is \"default\", expected clear, keep or error"),
      ([:], ["JSONReference": "later"], "expected stub, ignore, defer or error"),
      (["JSONKeyPath": "a | "], [:], "E.a: JSONKeyPath: invalid path \"\""),
      (["JSONDateFormat": "isO8601"], [:], "did you mean \"iso8601\"?"),
    ] as [([String: String], [String: String], String)])
  func `a value that a policy lacks is refused with those that it has`(
    attribute: [String: String], relationship: [String: String], message: String
  ) {
    let text = errors(Self.entities(attribute, .date, relationship))
    #expect(text.contains(message), "\(text)")
  }

  @Test func `policies without effect are warned of`() throws {
    let model = try model(
      attribute: ["JSONDateFormat": "unix"], relationship: ["JSONCollection": "union"])
    #expect(model.warningText.contains("E.a: JSONDateFormat has no effect on a String"))
    #expect(
      model.warningText.contains("E.r: JSONCollection has no effect on a relationship to one"))
  }

  @Test func `Groot's and RestKit's names of the identity are read as well`() throws {
    for name in ["identityAttributes", "identityAttribute", "RKEntityIdentificationAttributes"] {
      let model = try GraphModel(
        entities: Self.entities([:], .string, [:], false, [name: "a"]), dialect: .graft)
      #expect(try model.identity(of: "E") == ["a"])
    }
  }
}
