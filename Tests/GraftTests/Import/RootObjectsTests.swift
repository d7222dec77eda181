import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `The objects of an import's roots` {
  private func trial() throws -> ImportTrial {
    try ImportTrial([.make("E", [.make("name")], [.make("next", to: "E")])])
  }

  private var options: ImportOptions { .with { $0.listsRootObjects = true } }

  @Test func `are listed only where that is asked for`() throws {
    let report = try trial().load(#"[{"id": 1}]"#)
    #expect(report.roots.map(\.objects) == [1])
    #expect(report.roots.map(\.ids) == [[]])
  }

  @Test func `come in the order of the document, without those that stand inside`() throws {
    let trial = try trial()
    let report = try trial.load(#"[{"id": 3, "next": {"id": 1}}, 2, {"id": 1}]"#, options)
    let names = report.roots[0].ids.map { trial.store.graph.object($0)?["id"] }
    #expect(names == [.integer(3), .integer(2), .integer(1)])
  }

  @Test(arguments: [
    ("", #"{"id": 1}"#, true), ("", #"[{"id": 1}]"#, false), ("", "[1]", false),
    ("a.b", #"{"a": {"b": {"id": 1}}}"#, true), ("a[0]", #"{"a": [{"id": 1}]}"#, true),
    ("a", #"{"a": [{"id": 1}]}"#, false), ("a.*", #"{"a": {"b": {"id": 1}}}"#, false),
  ])
  func `tell whether one stood alone`(path: String, json: String, isAlone: Bool) throws {
    let report = try trial().load(json, at: path.isEmpty ? nil : path, options)
    #expect(report.roots[0].isSingleObject == isAlone)
    #expect(report.roots[0].ids.count == 1)
  }

  @Test func `include objects that have taken the place of stubs`() throws {
    let trial = try ImportTrial([
      .make("Party"), .make("Person", identity: "", parent: "Party", [.make("name")]),
    ])
    let roots = [ImportRoot("Party", at: "refs"), ImportRoot("Person", at: "people")]
    let report = try trial.load(#"{"refs":[7],"people":[{"id":7,"name":"Ada"}]}"#, roots, options)
    for root in report.roots {
      #expect(root.ids.map { trial.store.graph.object($0)?["name"] } == [.string("Ada")])
    }
  }
}
