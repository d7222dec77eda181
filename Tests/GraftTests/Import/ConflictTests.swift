import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// One import that gives an object two different values of an attribute.
@Suite struct `A conflict` {
  private static let model: [EntityDescription] = [
    .make(
      "Hero",
      [
        .make("name"), .make("age", .integer64), .make("born", .date),
        AttributeDescription(name: "score", type: .integer64, defaultValue: .integer(3)),
      ], [.make("boss", to: "Hero"), .make("team", to: "Team")]),
    .make("Team", identity: "slug", [.make("slug"), .make("city")]),
  ]

  private static let engines = ParserOptions.Engine.allCases

  private func report(
    _ json: String, _ options: ImportOptions = ImportOptions(), chunk: Int? = nil
  ) throws -> ImportReport {
    try ImportTrial(Self.model).load(json, options, chunk: chunk)
  }

  private func conflicts(_ report: ImportReport) -> [String] {
    report.notices.filter { $0.error.kind == .conflict }.map(\.description)
  }

  // MARK: What is told

  @Test(arguments: engines)
  func `of one object is a notice with both values and the place`(
    engine: ParserOptions.Engine
  ) throws {
    let json = """
      [{"id": 1, "name": "Ann"},
       {"id": 2, "name": "Cid"},
       {"id": 1, "name": "Bob"}]
      """
    for chunk in [1, 3, 100] {
      let report = try report(json, .with { $0.parser.engine = engine }, chunk: chunk)
      #expect(
        conflicts(report) == [
          #"3:2: $[2]: Hero(id: 1) is given a second value of name, "Bob" after "Ann", and the later one"#
            + #" counts; if these are different objects, the identity (id) does not tell them apart"#
        ])
      #expect(report.noticeCount == 1)
      #expect(report.issueCount == 0)
      #expect(report.count(of: "Hero").conflicting == 1)
      let error = try #require(report.notices.first?.error)
      #expect(error.entity == "Hero" && error.property == "name")
      #expect(error.expected == "\"Ann\"" && error.found == "\"Bob\"")
    }
  }

  @Test func `of several objects is one notice for each entity, with the first two places`() throws
  {
    let json = """
      [{"id": 1, "name": "Ann", "age": 7, "team": {"slug": "a", "city": "Rome"}},
       {"id": 2, "name": "Cid", "age": 9, "team": {"slug": "a", "city": "Oslo"}},
       {"id": 1, "name": "Bob", "age": 8},
       {"id": 1, "name": "Dan"},
       {"id": 2, "name": "Cid", "age": 10},
       {"id": 3, "age": 1},
       {"id": 3, "age": 2}]
      """
    let report = try report(json)
    #expect(
      conflicts(report) == [
        #"3:2: $[2]: 3 objects of Hero are given a second value of an attribute, and the later one counts:"#
          + #" here name of Hero(id: 1), "Bob" after "Ann", and at 5:2 ($[4]) age of Hero(id: 2), 10 after 9;"#
          + #" if these are different objects, the identity (id) does not tell them apart"#,
        #"2:45: $[1].team: Team(slug: "a") is given a second value of city, "Oslo" after "Rome", and the"#
          + #" later one counts; if these are different objects, the identity (slug) does not tell them apart"#,
      ])
    #expect(report.entities.map(\.conflicting) == [3, 1])
  }

  @Test func `comes first among the notices, and counts beyond the limit`() throws {
    let json = #"[{"id":1,"x":1,"name":"a"},{"id":1,"x":1,"name":"b"}]"#
    let options = ImportOptions.with {
      $0.unknownKeys = .report
      $0.issueLimit = 1
    }
    let report = try report(json, options)
    #expect(report.notices.map(\.error.kind) == [.conflict])
    #expect(report.noticeCount == 3)
    let none = try self.report(json, .with { $0.issueLimit = 0 })
    #expect(none.notices == [] && none.noticeCount == 1)
  }

  // MARK: Conflicts, and no conflicts

  static let conflicting = [
    #"[{"id":1,"age":1},{"id":1,"age":"2"}]"#,
    // A default is a value too where the document gives it.
    #"[{"id":1,"score":3},{"id":1,"score":4}]"#,
    #"[{"id":1,"score":4},{"id":1,"score":3}]"#,
    // Nested in itself: what closes later counts.
    #"{"id":1,"name":"a","boss":{"id":1,"name":"b"}}"#,
    #"{"boss":{"name":"b","id":1},"name":"a","id":1}"#,
    #"[{"id":2,"boss":1},{"id":1,"name":"a"},{"id":1,"name":"b"}]"#,
    #"[{"id":1,"name":"a"},{"id":1,"age":1},{"id":1},{"id":1,"name":"b"}]"#,
    // Of a key that occurs twice, the later value counts.
    #"[{"id":1,"name":"a"},{"id":1,"name":"a","name":"b"}]"#,
    #"[{"id":1,"born":"2012-09-24"},{"id":1,"born":"2012-09-24T01:00:00Z"}]"#,
  ]

  static let agreeing = [
    // A stub and its object.
    #"[{"id":2,"boss":1},{"id":1,"name":"a","age":1}]"#,
    #"[{"id":1,"name":"a","age":1},{"id":2,"boss":1}]"#,
    // Null and a value.
    #"[{"id":1,"name":null},{"id":1,"name":"a"},{"id":1,"name":null}]"#,
    #"[{"id":1,"name":"a"},{"id":1},{"id":1,"age":2}]"#,
    #"[{"id":1,"age":""},{"id":1,"age":2}]"#,
    // Equal after conversion.
    #"[{"id":"1","age":"7"},{"id":1,"age":7},{"id":1,"age":7.0}]"#,
    #"[{"id":1,"born":"2012-09-24"},{"id":1,"born":"2012-09-24T02:00:00+02:00"},{"id":1,"born":1348444800}]"#,
    // A default that no document has given.
    #"[{"id":1},{"id":1,"score":4}]"#,
    #"[{"id":1,"score":4},{"id":1}]"#,
    #"[{"id":2,"boss":1},{"id":1,"score":4}]"#,
    // Of a key that occurs twice, the later value counts.
    #"[{"id":1,"name":"b"},{"id":1,"name":"a","name":"b"}]"#,
    #"{"id":1,"name":"a","name":"b"}"#,
    // Links are no attributes.
    #"[{"id":1,"boss":2},{"id":1,"boss":3}]"#,
  ]

  @Test(arguments: conflicting, engines)
  func `is told, however the document is cut`(
    json: String, engine: ParserOptions.Engine
  ) throws {
    for chunk in [1, 2, 7, 1000] {
      let report = try report(json, .with { $0.parser.engine = engine }, chunk: chunk)
      #expect(report.count(of: "Hero").conflicting == 1)
      #expect(conflicts(report).count == 1)
    }
  }

  @Test(arguments: agreeing)
  func `is none where nothing is lost`(json: String) throws {
    let trial = try ImportTrial(Self.model)
    for _ in 0..<2 {
      let report = try trial.load(json)
      #expect(conflicts(report) == [])
      #expect(report.entities.allSatisfy { $0.conflicting == 0 })
    }
  }

  @Test func `is none with the values of an earlier import`() throws {
    let trial = try ImportTrial(Self.model)
    try trial.load(#"[{"id":1,"name":"a","age":1,"score":9},{"id":2,"boss":3}]"#)
    let report = try trial.load(
      #"[{"id":1,"age":2},{"id":1,"name":"b"},{"id":1,"score":8},{"id":3,"name":"c"}]"#)
    #expect(conflicts(report) == [])
  }

  @Test(arguments: conflicting)
  func `is told again when the document is imported again`(json: String) throws {
    let trial = try ImportTrial(Self.model)
    for _ in 0..<3 {
      let report = try trial.load(json)
      #expect(report.count(of: "Hero").conflicting == 1)
    }
  }

  @Test func `is told when its second value is that of an earlier import`() throws {
    let trial = try ImportTrial(Self.model)
    try trial.load(#"{"id":1,"name":"a"}"#)
    let report = try trial.load(#"[{"id":1,"name":"a"},{"id":1,"name":"b"},{"id":1,"name":"a"}]"#)
    #expect(conflicts(report).count == 1)
  }

  @Test func `is found in the last of many attributes`() throws {
    let names = (0..<130).map { "a\($0)" }
    for defaults in [AttributeValue?.none, .string("d")] {
      let attributes = names.map {
        AttributeDescription(name: $0, type: .string, defaultValue: defaults)
      }
      let trial = try ImportTrial([.make("Hero", attributes)])
      try trial.load(#"{"id":1,"a0":"x"}"#)
      let none = try trial.load(
        #"[{"id":1,"a0":"x","a64":"x"},{"id":1,"a128":"x"},{"id":1,"a129":"y"}]"#)
      #expect(none.count(of: "Hero").conflicting == 0)
      let one = try trial.load(#"[{"id":1,"a64":"x","a129":"y"},{"id":1,"a129":"z"}]"#)
      #expect(one.count(of: "Hero").conflicting == 1)
    }
  }

  @Test func `is none of a hook that changes the values back`() throws {
    var options = ImportOptions()
    var hooks = ImportHooks()
    hooks.willImport = { $0.values["name"] = .string("same") }
    options.hooks["Hero"] = hooks
    let report = try report(#"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#, options)
    #expect(conflicts(report) == [])
  }

  @Test func `is none of a value at a path that does not count`() throws {
    let trial = try ImportTrial([.make("Hero", [.make("name", .string, ["JSONKeyPath": "n | m"])])])
    let report = try trial.load(
      #"[{"id":1,"n":"a","m":"x"},{"id":1,"m":"y","n":"a"},{"id":1,"m":"a"}]"#)
    #expect(conflicts(report) == [])
  }

  // MARK: Modes and policies

  @Test func `of an import that inserts only says that the first value counts`() throws {
    let trial = try ImportTrial(Self.model)
    try trial.load(#"{"id":2,"name":"z"}"#)
    let json = #"[{"id":1,"name":"a"},{"id":1,"name":"b"},{"id":2,"name":"c"},{"id":2,"name":"d"}]"#
    let report = try trial.load(json, .with { $0.mode = .insertOnly })
    #expect(report.count(of: "Hero").conflicting == 1)
    #expect(conflicts(report).first?.contains("and the first one counts") == true)
    #expect(
      trial.lines == [#"Hero/1 id: 2, name: "z", score: 3"#, #"Hero/2 id: 1, name: "a", score: 3"#])
  }

  @Test func `is told of an import that updates only`() throws {
    let trial = try ImportTrial(Self.model)
    try trial.load(#"{"id":2,"name":"z"}"#)
    let json = #"[{"id":1,"name":"a"},{"id":1,"name":"b"},{"id":2,"name":"c"},{"id":2,"name":"d"}]"#
    let report = try trial.load(json, .with { $0.mode = .updateOnly })
    #expect(report.count(of: "Hero").conflicting == 1)
  }

  @Test(arguments: [
    (#"[{"id":1,"age":2,"name":"b"},{"id":1,"age":1,"name":"a"}]"#, nil),
    (#"[{"id":1,"name":"b"},{"id":1,"age":1,"name":"a"}]"#, nil),
    (#"[{"id":1,"age":1,"name":"b"},{"id":1,"age":1,"name":"b"}]"#, nil),
    (#"[{"id":1,"age":1,"name":"b"},{"id":1,"age":1,"name":"a"}]"#, "first"),
    (#"[{"id":1,"age":1,"name":"b"},{"id":1,"name":"a"}]"#, "later"),
    (#"[{"id":1,"name":"b"},{"id":1,"name":"a"}]"#, "later"),
    (#"[{"id":1,"age":1,"name":"b"},{"id":1,"age":null,"name":"a"}]"#, "later"),
  ])
  func `is none of versions that an attribute orders`(json: String, kept: String?) throws {
    var model = Self.model
    model[0].userInfo["JSONModified"] = "age"
    let trial = try ImportTrial(model)
    let report = try trial.load(json)
    #expect(report.count(of: "Hero").conflicting == (kept == nil ? 0 : 1))
    guard let kept else { return }
    #expect(
      conflicts(report).first?.contains(#""a" after "b", and the \#(kept) one counts"#) == true)
    #expect(
      try trial.store.graph.objects("Hero").first?["name"] == .string(kept == "first" ? "b" : "a"))
  }

  @Test func `says of each object which value counts`() throws {
    var model = Self.model
    model[0].userInfo["JSONModified"] = "age"
    let report = try ImportTrial(model).load(
      #"[{"id":1,"age":1,"name":"b"},{"id":1,"age":1,"name":"a"},{"id":2,"name":"x"},{"id":2,"name":"y"}]"#
    )
    #expect(
      conflicts(report) == [
        #"1:30: $[1]: 2 objects of Hero are given a second value of an attribute, and the first one counts: here name"#
          + #" of Hero(id: 1), "a" after "b", and at 1:78 ($[3]) name of Hero(id: 2), "y" after "x", where the later"#
          + " one counts; if these are different objects, the identity (id) does not tell them apart"
      ])
  }

  @Test func `of versions is told where the import only inserts`() throws {
    var model = Self.model
    model[0].userInfo["JSONModified"] = "age"
    let report = try ImportTrial(model).load(
      #"[{"id":1,"age":1,"name":"b"},{"id":1,"age":2,"name":"a"}]"#, .with { $0.mode = .insertOnly }
    )
    #expect(report.count(of: "Hero").conflicting == 1)
  }

  @Test func `is none of an object that is skipped`() throws {
    let json = #"[{"id":1,"age":1},{"id":1,"age":2,"born":"x"}]"#
    let report = try report(json, .with { $0.errorPolicy = .skipObject })
    #expect(report.issueCount == 1)
    #expect(conflicts(report) == [])
  }

  @Test func `is told of a dry run`() throws {
    let trial = try ImportTrial(Self.model)
    let json = #"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#
    let report = try trial.load(json, .with { $0.isDryRun = true })
    #expect(report.count(of: "Hero").conflicting == 1)
    #expect(trial.lines == [])
  }

  @Test func `is told of the object that one without identity fills`() throws {
    let trial = try ImportTrial(
      [
        .make("Owner", [], [.make("part", to: "Part")]),
        .make("Part", identity: "", [.make("size", .integer64), .make("color")]),
      ], dialect: .sync)
    let first = try trial.load(#"{"id":1,"part":{"size":1,"color":"red"}}"#)
    #expect(first.noticeCount == 0)
    let none = try trial.load(#"[{"id":1,"part":{"size":2}},{"id":1,"part":{"color":"blue"}}]"#)
    #expect(none.entities.allSatisfy { $0.conflicting == 0 })
    let one = try trial.load(#"[{"id":1,"part":{"size":3}},{"id":1,"part":{"size":4}}]"#)
    #expect(one.count(of: "Part").conflicting == 1)
    let new = try trial.load(#"[{"id":9,"part":{"size":3}},{"id":9,"part":{"size":4}}]"#)
    #expect(new.count(of: "Part").conflicting == 1)
  }

  // MARK: Saves, and other writers between them

  @Test(arguments: conflicting + agreeing)
  func `is the same with saves`(json: String) throws {
    let whole = try report(json)
    let saved = try report(json, .with { $0.savePolicy.objects = 1 })
    #expect(saved.notices == whole.notices)
    #expect(saved.entities.map(\.conflicting) == whole.entities.map(\.conflicting))
  }

  @Test func `is none with what another writer has written between two saves`() throws {
    let trial = try ImportTrial(Self.model)
    let importer = try trial.store.makeImporter(
      entity: "Hero", options: .with { $0.savePolicy.objects = 1 })
    try importer.parse(Data(#"[{"id":1,"name":"a","age":1},{"id":1,"name":"b"}"#.utf8))
    try trial.load(#"[{"id":1,"name":"other","age":5},{"id":7}]"#)
    // The next save finds that another one has written.
    try importer.parse(Data(#",{"id":2,"name":"x"}"#.utf8))
    try importer.parse(Data(#",{"id":1,"age":6},{"id":1,"name":"c"},{"id":1,"name":"d"}"#.utf8))
    try importer.parse(Data(#",{"id":2,"name":"y"},{"id":3,"name":"p"},{"id":3,"name":"q"}]"#.utf8))
    let report = try importer.finish()
    // Of 1 it was told before, 2 may have been written by another, and 3 is new.
    #expect(report.count(of: "Hero").conflicting == 2)
    #expect(trial.lines.contains { $0.contains("age: 6") && $0.contains(#"name: "d""#) })
  }

  // MARK: Earlier batches

  @Test func `is found by the values of the first objects of earlier batches`() {
    var batches = EarlierBatches()
    batches.limit = 2
    batches.keep([1, 0], of: 10)
    batches.keep([2], of: 11)
    #expect(!batches.isFull)
    batches.keep([4, 8], of: 10)
    batches.keep([1], of: 12)
    #expect(batches.isFull)
    #expect(batches.words(of: 10) == [5, 8])
    #expect(batches.words(of: 11) == [2])
    #expect(batches.words(of: 12) == nil)
  }

  // MARK: Documents

  /// Real conflicts in fixtures: two events show one issue before and after a comment.
  private static let known = ["Fixtures/documents/github-events": ["Issue": ["comments"]]]

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `is in no fixture, by its model`(folder: String) throws {
    let trial = try FixtureTrial.of(folder)
    let report = try trial.load(into: GraphStore(model: trial.model), chunk: 1000)
    let conflicting = report.entities.filter { $0.conflicting > 0 }
    let found = Dictionary(
      uniqueKeysWithValues: conflicting.map { ($0.entity, $0.conflictingAttributes) })
    #expect(found == Self.known[folder] ?? [:])
    #expect(conflicts(report).count == conflicting.count)
  }

  @Test(arguments: LawDocument.fixtures + (Fixture.hasShared ? LawDocument.shared : []))
  func `is in no document of people, by its model`(document: LawDocument) throws {
    let roots = try document.loadRoots()
    let trial = ImportTrial(try document.loadModel(), entity: roots[0].entity)
    let report = try trial.load(try document.loadText(), roots)
    #expect(conflicts(report) == [])
  }

  @Test func `is none with the default that takes the place of null`() throws {
    let model: [EntityDescription] = [
      .make(
        "Hero",
        [
          AttributeDescription(
            name: "score", type: .integer64, isOptional: false, defaultValue: .integer(3))
        ])
    ]
    for json in [
      #"[{"id":1,"score":5},{"id":1,"score":null},{"id":1,"score":5}]"#,
      #"[{"id":1,"score":null},{"id":1,"score":5},{"id":1,"score":null}]"#,
    ] {
      let report = try ImportTrial(model).load(json)
      #expect(conflicts(report) == [])
      #expect(report.count(of: "Hero").inserted == 1)
    }
  }

  // MARK: The law

  @Test(arguments: Seeds.some(12, of: 40))
  func `that is planted in a document is the only one, in both engines and however it is cut`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let document = AgreeingDocument(&random)
    for isPlanted in [false, true] {
      let text = document.text(isPlanted: isPlanted)
      var notices: Set<[ImportIssue]> = []
      for engine in Self.engines {
        for (chunk, save) in [(nil, nil), (1, nil), (5, 1), (64, 3), (1000, 2)] as [(Int?, Int?)] {
          let options = ImportOptions.with {
            $0.parser.engine = engine
            $0.savePolicy.objects = save
          }
          let trial = try ImportTrial(AgreeingDocument.model)
          let report = try trial.load(text, options, chunk: chunk)
          notices.insert(report.notices)
          let counted = report.entities.reduce(0) { $0 + $1.conflicting }
          try #require(counted == (isPlanted ? 1 : 0), "\(seed): \(text)")
          try #require(report.noticeCount == counted)
        }
      }
      try #require(notices.count == 1, "\(seed): \(text)")
    }
  }
}
