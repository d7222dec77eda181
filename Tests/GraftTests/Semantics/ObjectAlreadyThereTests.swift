import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Object already there` {
  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [
      .make(
        "Hero", [.make("name"), .make("version", .integer64)], [.make("boss", to: "Hero")], notes)
    ]
  }

  private static let before = #"[{"id":1,"name":"old"},{"id":2,"name":"same"}]"#
  private static let after =
    #"[{"id":1,"name":"new","boss":{"id":3,"name":"c"}},{"id":2,"name":"same"},{"name":"d","id":4,"boss":{"id":1}}]"#

  /// The graph by each mode, and the numbers of objects inserted, updated and unchanged.
  static let settings: [(ImportOptions.Mode, [String], [Int])] = [
    (
      .upsert,
      [
        #"Hero/1 boss: Hero/3, id: 1, name: "new""#, #"Hero/2 id: 2, name: "same""#,
        #"Hero/3 id: 3, name: "c""#, #"Hero/4 boss: Hero/1, id: 4, name: "d""#,
      ], [2, 1, 1]
    ),
    (
      .insertOnly,
      [
        #"Hero/1 id: 1, name: "old""#, #"Hero/2 id: 2, name: "same""#, #"Hero/3 id: 3, name: "c""#,
        #"Hero/4 boss: Hero/1, id: 4, name: "d""#,
      ], [2, 0, 2]
    ),
    (
      .updateOnly, [#"Hero/1 id: 1, name: "new""#, #"Hero/2 id: 2, name: "same""#], [0, 1, 1]
    ),
  ]

  @Test(arguments: Dialect.identifying, settings)
  func `is updated by default, left alone by insert-only, all there is to update-only`(
    dialect: Dialect, setting: (ImportOptions.Mode, [String], [Int])
  ) throws {
    for chunk in [1, 1000] {
      let trial = try ImportTrial(Self.model(), speaking: dialect)
      try trial.load(Self.before)
      let report = try trial.load(Self.after, .with { $0.mode = setting.0 }, chunk: chunk)
      #expect(trial.lines == setting.1)
      let count = report.count(of: "Hero")
      #expect([count.inserted, count.updated, count.unchanged] == setting.2)
    }
  }

  @Test(arguments: Dialect.identifying)
  func `is updated where no mode is named, and only differing values are written`(
    dialect: Dialect
  ) throws {
    let trial = try ImportTrial(Self.model(), speaking: dialect)
    try trial.load(Self.before)
    #expect(try trial.load(Self.after).updatedCount == 1)
    let graph = trial.store.graph
    #expect(try trial.load(Self.after).updatedCount == 0)
    #expect(trial.store.graph.storage === graph.storage)
  }

  @Test(arguments: zip(ImportOptions.Mode.allCases, [7, 7, 2]))
  func `is never found where there is no identity`(mode: ImportOptions.Mode, count: Int) throws {
    let trial = try ImportTrial(Self.model(), speaking: .zds)
    try trial.load(Self.before)
    try trial.load(Self.after, .with { $0.mode = mode })
    #expect(try trial.store.graph.count(of: "Hero") == count)
  }

  @Test(arguments: [
    (#""version":6"#, #"name: "new", version: 6"#), (#""version":5"#, #"name: "old", version: 5"#),
    (#""version":4"#, #"name: "old", version: 5"#),
    (#""version":"6""#, #"name: "new", version: 6"#),
  ])
  func `is skipped if not newer by its modification attribute`(
    version: String, values: String
  ) throws {
    for json in [
      #"{"id":1,"name":"new",\#(version)}"#, #"{\#(version),"name":"new","id":1}"#,
    ] {
      let trial = try ImportTrial(Self.model(["JSONModified": "version"]))
      try trial.load(#"{"id":1,"name":"old","version":5}"#)
      let report = try trial.load(json)
      #expect(trial.lines == ["Hero/1 id: 1, \(values)"])
      #expect(report.updatedCount == (values.contains("new") ? 1 : 0))
      #expect(report.unchangedCount == (values.contains("new") ? 0 : 1))
    }
  }

  @Test(arguments: Dialect.identifying, [4, 5, 6])
  func `is skipped if not newer by the attribute that the option names`(
    dialect: Dialect, version: Int
  ) throws {
    let options = ImportOptions.with { $0.modifiedAttributes = ["Hero": "version"] }
    let result = try outcome(
      of: #"{"id":1,"name":"old","version":5}"#,
      #"{"id":1,"name":"new","version":\#(version)}"#, in: dialect, for: Self.model(), options)
    #expect(
      result == [
        "Hero/1 id: 1, " + (version > 5 ? #"name: "new", version: 6"# : #"name: "old", version: 5"#)
      ])
  }

  @Test func `is skipped by the annotation's attribute before the option's`() throws {
    let options = ImportOptions.with { $0.modifiedAttributes = ["Hero": "name"] }
    let result = try outcome(
      of: #"{"id":1,"name":"a","version":5}"#, #"{"id":1,"name":"b","version":5}"#,
      for: Self.model(["JSONModified": "version"]), options)
    #expect(result == [#"Hero/1 id: 1, name: "a", version: 5"#])
  }

  @Test func `is skipped by the attribute that the nearest entity above names`() throws {
    let model: [EntityDescription] = [
      .make("Being", [.make("born", .integer64), .make("seen", .integer64)]),
      .make("Hero", parent: "Being"), .make("Ghost", parent: "Being"),
    ]
    for (entity, born) in [("Hero", 2), ("Ghost", 1)] {
      let trial = try ImportTrial(model)
      let options = ImportOptions.with {
        $0.modifiedAttributes = ["Being": "seen", "Hero": "born"]
      }
      try trial.load(#"{"id":1,"born":1,"seen":1}"#, as: entity, options)
      try trial.load(#"{"id":1,"born":2,"seen":1}"#, as: entity, options)
      #expect(trial.lines == ["\(entity)/1 born: \(born), id: 1, seen: 1"])
    }
  }

  @Test(arguments: [
    (
      ["Heros": "version"],
      "a modification attribute is given for the unknown entity \"Heros\", did you mean \"Hero\"?"
    ),
    (
      ["Hero": "versoin"],
      "the modification attribute of Hero is given as \"versoin\", which is no attribute of it, "
        + "did you mean \"version\"?"
    ),
    (
      ["Hero": "boss"],
      "the modification attribute of Hero is given as \"boss\", which is no attribute of it"
    ),
    (
      ["Hero": "isWild"],
      "the modification attribute of Hero is given as \"isWild\", a Boolean; "
        + "expected a date, a number or a string"
    ),
  ])
  func `cannot be compared by an attribute without order, which is told before the first byte`(
    given: [String: String], message: String
  ) throws {
    var model = Self.model(["JSONModified": "version"])
    model[0].attributes.append(.make("isWild", .boolean))
    let trial = try ImportTrial(model)
    let error = #expect(throws: ImportError.self) {
      try trial.store.makeImporter(
        entity: "Hero", options: .with { $0.modifiedAttributes = given })
    }
    #expect(error?.message == message)
  }
}
