import CommandLineSupport
import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Attributes of numbers and booleans that a document has as strings (`JSONWrittenAs`).
@Suite struct `An attribute that is written as a string` {
  private static let asString = ["JSONWrittenAs": "string"]

  private static let entities: [EntityDescription] = [
    .make(
      "Tweet", identity: "number",
      [.make("number", .integer64, ["JSONKeyPath": "id_str"])],
      [.make("user", to: "User")]),
    .make(
      "User", identity: "number", [.make("number", .integer64, ["JSONWrittenAs": "string"])]),
  ]

  @Test(arguments: [
    (AttributeType.integer64, "505874924095815681"), (.integer32, "-7"), (.integer16, "0"),
    (.double, "0.5"), (.float, "1.25"), (.decimal, "12345678901234567890.5"), (.boolean, "true"),
  ])
  func `is one in an export, whether it was read from a string or not`(
    type: AttributeType, value: String
  ) throws {
    for (annotations, expected) in [(Self.asString, "\"\(value)\""), ([:], value)] {
      for read in ["\"\(value)\"", value] {
        let trial = try ImportTrial([.make("E", [.make("v", type, annotations)])])
        try trial.load(#"[{"id":1,"v":\#(read)}]"#)
        #expect(try trial.export("E") == #"[{"id":1,"v":\#(expected)}]"#)
      }
    }
  }

  @Test(arguments: [("unix", #""1348457721.5""#), ("unix-ms", #""1348457721500""#)])
  func `is one where it is a date in seconds`(format: String, value: String) throws {
    let trial = try ImportTrial([
      .make(
        "E", [.make("v", .date, ["JSONDateFormat": format, "JSONWrittenAs": "string"])])
    ])
    let json = #"[{"id":1,"v":\#(value)}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
  }

  @Test(arguments: [
    ("v_str", AttributeType.integer64, [:], #""v_str":"7""#),
    ("v", .integer64, [:], #""v":7"#),
    ("a.v_str", .integer16, [:], #""a":{"v_str":"7"}"#),
    ("v_str", .double, [:], #""v_str":0.5"#),
    ("v_str", .integer64, ["JSONWrittenAs": "value"], #""v_str":7"#),
  ])
  func `is one where its key ends in _str and it holds integers`(
    path: String, type: AttributeType, annotations: [String: String], member: String
  ) throws {
    let trial = try ImportTrial([
      .make("E", [.make("v", type, annotations.merging(["JSONKeyPath": path]) { $1 })])
    ])
    let json = #"[{"id":1,\#(member)}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
  }

  @Test func `is one in place of its object`() throws {
    let trial = try ImportTrial(Self.entities)
    try trial.load(#"[{"id_str":1,"user":505874924095815681}]"#)
    #expect(
      try trial.exportAll()
        == #"{"User":["505874924095815681"],"Tweet":[{"id_str":"1","user":"505874924095815681"}]}"#)
  }

  @Test func `is one in all entities that inherit it`() throws {
    let trial = try ImportTrial([
      .make(
        "Animal", identity: "number", [.make("number", .integer64, Self.asString)], [],
        ["JSONDiscriminator": "type"]),
      .make("Dog", identity: "", parent: "Animal"), .make("Cat", identity: "", parent: "Animal"),
    ])
    try trial.load(#"[{"type":"Dog","number":"1"},{"type":"Cat","number":2}]"#)
    #expect(
      try trial.export("Animal")
        == #"[{"type":"Dog","number":"1"},{"type":"Cat","number":"2"}]"#)
  }

  @Test func `is declared by a parameter of a typed attribute`() throws {
    let store = try GraphStore(for: Tweet.self)
    let json = #"[{"number":"505874924095815681","is_new":"true"}]"#
    try store.importJSON(Tweet.self, from: Data(json.utf8))
    let exporter = try JSONExporter(model: store.model)
    #expect(try exporter.data(.entity(Tweet.self, of: store.graph)) == Data(json.utf8))
    #expect(store.model.summary.contains("written as: string"))
  }

  private struct Tweet: Entity {
    let id = Attribute<Int64>("number", writtenAs: .string)
    let isNew = Attribute<Bool>("is_new", writtenAs: .string)
    static let identity = [\Self.id]
  }

  @Test(arguments: [
    (AttributeType.string, [:]), (.uuid, [:]), (.transformable, [:]),
    (.date, [:]), (.date, ["JSONDateFormat": "iso8601"]),
  ])
  func `is warned of where it is no number`(
    type: AttributeType, annotations: [String: String]
  ) throws {
    let model = try GraphModel(
      entities: [.make("E", [.make("v", type, annotations.merging(Self.asString) { $1 })])],
      dialect: .graft)
    #expect(
      model.warnings.map(\.description).contains {
        $0.hasPrefix("E.v: JSONWrittenAs has no effect on \(type.withArticle)")
      })
  }

  @Test func `is one of two values`() {
    #expect {
      try GraphModel(
        entities: [.make("E", [.make("v", .integer64, ["JSONWrittenAs": "text"])])], dialect: .graft
      )
    } throws: { error in
      "\(error)".contains("E.v: JSONWrittenAs is \"text\", expected value or string")
    }
  }
}
