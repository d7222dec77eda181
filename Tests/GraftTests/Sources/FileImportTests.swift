import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `An import from a file` {
  private static func store() throws -> GraphStore {
    GraphStore(model: try GraphModel(contentsOf: Fixture.url(Fixture.timelineModel)))
  }

  @Test(arguments: [1, 7, 65_536, .max])
  func `gives the same graph for chunks of any size`(_ chunkSize: Int) async throws {
    let store = try Self.store()
    var options = ImportOptions()
    options.chunkSize = chunkSize
    let report = try await store.importJSON(
      entity: "Tweet", at: "statuses", from: Fixture.url(Fixture.timeline), options: options)
    #expect(report.byteCount == 52_361)
    #expect(report.count(of: "Tweet").inserted == 22)
    let expected = try Data(contentsOf: Fixture.url("Fixtures/expected/timeline.graph.json"))
    #expect(store.graph.canonicalJSON() == expected)
  }

  @Test(arguments: [0, -1])
  func `refuses chunks of no bytes`(_ chunkSize: Int) async throws {
    var options = ImportOptions()
    options.chunkSize = chunkSize
    let error = await #expect(throws: ImportError.self) {
      try await Self.store().importJSON(
        entity: "Tweet", from: Fixture.url(Fixture.timeline), options: options)
    }
    #expect(error?.message == "the option chunkSize is \(chunkSize), expected 1 or more")
  }

  @Test func `tells its progress after every chunk`() async throws {
    let notes = Mutex<[ImportProgress]>([])
    var options = ImportOptions()
    options.chunkSize = 20_000
    try await Self.store().importJSON(
      [ImportRoot("Tweet", at: "statuses")], from: .url(Fixture.url(Fixture.timeline)),
      options: options
    ) { note in notes.withLock { $0.append(note) } }
    let expected = [20_000, 40_000, 52_361].map {
      ImportProgress(byteCount: $0, totalByteCount: 52_361)
    }
    #expect(notes.withLock { $0 } == expected)
  }

  @Test func `reads several roots in one pass`() async throws {
    let store = GraphStore(model: try GraphModel(contentsOf: Fixture.url(Fixture.catalogModel)))
    let roots = [
      ImportRoot("Event", at: "events.*"), ImportRoot("Performance", at: "performances"),
    ]
    let report = try await store.importJSON(roots, from: .url(Fixture.url(Fixture.catalog)))
    #expect(report.roots.map(\.objects) == [4, 5])
  }

  private static func documents(
    _ source: ImportSource, _ options: ImportOptions = ImportOptions()
  ) async throws -> Int {
    let tag = EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "text", type: .string)])
    let store = GraphStore(model: try GraphModel(entities: [tag], dialect: .graft))
    return try await store.importJSON([ImportRoot("Tag")], from: source, options: options).roots
      .reduce(0) { $0 + $1.objects }
  }

  @Test(arguments: ["tags.ndjson", "Tags.JSONL", "a.json.ndjson", "a?b#1.ndjson", "tags.ndjson.gz"])
  func `reads lines where the file's name says so`(name: String) async throws {
    let text = #"{"text":"a"}"# + "\n" + #"{"text":"b"}"# + "\n"
    let data = name.hasSuffix(".gz") ? GzipWriter.pack(text) : Data(text.utf8)
    let file = try TemporaryFile(data, name: name)
    #expect(try await Self.documents(.url(file.url)) == 2)
    // The options count more than a name.
    await #expect(throws: ImportError.self) {
      try await Self.documents(.url(file.url), .with { $0.parser.format = .json })
    }
    await #expect(throws: ImportError.self) {
      try await Self.documents(.url(file.url), .with { $0.fileName = "tags.json" })
    }
    let other = try TemporaryFile(data, name: "tags")
    #expect(try await Self.documents(.url(other.url), .with { $0.parser.format = .ndjson }) == 2)
    await #expect(throws: ImportError.self) { try await Self.documents(.url(other.url)) }
    #expect(try await Self.documents(.data(data), .with { $0.fileName = name }) == 2)
  }

  @Test(arguments: [
    ("https://example.org/tweets.ndjson.gz?page=1", ParserOptions.Format.ndjson),
    ("https://example.org/tweets?file=a.ndjson", .json), ("tweets?file=a.ndjson", .ndjson),
    ("tweets.ndjson.json", .json), (".jsonl", .ndjson), ("jsonl", .json), ("", .json),
  ])
  func `has the format of its name`(name: String, format: ParserOptions.Format) {
    #expect(ParserOptions.Format(ofFileNamed: name) == format)
  }

  @Test func `reads an open file from its present position, and leaves it open`() async throws {
    let file = try TemporaryFile(#"garbage {"text": "a"}"#)
    let handle = try FileHandle(forReadingFrom: file.url)
    try handle.seek(toOffset: 8)
    let store = try Self.store()
    try await store.importJSON([ImportRoot("Hashtag")], from: .file(handle))
    #expect(try store.graph.count(of: "Hashtag") == 1)
    #expect(try handle.offset() == 21)
  }

  @Test func `is read for several roots by its URL`() async throws {
    let file = try TemporaryFile(#"{"old": [{"text": "a"}], "new": [{"text": "b"}]}"#)
    let store = try Self.store()
    let report = try await store.importJSON(
      [ImportRoot("Hashtag", at: "old"), ImportRoot("Hashtag", at: "new")], from: file.url)
    #expect(report.insertedCount == 2 && report.roots.map(\.objects) == [1, 1])
  }

  @Test func `reads a pipe chunk by chunk, as they come`() async throws {
    let pipe = Pipe()
    let store = try Self.store()
    let halves = [#"{"text": "#, #""a"}"#]
    try pipe.fileHandleForWriting.write(contentsOf: Data(halves[0].utf8))
    let notes = Mutex<[ImportProgress]>([])
    let end = pipe.fileHandleForWriting
    let source = ImportSource.file(pipe.fileHandleForReading)
    try await store.importJSON([ImportRoot("Hashtag")], from: source) { note in
      notes.withLock { $0.append(note) }
      if note.byteCount == halves[0].utf8.count {
        try? end.write(contentsOf: Data(halves[1].utf8))
        try? end.close()
      }
    }
    #expect(notes.withLock { $0 }.map(\.byteCount) == [9, 13])
    #expect(notes.withLock { $0 }.allSatisfy { $0.totalByteCount == nil })
  }

  @Test(arguments: [("missing.json", "No such file or directory"), ("Fixtures", "Is a directory")])
  func `says why a file cannot be read`(_ path: String, _ message: String) async throws {
    let url = Fixture.url(path)
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.store().importJSON(entity: "Tweet", from: url)
    }
    #expect(error?.kind == .unreadable)
    #expect(error?.description == "\(url.path): \(message)")
    #expect(error?.underlyingError is POSIXError)
  }

  @Test func `refuses a URL that it cannot read`() async throws {
    let url = try #require(URL(string: "ftp://example.com/a.json"))
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.store().importJSON(entity: "Tweet", from: url)
    }
    #expect(error?.kind == .unsupportedURL)
    #expect(error?.message == "expected a URL of file, http or https, found ftp")
  }

  @Test func `publishes nothing of a file that is cut while it is read`() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).ndjson")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(String(repeating: "{\"id\": 1}\n", count: 100).utf8).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    let store = GraphStore(
      model: try GraphModel(entities: [.make("Tag")], dialect: .graft))
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(
        entity: "Tag", from: url, options: .with { $0.chunkSize = 100 }
      ) { progress in
        if progress.byteCount == 100 { try? file.truncate(atOffset: 500) }
      }
    }
    #expect(error?.message.contains("was cut from 1000 to 500 bytes") == true)
    #expect(try store.graph.count(of: "Tag") == 0)
  }

  @Test func `publishes nothing when the document is cut short`() async throws {
    let file = try TemporaryFile(#"[{"text": "a"}, {"text": "b"}"#)
    let store = try Self.store()
    await #expect(throws: ImportError.self) {
      try await store.importJSON(entity: "Hashtag", from: file.url)
    }
    #expect(try store.graph.count(of: "Hashtag") == 0)
  }

  @Test func `ends when its task is cancelled`() async throws {
    let store = try Self.store()
    var options = ImportOptions()
    options.chunkSize = 1
    let (chosen, url) = (options, Fixture.url(Fixture.timeline))
    let task = Task {
      try await store.importJSON(entity: "Tweet", at: "statuses", from: url, options: chosen) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.graph.count(of: "Tweet") == 0)
  }
}
