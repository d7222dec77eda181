import Testing

@testable import Graft
@testable import GraftTestSupport

/// A report counts each object once, however often it is mentioned.
@Suite struct `A report` {
  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make(
        "Hero", [.make("name")],
        [.make("boss", to: "Hero"), .make("powers", to: "Power", many: true)]),
      .make("Power", [.make("name")]),
    ])
    try trial.load(#"[{"id":1,"name":"A","powers":[4]},{"id":2,"name":"B"}]"#)
  }

  @Test(arguments: [
    ("[]", (0, 0, 0)), ("[1]", (0, 0, 1)), (#"[{"id":1}]"#, (0, 0, 1)),
    (#"[{"id":1,"name":"A"},1,{"id":1}]"#, (0, 0, 1)), (#"[{"id":1,"name":"Z"}]"#, (0, 1, 0)),
    (#"[{"id":1,"name":"Z"},{"id":1,"name":"A"},{"id":1}]"#, (0, 0, 1)),
    (#"[{"id":1},{"id":1,"name":"Z"}]"#, (0, 1, 0)),
    (#"[{"id":3},{"id":3,"name":"Z"},3]"#, (1, 0, 0)),
    ("[3,3]", (1, 0, 0)), (#"[3,{"id":3}]"#, (1, 0, 0)), (#"[{"id":1,"boss":2}]"#, (0, 1, 1)),
    (#"[{"id":1,"boss":null}]"#, (0, 0, 1)), (#"[{"id":1,"powers":[]}]"#, (0, 1, 0)),
    (#"[{"id":1,"powers":[4]}]"#, (0, 0, 1)),
    (#"[{"id":1,"boss":{"id":2,"boss":{"id":1}}}]"#, (0, 2, 0)),
  ])
  func `counts what was inserted, updated and unchanged`(
    json: String, counts: (inserted: Int, updated: Int, unchanged: Int)
  ) throws {
    let count = try trial.load(json).count(of: "Hero")
    #expect(count.inserted == counts.inserted)
    #expect(count.updated == counts.updated)
    #expect(count.unchanged == counts.unchanged)
  }

  @Test func `is one line where it is printed`() throws {
    var options = ImportOptions()
    options.errorPolicy = .skipObject
    let report = try trial.load(
      #"[{"id":1,"name":"Z","powers":[5]},{"id":3},{"id":2},{"x":1}]"#, as: nil, at: nil, options)
    #expect("\(report)" == "Hero: 1 inserted, 1 updated, 1 unchanged; Power: 1 inserted; 1 issue")
    #expect(report.deletedCount == 0)
    #expect("\(try trial.load("[]"))" == "no objects")
  }

  @Test func `names the entities in the order of the model, and only those that were touched`()
    throws
  {
    #expect(
      try trial.load(#"{"id":9,"powers":[{"id":9}]}"#).entities.map(\.entity) == ["Hero", "Power"])
    #expect(try trial.load("[1]").entities.map(\.entity) == ["Hero"])
    #expect(try trial.load("[]").entities == [])
  }

  @Test func `tells the bytes and the time`() throws {
    let json = #"[{"id":"é"}]"#
    #expect(throws: ImportError.self) { try trial.load(json) }
    let report = try trial.load("  [1]\n", chunk: 2)
    #expect(report.byteCount == 6)
    #expect(report.duration > .zero)
  }

  @Test func `of an import that changed nothing has left the snapshot as it was`() throws {
    let before = trial.store.graph
    try trial.load(#"[{"id":1,"name":"A","powers":[4]},2]"#)
    #expect(trial.store.graph.storage === before.storage)
  }

  @Test(arguments: [0, 2, 100])
  func `lists unfilled stubs up to the limit, and counts them beyond it`(limit: Int) throws {
    let report = try trial.load("[10,11,12,13]", .with { $0.issueLimit = limit })
    #expect(report.unfilledStubCount == 4)
    #expect(report.unfilledStubs.count == min(limit, 4))
  }

  @Test func `counts an object as unchanged that is in the end what it was`() throws {
    let trial = try ImportTrial([.make("Hero", [.make("name")], [.make("boss", to: "Hero")])])
    let json = #"[{"id":1,"name":"a","boss":2},{"id":1,"name":"b","boss":null}]"#
    #expect(try trial.load(json).insertedCount == 2)
    for options in [ImportOptions(), .with { $0.isDryRun = true }] {
      let report = try trial.load(json, options)
      #expect(report.updatedCount == 0 && report.unchangedCount == 2)
    }
    let report = try trial.load(#"[{"id":1,"name":"a"},{"id":1,"name":"c"}]"#)
    #expect(report.updatedCount == 1)
  }
}
