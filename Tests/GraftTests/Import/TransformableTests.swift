import Testing

@testable import Graft
@testable import GraftTestSupport

/// A transformable attribute without a transformer keeps the JSON that stands at its path.
@Suite struct `A transformable attribute` {
  @Test(arguments: [
    ("[ ]", "[]"), ("{ }", "{}"), ("[1, [2, {\"a\" : null}], true ]", #"[1,[2,{"a":null}],true]"#),
    (#"{"a": {"b": [{}, []]}, "c": "d"}"#, #"{"a":{"b":[{},[]]},"c":"d"}"#),
    (#"{"\u00e9\n": "\"\\\/\u0001"}"#, #"{"é\n":"\"\\/\u0001"}"#),
    ("1.50e+3", "1.50e+3"), (#""text""#, #""text""#), ("false", "false"),
    ("[12345678901234567890123.450]", "[12345678901234567890123.450]"),
    (#"{"v": {"v": 1}}"#, #"{"v":{"v":1}}"#), (#"[",", ":", "]"]"#, #"[",",":","]"]"#),
  ])
  func `keeps any JSON, without its white space`(json: String, expected: String) throws {
    let trial = try ImportTrial([.make("Box", identity: "", [.make("v", .transformable)])])
    for chunk in [1, 2, 1000] {
      try trial.load(#"{"v": \#(json), "w": [1]}"#, chunk: chunk)
      let box = try #require(try trial.store.graph.objects("Box").last)
      #expect(box["v"] == .json(expected))
    }
  }

  @Test func `is read beside properties that read inside it`() throws {
    let trial = try ImportTrial([
      .make(
        "Tweet",
        [
          .make("raw", .transformable, ["JSONKeyPath": "user"]),
          .make("inner", .transformable, ["JSONKeyPath": "user.place"]),
          .make("name", .string, ["JSONKeyPath": "user.name"]),
        ],
        [.make("author", to: "User", ["JSONKeyPath": "user"])]),
      .make("User", [.make("name")], [.make("place", to: "Place")]),
      .make("Place", identity: "", [.make("town")]),
    ])
    let json =
      #"{"id":1,"user":{"id":7,"skip":[{"x":1}],"place":{"town":"Bonn","n":[1]},"name":"Ada"}}"#
    for chunk in [1, 1000] {
      try trial.load(json, chunk: chunk)
      let tweet = try #require(try trial.store.graph.objects("Tweet").first)
      let user = #"{"id":7,"skip":[{"x":1}],"place":{"town":"Bonn","n":[1]},"name":"Ada"}"#
      #expect(tweet["raw"] == .json(user))
      #expect(tweet["inner"] == .json(#"{"town":"Bonn","n":[1]}"#))
      #expect(tweet["name"] == .string("Ada"))
      #expect(tweet.object("author")?["name"] == .string("Ada"))
      #expect(tweet.object("author")?.object("place")?["town"] == .string("Bonn"))
    }
  }

  @Test func `of each object keeps its own`() throws {
    let trial = try ImportTrial([
      .make("Box", [.make("v", .transformable)], [.make("inner", to: "Box")])
    ])
    try trial.load(#"{"id":1,"inner":{"id":2,"v":{"b":2},"inner":{"v":[3],"id":3}},"v":{"a":1}}"#)
    let values = try trial.store.graph.objects("Box").map { [$0["id"], $0["v"]] }
    #expect(
      values == [
        [.integer(3), .json("[3]")], [.integer(2), .json(#"{"b":2}"#)],
        [.integer(1), .json(#"{"a":1}"#)],
      ])
  }

  @Test func `takes the later of a key that stands twice`() throws {
    let trial = try ImportTrial([.make("Box", [.make("v", .transformable)])])
    try trial.load(#"{"v":{"a":1},"id":1,"v":[2]}"#)
    #expect(trial.lines == [#"Box/1 id: 1, v: [2]"#])
    try trial.load(#"{"v":{"a":1},"id":1,"v":null}"#)
    #expect(trial.lines == ["Box/1 id: 1"])
  }

  @Test func `is passed over with the object that has it`() throws {
    let trial = try ImportTrial([
      .make("Box", [.make("n", .integer64), .make("v", .transformable)])
    ])
    let report = try trial.load(
      #"[{"id":1,"n":"x","v":{"a":[1]}},{"v":{"b":{}},"id":2}]"#,
      .with { $0.errorPolicy = .skipObject })
    #expect(report.issueCount == 1)
    #expect(trial.lines == [#"Box/1 id: 2, v: {"b":{}}"#])
  }
}
