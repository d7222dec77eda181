import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Numbers and booleans that a document has as strings.
@Suite struct `An attribute that was read from strings` {
  private static let entities: [EntityDescription] = [
    .make("Tweet", [.make("text")], [.make("user", to: "User")]),
    .make("User"),
  ]

  @Test(arguments: [
    (AttributeType.integer64, "505874924095815681"), (.integer32, "-7"), (.integer16, "0"),
    (.double, "0.5"), (.float, "1.25"), (.decimal, "12345678901234567890.5"), (.boolean, "true"),
  ])
  func `is written as a string, and one that was not as it is`(
    type: AttributeType, value: String
  ) throws {
    for json in [#"[{"id":1,"v":"\#(value)"}]"#, #"[{"id":1,"v":\#(value)}]"#] {
      let trial = try ImportTrial([.make("E", [.make("v", type)])])
      try trial.load(json)
      #expect(try trial.export("E") == json)
    }
  }

  @Test(arguments: [("unix", #""1348457721.5""#), ("unix-ms", #""1348457721500""#)])
  func `is written as a string where it is a date in seconds`(
    format: String, value: String
  ) throws {
    let trial = try ImportTrial([.make("E", [.make("v", .date, ["JSONDateFormat": format])])])
    let json = #"[{"id":1,"v":\#(value)}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
  }

  @Test func `is written as a string from each later graph`() throws {
    let trial = try ImportTrial(Self.entities)
    try trial.load(#"[{"id":"1"},{"id":"2"}]"#)
    try trial.load(#"[{"id":"3"}]"#)
    try trial.store.write { graph in
      _ = try graph.findOrInsert("Tweet", identifiedBy: ["id": .integer(4)])
    }
    let json = try trial.export("Tweet") { $0.writesNull = false }
    #expect(json == #"[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"}]"#)
  }

  @Test(arguments: ["9007199254740992", "-9007199254740993", "9223372036854775807"])
  func `is written as a string where it was a number too only if it would be rounded`(
    large: String
  ) throws {
    let trial = try ImportTrial(Self.entities)
    try trial.load(#"[{"id":"1"},{"id":2},{"id":\#(large)},{"id":9007199254740991}]"#)
    let json = try trial.export("Tweet") { $0.writesNull = false }
    #expect(json == #"[{"id":1},{"id":2},{"id":"\#(large)"},{"id":9007199254740991}]"#)
  }

  @Test func `is not one that has an empty string, or is a key`() throws {
    let trial = try ImportTrial([
      .make(
        "E", [.make("v", .integer64)],
        [.make("parts", to: "Part", many: true, ["JSONKeyPath": "parts.*"])]),
      .make(
        "Part", identity: "",
        [.make("n", .integer64, ["JSONKeyPath": "n | @key"]), .make("m", .integer64)]),
    ])
    try trial.load(#"[{"id":1,"v":""},{"id":2,"v":7,"parts":{"3":{"m":1}}}]"#)
    let json = try trial.export("E") { $0.writesNull = false }
    #expect(json == #"[{"id":1,"parts":{}},{"id":2,"v":7,"parts":{"3":{"n":3,"m":1}}}]"#)
  }

  @Test func `is written as a string in place of its object`() throws {
    let trial = try ImportTrial(Self.entities)
    try trial.load(#"[{"id":1,"user":"505874924095815681"}]"#)
    #expect(
      try trial.exportAll { $0.writesNull = false }
        == #"{"User":["505874924095815681"],"Tweet":[{"id":1,"user":"505874924095815681"}]}"#)
    let other = try ImportTrial(Self.entities)
    try other.load(#"[{"id":1,"user":{"id":"7"}}]"#)
    #expect(
      try other.exportAll { $0.writesNull = false }
        == #"{"User":[{"id":"7"}],"Tweet":[{"id":1,"user":"7"}]}"#)
    let third = try ImportTrial(Self.entities)
    try third.load(#"[{"id":1,"user":7},{"id":2,"user":{"id":"505874924095815681"}}]"#)
    #expect(
      try third.exportAll { $0.writesNull = false }
        == #"{"User":[7,{"id":"505874924095815681"}],"#
        + #""Tweet":[{"id":1,"user":7},{"id":2,"user":"505874924095815681"}]}"#)
  }

  @Test func `is one in all entities that inherit it`() throws {
    let trial = try ImportTrial([
      .make("Animal", [], [], ["JSONDiscriminator": "type"]),
      .make("Dog", identity: "", parent: "Animal"), .make("Cat", identity: "", parent: "Animal"),
    ])
    try trial.load(#"[{"type":"Dog","id":"1"}]"#)
    try trial.store.write { graph in
      _ = try graph.findOrInsert("Cat", identifiedBy: ["id": .integer(2)])
    }
    #expect(
      try trial.export("Animal") == #"[{"type":"Dog","id":"1"},{"type":"Cat","id":"2"}]"#)
  }

  @Test func `stays one where another writer has committed meanwhile`() throws {
    let trial = try ImportTrial(Self.entities)
    let importer = try trial.store.makeImporter(entity: "Tweet")
    try importer.parse(Data(#"[{"id":"1"}"#.utf8))
    try trial.load(#"[{"id":"2"}]"#)
    try importer.parse(Data("]".utf8))
    _ = try importer.finish()
    let json = try trial.export("Tweet") { $0.writesNull = false }
    #expect(json == #"[{"id":"2"},{"id":"1"}]"#)
  }

  @Test func `is found in each snapshot that an export reads`() throws {
    let trial = try ImportTrial(Self.entities)
    try trial.load(#"[{"id":"1"}]"#)
    let before = try #require(try trial.store.graph.objects("Tweet").first)
    try trial.load(#"[{"id":1,"text":"t"}]"#)
    let after = try #require(try trial.store.graph.objects("Tweet").first)
    let json = try trial.export(.objects([before, after, before])) { $0.writesNull = false }
    #expect(json == #"[{"id":"1"},{"id":1,"text":"t"},{"id":"1"}]"#)
  }
}
