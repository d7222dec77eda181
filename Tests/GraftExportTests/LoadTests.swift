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

  /// Returns the report of an export of a graph, and whether it is the same when it is loaded.
  private func trial(
    _ entities: [EntityDescription], _ document: String, _ root: String
  ) async throws -> (losses: [String], isSame: Bool) {
    let trial = try ImportTrial(entities)
    try trial.load(document, [ImportRoot(root)])
    let graph = trial.store.graph
    var report = ExportReport()
    let text = try JSONExporter(model: graph.model).data(.graph(graph), report: &report)
    let again = try await loaded(text, graph.model)
    return (
      report.losses.map { String($0.message.prefix { $0 != ":" }) }, again.content == graph.content
    )
  }

  private static func messages(
    _ identity: String, _ member: [AttributeDescription] = []
  ) -> [EntityDescription] {
    [
      .make("Msg", [], [.make("to", to: "Member", many: true, ["JSONRelatedBy": "login"])]),
      .make("Member", identity: identity, [.make("login")] + member),
    ]
  }

  @Test func `has the objects without identity that values refer to`() async throws {
    let result = try await trial(
      Self.messages("", [.make("age", .integer16)]),
      #"[{"id": 1, "to": [{"login": "ann", "age": 42}, "ben"]}, {"id": 2, "to": ["ann", "ben"]}]"#,
      "Msg")
    #expect(result.losses == [] && result.isSame)
  }

  @Test func `has links to objects whose value is missing or another's too`() async throws {
    let result = try await trial(
      Self.messages("id"),
      #"[{"id": 1, "to": [{"id": 7, "login": "x"}, {"id": 8, "login": "x"}, {"id": 9}]}, {"id": 2, "to": [{"id": 8}, {"id": 9}]}]"#,
      "Msg")
    #expect(result.losses == [] && result.isSame)
  }

  @Test
  func `names a link to an object whose value an earlier one has, where both lack an identity`()
    async throws
  {
    let trial = try ImportTrial(Self.messages("", [.make("age", .integer16)]))
    try trial.load(#"[{"login": "x", "age": 1}, {"login": "x", "age": 2}]"#, [ImportRoot("Member")])
    try trial.load(#"[{"id": 1}]"#, [ImportRoot("Msg")])
    try trial.store.write { graph in
      let members = try Array(graph.objects("Member"))
      try graph.object("Msg", identifiedBy: ["id": .integer(1)])?.setObjects([members[1]], of: "to")
    }
    var report = ExportReport()
    let graph = trial.store.graph
    _ = try JSONExporter(model: graph.model).data(.graph(graph), report: &report)
    #expect(report.losses.count == 1)
    #expect(
      report.losses.first?.message.hasPrefix("Msg.to: an import links an earlier object") == true)
  }

  @Test func `has a link that an import reads from the key of its owner`() async throws {
    let trial = try ImportTrial([
      .make("Node", [.make("name")]),
      .make(
        "Edge", identity: "key", [.make("key", .string, ["JSONKeyPath": "@key"])],
        [.make("node", to: "Node", ["JSONKeyPath": "@key", "JSONRelatedBy": "name"])]),
    ])
    try trial.load(
      #"{"nodes": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "edges": {"a": {}, "b": {}}}"#,
      [ImportRoot("Node", at: "nodes"), ImportRoot("Edge", at: "edges.*")])
    let graph = trial.store.graph
    var report = ExportReport()
    let text = try JSONExporter(model: graph.model).data(.graph(graph), report: &report)
    #expect(report.losses.isEmpty, "\(report.losses)")
    #expect(try await loaded(text, graph.model).content == graph.content)
  }

  /// No import takes a stub whose only value nothing refers to any more.
  @Test(arguments: ["id", ""])
  func `lacks the stubs that no value refers to any more`(identity: String) async throws {
    let trial = try ImportTrial(Self.messages(identity))
    try trial.load(#"[{"id": 1, "to": ["red"]}]"#, [ImportRoot("Msg")])
    try trial.load(#"[{"id": 1, "to": []}]"#, [ImportRoot("Msg")])
    let graph = trial.store.graph
    var report = ExportReport()
    let text = try JSONExporter(model: graph.model).data(.graph(graph), report: &report)
    #expect(report.losses.map(\.entity) == ["Member"])
    #expect(report.losses.first?.message.contains("a stub is not written") == true)
    #expect(try await loaded(text, graph.model).objects("Msg").count == 1)
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
    #expect(
      roots.map { "\($0.entity)@\($0.path)" }.sorted()
        == ["Area@Area.*", "Empty@Empty", "Player@Player", "Team@Team"])
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
