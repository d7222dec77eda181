import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Empty string where an attribute is not a string` {
  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .date, .boolean, .uuid, .uri,
  ]

  private static let model: [EntityDescription] = [
    .make("Box", types.enumerated().map { .make("v\($0.offset)", $0.element) })
  ]

  private static let json =
    #"{"id":1,\#(types.indices.map { "\"v\($0)\":\"\"" }.joined(separator: ","))}"#

  @Test(arguments: Dialect.allCases)
  func `is nil`(dialect: Dialect) throws {
    #expect(try outcome(of: Self.json, in: dialect, for: Self.model) == ["Box/1 id: 1"])
  }

  @Test(arguments: Dialect.identifying)
  func `takes the value that was there`(dialect: Dialect) throws {
    let values = Self.types.map { type in
      switch type {
      case .uuid: #""00000000-0000-0000-0000-000000000000""#
      case .uri: #""https://example.org""#
      default: "1"
      }
    }
    let members = values.enumerated().map { "\"v\($0.offset)\":\($0.element)" }
    let full = #"{"id":1,\#(members.joined(separator: ","))}"#
    #expect(try outcome(of: full, Self.json, in: dialect, for: Self.model) == ["Box/1 id: 1"])
  }

  @Test(arguments: Dialect.allCases, types.indices)
  func `is an error where that is asked for`(dialect: Dialect, index: Int) throws {
    let options = ImportOptions.with { $0.refusesEmptyStrings = true }
    let result = try outcome(
      of: #"{"id":1,"v\#(index)":""}"#, in: dialect, for: Self.model, options)
    #expect(result.first?.hasPrefix("! 1:14: $.v\(index): expected ") == true)
    #expect(result.first?.hasSuffix("found an empty string") == true)
  }

  @Test(arguments: Dialect.allCases, [true, false])
  func `is a text where a text belongs`(dialect: Dialect, isRefused: Bool) throws {
    let options = ImportOptions.with { $0.refusesEmptyStrings = isRefused }
    #expect(
      try outcome(of: #"{"id":1,"t":""}"#, in: dialect, for: [.make("Box", [.make("t")])], options)
        == [#"Box/1 id: 1, t: """#])
  }

  enum Kind: String, Sendable { case a, b }
  enum Mark: String, Sendable {
    case unmarked = ""
    case some
  }
  private struct Typed: Entity {
    let kind = Attribute<Kind?>()
    let mark = Attribute<Mark?>()
    let site = Attribute<URL?>()
    let price = Attribute<Decimal?>()
    let key = Attribute<UUID?>()
    let level = Attribute<Kind>(default: .b)
  }

  @Test func `is no case of an enumeration, unless one is spelt so`() throws {
    let store = try GraphStore(for: Typed.self)
    let json = #"{"kind": "", "mark": "", "site": "", "price": "", "key": "", "level": ""}"#
    try store.importJSON(Typed.self, from: Data(json.utf8))
    let object = try #require(store.graph.objects(Typed.self).first)
    #expect(object.kind == nil && object.mark == .unmarked && object.site == nil)
    #expect(object.price == nil && object.key == nil && object.level == .b)
  }

  @Test(arguments: ["kind", "site", "price", "key"])
  func `is an error for every type where that is asked for`(name: String) throws {
    let store = try GraphStore(for: Typed.self)
    let options = ImportOptions.with { $0.refusesEmptyStrings = true }
    #expect(throws: ImportError.self) {
      try store.importJSON(Typed.self, from: Data(#"{"\#(name)": ""}"#.utf8), options: options)
    }
  }

  @Test func `is the stated value of an enumeration that must have one`() throws {
    let annotations = ["JSONValues": "a|b", "JSONUnknownValue": "other"]
    var required = AttributeDescription.make("kind", .string, annotations)
    required.isOptional = false
    let trial = try ImportTrial(
      [.make("Box", [required, .make("mood", .string, annotations)])], dialect: .graft)
    let report = try trial.load(#"{"id":1,"kind":"","mood":""}"#)
    #expect(trial.lines == [#"Box/1 id: 1, kind: "other""#])
    #expect(report.noticeCount == 1)
  }

  @Test func `is no identity at a key`() throws {
    let trial = try ImportTrial([
      .make("Event", [.make("id", .uuid, ["JSONKeyPath": "@key"]), .make("name")])
    ])
    #expect(throws: ImportError.self) { try trial.load(#"{"e":{"":{"name":"a"}}}"#, at: "e.*") }
  }

  @Test(arguments: [
    (#"{"id":1,"mood":"","tags":["","x",null]}"#, nil), (#"[""]"#, "Tag"), (#"{"tag":""}"#, "Tag"),
  ])
  func `is no reference, wherever one may be`(json: String, root: String?) throws {
    for path in ["name", "@value", "name | @value"] {
      let entities: [EntityDescription] = [
        .make("Box", [], [.make("mood", to: "Tag"), .make("tags", to: "Tag", many: true)]),
        .make("Tag", identity: "name", [.make("name", .string, ["JSONKeyPath": path])]),
      ]
      let trial = try ImportTrial(entities)
      let place = json.hasPrefix("{\"tag\"") ? "tag" : nil
      try trial.load(json, as: root, at: place)
      #expect(
        trial.lines == (root == nil ? ["Box/1 id: 1, tags: [Tag/1]", #"Tag/1 name: "x""#] : []))
      let refusing = ImportOptions.with { $0.refusesEmptyStrings = true }
      #expect(trial.failure(json, as: root, at: place, refusing).contains("found an empty string"))
    }
  }

  @Test func `is a value of an object that is found by its key`() throws {
    let trial = try ImportTrial([
      .make(
        "Language", identity: "code",
        [
          .make("code", .string, ["JSONKeyPath": "@key"]),
          .make("name", .string, ["JSONKeyPath": "@value"]),
        ])
    ])
    try trial.load(#"{"en":""}"#, at: "*")
    #expect(trial.lines == [#"Language/1 code: "en", name: """#])
  }
}
