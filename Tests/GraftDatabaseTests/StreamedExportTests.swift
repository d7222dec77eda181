import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

/// An export in pages writes the same as an export of the whole database as a graph.
@Suite struct `An export of a database` {
  /// The output and report of an export, or its error.
  private struct Outcome: Equatable, CustomStringConvertible {
    var text = ""
    /// With the number of the object, since each graph has its own identifiers.
    var notices: [String] = []
    var error = ""

    var description: String { "\(text)\n\(notices)\n\(error)" }
  }

  private static let options: [ExportOptions] = [
    ExportOptions(),
    .with {
      $0.repeats = .identifier
      $0.isNDJSON = true
    },
    .with {
      $0.relationships = .identifier
      $0.keyOrder = .sorted
      $0.writesNull = false
    },
    .with {
      $0.depth = 1
      $0.isPretty = true
    },
    .with {
      $0.depth = 2
      $0.repeats = .nested
      $0.writesEmpty = false
    },
  ]

  private static func outcome(_ content: ExportContent, _ exporter: JSONExporter) throws -> Outcome
  {
    var outcome = Outcome()
    var report = ExportReport()
    do {
      let data = try exporter.data(content, report: &report)
      outcome.text = String(decoding: data, as: UTF8.self)
    } catch let error as ExportError {
      outcome.error = "\(error.object?.row ?? -1) \(error)"
    }
    outcome.notices = report.losses.map {
      "\($0.entity).\($0.property) \($0.object.row) \($0.count) \($0)"
    }
    return outcome
  }

  /// Compares the exports of a database with those of its graph, for each entity and for all.
  ///
  /// All is written in pages of every size, and the entities in turn in pages of one of them.
  private static func compare(_ database: GraphDatabase, _ name: String) throws {
    let graph = try database.graph()
    let sizes = [1, 2, 7]
    for (turn, options) in options.enumerated() {
      let exporter: JSONExporter
      do {
        exporter = try JSONExporter(model: database.model, options: options)
      } catch is ExportError {
        continue
      }
      func check(_ entity: String?, _ sizes: ArraySlice<Int>) throws {
        let whole = entity.map { ExportContent.entity($0, of: graph) } ?? .graph(graph)
        let expected = try outcome(whole, exporter)
        for size in sizes {
          let source = DatabaseExport(database, pageSize: size)
          let content = ExportContent(
            kind: .source(source, entity: entity, includesSubentities: true))
          let found = try outcome(content, exporter)
          let isSame = found == expected
          try #require(isSame, "\(name), \(entity ?? "all"), pages of \(size), \(options)")
        }
      }
      try check(nil, sizes[...])
      for (number, entity) in database.model.entities.enumerated() {
        let index = (number + turn) % sizes.count
        try check(entity.name, sizes[index...index])
      }
    }
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `is that of its graph, to the byte and to the notice`(folder: String) throws {
    let trial = try FixtureTrial.of(folder)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: trial.model, at: file.url, configuration: .quick)
    try trial.load(into: database, saveEvery: 1000)
    try Self.compare(database, folder)
  }

