import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks the places of an import's objects in a document.
@Suite struct `A root` {
  static let model: [EntityDescription] = [
    .make("Hero", [.make("name")], [.make("powers", to: "Power", many: true)]),
    .make("Power", [.make("name")]),
  ]

  private let trial: ImportTrial

  init() throws { trial = try ImportTrial(Self.model) }

  @Test(
    arguments: [
      (nil, #"{"id":1}"#), (nil, #"[{"id":1}]"#), (nil, "[1]"), ("a", #"{"a":{"id":1}}"#),
      ("a", #"{"a":[{"id":1}]}"#), ("a[*]", #"{"a":[{"id":1}]}"#),
      ("a.b", #"{"a":{"b":[{"id":1}]}}"#),
      ("a[1]", #"{"a":[{"id":9},{"id":1}]}"#), ("a.*", #"{"a":{"x":{"id":1}}}"#),
      ("*", #"{"x":{"id":1}}"#), ("[*].a", #"[{"a":{"id":1}},{}]"#), ("$", #"[{"id":1}]"#),
      ("a[*].b", #"{"a":[{"c":1},{"b":[{"id":1}]}]}"#), ("a", #"{"b":{"a":[{"id":9}]},"a":[1]}"#),
      ("['a.b']", #"{"a.b":{"id":1}}"#), ("[*]", #"[{"id":1}]"#),
    ] as [(String?, String)])
  func `may be the document or any place in it`(path: String?, json: String) throws {
    let report = try trial.load(json, at: path, chunk: 1)
    #expect(trial.lines == ["Hero/1 id: 1"])
    #expect(report.roots.map(\.objects) == [1])
  }

  @Test(
    arguments: [
      (nil, "[]"), (nil, "null"), ("a", #"{"a":null}"#), ("a", #"{"a":[]}"#),
      ("a", #"{"a":[null]}"#),
      ("a.*", #"{"a":{}}"#), ("a[*].b", #"{"a":[{},{"c":1}]}"#), ("a.*", #"{"a":null}"#),
      ("a[*].b", #"{"a":[]}"#),
    ] as [(String?, String)])
  func `that is empty imports nothing`(path: String?, json: String) throws {
    let report = try trial.load(json, at: path)
    #expect(trial.lines == [])
    #expect(report.roots.map(\.objects) == [0])
  }

  @Test(arguments: [
    (
      "statuses", #"{"status":[],"search_metadata":{}}"#,
      #"1:1: $: the root "statuses" of Hero leads nowhere: $ has "status", "search_metadata","#
        + #" did you mean "status"?"#
    ),
    (
      "data.items", #"{"data":{"itens":[],"n":1}}"#,
      #"1:9: $.data: the root "data.items" of Hero leads nowhere: $.data has "itens", "n","#
        + #" did you mean "itens"?"#
    ),
    (
      "a", "[]",
      #"1:1: $: the root "a" of Hero leads nowhere: the document is not an object with keys"#
    ),
    (
      "a", "7",
      #"1:1: $: the root "a" of Hero leads nowhere: the document is not an object with keys"#
    ),
    (
      "a", "{}",
      #"1:1: $: the root "a" of Hero leads nowhere: the document is not an object with keys"#
    ),
    (
      "zz",
      "{\((0..<14).map { "\"k\($0)\":0" }.joined(separator: ","))}",
      "1:1: $: the root \"zz\" of Hero leads nowhere: $ has "
        + (0..<12).map { "\"k\($0)\"" }.joined(separator: ", ") + " and 2 more"
    ),
  ])
  func `that leads nowhere is an error that names what was there`(
    path: String, json: String, message: String
  ) {
    #expect(trial.failure(json, at: path) == message)
  }

  @Test(arguments: ["", "\n \n"], [nil, "a.b"])
  func `finds nothing in a stream without documents, and misses nothing`(
    json: String, path: String?
  ) throws {
    let report = try trial.load(json, at: path, .with { $0.parser.format = .ndjson })
    #expect(report.roots.map(\.objects) == [0])
    let deleting = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.deletesMissing = true
    }
    #expect(trial.failure(json, at: path, deleting).contains("leads nowhere"))
  }

  @Test func `of an unknown entity is refused before the first byte`() {
    let error = #expect(throws: ImportError.self) { try trial.store.makeImporter(entity: "Heros") }
    #expect(error?.description == #"unknown entity "Heros", did you mean "Hero"?"#)
    #expect(error?.kind == .model)
    #expect(throws: JSONPathError.self) { try trial.store.makeImporter(entity: "Hero", at: "a[") }
  }

  @Test func `has a path that is a literal, or a string that may be none`() throws {
    #expect(
      ImportRoot("Hero", at: "a.b[*]").path == JSONPath([.member("a"), .member("b"), .eachElement]))
    #expect(ImportRoot(Tweet.self, at: "statuses") == ImportRoot("Tweet", at: "statuses"))
    let text = ["a", "b[*]"].joined(separator: ".")
    #expect(try ImportRoot("Hero", at: text) == ImportRoot("Hero", at: "a.b[*]"))
    #expect(try ImportRoot(Tweet.self, at: nil) == ImportRoot(Tweet.self))
    #expect(throws: JSONPathError.self) { try ImportRoot("Hero", at: text + "[") }
  }

  @Test(arguments: [
    #"{"heroes":[{"id":1,"powers":[4]}],"powers":[{"id":4,"name":"Agility"}]}"#,
    #"{"powers":[{"id":4,"name":"Agility"}],"heroes":[{"id":1,"powers":[4]}]}"#,
  ])
  func `is one of several in one pass`(json: String) throws {
    let report = try trial.load(
      json, [ImportRoot("Hero", at: "heroes"), ImportRoot("Power", at: "powers")])
    #expect(
      trial.lines == ["Hero/1 id: 1, powers: [Power/1]", #"Power/1 id: 4, name: "Agility""#])
    #expect(report.roots.map(\.objects) == [1, 1])
    #expect(report.unfilledStubCount == 0)
  }

  @Test func `may lie inside another root's objects`() throws {
    let roots = [
      ImportRoot("Hero", at: "heroes"), ImportRoot("Power", at: "heroes[*].extra"),
      ImportRoot("Power", at: "heroes[*].powers"),
    ]
    let report = try trial.load(
      #"{"heroes":[{"powers":[{"id":4}],"extra":{"id":5,"name":"x"},"id":1},{"id":2}]}"#, roots)
    #expect(
      trial.lines == [
        "Hero/1 id: 1, powers: [Power/1]", "Hero/2 id: 2", "Power/1 id: 4",
        #"Power/2 id: 5, name: "x""#,
      ])
    #expect(report.roots.map(\.objects) == [2, 1, 1])
  }

  @Test func `may be the same place for two entities`() throws {
    let report = try trial.load(
      #"[{"id":1,"name":"x"}]"#, [ImportRoot("Hero"), ImportRoot("Power")])
    #expect(trial.lines == [#"Hero/1 id: 1, name: "x""#, #"Power/1 id: 1, name: "x""#])
    #expect(report.roots.map(\.objects) == [1, 1])
  }

  @Test(
    arguments: [
      ("7", "1:1: $: expected an object or an array of Hero, found the number 7", nil),
      (
        #"{"a":"x"}"#, #"1:6: $.a: expected an object or an array of Hero, found the string "x""#,
        "a"
      ),
      (
        #"["x"]"#,
        "1:2: $[0]: expected an object of Hero or its identity,"
          + #" an integer of 64 bits, found the string "x""#, nil
      ),
    ] as [(String, String, String?)])
  func `that is a mere value is an error`(json: String, message: String, path: String?) {
    #expect(trial.failure(json, at: path) == message)
  }
}
