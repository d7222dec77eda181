import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Objects of the store missing from the payload` {
  private static let model: [EntityDescription] = [
    .make("Hero", [], [.make("boss", to: "Hero"), .make("power", to: "Power")]), .make("Power"),
  ]

  private static let before =
    #"[{"id":1,"power":{"id":7}},{"id":2},{"id":3},{"id":4,"power":{"id":8}}]"#
  private static let after = #"[{"id":1,"boss":{"id":3}},{"id":5,"boss":2}]"#

  @Test(arguments: Dialect.allCases)
  func `are kept by default`(dialect: Dialect) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    try trial.load(Self.before)
    try trial.load(#"[{"id":9}]"#)
    #expect(try trial.store.graph.count(of: "Hero") == 5)
    #expect(try trial.store.graph.count(of: "Power") == 2)
  }

  @Test(arguments: Dialect.identifying)
  func `are deleted where that is asked for, except those that occur nested or as identifiers`(
    dialect: Dialect
  ) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    try trial.load(Self.before)
    let report = try trial.load(Self.after, .with { $0.deletesMissing = true })
    let ids = try trial.store.graph.objects("Hero").map { $0["id"] }
    #expect(ids == [1, 2, 3, 5].map { .integer($0) })
    #expect(report.count(of: "Hero").deleted == 1)
    #expect(try trial.store.graph.count(of: "Power") == 2)
  }

  @Test func `are all that were there, where no object is found again`() throws {
    let trial = try ImportTrial(Self.model, speaking: .zds)
    try trial.load(Self.before)
    try trial.load(#"[{"id":1,"boss":{"id":3}}]"#, .with { $0.deletesMissing = true })
    #expect(
      trial.lines.filter { $0.hasPrefix("Hero") } == ["Hero/1 id: 3", "Hero/2 boss: Hero/1, id: 1"])
  }

  @Test(arguments: Dialect.allCases)
  func `are kept where the document does not end well`(dialect: Dialect) throws {
    for json in [#"[{"id":1}"#, #"[{"id":1}]]"#, #"[{"id":1},{"id":[]}]"#] {
      let result = try outcome(
        of: Self.before, json, in: dialect, for: Self.model, .with { $0.deletesMissing = true })
      #expect(result.first?.hasPrefix("! 1:") == true)
    }
  }

  /// Documents of which an object is skipped, and the heroes that are left.
  @Test(arguments: [
    (#"[{"id": 1}, {"id": "two"}]"#, [1, 2, 3, 4]),
    (#"[{"id": 1}, {"boss": 3}]"#, [1, 2, 3, 4]),
    (#"[{"id": 1, "boss": {"id": null}}]"#, [1, 2, 3, 4]),
    (#"[{"id": 1}, {"id": 2, "power": true}]"#, [1, 2]),
    (#"[{"id": 1, "power": {"id": "seven"}}]"#, [1]),
  ])
  func `are kept where one of them may be what was skipped`(
    document: String, ids: [Int64]
  ) throws {
    for policy in [ImportOptions.ErrorPolicy.skipObject, .skipValue] {
      let trial = try ImportTrial(Self.model)
      try trial.load(Self.before)
      let options = ImportOptions.with {
        $0.deletesMissing = true
        $0.errorPolicy = policy
      }
      let report = try trial.load(document, options)
      #expect(report.issueCount == 1)
      let left = try trial.store.graph.objects("Hero").map { $0["id"] }
      #expect(left == ids.map { .integer($0) })
      let notices = report.notices.filter { $0.error.message.hasPrefix("nothing that is missing") }
      #expect(notices.count == (ids.count == 4 ? 1 : 0))
    }
  }

  /// Documents of which an object is skipped, by what is read at alternative paths, and the heroes that are left.
  @Test(arguments: [
    ("name", "n | m", #"[{"n": "x"}, {"id": 1}]"#, [1, 2, 3, 4]),
    ("name", "n | m", "[{}]", [1, 2, 3, 4]),
    ("id", "id | key", #"[{"key": null}, {"id": 1}]"#, [1, 2, 3, 4]),
    ("id", "id | key", #"[{"id": 1, "key": 2, "age": "old"}]"#, [1]),
    ("id", "a[0] | id", #"[{"id": 3, "a": [2], "age": "old"}]"#, [2]),
  ])
  func `are kept where one of several paths was skipped, and only the first path counts`(
    attribute: String, path: String, document: String, ids: [Int64]
  ) throws {
    let types = ["id": AttributeType.integer64, "name": .string, "age": .integer64]
    let attributes = types.map { name, type in
      AttributeDescription.make(name, type, name == attribute ? ["JSONKeyPath": path] : [:])
    }
    let trial = try ImportTrial([.make("Hero", attributes)])
    let first = path.contains("a[0]") ? #"[{"a":[1]},{"a":[2]},{"a":[3]},{"a":[4]}]"# : Self.before
    try trial.load(first)
    try trial.load(
      document,
      .with {
        $0.deletesMissing = true
        $0.errorPolicy = .skipObject
      })
    #expect(try trial.store.graph.objects("Hero").map { $0["id"] } == ids.map { .integer($0) })
  }

  @Test(arguments: Dialect.identifying)
  func `are kept where an identity could not be read, whatever the dialect does without one`(
    dialect: Dialect
  ) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    try trial.load(Self.before)
    let options = ImportOptions.with {
      $0.deletesMissing = true
      $0.errorPolicy = .skipObject
    }
    try trial.load(#"[{"id": 1}, {"id": "two"}]"#, options)
    #expect(try trial.store.graph.count(of: "Hero") == 4)
  }

  @Test(arguments: [false, true])
  func `are kept where another import of their group may have skipped one`(isDeleting: Bool) throws
  {
    let trial = try ImportTrial(Self.model)
    try trial.load(Self.before)
    let group = ImportGroup(trial.store)
    var options = ImportOptions.with {
      $0.deletesMissing = true
      $0.errorPolicy = .skipObject
      $0.group = group
    }
    try trial.load(#"[{"id": 7}]"#, as: "Power", options)
    try trial.load(#"[{"id": 1}]"#, options)
    options.deletesMissing = isDeleting
    try trial.load(#"[{"id": "eight"}]"#, as: "Power", options)
    let report = try group.finish()
    #expect(report.notices.contains { $0.error.message.hasPrefix("nothing that is missing") })
    #expect(try trial.store.graph.count(of: "Hero") == 4)
    #expect(try trial.store.graph.count(of: "Power") == 2)
  }

  @Test(arguments: Dialect.allCases)
  func `are all where the document is empty`(dialect: Dialect) throws {
    let result = try outcome(
      of: Self.before, "[]", in: dialect, for: Self.model, .with { $0.deletesMissing = true })
    #expect(result == ["Power/1 id: 7", "Power/2 id: 8"])
  }

  @Test(arguments: [
    ("null", nil), (#"{"heroes":null}"#, "heroes"), (#"{"heroes":null}"#, "heroes.*"),
    (#"{"heroes":null}"#, "heroes.*.hero"), ("null", "*"),
  ])
  func `are none where the root is null, which says nothing about what there is`(
    json: String, path: String?
  ) throws {
    let trial = try ImportTrial(Self.model)
    try trial.load(Self.before)
    let before = trial.text
    let report = try trial.load(json, at: path, .with { $0.deletesMissing = true })
    #expect(trial.text == before)
    #expect(report.entities == [])
  }

  @Test func `are found for the roots that are there, beside one that is null`() throws {
    let trial = try ImportTrial(Self.model)
    try trial.load(Self.before)
    try trial.load(
      #"{"heroes":null,"powers":[7]}"#,
      [ImportRoot("Hero", at: "heroes"), ImportRoot("Power", at: "powers")],
      .with { $0.deletesMissing = true })
    #expect(try trial.store.graph.count(of: "Hero") == 4)
    #expect(try trial.store.graph.count(of: "Power") == 1)
  }

  @Test(arguments: Dialect.allCases)
  func `are kept where the root leads nowhere, which is an error`(dialect: Dialect) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    try trial.load(Self.before)
    let message = trial.failure(
      #"{"heros":[]}"#, at: "heroes", .with { $0.deletesMissing = true })
    #expect(message.contains(#"the root "heroes" of Hero leads nowhere"#))
  }
}