  @Test(arguments: Seeds.some(8, of: 15))
  func `is that of its graph, whatever links there are`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: family.model, at: file.url, configuration: .quick)
    for _ in 0..<3 {
      let importer = try database.makeImporter(
        [family.root],
        options: .with {
          $0.parser.format = .ndjson
          $0.errorPolicy = .skipObject
        })
      try importer.parse(Data(family.document(&random).utf8))
      _ = try? importer.finish()
    }
    try Self.compare(database, "seed \(seed)")
  }

  @Test(arguments: Seeds.some(8, of: 12))
  func `is that of its graph, whatever its values and shape`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let mapping = RandomMapping(&random)
    let model = try GraphModel(entities: mapping.entities, dialect: .graft)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let importer = try database.makeImporter(mapping.roots)
    try? importer.parse(Data(mapping.text.utf8))
    _ = try? importer.finish()
    try Self.compare(database, "seed \(seed)")
  }

  @Test(arguments: Seeds.some(4, of: 8))
  func `is that of its graph, with objects without identity and composite ones`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let graph = try RandomGraph(&random).store.graph
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: graph.model, at: file.url, configuration: .quick)
    let importer = try database.makeImporter(
      graph.model.roots, options: .with { $0.relationships.reference = .defer })
    try importer.parse(JSONExporter(model: graph.model).data(.graph(graph)))
    _ = try importer.finish()
    try Self.compare(database, "seed \(seed)")
  }

  @Test func `is that of its graph, where objects would get the keys of their places`() throws {
    let model = try GraphModel(
      entities: [
        .make("Book", [], [.make("language", to: "Language")]),
        .make(
          "Language", identity: "code",
          [.make("code", .string, ["JSONKeyPath": "@key | code"]), .make("name")]),
      ], dialect: .graft)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let importer = try database.makeImporter([
      ImportRoot("Language", at: "languages.*"), ImportRoot("Book", at: "books"),
    ])
    let languages = #"{"en":{"name":"English"},"de":{"name":"German"}}"#
    let books = #"[{"id":1,"language":"en"},{"id":2,"language":"de"}]"#
    try importer.parse(Data(#"{"languages":\#(languages),"books":\#(books)}"#.utf8))
    _ = try importer.finish()
    try Self.compare(database, "languages")
    var report = ExportReport()
    let written = try JSONExporter(model: model)
      .data(.entity("Book", of: database), report: &report)
    #expect(String(decoding: written, as: UTF8.self) == books)
    #expect(report.losses.map(\.count) == [2])
  }

  @Test func `is that of its graph, where links to stubs are lost`() throws {
    let model = try GraphModel(
      entities: [
        .make(
          "Worker", [],
          [
            .make("boss", to: "Worker", inverse: "staff"), .make("friend", to: "Worker"),
            .make(
              "staff", to: "Worker", many: true, inverse: "boss", ["JSONReference": "ignore"]),
          ])
      ], dialect: .graft)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let importer = try database.makeImporter([ImportRoot("Worker")])
    let json =
      #"[{"id":9,"friend":4},{"id":3,"staff":[4]},{"id":8,"friend":1},{"id":5,"staff":[1]}]"#
    try importer.parse(Data(json.utf8))
    _ = try importer.finish()
    try Self.compare(database, "workers")
    var report = ExportReport()
    _ = try JSONExporter(model: model).data(.graph(database), report: &report)
    #expect(report.losses.map(\.property) == ["staff"])
    #expect(report.losses.map(\.count) == [1])
  }

  private static func people(_ count: Int) throws -> (TemporaryDatabase, GraphDatabase) {
    let model = try GraphModel(
      entities: [
        .make("Person", [.make("name")], [.make("friends", to: "Person", many: true)])
      ], dialect: .graft)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let people = (1...count).map {
      #"{"id": \#($0), "name": "n\#($0)", "friends": [\#($0 % count + 1)]}"#
    }
    let importer = try database.makeImporter([ImportRoot("Person")])
    try importer.parse(Data("[\(people.joined(separator: ","))]".utf8))
    _ = try importer.finish()
    return (file, database)
  }

  @Test func `is of one moment, whatever others write`() throws {
    let (file, database) = try Self.people(500)
    let exporter = try JSONExporter(
      model: database.model, options: .with { $0.relationships = .identifier })
    let expected = try exporter.data(.graph(database))
    var text = Data()
    let source = DatabaseExport(database, pageSize: 10)
    let padding = ExportContent(kind: .source(source, entity: nil, includesSubentities: true))
    var hasChanged = false
    _ = try exporter.write(.members([("a", padding), ("b", padding)])) { chunk in
      text.append(Data(chunk))
      guard !hasChanged else { return }
      hasChanged = true
      try file.run("UPDATE Person SET name = 'another'; DELETE FROM Person WHERE id > 400")
    }
    #expect(hasChanged)
    #expect(text.count > expected.count)
    #expect(String(decoding: text, as: UTF8.self).contains(#""n500""#))
  }

  @Test func `goes to a file, as that of a graph does`() throws {
    let (file, database) = try Self.people(20)
    let output = file.url.appendingPathExtension("json")
    defer { try? FileManager.default.removeItem(at: output) }
    let exporter = try JSONExporter(model: database.model)
    try exporter.write(.entity("Person", of: database), to: output)
    #expect(
      try Data(contentsOf: output)
        == exporter.data(.entity("Person", of: database.graph())))
    #expect(throws: StoreError.self) { try exporter.data(.entity("Nobody", of: database)) }
  }

  @Test func `refuses the exporter of another model`() throws {
    let (file, database) = try Self.people(2)
    let other = try GraphModel(entities: [.make("Other", [.make("name")])], dialect: .graft)
    #expect {
      try JSONExporter(model: other).data(.graph(database))
    } throws: {
      ($0 as? ExportError)?.kind == .model
    }
    #expect(try file.integrityFaults() == [])
  }

  /// The annotations of an entity's properties, and whether a whole database and its objects are
  /// written in pages.
  @Test(
    arguments: [
      ("{}", "{}", true, true),
      (#"{"JSONKeyPath": "@key"}"#, "{}", false, false),
      (#"{"JSONKeyPath": "@index"}"#, "{}", false, false),
      (#"{"JSONKeyPath": "@parent.name"}"#, "{}", false, false),
      ("{}", #"{"relatedByAttribute": "name"}"#, false, true),
    ])
  func `has everything in memory only where objects depend on all others`(
    name: String, link: String, whole: Bool, entity: Bool
  ) throws {
    func annotations(_ text: String) throws -> [String: String] {
      try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    }
    let model = try GraphModel(
      entities: [
        .make(
          "Person", [.make("name", .string, annotations(name))],
          [.make("friend", to: "Person", annotations(link))])
      ], dialect: link == "{}" ? .graft : .magicalrecord)
    let plan = try ExportPlan(model.schema, ExportOptions())
    #expect(plan.isWritableInParts([0], at: nil) == whole)
    #expect(plan.isWritableInParts([0], at: 0) == entity)
  }

  @Test(arguments: [([:], false), (["JSONDiscriminator": "kind"], true)])
  func `has objects in memory that nothing names, for they may also be at a place of their own`(
    notes: [String: String], isInParts: Bool
  ) throws {
    let model = try GraphModel(
      entities: [
        .make("P", [], [], notes), .make("Q", identity: "", parent: "P"),
        .make("Box", [], [.make("p", to: "P")]),
      ], dialect: .graft)
    let plan = try ExportPlan(model.schema, ExportOptions())
    #expect(plan.isWritableInParts([0, 1], at: 0) == isInParts)
    #expect(plan.isWritableInParts([2], at: 2) == isInParts)
    #expect(plan.isWritableInParts([1], at: 1))
    #expect(plan.isWritableInParts([0, 1, 2], at: nil))
  }
}

extension ExportOptions {
  fileprivate static func with(_ change: (inout ExportOptions) -> Void) -> ExportOptions {
    var options = ExportOptions()
    change(&options)
    return options
  }
}
