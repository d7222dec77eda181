import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Values that an import reads from the objects around an object.
@Suite struct `An export of outer values` {
  private static func item(_ paths: [String: String], identity: String) -> EntityDescription {
    .make(
      "Item", identity: identity,
      [.make("sku")]
        + paths.sorted { $0.key < $1.key }.map { .make($0, .string, ["JSONKeyPath": $1]) })
  }

  private func trial(
    _ paths: [String: String], identity: String = "order sku", path: String = "items"
  ) throws -> ImportTrial {
    try ImportTrial([
      .make(
        "Order", [.make("name")], [.make("items", to: "Item", many: true, ["JSONKeyPath": path])]),
      Self.item(paths, identity: identity),
      .make("Note", identity: "text", [.make("text")], [.make("about", to: "Item")]),
    ])
  }

  @Test(arguments: [
    ("@parent.id", "items"), ("@parent.@parent.id", "cart.items"),
    ("@parent.@parent.id", "items.*"), ("@parent.id", "list[*].item"),
  ])
  func `nests the objects in the one that has the value`(value: String, path: String) throws {
    let items =
      switch path {
      case "items": #""items":[{"sku":"a"},{"sku":"b"}]"#
      case "cart.items": #""cart":{"items":[{"sku":"a"},{"sku":"b"}]}"#
      case "items.*": #""items":{"0":{"sku":"a"},"1":{"sku":"b"}}"#
      default: #""list":[{"item":{"sku":"a"}},{"item":{"sku":"b"}}]"#
      }
    let up = path == "list[*].item" ? "@parent.@parent.id" : value
    let trial = try trial(["order": up], path: path)
    let json = #"[{"id":7,"name":"x",\#(items)},{"id":8,"name":"y",\#(items)}]"#
    try trial.load(json)
    #expect(try trial.export("Order") == json)
    #expect(
      try trial.exportAll() == #"{"Item":[],"Order":\#(json),"Note":[]}"#)
    #expect(try trial.losses(.graph(trial.store.graph)).isEmpty)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  @Test func `nests an object once, and refers to it elsewhere`() throws {
    let trial = try trial(["order": "@parent.id"], identity: "sku")
    try trial.load(#"[{"id":7,"name":"x","items":[{"sku":"a"}]}]"#)
    try trial.load(#"[{"text":"n","about":"a"}]"#, as: "Note")
    #expect(
      try trial.exportAll()
        == #"{"Item":[],"Order":[{"id":7,"name":"x","items":[{"sku":"a"}]}],"#
        + #""Note":[{"text":"n","about":"a"}]}"#)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  @Test func `writes a value where it is read, though no property of the owner is there`() throws {
    let trial = try trial(["currency": "@parent.currency"], identity: "sku", path: "cart.items")
    let json =
      #"[{"id":7,"name":null,"cart":{"currency":"EUR","items":[{"sku":"a"},{"sku":"b"}]}}]"#
    try trial.load(json)
    #expect(try trial.export("Order") == json)
    try trial.store.write { graph in
      let item = try graph.object("Item", identifiedBy: ["sku": .string("b")])
      item?["currency"] = .string("NOK")
    }
    #expect(try trial.export("Order") == json)
    let losses = try trial.losses("Order")
    #expect(losses.map(\.property) == ["currency"])
    #expect(losses[0].message.hasSuffix(#"(Item "b")"#))
  }

  @Test func `names a value that is another one around, or is none and would be one`() throws {
    let trial = try trial(["order": "@parent.id", "name": "@parent.name"], identity: "sku")
    try trial.load(#"[{"id":7,"items":[{"sku":"a"}]}]"#)
    #expect(try trial.losses("Order").isEmpty)
    try trial.store.write { graph in
      let order = try graph.object("Order", identifiedBy: ["id": .integer(7)])
      order?["name"] = .string("new")
    }
    #expect(try trial.losses("Order").map(\.property) == ["name"])
    // Without an object around there are no values at all.
    let losses = try trial.losses("Item")
    #expect(losses.map(\.property) == ["order"])
    #expect(
      losses[0].message.hasPrefix(
        "Item.order: not written, because an import reads it from the object around (@parent), where this"
          + " value is not found; write the objects that it belongs to"))
  }

  @Test(arguments: [
    // The list of user 2 would take back what the note, which is nested in user 1, has said.
    (#"{"id":2,"name":"y"}"#, [], true),
    // It must be written, since its other note has no other place.
    (#"{"id":2,"name":"y","notes":[{"text":"b"}]}"#, ["notes"], false),
  ])
  func
    `writes a list of a nested object unless all of its members name it, or says what it takes back`(
      second: String, properties: [String], isSame: Bool
    ) throws
  {
    let trial = try ImportTrial([
      .make("Team", [], [.make("members", to: "User", many: true)]),
      .make(
        "User", [.make("name"), .make("team", .integer64, ["JSONKeyPath": "@parent.id"])],
        [.make("notes", to: "Note", many: true, inverse: "users")]),
      .make(
        "Note", identity: "", [.make("text")],
        [.make("users", to: "User", many: true, inverse: "notes")]),
    ])
    try trial.load(
      #"[{"id":1,"members":[{"id":1,"name":"x"},\#(second)]}]"#, as: "Team")
    try trial.store.write { graph in
      let note = try graph.insert("Note")
      note["text"] = .string("a")
      let users = try [1, 2].map {
        try #require(try graph.object("User", identifiedBy: ["id": .integer($0)]))
      }
      try note.setObjects(users, of: "users")
    }
    #expect(try trial.losses(.graph(trial.store.graph)).map(\.property) == properties)
    #expect((try trial.afterExport().content == trial.store.graph.content) == isSame)
  }

  @Test func `refers by an object to one whose identity others read`() throws {
    let trial = try ImportTrial([
      .make("Event", [], [.make("issue", to: "Issue"), .make("comment", to: "Comment")]),
      .make("Issue", [.make("title")]),
      .make("Comment", [], [.make("issue", to: "Issue", ["JSONKeyPath": "@parent.issue.id"])]),
    ])
    try trial.load(#"[{"id":1,"issue":{"id":2,"title":"t"},"comment":{"id":3}},{"id":4}]"#)
    #expect(
      try trial.exportAll { $0.writesNull = false }
        == #"{"Issue":[{"id":2,"title":"t"}],"Comment":[],"#
        + #""Event":[{"id":1,"issue":{"id":2},"comment":{"id":3}},{"id":4}]}"#)
    #expect(try trial.afterExport().content == trial.store.graph.content)
    #expect(try trial.losses("Comment").map(\.property) == ["issue"])
  }

  @Test(arguments: [
    ("stats.*.*", #"{"edge":{"12":"n","13":"y"},"opera":{"12":"u"}}"#),
    ("stats.*.by.*", #"{"edge":{"by":{"12":"n","13":"y"}},"opera":{"by":{"12":"u"}}}"#),
    ("stats.*.one", #"{"edge":{"one":"n"},"opera":{"one":"u"}}"#),
  ])
  func `writes dictionaries of dictionaries, each object under the keys that it reads`(
    path: String, stats: String
  ) throws {
    let up = path == "stats.*.by.*" ? "@parent.@parent.@key" : "@parent.@key"
    let trial = try ImportTrial([
      .make("Feature", [], [.make("support", to: "Support", many: true, ["JSONKeyPath": path])]),
      .make(
        "Support", identity: "",
        [
          .make("agent", .string, ["JSONKeyPath": up]),
          .make("version", .string, ["JSONKeyPath": path.hasSuffix("*") ? "@key" : "-"]),
          .make("flag", .string, ["JSONKeyPath": "@value"]),
        ]),
    ])
    let json = #"[{"id":1,"stats":\#(stats)}]"#
    try trial.load(json)
    #expect(try trial.export("Feature") == json)
    #expect(try trial.losses(.graph(trial.store.graph)).isEmpty)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }
}

/// The order of the entities in an export of the whole graph.
@Suite struct `An export of a whole graph` {
  @Test(arguments: [
    (["A": ["B"], "B": ["C"], "C": []], "CBA"), (["A": ["C"], "B": [], "C": ["A"]], "BAC"),
    (["A": ["A"], "B": ["A"], "C": ["B"]], "ABC"),
    (["A": ["B", "C"], "B": ["A"], "C": []], "CAB"),
  ])
  func `writes what is referred to before what refers to it`(
    references: [String: [String]], order: String
  ) throws {
    let entities = references.keys.sorted().map { name in
      EntityDescription.make(name, [], (references[name] ?? []).map { .make("to\($0)", to: $0) })
    }
    let trial = try ImportTrial(entities)
    let names = try trial.exportAll().split(separator: #"":[]"#).compactMap(\.last)
    #expect(String(names.dropLast()) == order)
  }

  @Test func `writes first what an import must know`() throws {
    let trial = try ImportTrial([
      .make("A", [], [.make("b", to: "B", ["JSONReference": "ignore"])]),
      .make("B", [], [.make("a", to: "A")]),
    ])
    try trial.load(#"[{"id":1,"b":{"id":2,"a":1}}]"#)
    #expect(
      try trial.exportAll() == #"{"B":[{"id":2,"a":1}],"A":[{"id":1,"b":2}]}"#)
    #expect(try trial.losses(.graph(trial.store.graph)).isEmpty)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  @Test func `leaves the order of a list to the list where an import adds to it`() throws {
    var items = RelationshipDescription.make(
      "items", to: "Item", many: true, inverse: "list", ["JSONCollection": "union"])
    items.isOrdered = true
    let trial = try ImportTrial([
      .make("Item", [], [.make("list", to: "List")]), .make("List", [], [items]),
    ])
    try trial.load(#"[{"id":1,"items":[3,1,2]},{"id":2,"items":[{"id":5}]}]"#, as: "List")
    try trial.load(#"[{"id":2},{"id":3},{"id":1}]"#, as: "Item")
    try trial.load(#"[{"id":9,"list":4}]"#, as: "Item")
    // The list 4 is a stub, which says nothing.
    #expect(
      try trial.exportAll()
        == #"{"Item":[{"id":3},{"id":1},{"id":2},{"id":5},{"id":9,"list":4}],"#
        + #""List":[{"id":1,"items":[3,1,2]},{"id":2,"items":[5]},4]}"#)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  @Test func `writes the empty string that an identifier and an attribute share`() throws {
    let trial = try ImportTrial([
      .make(
        "Place", [],
        [
          .make("country", to: "Country", ["JSONKeyPath": "code"]),
          .make("district", to: "District", ["JSONKeyPath": "$"]),
        ]),
      .make("Country", identity: "code", [.make("code")]),
      .make("District", identity: "code name", [.make("code"), .make("name")]),
    ])
    let json = #"[{"id":1,"code":"CH","name":"ZH"},{"id":2,"code":"","name":""}]"#
    try trial.load(json)
    #expect(try trial.export("Place").contains(#"{"id":2,"code":"","name":""}"#))
    #expect(try trial.losses(.graph(trial.store.graph)).isEmpty)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  @Test(arguments: [
    ("yyyy-MM-dd", true), ("yyyy-MM-dd HH:mm", true), ("yyyy-MM-dd HH:mm:ss", true),
    ("yyyy-MM-dd HH:mm:ss.S", false), ("yyyy-MM-dd hh:mm:ss.SSS", true),
    ("yyyy-MM-dd hh:mm:ss.SSS a", false), ("HH:mm:ss.SSS", true), ("yy-MM-dd HH:mm:ss.SSS", false),
    ("yyyy-MM-dd'T'HH:mm:ss.SSS", false), ("yyyy-DDD", true), ("iso8601", false), ("unix", false),
  ])
  func `names a date whose pattern shows only a part`(
    pattern: String, isCut: Bool
  ) throws {
    let trial = try ImportTrial([
      .make("E", [.make("date", .date, ["JSONDateFormat": pattern])])
    ])
    try trial.store.write { graph in
      for id in 1...2 {
        let object = try graph.findOrInsert("E", identifiedBy: ["id": .integer(Int64(id))])
        // 2026-11-22, 14:05:06.5
        object["date"] = .date(Date(timeIntervalSince1970: 1_795_356_306.5))
      }
    }
    let losses = try trial.losses("E")
    #expect(losses.map(\.property) == (isCut ? ["date"] : []))
    if isCut {
      #expect(losses[0].count == 2)
      #expect(
        losses[0].message.hasPrefix(
          "E.date: part of the date is not written, because its pattern does not show it"))
    }
  }

  @Test func `names no date whose pattern shows all`() throws {
    let trial = try ImportTrial([
      .make("E", [.make("date", .date, ["JSONDateFormat": "yyyy-MM-dd"])])
    ])
    try trial.load(#"[{"id":1,"date":"2026-11-22"},{"id":2,"date":"1922-02-02"}]"#)
    #expect(try trial.losses("E").isEmpty)
  }

  @Test func `names the members of an object that is written as a scalar`() throws {
    let trial = try ImportTrial([
      .make(
        "Topic", identity: "id",
        [
          .make("id", .string, ["JSONKeyPath": "@key"]),
          .make("name", .string, ["JSONKeyPath": "@value"]),
        ], [.make("parts", to: "Part", many: true, ["JSONKeyPath": "[*]"])]),
      .make("Part"),
    ])
    try trial.load(#"{"a":"A","b":"B"}"#, at: "*")
    try trial.load(#"{"b":[1,2]}"#, at: "*")
    #expect(try trial.losses(.graph(trial.store.graph)).map(\.property) == ["parts"])
  }
}
