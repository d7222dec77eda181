import Testing

@testable import Graft
@testable import GraftTestSupport

/// Objects that the program's code rewrites before they are placed.
@Suite struct `An object that code rewrites` {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "not this one" }
  }

  /// Heroes are known by `legacy_id`, and by nothing where that is 0.
  private static let rewriting = DictionaryTransformer { object in
    guard let id = object["legacy_id"] else { return nil }
    if id == 13 { throw Refusal() }
    var object = object
    object["id"] = id
    object["name"] = object["title"]
    return object
  }

  private func trial(
    _ transformer: DictionaryTransformer = rewriting, boss: [String: String] = [:]
  ) throws -> ImportTrial {
    try ImportTrial(
      [
        .make(
          "Hero", [.make("name"), .make("place", .string, ["JSONKeyPath": "@key"])],
          [.make("boss", to: "Hero", boss), .make("team", to: "Hero", many: true)],
          ["JSONDictionaryTransformerName": "legacy"]),
        .make("Villain", identity: "", parent: "Hero", [.make("plan")]),
      ], extensions: ModelExtensions(dictionaryTransformers: ["legacy": transformer]))
  }

  @Test(arguments: [
    #"{"legacy_id":7,"title":"Ada","boss":{"title":"Bo","legacy_id":8},"team":[9,null,{"legacy_id":9,"title":"Cy"}]}"#,
    #"{"title":"Ada","team":[9,null,{"title":"Cy","legacy_id":9}],"id":1,"boss":{"legacy_id":8,"title":"Bo"},"legacy_id":7}"#,
  ])
  func `is placed as what it has become, nested objects too`(json: String) throws {
    for chunk in [1, 5, nil] {
      let trial = try trial()
      try trial.load(json, chunk: chunk)
      #expect(
        Set(trial.lines.map { $0.replacing(#/^Hero\/\d+ |Hero\/\d+/#, with: "") }) == [
          #"id: 9, name: "Cy""#, #"id: 8, name: "Bo", place: "boss""#,
          #"boss: , id: 7, name: "Ada", team: []"#,
        ])
    }
  }

  @Test func `is left as it is where code has nothing to say`() throws {
    let trial = try trial()
    try trial.load(#"{"id":1,"name":"Ada"}"#)
    #expect(trial.lines == [#"Hero/1 id: 1, name: "Ada""#])
  }

  @Test func `keeps its numbers to the last digit, and its members in their order`() throws {
    let trial = try ImportTrial(
      [
        .make(
          "Box", [.make("n", .decimal), .make("j", .transformable)],
          [
            RelationshipDescription(
              name: "parts", destination: "Part", isToMany: true, isOrdered: true,
              userInfo: ["JSONKeyPath": "parts.*"])
          ], ["JSONDictionaryTransformerName": "T"]),
        .make("Part"),
      ],
      extensions: ModelExtensions(
        dictionaryTransformers: [
          "T": DictionaryTransformer { $0.merging(["id": 1]) { $1 } }
        ]))
    try trial.load(
      #"{"parts":{"z":{"id":3},"a":{"id":1},"m":{"id":2}},"n":0.12345678901234567890123456789,"j":[1e400,"é",{}]}"#
    )
    #expect(
      trial.lines.first
        == #"Box/1 id: 1, j: [1e400,"é",{}], n: 0.12345678901234567890123456789, parts: [Part/1, Part/2, Part/3]"#
    )
  }

  @Test func `is rewritten before its entity is chosen, and by what its super-entity mentions`()
    throws
  {
    let trial = try trial(
      DictionaryTransformer { object in object.merging(["plan": "rule"]) { old, _ in old } })
    try trial.load(#"{"id":1}"#, as: "Villain")
    try trial.load(#"{"id":1,"name":"Eve"}"#)
    #expect(trial.lines == [#"Villain/1 id: 1, name: "Eve", plan: "rule""#])
  }

  @Test func `keeps the name under which it stands`() throws {
    let trial = try trial()
    try trial.load(
      #"{"heroes":{"north":{"legacy_id":1},"south":{"id":2,"name":"x"}}}"#, at: "heroes.*")
    #expect(
      trial.lines == [
        #"Hero/1 id: 1, place: "north""#, #"Hero/2 id: 2, name: "x", place: "south""#,
      ])
  }

  @Test(arguments: [
    (
      "[{\"id\":1},\n {\"legacy_id\":13}]",
      #"2:2: $[1]: the dictionary transformer "legacy" threw an error: not this one"#
    ),
    (
      "[\n {\"x\":1,\n\"legacy_id\":\"x\"}]",
      #"2:2: $[0].id: expected an integer of 64 bits, found the string "x""#
    ),
    (
      "{\"id\":1,\n\"boss\":{\"title\":[7],\"legacy_id\":2}}",
      "2:8: $.boss.name: expected a string, found an array"
    ),
    (
      "{\"id\":1,\n\"boss\":{\n\"id\":\"x\"}}",
      #"3:6: $.boss.id: expected an integer of 64 bits, found the string "x""#
    ),
  ])
  func `is at fault where it stands itself`(json: String, message: String) throws {
    let failure = try trial().failure(json)
    #expect(failure == message)
  }

  @Test func `may be any object when code refuses it, so that none is deleted as missing`() throws {
    let trial = try trial()
    try trial.load(#"[{"id":1},{"id":2},{"id":3}]"#)
    let report = try trial.load(
      #"[{"id":1,"legacy_id":13,"boss":{"id":2,"name":[]},"team":[77]}]"#,
      .with {
        $0.errorPolicy = .skipObject
        $0.deletesMissing = true
      })
    #expect(report.issueCount == 1)
    #expect(trial.lines == ["Hero/1 id: 1", "Hero/2 id: 2", "Hero/3 id: 3"])
    #expect(report.notices.map(\.error.message).contains { $0.contains("nothing that is missing") })
  }

  @Test func `must be well formed when it comes back`() throws {
    let trial = try trial(DictionaryTransformer { _ in ["id": .number("1,5")] })
    #expect(
      trial.failure("{}")
        == #"1:1: $: the dictionary transformer "legacy" returned "1,5" as a number, which is not a JSON number"#
    )
  }

  @Test func `meets limits of depth and size`() throws {
    let deep = String(repeating: "[", count: 1_200) + String(repeating: "]", count: 1_200)
    let options = ImportOptions.with { $0.parser.limits.depth = 2_000 }
    let depth = try trial().failure("{\"x\":\(deep)}", options)
    #expect(
      depth
        == "1:1: $: an object that goes through a transformer or mapper is nested deeper than 1000"
        + " levels"
    )
    let growing = DictionaryTransformer { _ in
      ["name": .string(String(repeating: "x", count: 2_000))]
    }
    let size = try trial(growing).failure("{}", .with { $0.bufferLimit = 1_000 })
    #expect(
      size
        == #"1:1: $: the dictionary transformer "legacy" returned more than 1000 bytes for it;"#
        + " return less, or raise bufferLimit")
  }

  @Test func `meets a limit where code puts another such object into each`() throws {
    let transformer = DictionaryTransformer { object in
      ["id": object["id"] ?? .null, "boss": ["id": 1], "team": []]
    }
    for chunk in [1, nil] {
      let trial = try trial(transformer)
      let error = #expect(throws: ImportError.self) {
        try trial.load(#"[{"id":7}]"#, chunk: chunk)
      }
      #expect(error?.kind == .limit)
      #expect(error?.path.hasPrefix("$[0].boss.boss") == true)
      #expect(trial.lines == [])
    }
  }

  @Test func `has no name twice where that is refused`() throws {
    let options = ImportOptions.with { $0.refusesDuplicateKeys = true }
    let failure = try trial().failure(#"{"legacy_id":1,"x":{"a":1,"b":2,"a":3}}"#, options)
    #expect(
      failure
        == #"1:1: $: the key "a" occurs twice in one object; remove one of the two"#)
  }

  @Test func `needs code that is registered`() {
    let error = #expect(throws: ModelError.self) {
      try ImportTrial(
        [.make("Hero", [], [], ["JSONDictionaryTransformerName": "legasy"])],
        extensions: ModelExtensions(dictionaryTransformers: ["legacy": Self.rewriting]))
    }
    #expect(
      error?.description.contains(
        #"no dictionary transformer "legasy" is registered, did you mean "legacy"?"#) == true)
  }
}
