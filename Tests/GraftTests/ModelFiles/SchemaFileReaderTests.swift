import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct SchemaFileReaderTests {
  func read(_ json: String) throws -> ModelDocument {
    try SchemaFileReader.read(Data(json.utf8), file: "schema.json")
  }

  func errors(_ json: String) -> String {
    do {
      _ = try read(json)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `a schema says all that a description holds`() throws {
    let document = try read(
      """
      {"dialect": "groot", "entities": [
        {"name": "A", "superentity": "B", "isAbstract": true,
         "userInfo": {"x": "y", "n": 1, "b": true},
         "attributes": [
           {"name": "i", "type": "Integer 64", "isOptional": false,
            "defaultValue": 9007199254740993, "minimum": 1, "maximum": "5.5"},
           {"name": "d", "type": "Date", "defaultValue": "1970-01-02"},
           {"name": "p", "type": "Decimal", "defaultValue": 1.10},
           {"name": "s", "type": "String", "pattern": "a+", "isTransient": true,
            "indexed": true, "transformerName": "T"},
           {"name": "f", "type": "Boolean", "defaultValue": true}],
         "relationships": [
           {"name": "r", "destination": "B", "inverse": "q", "isToMany": true, "isOrdered": true,
            "isOptional": false, "minimumCount": 1, "maximumCount": 2,
            "deleteRule": "No Action"}]}]}
      """)
    #expect(document.dialect == .groot)
    #expect(
      document.entities == [
        EntityDescription(
          name: "A", superentity: "B", isAbstract: true,
          attributes: [
            AttributeDescription(
              name: "i", type: .integer64, isOptional: false,
              defaultValue: .integer(9_007_199_254_740_993), minimum: "1", maximum: "5.5"),
            AttributeDescription(
              name: "d", type: .date, defaultValue: .date(Date(timeIntervalSince1970: 86_400))),
            AttributeDescription(
              name: "p", type: .decimal,
              defaultValue: .decimal(Decimal(sign: .plus, exponent: -1, significand: 11))),
            AttributeDescription(
              name: "s", type: .string, pattern: "a+", isTransient: true, isIndexed: true,
              transformerName: "T"),
            AttributeDescription(name: "f", type: .boolean, defaultValue: .boolean(true)),
          ],
          relationships: [
            RelationshipDescription(
              name: "r", destination: "B", inverse: "q", isToMany: true, isOrdered: true,
              isOptional: false, minimumCount: 1, maximumCount: 2, deleteRule: .noAction)
          ], userInfo: ["x": "y", "n": "1", "b": "true"])
      ])
  }

  @Test func `what is left out is as in a description made in code, in Graft's dialect`() throws {
    let document = try read(
      """
      {"entities": [{"name": "A", "attributes": [{"name": "a", "type": "String"}],
                     "relationships": [{"name": "r", "destination": "A", "inverse": null}]}]}
      """)
    #expect(document.dialect == .graft)
    #expect(
      document.entities == [
        EntityDescription(name: "A", attributes: [.make("a")], relationships: [.make("r", to: "A")])
      ])
  }

  @Test(arguments: [
    (#"{"entites": []}"#, #"$: unknown key "entites", did you mean "entities"?"#),
    (#"{"entities": {}}"#, #"$: expected an array under "entities", found an object"#),
    (#"{"entities": [1]}"#, "$.entities[0]: expected an object, found the number 1"),
    (#"{"dialect": "grot"}"#, #"did you mean "groot"?"#),
    (#"{"entities": [{}]}"#, #"$.entities[0]: expected a string under "name""#),
    (
      #"{"entities": [{"name": "A", "isAbstract": "YES"}]}"#,
      #"$.entities[0]: expected true or false under "isAbstract", found the string "YES""#
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "Strin"}]}]}"#,
      #"$.entities[0].attributes[0]: type is "Strin", expected Integer 16"#
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a"}]}]}"#,
      "$.entities[0].attributes[0]: expected one of Integer 16"
    ),
    (
      #"{"entities": [{"attributes": [{"name": "a", "type": "Date", "defaultValue": 1}]}]}"#,
      #"the default value "1" is no Date"#
    ),
    (
      #"{"entities": [{"attributes": [{"name": "a", "type": "Date", "defaultValue": 12.5}]}]}"#,
      #"the default value "12.5" is no Date"#
    ),
    (
      #"{"entities": [{"name": "A", "userInfo": {"x": []}}]}"#,
      #"$.entities[0].userInfo: expected a string under "x", found an array"#
    ),
    (
      #"{"entities": [{"name": "A", "relationships": [{"name": "r", "maximumCount": 1.5}]}]}"#,
      #"expected a whole number under "maximumCount", found the number 1.5"#
    ),
    (#"{"entities": ["#, "schema.json:1:15: malformed JSON: $.entities"),
    ("{\n\"entities\": [}", "schema.json:2:14: malformed JSON: $.entities"),
  ])
  func `what does not fit is refused with its place and the expectation`(
    json: String, message: String
  ) {
    #expect(errors(json).contains(message), "\(errors(json))")
  }

  @Test func `every fault is told with the line and column of the value or key that has it`() {
    let json = """
      {
        "dialekt": "graft",
        "entities": [
          { "name": 7 },
          { "name": "A", "isAbstract": "YES",
            "userInfo": { "x": {} },
            "attributes": [
              { "name": "a" },
              { "name": "b", "type": "Date",
                "defaultValue": "soon" } ] } ]
      }
      """
    let places = errors(json).split(separator: "\n").map { line in
      line.split(separator: " ").prefix(2).joined(separator: " ")
    }
    #expect(
      places == [
        "schema.json:2:3: $:", "schema.json:4:15: $.entities[0]:",
        "schema.json:5:34: $.entities[1]:", "schema.json:6:26: $.entities[1].userInfo:",
        "schema.json:8:9: $.entities[1].attributes[0]:",
        "schema.json:10:27: $.entities[1].attributes[1]:",
      ])
  }

  @Test func `what only the whole model shows is told with the place of the entity or property`() {
    let json = """
      { "entities": [
          { "name": "A", "userInfo": { "identityAttributes": "c" },
            "attributes": [
              { "name": "a", "type": "Integer 16", "defaultValue": 1, "minimum": "x" } ],
            "relationships": [
              { "name": "r", "destination": "B" } ] } ] }
      """
    let error = #expect(throws: ModelError.self) {
      try GraphModel(read(json), dialect: nil, extensions: ModelExtensions())
    }
    let places = error?.issues.map { "\($0.location?.position, default: "-") \($0.property ?? "")" }
    #expect(places == ["2:5 ", "4:9 a", "6:9 r"])
  }

  @Test func `of a repeated key the first counts, with a warning`() throws {
    let document = try read(
      """
      {"entities": [{"name": "A", "name": "B", "userInfo": {"x": 1, "x": 2}}],
       "entities": []}
      """)
    #expect(document.entities.map(\.name) == ["A"])
    #expect(document.entities.first?.userInfo == ["x": "1"])
    let repeated = "is repeated, and only its first value counts; remove one"
    let warnings = document.log.warnings
    #expect(
      warnings.map(\.description) == [
        "schema.json:2:2: $: the key \"entities\" \(repeated)",
        "schema.json:1:29: $.entities[0]: the key \"name\" \(repeated)",
        "schema.json:1:63: $.entities[0].userInfo: the key \"x\" \(repeated)",
      ])
    let model = try GraphModel(document, dialect: nil, extensions: ModelExtensions())
    #expect(model.warnings == warnings)
  }

  @Test func `an empty default value of anything but a string is none`() throws {
    for type in AttributeType.allCases where ![.string, .binary].contains(type) {
      let document = try read(
        """
        {"entities": [{"name": "A", "attributes":
          [{"name": "a", "type": "\(type.rawValue)", "defaultValue": ""}]}]}
        """)
      #expect(document.entities.first?.attributes.first?.defaultValue == nil)
    }
  }
}
