import CommandLineSupport
import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Laws that hold for every graph.
@Suite struct `Laws of exporting` {
  private static let seeds = Seeds.some(24, of: 120)
  private static let documents = Seeds.some(60, of: 250)

  @Test(arguments: seeds)
  func `an import of an export is the identity`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let graph = try RandomGraph(&random).store.graph
    let text = try export(graph, ExportOptions())
    let again = try graph.reimported(text)
    try #require(again.content == graph.content, "seed \(seed): \(text)")
  }

  @Test(arguments: seeds)
  func `no option changes what an export says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let graph = try RandomGraph(&random).store.graph
    var options = ExportOptions()
    options.writesNull = .random(using: &random)
    options.writesEmpty = .random(using: &random)
    options.isPretty = .random(using: &random)
    options.isNDJSON = .random(using: &random)
    options.keyOrder = .random(using: &random) ? .model : .sorted
    let text = try export(graph, options)
    let again = try graph.reimported(text, format: options.isNDJSON ? .ndjson : .json)
    try #require(again.content == graph.content, "seed \(seed), \(options): \(text)")
  }

  @Test(arguments: seeds)
  func `a nested export says only what is so`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let graph = try RandomGraph(&random).store.graph
    var options = ExportOptions()
    options.depth = Int.random(in: 0...3, using: &random)
    options.relationships = .random(using: &random) ? .nested : .identifier
    options.repeats = .identifier
    let nested = try JSONExporter(model: graph.model, options: options)
    let text = try nested.data(.entity("Card", of: graph))
    // Cards lead to nothing but cards, so laying the nested ones over all of the graph changes
    // nothing.
    let store = GraphStore(model: graph.model)
    let whole = try JSONExporter(model: graph.model).data(.graph(graph))
    try store.importJSON(
      graph.model.roots, from: whole, options: .with { $0.relationships.reference = .defer })
    let before = store.graph.canonicalJSON()
    try store.importJSON(entity: "Card", from: text)
    #expect(store.graph.canonicalJSON() == before)
  }

  /// Documents in models of every type, path, relationship and policy.
  ///
  /// An export must name each value that it cannot write, in a notice or an error.
  @Test(arguments: documents)
  func `what a document gave is the same after an export, or the export says what is not`(
    seed: UInt64
  ) throws {
    _ = try isSame(seed)
  }

  @Test func `many random documents can be exported without a notice`() throws {
    let seeds = Seeds.some(25, of: 100)
    #expect(try seeds.count { try isSame($0) } * 5 > seeds.count * 2)
  }

  /// Whether the random document of a seed can be imported and exported without a notice; then an import
  /// of the export must give the same graph.
  private func isSame(_ seed: UInt64) throws -> Bool {
    var random = SeededGenerator(seed: seed)
    let mapping = RandomMapping(&random)
    let model = try GraphModel(entities: mapping.entities, dialect: .graft)
    let store = GraphStore(model: model)
    do {
      try store.importJSON(mapping.roots, from: Data(mapping.text.utf8))
    } catch is ImportError {
      return false
    }
    var report = ExportReport()
    let written: Data
    do {
      written = try JSONExporter(model: model).data(.graph(store.graph), report: &report)
    } catch let error as ExportError where error.kind == .invalidValue {
      return false
    }
    guard report.losses.isEmpty else { return false }
    let text = String(decoding: written, as: UTF8.self)
    let trial: Comment = "seed \(seed)\n\(model.summary)\n\(mapping.text)\n\(text)"
    let again = try #require(
      try? store.graph.reimported(text, model.roots(of: written)), trial)
    try #require(again.content == store.graph.content, trial)
    return true
  }

  private func export(_ graph: Graph, _ options: ExportOptions) throws -> String {
    let exporter = try JSONExporter(model: graph.model, options: options)
    return String(decoding: try exporter.data(.graph(graph)), as: UTF8.self)
  }
}

/// The fixtures, there and back.
@Suite struct `An export of a fixture` {
  private func load(_ model: String, _ roots: [ImportRoot], _ document: String) throws -> Graph {
    let store = GraphStore(model: try GraphModel(contentsOf: Fixture.url(model)))
    try store.importJSON(roots, from: try Data(contentsOf: Fixture.url(document)))
    return store.graph
  }

  private var timeline: Graph {
    get throws {
      try load(
        Fixture.timelineModel, [ImportRoot("Tweet", at: "statuses")], Fixture.timeline)
    }
  }

  private var catalog: Graph {
    get throws {
      try load(
        Fixture.catalogModel,
        [
          ImportRoot("Event", at: "events.*"),
          ImportRoot("Performance", at: "performances"),
        ],
        Fixture.catalog)
    }
  }

  @Test func `reads back as the same graph, in the same order`() throws {
    for graph in [try timeline, try catalog] {
      let text = String(
        decoding: try JSONExporter(model: graph.model).data(.graph(graph)), as: UTF8.self)
      let again = try graph.reimported(text)
      #expect(again.canonicalJSON() == graph.canonicalJSON())
    }
  }

  @Test func `nested by its tweets, reads back as the same graph`() throws {
    let graph = try timeline
    let data = try JSONExporter(model: graph.model).data(.entity("Tweet", of: graph))
    let again = try graph.reimported(
      String(decoding: data, as: UTF8.self), [ImportRoot("Tweet")])
    #expect(again.content == graph.content)
  }

  @Test func `of tweets says what the document says`() throws {
    let graph = try timeline
    let data = try JSONExporter(model: graph.model).data(.entity("Tweet", of: graph))
    let written = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let read = try #require(
      try JSONSerialization.jsonObject(with: try Data(contentsOf: Fixture.url(Fixture.timeline)))
        as? [String: Any])
    let statuses = try #require(read["statuses"] as? [[String: Any]])
    var byID: [String: [String: Any]] = [:]
    for tweet in written { byID["\(tweet["id_str"] ?? "")"] = tweet }
    for status in statuses {
      let tweet = try #require(byID["\(status["id_str"] ?? "")"])
      for key in ["text", "lang", "created_at", "retweet_count", "favorite_count"] {
        #expect("\(tweet[key] ?? "")" == "\(status[key] ?? "")", "\(key)")
      }
      let names = [tweet, status].map { ($0["user"] as? [String: Any])?["screen_name"] as? String }
      #expect(names[0] == names[1])
      #expect(names[0] != nil)
    }
  }
}

/// Groot's tests of its export, with its model.
@Suite(.enabled(if: PeerModels.isPresent, PeerModels.absence))
struct `Groot's export` {
  private func trial(realName: String? = nil) throws -> ImportTrial {
    let mapper = EntityMapper(
      discriminator: JSONPath("type"), entities: ["A": "ConcreteA", "B": "ConcreteB"])
    var model = try GraphModel(
      contentsOf: PeerModels.folder.appending(path: "groot/Model.xcdatamodeld"),
      extensions: extensions(mapper))
    if let realName {
      var entities = model.entities
      for (index, entity) in entities.enumerated() {
        for (number, attribute) in entity.attributes.enumerated() where attribute.name == "realName"
        {
          entities[index].attributes[number].isOptional = true
          entities[index].attributes[number].userInfo["JSONKeyPath"] = realName
        }
      }
      model = try GraphModel(
        entities: entities, dialect: .groot, extensions: extensions(mapper))
    }
    return ImportTrial(model, entity: "Character")
  }

  private func extensions(_ mapper: EntityMapper) -> ModelExtensions {
    ModelExtensions(
      transformers: ["GrootTests.Transformer": .stringInteger],
      entityMappers: ["GrootTests.Abstract": mapper])
  }

  @Test func `G13, an object with its relationships, the way back not repeated`() throws {
    let json =
      #"[{"id":"1699","name":"Batman","real_name":"Bruce Wayne","#
      + #""powers":[{"id":"4","name":"Agility"},{"id":"9","name":"Insanely Rich"}],"#
      + #""publisher":{"id":"10","name":"DC Comics"}},"#
      + #"{"id":"1455","name":"Iron Man","real_name":"Tony Stark","powers":[],"publisher":null}]"#
    let trial = try trial()
    try trial.load(json)
    #expect(try trial.export("Character") == json)
    let graph = try trial.store.graph.reimported(json, [ImportRoot("Character")])
    #expect(graph.canonicalJSON() == trial.store.graph.canonicalJSON())
  }

  @Test func `G14, a path makes the objects on its way`() throws {
    let trial = try trial(realName: "real_name.foo.bar.name")
    let json =
      #"[{"id":"1699","name":"Batman","real_name":{"foo":{"bar":{"name":"Bruce Wayne"}}},"#
      + #""powers":[],"publisher":null}]"#
    try trial.load(json)
    #expect(try trial.export("Character") == json)
    let graph = try trial.store.graph.reimported(json, [ImportRoot("Character")])
    #expect(graph.canonicalJSON() == trial.store.graph.canonicalJSON())
  }

  @Test func `sub-entities by the mapper's words`() throws {
    let trial = try trial()
    let json =
      #"{"abstracts":[{"type":"A","id":1,"foo":"this is A"},"#
      + #"{"type":"B","id":2,"bar":"this is B"}]}"#
    try trial.load(json, as: "Container")
    let container = try #require(try trial.store.graph.objects("Container").first)
    #expect(try trial.export(.object(container)) == json)
    let all = try trial.exportAll()
    #expect(try trial.store.graph.reimported(all).content == trial.store.graph.content)
  }
}
