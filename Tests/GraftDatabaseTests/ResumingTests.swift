import Foundation
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `An import into a database that has stopped` {
  private let model: GraphModel
  private let file = TemporaryDatabase()
  private let document: URL

  init() throws {
    model = try GraphModel(
      entities: [
        .make(
          "List", [.make("name")],
          [
            RelationshipDescription(
              name: "items", destination: "Item", isToMany: true, isOrdered: true)
          ]),
        .make("Item", [.make("text")]),
        .make("Note", identity: "", [.make("text")], [.make("about", to: "Item")]),
      ], dialect: .graft)
    document = file.url.appendingPathExtension("json")
  }

  /// Lists that share items, and notes without identity about them.
  private static func text(_ count: Int, ndjson: Bool = false) -> String {
    let objects = (0..<count).map { number in
      let items = (0..<3).map { #"{"id": \#((number * 7 + $0) % 50), "text": "t\#(number)"}"# }
      return
        #"{"id": \#(number), "name": "n\#(number)", "items": [\#(items.joined(separator: ", "))]}"#
    }
    if ndjson { return objects.joined(separator: "\n") + "\n" }
    let notes = (0..<count).map { #"{"text": "n\#($0)", "about": \#($0 % 60)}"# }
    return
      #"{"lists": [\#(objects.joined(separator: ",\n"))], "notes": [\#(notes.joined(separator: ", "))]}"#
  }

  private var roots: [ImportRoot] {
    get throws { [ImportRoot("List", at: "lists"), ImportRoot("Note", at: "notes")] }
  }

  /// Imports the beginning of a document, as if the process had ended then.
  private func importBeginning(
    _ bytes: Int, _ text: String, _ database: GraphDatabase, saveEvery interval: Int
  ) async throws {
    let stop = CancellationError()
    await #expect(throws: (any Error).self) {
      try await database.importJSON(
        roots, from: .url(document), options: .with { $0.chunkSize = 64 }, saveEvery: interval
      ) { progress in
        if progress.byteCount >= bytes { withUnsafeCurrentTask { $0?.cancel() } }
      }
      throw stop
    }
  }

  @Test(arguments: [1, 500, 1000, 2500, 4000, 5000], [1, 7, 10_000])
  func `ends as one that was never stopped, when it is resumed`(
    bytes: Int, saveInterval: Int
  ) async throws {
    let text = Self.text(40)
    try text.write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let store = GraphStore(model: model)
    try store.importJSON(roots, from: Data(text.utf8))
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    try await importBeginning(bytes, text, database, saveEvery: saveInterval)
    let report = try await database.importJSON(
      roots, from: .url(document), saveEvery: saveInterval, resuming: true)
    #expect(report.issueCount == 0)
    #expect(report.ignoredReferenceCount == 0)
    #expect(try await database.graph().content(depth: 2) == store.graph.content(depth: 2))
    #expect(try file.integrityFaults() == [])
    #expect(try file.rows("SELECT count(*) FROM graft_import WHERE ended IS NULL") == ["0"])
  }

  @Test func `sees a change of the file that a symbolic link leads to`() async throws {
    let link = document.appendingPathExtension("link")
    defer {
      for url in [document, link] { try? FileManager.default.removeItem(at: url) }
    }
    try Self.text(2).write(to: document, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: document)
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    for count in [2, 40] {
      try Self.text(count).write(to: document, atomically: true, encoding: .utf8)
      for _ in 1...2 { try await database.importJSON(roots, from: .url(link), resuming: true) }
      #expect(try await database.count(of: "List") == count)
    }
    // Each of the two was imported once.
    #expect(try await database.count(of: "Note") == 42)
    #expect(ImportSource.url(URL(filePath: "/dev/null")).version == nil)
  }

  @Test func `deletes what is missing by the names of entities, whatever their order`() async throws
  {
    let entities: [EntityDescription] = [.make("Tag"), .make("User")]
    let roots = [ImportRoot("User", at: "users"), ImportRoot("Tag", at: "tags")]
    func members(_ numbers: ClosedRange<Int>) -> String {
      numbers.map { #"{"id":\#($0)}"# }.joined(separator: ",")
    }
    var database = try GraphDatabase(
      model: GraphModel(entities: entities, dialect: .graft), at: file.url, configuration: .quick)
    try database.importJSON(
      roots, from: Data(#"{"users":[\#(members(1...20))],"tags":[\#(members(1...40))]}"#.utf8))
    try #"{"users":[\#(members(1...10))],"tags":[\#(members(1...40))]}"#
      .write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let options = ImportOptions.with {
      $0.deletesMissing = true
      $0.chunkSize = 16
    }
    await #expect(throws: (any Error).self) {
      try await database.importJSON(roots, from: .url(document), options: options, saveEvery: 1) {
        if $0.byteCount >= 300 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      throw CancellationError()
    }
    database = try GraphDatabase(
      model: GraphModel(entities: entities.reversed(), dialect: .graft), at: file.url,
      configuration: .quick)
    let report = try await database.importJSON(
      roots, from: .url(document), options: options, saveEvery: 1, resuming: true)
    #expect(report.deletedCount == 10)
    #expect(try await database.count(of: "User") == 10)
    #expect(try await database.count(of: "Tag") == 40)
  }

  @Test func `is not resumed from a file that has changed`() async throws {
    let text = Self.text(40)
    try text.write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    try await importBeginning(2000, text, database, saveEvery: 1)
    let before = try await database.graph().content(depth: 2)
    try (text + "\n").write(to: document, atomically: true, encoding: .utf8)
    await #expect {
      try await database.importJSON(roots, from: .url(document), saveEvery: 1, resuming: true)
    } throws: {
      "\($0)".contains("the file has changed since the import that is to be resumed")
    }
    #expect(try await database.graph().content(depth: 2) == before)
  }

  @Test func `is not imported again when it has come to its end, unless the file changes`()
    async throws
  {
    let text = Self.text(5)
    try text.write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    try await database.importJSON(roots, from: .url(document), resuming: true)
    let notes = try await database.count(of: "Note")
    let report = try await database.importJSON(roots, from: .url(document), resuming: true)
    #expect(report.notices.count == 1)
    #expect(try await database.count(of: "Note") == notes)
    try Self.text(6).write(to: document, atomically: true, encoding: .utf8)
    try await database.importJSON(roots, from: .url(document), resuming: true)
    #expect(try await database.count(of: "List") == 6)
  }

  @Test func `is another import than one of other objects of the file`() async throws {
    try #"{"a": [{"id": 1}, {"id": 2}], "b": [{"id": 3}]}"#
      .write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let lists = [ImportRoot("List", at: "a")]
    let both = lists + [ImportRoot("List", at: "b")]
    var counts: [Int] = []
    for roots in [lists, both, Array(both.reversed()), lists] {
      let report = try await database.importJSON(roots, from: .url(document), resuming: true)
      counts.append(report.roots.map(\.objects).reduce(0, +))
    }
    #expect(counts == [2, 3, 0, 0])
    #expect(try await database.count(of: "List") == 3)
  }

  @Test func `ends with an error if the same import has been begun again meanwhile`() async throws {
    try Self.text(40, ndjson: true).write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let options = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.deletesMissing = true
      $0.savePolicy.objects = 5
      $0.chunkSize = 64
    }
    let source = ImportSource.url(document)
    let again = Mutex<Task<ImportReport, any Error>?>(nil)
    await #expect {
      try await database.importJSON(
        [ImportRoot("List")], from: source, options: options
      ) { progress in
        guard progress.byteCount > 600, again.withLock({ $0 == nil }) else { return }
        let semaphore = DispatchSemaphore(value: 0)
        again.withLock {
          $0 = Task {
            defer { semaphore.signal() }
            return try await database.importJSON(
              [ImportRoot("List")], from: source, options: options)
          }
        }
        semaphore.wait()
      }
    } throws: {
      "\($0)".contains("the same import has been begun again meanwhile")
    }
    let report = try await again.withLock { $0 }?.value
    #expect(report?.roots.map(\.objects) == [40])
  }

  @Test func `cannot be resumed from what is no file`() async throws {
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    await #expect {
      try await database.importJSON(roots, from: .data(Data("{}".utf8)), resuming: true)
    } throws: {
      "\($0)".contains("only the import of a file can be resumed")
    }
  }

  // MARK: Streams of documents

  /// Streams of documents for the roots of a model, in which places are read.
  private static let streams: [(root: String, text: String)] = [
    (
      "",
      (0..<12).map { #"{"id": \#($0), "name": "é\#($0 % 3)", "items": [\#($0 % 5)]}"# + "\n" }
        .joined()
    ),
    ("", (0..<12).map { "\n  {\"id\": \($0), \"name\": \"\($0)\"}\r\n" }.joined()),
    ("", (0..<12).map { "{\"id\": \"\($0)\"} {\"id\": 1\($0), \"name\": null}\n" }.joined()),
    (
      "a[*]",
      (0..<6).map { line in
        let objects = (0..<3).map {
          #"{"kind": "\#($0 == 1 ? "A" : "List")", "id": \#(line * 2 + $0)}"#
        }
        return #"{"a": [\#(objects.joined(separator: ",\t"))], "b": \#(line)}"# + "\n"
      }.joined()
    ),
    ("", (0..<12).map { "{\"id\": \($0)\($0 % 4 == 2 ? "" : "}")\n" }.joined()),
  ]

  private static let streamOptions = ImportOptions.with {
    $0.parser.format = .ndjson
    $0.chunkSize = 64
  }

  private static func streamModel() throws -> GraphModel {
    try GraphModel(
      entities: [
        .make(
          "List",
          [
            .make("name"), .make("line", .integer64, ["JSONKeyPath": "@line"]),
            .make("number", .integer64, ["JSONKeyPath": "@index"]),
          ], [.make("items", to: "Item", many: true)], ["JSONDiscriminator": "kind"]),
        .make("ListA", identity: "", parent: "List", [], [], ["JSONDiscriminatorValue": "A"]),
        .make("Item", [.make("text")]),
      ], dialect: .graft)
  }

  /// Returns the content of a database after an import, and its report or error.
  private func outcome(
    of database: GraphDatabase, _ root: ImportRoot, _ options: ImportOptions,
    resuming isResuming: Bool
  ) async throws -> String {
    var outcome: String
    do {
      let report = try await database.importJSON(
        [root], from: .url(document), options: options, saveEvery: 1, resuming: isResuming)
      // An import that is resumed does not know which values the part before it has given.
      let notices = report.notices.filter { $0.error.kind != .conflict }
      outcome = "\(notices) \(report.byteCount)"
    } catch let error as ImportError {
      outcome = "\(error) at \(error.location?.offset ?? 0) \(error.path)"
    }
    let connection = try database.connect()
    let last = try ImportRecord.last(of: document.standardizedFileURL.path, [root], connection)
    outcome += " \(last.map { "\($0.place)" } ?? "")"
    let content = try await database.graph().content(depth: 2).map { "\($0.key) × \($0.value)" }
    return outcome + "\n" + content.sorted().joined(separator: "\n")
  }

  @Test(arguments: 0..<streams.count, ParserOptions.Engine.allCases)
  func `ends as one that was never stopped, wherever a stream of documents was saved`(
    stream: Int, engine: ParserOptions.Engine
  ) async throws {
    let (root, text) = Self.streams[stream]
    let isBroken = stream == 4
    // Every place is tried with one of the engines and one of the tails.
    var offset = engine == .native ? 0 : 23
    for tail in ["", #"{"a": [{"id": 77, "line": 0}, {"id": {}}], "id": 78, "name": {}}"# + "\n"] {
      let all = text + tail
      try all.write(to: document, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: document) }
      let roots = try ImportRoot("List", at: root.isEmpty ? nil : root)
      let options = ImportOptions.with {
        $0.parser.format = .ndjson
        $0.parser.engine = engine
        $0.chunkSize = 16
        if isBroken { $0.brokenLines = .skip }
      }
      let whole = TemporaryDatabase()
      let expected = try await outcome(
        of: GraphDatabase(model: Self.streamModel(), at: whole.url, configuration: .quick), roots,
        options, resuming: false)
      try #require(expected.contains("id=3,"), "\(expected)")
      try #require(expected.hasPrefix("[] ") == tail.isEmpty, "\(expected)")
      for stop in stride(from: 20 + offset, to: text.utf8.count, by: 46) {
        let file = TemporaryDatabase()
        let database = try GraphDatabase(
          model: Self.streamModel(), at: file.url, configuration: .quick)
        await Self.importBeginning(
          of: document, database, roots, options, saveEvery: 1, until: stop)
        let found = try await outcome(of: database, roots, options, resuming: true)
        try #require(found == expected, "stopped at \(stop)")
        try #require(try file.integrityFaults() == [])
      }
      offset = 23 - offset
    }
  }

  /// Imports the beginning of a file, in a task of its own, which is cancelled then.
  private static func importBeginning(
    of document: URL, _ database: GraphDatabase, _ root: ImportRoot, _ options: ImportOptions,
    saveEvery interval: Int, until bytes: Int
  ) async {
    let task = Task {
      try await database.importJSON(
        [root], from: .url(document), options: options, saveEvery: interval
      ) { progress in
        if progress.byteCount >= bytes { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    _ = try? await task.value
  }

  /// Lets a file seem to have been changed at a certain time.
  private static func date(_ file: URL) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: file.path)
  }

  /// Imports the beginning of a stream of lists.
  private func importBeginningOfStream(
    _ database: GraphDatabase, _ options: ImportOptions
  ) async throws {
    let text = (0..<200).map { #"{"id": \#($0), "name": "n\#($0)"}"# + "\n" }.joined()
    try text.write(to: document, atomically: true, encoding: .utf8)
    try Self.date(document)
    await Self.importBeginning(
      of: document, database, ImportRoot("List"), options, saveEvery: 10, until: 3000)
  }

  /// Resumes the import of a stream of lists, and checks that all lists are there.
  private func resumeStream(
    _ database: GraphDatabase, _ options: ImportOptions = ImportOptions()
  ) async throws {
    let report = try await database.importJSON(
      [ImportRoot("List")], from: .url(document), options: options, resuming: true)
    #expect(report.issueCount == 0)
    #expect(try await database.count(of: "List") == 200)
    #expect(try file.rows("SELECT count(*) FROM List WHERE line = id + 1") == ["200"])
  }

  @Test func `goes on in the form in which the file was begun`() async throws {
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(
      model: Self.streamModel(), at: file.url, configuration: .quick)
    try await importBeginningOfStream(database, Self.streamOptions)
    let count = try await database.count(of: "List")
    #expect(count > 50 && count < 200)
    try await resumeStream(database)
  }

  @Test func `goes on in a database that knows neither format nor roots`() async throws {
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(
      model: Self.streamModel(), at: file.url, configuration: .quick)
    let options = Self.streamOptions
    try await importBeginningOfStream(database, options)
    for column in ["format", "roots"] {
      try file.run("ALTER TABLE graft_import DROP COLUMN \(column)")
    }
    try await resumeStream(database, options)
    #expect(try file.rows("SELECT DISTINCT format FROM graft_import") == [""])
  }

  @Test func `goes on in a database that earlier versions have made, with the start of a document`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: document) }
    let model = try Self.streamModel()
    try await importBeginningOfStream(
      GraphDatabase(model: model, at: file.url, configuration: .quick), Self.streamOptions)
    try file.run("ALTER TABLE graft_import ADD COLUMN document TEXT")
    try file.run("UPDATE graft_import SET document = '2450:103:1:102' WHERE number = 1")
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    try await resumeStream(database)
    #expect(
      try file.rows("SELECT document FROM graft_import WHERE number = 1") == ["2450:103:1:102"])
  }

  @Test func `reports no line again that was skipped before`() async throws {
    let broken = #"{"id": 5"# + "\n"
    let lines = (0..<200).map { #"{"id": \#($0)}"# + "\n" }
    try (lines[..<9].joined() + broken + lines[9..<190].joined() + broken + lines[190...].joined())
      .write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(
      model: Self.streamModel(), at: file.url, configuration: .quick)
    var options = Self.streamOptions
    options.brokenLines = .skip
    await Self.importBeginning(
      of: document, database, ImportRoot("List"), options, saveEvery: 10, until: 1000)
    let report = try await database.importJSON(
      [ImportRoot("List")], from: .url(document), options: options, resuming: true)
    #expect(report.brokenLineCount == 1)
    #expect(report.issues.map(\.error.location?.line) == [192])
    #expect(try await database.count(of: "List") == 200)
  }
}
