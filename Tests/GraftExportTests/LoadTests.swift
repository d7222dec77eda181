import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `A graph that was exported as a whole` {
  private func saved(_ graph: Graph) throws -> Data {
    try JSONExporter(model: graph.model).data(.graph(graph))
  }

  private func loaded(_ data: Data, _ model: GraphModel) async throws -> Graph {
    let store = GraphStore(model: model)
    try await store.load(from: .data(data))
    return store.graph
  }

  @Test(arguments: Seeds.some(12, of: 60))
  func `is the same when it is loaded`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let graph = try RandomGraph(&random).store.graph
    let text = try saved(graph)
    let again = try await loaded(text, graph.model)
    try #require(
      again.content == graph.content, "\(seed): \(String(decoding: text, as: UTF8.self))")
  }

  @Test(arguments: Seeds.some(20, of: 100))
  func `is the same for every mapping that has a place for everything`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let mapping = RandomMapping(&random)
    let store = GraphStore(model: try GraphModel(entities: mapping.entities, dialect: .graft))
    var report = ExportReport()
    guard (try? store.importJSON(mapping.roots, from: Data(mapping.text.utf8))) != nil,
      let text = try? JSONExporter(model: store.model).data(.graph(store.graph), report: &report),
      report.losses.isEmpty
    else { return }
    let again = try await loaded(text, store.model)
    try #require(again.content == store.graph.content, "\(seed): \(mapping.text)")
  }

  private static let teams: [EntityDescription] = [
    .make("Team", [], [.make("players", to: "Player", many: true)]),
    .make(
      "Player", identity: "team, no",
      [
        .make("team", .integer64, ["JSONKeyPath": "@parent.id"]), .make("no", .integer64),
        .make("name"),
      ]),
    .make("Area", identity: "code", [.make("code", .string, ["JSONKeyPath": "@key"]), .make("n")]),
    .make("Empty"),
  ]

  @Test func `may be empty, and replaces what was there`() async throws {
    let model = try GraphModel(entities: Self.teams, dialect: .graft)
    let text = try saved(GraphStore(model: model).graph)
    #expect(try await loaded(text, model).content == [])
    let store = GraphStore(model: model)
    try store.importJSON([ImportRoot("Team")], from: Data(#"[{"id": 1}]"#.utf8))
    try await store.load(from: .data(text), options: .with { $0.deletesMissing = true })
    #expect(try store.graph.count(of: "Team") == 0)
  }

  /// Teams that only their code is known of have no identity, so that no list of teams can have them.
  @Test(arguments: [nil, "members"])
  func `has the stubs again that values refer to`(inverse: String?) async throws {
    let members = inverse.map {
      RelationshipDescription.make($0, to: "Person", many: true, inverse: "team")
    }
    let trial = try ImportTrial([
      .make("Team", [.make("code")], members.map { [$0] } ?? []),
      .make(
        "Person", [], [.make("team", to: "Team", inverse: inverse, ["JSONRelatedBy": "code"])]),
    ])
    try trial.load(
      #"[{"id": 1, "team": "red"}, {"id": 2, "team": "blue"}, {"id": 3, "team": "red"}, {"id": 4, "team": {"id": 7, "code": "late"}}]"#,
      [ImportRoot("Person")])
    let graph = trial.store.graph
    var report = ExportReport()
    let text = try JSONExporter(model: graph.model).data(.graph(graph), report: &report)
    #expect(report.losses.isEmpty)
    #expect(try await loaded(text, graph.model).content == graph.content)
  }

  /// An object that no value refers to any more is written, and a loss says that an import does not take it.
  @Test(arguments: [nil, "insert"])
  func `names objects whose identity has no value`(policy: String?) async throws {
    let trial = try ImportTrial([
      .make(
        "Team", identity: "id", [.make("id", .integer64), .make("code")], [],
        policy.map { ["JSONMissingIdentity": $0] } ?? [:]),
      .make("Person", [], [.make("team", to: "Team", ["JSONRelatedBy": "code"])]),
    ])
    try trial.load(#"[{"id": 1, "team": "red"}]"#, [ImportRoot("Person")])
    try trial.load(#"[{"id": 1, "team": null}]"#, [ImportRoot("Person")])
    let graph = trial.store.graph
    var report = ExportReport()
    let text = try JSONExporter(model: graph.model).data(.graph(graph), report: &report)
    #expect(
      report.losses.map(\.message)
        == (policy == nil
          ? [
            "Team.id: an import refuses or skips an object whose identity has no value (JSONMissingIdentity); set it, or let that be \"insert\" (Team in row 1)"
          ] : []))
    let again = try? await loaded(text, graph.model)
    #expect((again?.content == graph.content) == (policy != nil))
  }

  @Test func `has objects under their keys, and inside those that identify them`() async throws {
    let trial = try ImportTrial(Self.teams)
    let players = (0..<500).map { #"{"no": \#($0), "name": "p\#($0)"}"# }.joined(separator: ",")
    try trial.load(
      #"{"teams": [{"id": 1, "players": [\#(players)]}, {"id": 2, "players": [{"no": 1}]}], "areas": {"x": {"n": "1"}, "y": {}}}"#,
      [ImportRoot("Team", at: "teams"), ImportRoot("Area", at: "areas.*")])
    let graph = trial.store.graph
    let text = try saved(graph)
    let roots = try await ImportRoot.wholeGraph(in: .data(text), of: graph.model)
    #expect(roots.map { "\($0.entity)@\($0.path)" }.sorted() == ["Area@Area.*", "Team@Team"])
    #expect(try await loaded(text, graph.model).content == graph.content)
  }

  @Test(arguments: [
    ("[]", "found another value"), ("7", "found another value"),
    (#"{"Team": [], "Plyer": []}"#, #""Plyer" is no entity of the model, did you mean "Player"?"#),
  ])
  func `is told from other texts`(text: String, reason: String) async throws {
    let model = try GraphModel(entities: Self.teams)
    let error = await #expect(throws: ImportError.self) {
      try await loaded(Data(text.utf8), model)
    }
    #expect(
      error?.message
        == "expected the export of a whole graph, an object with a member for each entity; \(reason)"
    )
    #expect(error?.kind == .rootNotFound)
  }

  @Test func `may have more links that wait than an import keeps`() async throws {
    let model: [EntityDescription] = [
      .make(
        "Note", [.make("text")],
        [.make("tags", to: "Tag", many: true, ["JSONExport": "identifier"])]),
      .make("Tag", identity: "name", [.make("name")]),
    ]
    let trial = try ImportTrial(model)
    try trial.load(#"[{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": ["b"]}]"#)
    let text = try saved(trial.store.graph)
    let store = GraphStore(model: trial.store.model)
    try await store.load(from: .data(text), options: .with { $0.bufferLimit = 10 })
    #expect(store.graph.content == trial.store.graph.content)
  }
}
