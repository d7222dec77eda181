import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// An import that deletes what relationships have lost saves in steps, and ends as one in memory that saves once.
@Suite struct `Objects that relationships have lost, in a database that saves in steps` {
  private static let entities: [EntityDescription] = [
    .make(
      "List", [],
      [
        .make("items", to: "Item", many: true, inverse: "list", delete),
        .make("tags", to: "Tag", many: true, inverse: "lists", delete),
        .make("notes", to: "Note", many: true, delete),
        .make("best", to: "Item", delete), .make("place", to: "Place", delete),
        .make("places", to: "Place", many: true, delete),
      ]),
    .make(
      "Item", [],
      [
        .make("list", to: "List", inverse: "items"), .make("place", to: "Place", delete),
        .make("next", to: "Item", delete),
      ]),
    .make("Tag", [], [.make("lists", to: "List", many: true, inverse: "tags")]),
    .make("Note"), .make("Place", identity: "", [.make("x", .integer64)]),
  ]
  private static let delete = ["JSONRemoved": "delete"]

  private static let roots = [
    ImportRoot("List", at: "lists[*]"), ImportRoot("Item", at: "items[*]"),
  ]

  /// Lines that link and unlink the same few objects again and again.
  private static func document(_ random: inout SeededGenerator) -> String {
    func number(_ count: Int = 6) -> Int { Int.random(in: 0..<count, using: &random) }
    func some(_ text: () -> String) -> String {
      "[" + (0..<number(4)).map { _ in text() }.joined(separator: ",") + "]"
    }
    func place() -> String { #"{"x":\#(number())}"# }
    func item(_ depth: Int = 0) -> String {
      var members = [#""id":\#(number())"#]
      if number(2) == 0 { members.append(#""place":\#(number(4) == 0 ? "null" : place())"#) }
      if number(3) == 0, depth < 2 {
        members.append(#""next":\#(number(3) == 0 ? "null" : item(depth + 1))"#)
      }
      return "{\(members.joined(separator: ","))}"
    }
    func list() -> String {
      var members = [#""id":\#(number(4))"#]
      if number(2) == 0 {
        members.append(#""items":\#(some { number(2) == 0 ? item() : "\(number())" })"#)
      }
      if number(3) == 0 { members.append(#""tags":\#(some { "{\"id\":\(number())}" })"#) }
      if number(3) == 0 { members.append(#""notes":\#(some { "{\"id\":\(number())}" })"#) }
      if number(3) == 0 { members.append(#""best":\#(number(3) == 0 ? "null" : item())"#) }
      if number(3) == 0 { members.append(#""place":\#(number(3) == 0 ? "null" : place())"#) }
      if number(3) == 0 { members.append(#""places":\#(some(place))"#) }
      return "{\(members.joined(separator: ","))}"
    }
    return (0..<(2 + number(12))).map { _ in
      number(4) == 0
        ? #"{"lists":[],"items":[\#(item())]}"#
        : #"{"lists":[\#(list()),\#(list())],"items":[]}"#
    }.joined(separator: "\n") + "\n"
  }

  /// The objects by what they say, since those without identity have other numbers elsewhere.
  private func content(_ graph: Graph) throws -> [String] {
    func place(_ object: GraphObject?) -> String {
      object.map { "\($0["x"]?.text ?? "nil")" } ?? "-"
    }
    func ids(_ objects: [GraphObject]) -> String {
      objects.map { $0["id"]?.text ?? "" }.sorted().joined(separator: ",")
    }
    var lines = try graph.objects("List").map { list in
      "List \(ids([list])): \(ids(list.objects("items"))); \(ids(list.objects("tags"))); "
        + "\(ids(list.objects("notes"))); \(ids(list.object("best").map { [$0] } ?? [])); "
        + "\(place(list.object("place"))); \(list.objects("places").map(place).sorted())"
    }
    lines += try graph.objects("Item").map {
      "Item \(ids([$0])): \(place($0.object("place"))); \(ids($0.object("next").map { [$0] } ?? []))"
    }
    for entity in ["Tag", "Note"] {
      lines += try graph.objects(entity).map { "\(entity) \(ids([$0]))" }
    }
    lines += try graph.objects("Place").map { "Place \(place($0))" }
    return lines.sorted()
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(20, of: 200)))
  func `are those of an import into memory that saves once`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let model = try GraphModel(entities: Self.entities, dialect: .graft)
    let store = GraphStore(model: model)
    let intervals = [1, 2, 7]
    let places = try (Seeds.areAllTried ? intervals : [intervals[Int(seed % 3)]])
      .map { (interval: $0, place: try TrialDatabase(kind)) }
    let databases = try places.map { ($0.interval, try $0.place.open(model)) }
    for round in 0..<3 {
      let text = Self.document(&random)
      var options = ImportOptions()
      options.parser.format = .ndjson
      let importer = try store.makeImporter(Self.roots, options: options)
      try importer.parse(Data(text.utf8))
      _ = try importer.finish()
      let expected = try content(store.graph)
      for (interval, database) in databases {
        options.savePolicy.objects = interval
        options.savePolicy.isAtEnd = Bool.random(using: &random)
        let importer = try database.makeImporter(Self.roots, options: options)
        try RemovedRows.$limit.withValue(2) {
          try importer.parse(Data(text.utf8))
          _ = try importer.finish()
        }
        try #require(
          try content(database.graph()) == expected,
          "seed \(seed), round \(round), \(interval): \(text)")
      }
    }
    for (_, place) in places { #expect(try place.faults() == []) }
  }

  @Test(arguments: Seeds.some(4, of: 60), [1, 7])
  func `are the same when the import was interrupted and is resumed`(
    seed: UInt64, saveInterval: Int
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let text = (0..<5).map { _ in Self.document(&random) }.joined()
    let model = try GraphModel(entities: Self.entities, dialect: .graft)
    let store = GraphStore(model: model)
    var options = ImportOptions()
    options.parser.format = .ndjson
    let importer = try store.makeImporter(Self.roots, options: options)
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
    let file = TemporaryDatabase()
    let document = file.url.appendingPathExtension("ndjson")
    try text.write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    options.chunkSize = 64
    for part in 1...3 {
      let end = text.utf8.count * part / 4
      let isStopped = await isStopped(
        database, after: end, document, options, saveEvery: saveInterval)
      #expect(isStopped)
    }
    try await database.importJSON(
      Self.roots, from: .url(document), options: options, saveEvery: saveInterval, resuming: true)
    #expect(try content(await database.graph()) == content(store.graph), "seed \(seed): \(text)")
    #expect(try file.integrityFaults() == [])
    #expect(
      try file.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'graft_removed%'") == [])
  }

  @Test(arguments: ["Place", "places"])
  func `are not forgotten when the import is resumed with another name of them`(
    renamed: String
  ) async throws {
    func model(_ entity: String, _ relationship: String) throws -> GraphModel {
      var place = EntityDescription.make(entity, identity: "", [.make("x", .integer64)])
      place.userInfo["renamingIdentifier"] = "Place"
      var list = EntityDescription.make(
        "List", [], [.make(relationship, to: entity, many: true, Self.delete)])
      list.relationships[0].userInfo["renamingIdentifier"] = "places"
      list.relationships[0].userInfo["JSONKeyPath"] = "places"
      return try GraphModel(entities: [list, place], dialect: .graft)
    }
    let file = TemporaryDatabase()
    let document = file.url.appendingPathExtension("ndjson")
    defer { try? FileManager.default.removeItem(at: document) }
    var database = try GraphDatabase(
      model: model("Place", "places"), at: file.url, configuration: .quick)
    let options = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.chunkSize = 64
    }
    let roots = [ImportRoot("List")]
    for first in [100, 200] {
      try (1...20).map { #"{"id":\#($0),"places":[{"x":\#(first + $0)}]}"# + "\n" }
        .joined().write(to: document, atomically: true, encoding: .utf8)
      if first == 100 {
        try await database.importJSON(roots, from: .url(document), options: options)
      }
    }
    // In a task of its own, which is cancelled.
    let first = Task { [database] in
      await isStopped(database, after: 300, document, options, roots, saveEvery: 1)
    }
    #expect(await first.value)
    database = try GraphDatabase(
      model: renamed == "Place" ? model("Spot", "places") : model("Place", "spots"), at: file.url,
      configuration: .quick)
    let error = await #expect(throws: (any Error).self) {
      try await database.importJSON(
        roots, from: .url(document), options: options, saveEvery: 1, resuming: true)
    }
    #expect("\(String(describing: error))".contains("import the file anew, without resuming"))
  }

  @Test func `are deleted by the next import where one has failed`() async throws {
    let file = TemporaryDatabase()
    let document = file.url.appendingPathExtension("ndjson")
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(
      model: GraphModel(entities: Self.entities, dialect: .graft), at: file.url,
      configuration: .quick)
    let options = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.chunkSize = 64
    }
    func write(_ first: Int) throws {
      try (1...20).map {
        #"{"lists":[{"id":\#($0),"places":[{"x":\#(first + $0)}]}],"items":[]}"# + "\n"
      }
      .joined().write(to: document, atomically: true, encoding: .utf8)
    }
    try write(100)
    try await database.importJSON(Self.roots, from: .url(document), options: options)
    for first in [200, 300] {
      try write(first)
      #expect(await isStopped(database, after: 500, document, options, saveEvery: 1))
    }
    #expect(try await database.count(of: "Place") > 20)
    try await database.importJSON(Self.roots, from: .url(document), options: options)
    let numbers = try await database.graph().objects("Place").compactMap { $0["x"]?.text }
    let expected = (301...320).map { "\($0)" }
    #expect(numbers.sorted() == expected)
    #expect(
      try file.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'graft_removed%'") == [])
  }

  /// Imports a part of a document, as if the process had ended then.
  private func isStopped(
    _ database: GraphDatabase, after end: Int, _ document: URL, _ options: ImportOptions,
    _ roots: [ImportRoot] = roots, saveEvery interval: Int
  ) async -> Bool {
    do {
      _ = try await database.importJSON(
        roots, from: .url(document), options: options, saveEvery: interval, resuming: true
      ) { progress in
        if progress.byteCount >= end { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return false
    } catch {
      return true
    }
  }

  @Test func `are saved before the document has ended, unless nothing may be without an owner`()
    throws
  {
    for isRequired in [false, true] {
      var entities = Self.entities
      entities[1].relationships[0].isOptional = !isRequired
      let file = TemporaryDatabase()
      let model = try GraphModel(entities: entities, dialect: .graft)
      let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
      var options = ImportOptions()
      options.savePolicy.objects = 1
      let importer = try database.makeImporter([ImportRoot("List")], options: options)
      for number in 0..<100 {
        let start = number == 0 ? "[" : ","
        try importer.parse(Data(#"\#(start){"id":1,"items":[{"id":\#(number)}]}"#.utf8))
        guard number > 0 else { continue }
        // What was lost stays until the end, since the document may mention it again.
        let count = try file.rows("SELECT count(*) FROM Item")
        #expect(count == [isRequired ? "0" : "\(number + 1)"])
      }
      try importer.parse(Data("]".utf8))
      let report = try importer.finish()
      #expect(try file.rows("SELECT id FROM Item") == ["99"])
      #expect(try file.integrityFaults() == [])
      let deletedCount = report.entities.map(\.deleted).reduce(0, +)
      if !isRequired { #expect(deletedCount == 99) }
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `stay where an owner that the document does not mention has them`(
    kind: DatabaseKind
  ) throws {
    let model = try GraphModel(entities: Self.entities, dialect: .graft)
    for interval in [1, 1000] {
      let place = try TrialDatabase(kind)
      let database = try place.open(model)
      func load(_ text: String) throws {
        var options = ImportOptions()
        options.savePolicy.objects = interval
        let importer = try database.makeImporter([ImportRoot("List")], options: options)
        try importer.parse(Data(text.utf8))
        _ = try importer.finish()
      }
      try load(#"[{"id":1,"notes":[{"id":1},{"id":2}]},{"id":2,"notes":[{"id":1}]}]"#)
      try load(#"[{"id":1,"notes":[]},{"id":3}]"#)
      #expect(try database.graph().objects("Note").map { $0["id"] } == [.integer(1)])
    }
  }

  @Test(arguments: [1, 100])
  func `go together where a rule denies to delete one of them without the other`(
    interval: Int
  ) throws {
    let toPage = RelationshipDescription(
      name: "page", destination: "Page", deleteRule: .deny, userInfo: Self.delete)
    let toPart = RelationshipDescription.make("part", to: "Book", Self.delete)
    let model = try GraphModel(
      entities: [.make("Book", [], [toPage, toPart]), .make("Page")], dialect: .graft)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    for text in [
      #"[{"id":5,"page":1},{"id":3,"part":5},{"id":2,"page":1}]"#,
      #"[{"id":3,"part":null},{"id":2,"page":null}]"#,
    ] {
      let importer = try database.makeImporter(
        [ImportRoot("Book")], options: .with { $0.savePolicy.objects = interval })
      try importer.parse(Data(text.utf8))
      _ = try importer.finish()
    }
    #expect(try file.rows("SELECT id FROM Book ORDER BY id") == ["2", "3"])
    #expect(try file.rows("SELECT id FROM Page") == [])
  }
}
