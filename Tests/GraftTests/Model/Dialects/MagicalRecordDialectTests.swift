import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct MagicalRecordDialectTests {
  func model(
    _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = [],
    _ userInfo: [String: String] = [:], also: [EntityDescription] = []
  ) throws -> GraphModel {
    let entity = EntityDescription(
      name: "Person", attributes: attributes, relationships: relationships, userInfo: userInfo)
    return try GraphModel(entities: [entity] + also, dialect: .magicalrecord)
  }

  @Test func `fallback keys follow the key up to the first that is missing`() throws {
    let keys = [
      "mappedKeyName": "a.b", "mappedKeyName.1": "c", "mappedKeyName.2": "d",
      "mappedKeyName.4": "e",
    ]
    let model = try model(
      [.make("x", .string, keys), .make("y", .string, ["mappedKeyName.1": "z"]), .make("w")],
      [.make("r", to: "Person", keys)])
    #expect(try model.paths("Person", "x") == ["a.b", "c", "d"])
    #expect(try model.paths("Person", "y") == ["y", "z"])
    #expect(try model.paths("Person", "w") == ["w"])
    #expect(try model.paths("Person", "r") == ["a.b", "c", "d"])
    #expect(
      model.warnings.map(\.message)
        == Array(
          repeating:
            "mappedKeyName.4 is not read, because mappedKeyName.3 is missing; leave no number out",
          count: 2))
  }

  @Test func `identity is annotated, or by convention the entity's name and ID`() throws {
    let attributes: [AttributeDescription] = [.make("personID", .integer64), .make("email")]
    #expect(try model(attributes).identity(of: "Person") == ["personID"])
    let annotated = try model(attributes, [], ["relatedByAttribute": "email"])
    #expect(try annotated.identity(of: "Person") == ["email"])
    #expect(try model([.make("email")]).identity(of: "Person") == [])
    #expect(try model([.make("email")]).warnings.isEmpty)
  }

  @Test func `an annotated identity that names no attribute means none, with a warning`() throws {
    let model = try model([.make("personID")], [], ["relatedByAttribute": "personId"])
    #expect(try model.identity(of: "Person") == [])
    #expect(
      model.warningText
        == "Person: relatedByAttribute names \"personId\", which is no attribute of Person, "
        + "so there is no identity, did you mean \"personID\"?")
  }

  @Test func `a relationship seeks by its own attribute, else by the destination's convention`()
    throws
  {
    let pet = EntityDescription(
      name: "Pet", attributes: [.make("petID"), .make("chip")],
      userInfo: ["relatedByAttribute": "none"])
    let model = try model(
      [.make("personID")],
      [
        .make("pet", to: "Pet"), .make("dog", to: "Pet", ["relatedByAttribute": "chip"]),
        .make("friend", to: "Person"),
      ], also: [pet])
    #expect(try model.relationship("Person", "pet").relatedBy == 0)
    #expect(try model.relationship("Person", "dog").relatedBy == 1)
    #expect(try model.relationship("Person", "friend").relatedBy == nil)
  }

  @Test func `date formats, defaults and colours are read`() throws {
    let model = try model([
      .make("a", .date, ["dateFormat": "UnixTime"]), .make("b", .date, ["dateFormat": "M/d/yyyy"]),
      .make("c", .date), .make("d", .string, ["useDefaultValueWhenNotPresent": "YES"]),
      .make("e", .string, ["useDefaultValueWhenNotPresent": "0"]),
      .make("f", .transformable, ["attributeValueClassName": "UIColor"]),
      .make("g", .string, ["attributeValueClassName": "NSString"]),
    ])
    let attributes = try model.compiled("Person").attributes
    #expect(
      attributes.prefix(3).map(\.dateFormat) == [
        .unixMilliseconds, .pattern("M/d/yyyy"), .automatic,
      ])
    #expect(attributes[3...4].map(\.policies.onAbsent) == [.default, nil])
    #expect(attributes[5...6].map(\.transformer) == [.hexColor, nil])
    #expect(attributes[5...6].map(\.isStrict) == [false, true])
  }

  @Test func `an unfit date format is refused`() {
    let entity = EntityDescription(
      name: "E", attributes: [.make("a", .date, ["dateFormat": "Unixtime"])])
    #expect(errors([entity], dialect: .magicalrecord).contains("did you mean \"UnixTime\"?"))
  }
}
