import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks how an import finds an object again.
@Suite struct `An identity` {
  static let model: [EntityDescription] = [
    .make(
      "Node", [.make("name")],
      [
        .make("next", to: "Node"), .make("leaf", to: "Leaf"),
        RelationshipDescription(
          name: "nodes", destination: "Node", isToMany: true, isOrdered: true),
      ]),
    .make("Leaf", identity: "", [.make("text")]),
    .make("Card", identity: "suit value", [.make("suit"), .make("value", .integer16), .make("n")]),
  ]

  private let trial: ImportTrial

  init() throws { trial = try ImportTrial(Self.model) }

  @Test(arguments: [
    #"{"id":1,"name":"new","next":{"id":2,"name":"two"}}"#,
    #"{"name":"new","next":{"name":"two","id":2},"id":1}"#,
    #"{"next":{"id":2,"name":"two"},"id":1,"name":"new"}"#,
    #"{"name":"new","id":3,"next":{"id":2,"name":"two"},"id":1}"#,
  ])
  func `may stand first, last or after the children`(json: String) throws {
    try trial.load(#"{"id":1,"name":"old"}"#)
    let report = try trial.load(json)
    #expect(
      trial.lines == [#"Node/1 id: 1, name: "new", next: Node/2"#, #"Node/2 id: 2, name: "two""#])
    #expect(report.count(of: "Node") == .init(entity: "Node", inserted: 1, updated: 1))
  }

  @Test func `is that of one object in whatever spelling, and as a bare identifier`() throws {
    let report = try trial.load(#"[{"id":"1","name":"a"},{"id":1.0},{"id":1,"name":"b"},1,"1"]"#)
    #expect(trial.lines == [#"Node/1 id: 1, name: "b""#])
    #expect(
      report.count(of: "Node")
        == .init(entity: "Node", inserted: 1, conflicting: 1, conflictingAttributes: ["name"]))
  }

  @Test func `is that of one object at any depth and distance`() throws {
    let filler = (100..<400).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    try trial.load(
      #"[{"id":1,"nodes":[{"id":2,"next":{"id":3,"name":"deep"}},\#(filler)]},{"id":3,"next":2}]"#)
    let three = try #require(
      try trial.store.graph.object("Node", identifiedBy: ["id": .integer(3)]))
    #expect(three["name"] == .string("deep"))
    #expect(three.object("next")?["id"] == .integer(2))
    #expect(try trial.store.graph.count(of: "Node") == 303)
  }

  @Test func `of an object nested in itself makes one object, and what closes later wins`() throws {
    try trial.load(#"{"id":1,"name":"outer","next":{"id":1,"name":"inner","nodes":[1]}}"#)
    #expect(trial.lines == [#"Node/1 id: 1, name: "outer", next: Node/1, nodes: [Node/1]"#])
    try trial.load(#"{"id":1,"nodes":[{"id":1,"nodes":[{"id":1,"name":"core"}],"next":null}]}"#)
    #expect(trial.lines == [#"Node/1 id: 1, name: "core", nodes: [Node/1]"#])
  }

  @Test(arguments: [
    (#"{"suit":"D","value":3,"n":"b"}"#, [#"Card/1 n: "b", suit: "D", value: 3"#]),
    (#"{"n":"b","value":"3","suit":"D"}"#, [#"Card/1 n: "b", suit: "D", value: 3"#]),
    (
      #"{"suit":"D","value":4}"#,
      [#"Card/1 n: "a", suit: "D", value: 3"#, #"Card/2 suit: "D", value: 4"#]
    ),
    (
      #"{"suit":"d","value":3}"#,
      [#"Card/1 n: "a", suit: "D", value: 3"#, #"Card/2 suit: "d", value: 3"#]
    ),
  ])
  func `of several attributes is all of them`(json: String, expected: [String]) throws {
    try trial.load(#"{"suit":"D","value":3,"n":"a"}"#, as: "Card")
    try trial.load(json, as: "Card")
    #expect(trial.lines == expected)
  }

  @Test(arguments: [
    (AttributeType.integer16, ["1", #""1""#, "1.0"], "2"),
    (.integer32, ["1", #""1""#, "10e-1"], "2"), (.integer64, ["1", #""1""#], "2"),
    (.decimal, ["1.50", #""1.5""#, "15e-1"], "1.6"), (.double, ["0.5", #""0.50""#, "5e-1"], "0.6"),
    (.double, ["0", "-0.0"], "1"), (.float, ["0.5", #""0.5""#], "0.25"),
    (.string, [#""é""#, #""\u00e9""#], #""e""#), (.string, ["1", #""1""#], #""1.0""#),
    (.boolean, ["true", "1", #""yes""#], "false"),
    (.date, [#""2012-09-24T03:35:21Z""#, "1348457721", #""2012-09-24T05:35:21+02:00""#], "0"),
    (.binary, [#""AAEC""#, #""\u0041AEC""#], #""AAED""#),
    (
      .uuid,
      [#""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#],
      #""e621e1f8-c36c-495a-93fc-0c247a3e6e50""#
    ),
    (.uri, [#""https://example.com""#, #""https:\/\/example.com""#], #""https://example.org""#),
  ])
  func `may be of any type`(type: AttributeType, same: [String], other: String) throws {
    let trial = try ImportTrial([
      .make("Thing", [.make("id", type), .make("n", .integer64)], [.make("ref", to: "Thing")])
    ])
    for (number, id) in same.enumerated() { try trial.load(#"{"n":\#(number),"id":\#(id)}"#) }
    #expect(try trial.store.graph.count(of: "Thing") == 1)
    try trial.load(#"{"id":\#(other),"ref":\#(same[0])}"#)
    let things = Array(try trial.store.graph.objects("Thing"))
    #expect(things.count == 2)
    #expect(things.last?.object("ref") == things.first)
    #expect(things.first?["n"] == .integer(Int64(same.count - 1)))
  }

  @Test func `that is missing may mean that the object is skipped, wherever it is`() throws {
    let report = try trial.load(
      #"{"id":1,"next":{"name":"x"},"nodes":[{"id":2},{"name":"x"},3]}"#,
      .with { $0.entities.missingIdentity = .skip })
    #expect(trial.lines.count == 3)
    #expect(trial.lines.last == "Node/3 id: 1, nodes: [Node/1, Node/2]")
    #expect(report.issueCount == 2)
    #expect(
      report.issues.first?.description
        == #"1:16: $.next: expected a value for id of Node (identity, read from "id"), found none"#)
  }

  @Test func `of a key that stands twice is the later`() throws {
    try trial.load(#"{"id":1,"name":"a","id":2}"#)
    #expect(trial.lines == [#"Node/1 id: 2, name: "a""#])
    #expect(trial.failure(#"{"id":1,"name":"a","id":null}"#).contains("(identity"))
  }

  @Test func `that belongs to an object of another entity is an error`() throws {
    let trial = try ImportTrial([
      .make("Base", isAbstract: true), .make("One", identity: "", parent: "Base"),
      .make("Two", identity: "", parent: "Base", [], [.make("one", to: "One")]),
    ])
    try trial.load(#"{"id":1}"#, as: "One")
    #expect(
      trial.failure(#"{"id":1}"#, as: "Two")
        == "1:1: $: expected an object of Two, but its identity belongs to an object of One")
    try trial.load(#"{"id":2}"#, as: "Two")
    #expect(
      trial.failure(#"{"id":3,"one":2}"#, as: "Two")
        == "1:15: $.one: expected an object of One, found the identity of an object of Two")
    try trial.load(#"[{"id":1},{"id":2}]"#, as: "Base")
    #expect(trial.lines == ["One/1 id: 1", "Two/1 id: 2"])
  }
}
