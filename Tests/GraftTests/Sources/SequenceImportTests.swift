import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `An import from a sequence` {
  private struct Broken: Error {}

  private static func store() throws -> GraphStore {
    GraphStore(model: try GraphModel(contentsOf: Fixture.url(Fixture.timelineModel)))
  }

  private static func stream<Element: Sendable>(
    _ elements: [Element], failure: (any Error)? = nil
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish(throwing: failure)
    }
  }

  @Test(arguments: [1, 7, 1000, 100_000])
  func `of chunks gives the graph of the whole`(_ size: Int) async throws {
    let bytes = try Array(Data(contentsOf: Fixture.url(Fixture.timeline)))
    let chunks = stride(from: 0, to: bytes.count, by: size).map {
      bytes[$0..<min($0 + size, bytes.count)]
    }
    let store = try Self.store()
    try await store.importJSON(entity: "Tweet", at: "statuses", from: .chunks(Self.stream(chunks)))
    let expected = try Data(contentsOf: Fixture.url("Fixtures/expected/timeline.graph.json"))
    #expect(store.graph.canonicalJSON() == expected)
  }

  @Test(arguments: [1, 13, 65_536])
  func `of bytes gives the graph of the whole`(_ chunkSize: Int) async throws {
    let bytes = try Array(Data(contentsOf: Fixture.url(Fixture.timeline)))
    var options = ImportOptions()
    options.chunkSize = chunkSize
    let store = try Self.store()
    try await store.importJSON(
      [ImportRoot("Tweet", at: "statuses")], from: .bytes(Self.stream(bytes)), options: options)
    let expected = try Data(contentsOf: Fixture.url("Fixtures/expected/timeline.graph.json"))
    #expect(store.graph.canonicalJSON() == expected)
  }

  @Test func `of chunks that are produced on demand gives the graph of the whole`() async throws {
    let bytes = try Array(Data(contentsOf: Fixture.url(Fixture.timeline)))
    var produced = 0
    // Not Sendable: the closure changes a variable.
    let chunks = sequence(state: bytes[...]) { rest -> [UInt8]? in
      produced += 1
      defer { rest = rest.dropFirst(1000) }
      return rest.isEmpty ? nil : Array(rest.prefix(1000))
    }
    let store = try Self.store()
    try await store.importJSON(entity: "Tweet", at: "statuses", from: .chunks(chunks))
    let expected = try Data(contentsOf: Fixture.url("Fixtures/expected/timeline.graph.json"))
    #expect(store.graph.canonicalJSON() == expected)
  }

  @Test func `tells its progress after every chunk`() async throws {
    let notes = Mutex<[ImportProgress]>([])
    let chunks = [#"[{"text": "a"}"#, "", #", {"text": "b"}]"#].map { Data($0.utf8) }
    try await Self.store().importJSON(entity: "Hashtag", from: .chunks(chunks)) { note in
      notes.withLock { $0.append(note) }
    }
    #expect(notes.withLock { $0 } == [14, 30].map { ImportProgress(byteCount: $0) })
  }

  @Test func `ends at the end marker, though the sequence goes on`() async throws {
    let store = GraphStore(model: try GraphModel(entities: [.make("Tag")], dialect: .graft))
    let (chunks, feed) = AsyncStream.makeStream(of: Data.self)
    feed.yield(Data("data: {\"id\": 1}\n\ndata: [DO".utf8))
    feed.yield(Data("NE]\n\n".utf8))
    let options = ImportOptions.with {
      $0.parser.format = .serverSentEvents
      $0.parser.endMarker = "[DONE]"
    }
    try await store.importJSON(entity: "Tag", from: .chunks(chunks), options: options)
    feed.finish()
    #expect(try store.graph.count(of: "Tag") == 1)
  }

  @Test func `is not repeated from the same source`() async throws {
    let store = try Self.store()
    let source = ImportSource.chunks(Self.stream([Data("[]".utf8)]))
    try await store.importJSON(entity: "Hashtag", from: source)
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(entity: "Hashtag", from: source)
    }
    #expect(error?.kind == .consumed)
  }

  @Test func `publishes nothing when the sequence fails`() async throws {
    let store = try Self.store()
    await #expect(throws: Broken.self) {
      try await store.importJSON(
        entity: "Hashtag",
        from: .chunks(Self.stream([Data(#"{"text": "a"}"#.utf8)], failure: Broken())))
    }
    #expect(try store.graph.count(of: "Hashtag") == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `takes no end for an early one when its task is cancelled`() async throws {
    let store = try Self.store()
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    continuation.yield(Data(#"{"text": "a"}"#.utf8))
    let task = Task { try await store.importJSON(entity: "Hashtag", from: .chunks(stream)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.graph.count(of: "Hashtag") == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `does not read on after an error`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    continuation.yield(Data("] no document".utf8))
    let store = try Self.store()
    // The stream never ends: only the error can end the import.
    let error = await #expect(throws: ImportError.self) {
      try await store.importJSON(entity: "Hashtag", from: .chunks(stream))
    }
    #expect(error?.kind == .invalidJSON)
    continuation.finish()
  }
}
