import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `The former target of a to-one relationship` {
  /// A place has a position, which has no identity and may have a source, which has none either.
  private static func model(
    _ notes: [String: String] = ["JSONRemoved": "delete"]
  )
    -> [EntityDescription]
  {
    [
      .make(
        "Place", [],
        [
          .make("position", to: "Position", notes), .make("owner", to: "Owner", notes),
          .make("seller", to: "Owner"),
        ]),
      .make(
        "Position", identity: "", [.make("x", .integer64)],
        [.make("source", to: "Source", notes)]),
      .make("Source", identity: "", [.make("name")]), .make("Owner", [.make("name")]),
    ]
  }

  private static let document =
    #"{"id":1,"position":{"x":1,"source":{"name":"a"}},"owner":{"id":3}}"#

  private func counts(_ trial: ImportTrial) throws -> [Int] {
    try ["Position", "Source", "Owner"].map { try trial.store.graph.count(of: $0) }
  }

  @Test func `is unlinked by default`() throws {
    let trial = try ImportTrial(Self.model([:]))
    try trial.load(Self.document)
    try trial.load(Self.document)
    #expect(try counts(trial) == [2, 2, 1])
  }

  @Test(arguments: [true, false])
  func `is deleted where it has no identity, so that importing twice leaves one`(
    byOption: Bool
  ) throws {
    let trial = try ImportTrial(Self.model(byOption ? [:] : ["JSONRemoved": "delete"]))
    let options = ImportOptions.with { $0.relationships.removed = byOption ? .delete : nil }
    try trial.load(Self.document, options)
    let report = try trial.load(Self.document, options)
    #expect(try counts(trial) == [1, 1, 1])
    #expect(report.count(of: "Position") == .init(entity: "Position", inserted: 1, deleted: 1))
    try trial.load("[\(Self.document),\(Self.document)]", options)
    #expect(try counts(trial) == [1, 1, 1])
  }

  @Test(arguments: [
    (#""owner":{"id":4}"#, 1), (#""owner":4"#, 1), (#""owner":null"#, 0), (#""owner":3"#, 1),
    (#""owner":"""#, 0), (#""name":1"#, 1), (#""owner":4,"seller":3"#, 2),
    (#""owner":{"id":4},"owner":{"id":5}"#, 1),
  ])
  func `is deleted where a new value, an identifier or none replaces it`(
    value: String, left: Int
  ) throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(Self.document)
    try trial.load(#"{"id":1,\#(value)}"#)
    #expect(try trial.store.graph.count(of: "Owner") == left)
  }

  @Test(arguments: [
    #"{"id":2,"owner":3}"#, #"{"id":2,"seller":3}"#,
  ])
  func `is kept where it has an identity and anything else leads to it`(other: String) throws {
    let trial = try ImportTrial(Self.model())
    try trial.load("[\(Self.document),\(other)]")
    try trial.load(#"{"id":1,"owner":4}"#)
    #expect(try trial.store.graph.count(of: "Owner") == 2)
  }

  @Test func `is kept where the document mentions it`() throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(Self.document)
    try trial.load(
      #"{"places":[{"id":1,"owner":4}],"owners":[3]}"#,
      [ImportRoot("Place", at: "places"), ImportRoot("Owner", at: "owners")])
    #expect(try trial.store.graph.count(of: "Owner") == 2)
  }

  @Test func `is deleted where a reference that waits names another object, or none`() throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(Self.document)
    try trial.load(#"{"id":1,"owner":9}"#, .with { $0.relationships.reference = .defer })
    #expect(try trial.store.graph.count(of: "Owner") == 0)
  }

  @Test func `stays where only another dialect's children are deleted`() throws {
    let trial = try ImportTrial(
      [
        .make(
          "User", [], [.make("home", to: "Home", inverse: "user")], ["sync.isPrimaryKey": "id"]),
        .make("Home", [], [.make("user", to: "User", inverse: "home")]),
      ], dialect: .sync)
    try trial.load(#"{"id":1,"home":{"id":1}}"#)
    try trial.load(#"{"id":1,"home":{"id":2}}"#)
    #expect(try trial.store.graph.count(of: "Home") == 2)
  }
}
