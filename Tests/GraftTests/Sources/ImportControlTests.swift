import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite(.timeLimit(.minutes(2))) struct `A paused import` {
  /// A source of a document.
  enum Kind: CaseIterable, Sendable {
    case data, file, chunks, server
  }

  private static let count = 5_000
  private static let document = Data(
    ("[" + (0..<count).map { #"{"id": "\#($0)"}"# }.joined(separator: ",\n") + "]").utf8)

  private static func store() throws -> GraphStore {
    GraphStore(model: try GraphModel(entities: [.make("Item", [])]))
  }

  /// Starts an import that pauses itself after a while.
  private static func start(
    _ kind: Kind, into store: GraphStore, _ control: ImportControl, _ byteCount: ByteCount
  ) throws -> (Task<Int, any Error>, keeping: [Any]) {
    var options = ImportOptions()
    options.chunkSize = 100
    options.control = control
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    let server = try LoopbackServer { _ in [.answer(document)] }
    if kind == .file { try document.write(to: file) }
    let source: ImportSource =
      switch kind {
      case .data: .data(document)
      case .file: .url(file)
      case .chunks: .chunks([document])
      case .server: .url(server.url("items"))
      }
    let task = Task { [options] in
      defer { try? FileManager.default.removeItem(at: file) }
      return try await store.importJSON(entity: "Item", from: source, options: options) {
        byteCount.note($0.byteCount)
        if $0.byteCount == 10_000 { control.pause() }
      }.byteCount
    }
    return (task, [server])
  }

  private static func waitForPause(_ control: ImportControl) async throws {
    while !control.isPaused { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(200))
  }

  @Test(arguments: Kind.allCases)
  func `reads nothing until it is resumed`(kind: Kind) async throws {
    let (store, control, byteCount) = (try Self.store(), ImportControl(), ByteCount())
    let (task, keeping) = try Self.start(kind, into: store, control, byteCount)
    try await Self.waitForPause(control)
    #expect(byteCount.last == 10_000)
    #expect(try store.graph.count(of: "Item") == 0)
    control.resume()
    #expect(try await task.value == Self.document.count)
    #expect(try store.graph.count(of: "Item") == Self.count)
    _ = keeping
  }

  @Test(arguments: Kind.allCases)
  func `can be cancelled, and changes nothing`(kind: Kind) async throws {
    let (store, control, byteCount) = (try Self.store(), ImportControl(), ByteCount())
    let (task, keeping) = try Self.start(kind, into: store, control, byteCount)
    try await Self.waitForPause(control)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(byteCount.last == 10_000)
    #expect(try store.graph.count(of: "Item") == 0)
    _ = keeping
  }
}

/// How far an import has come.
private final class ByteCount: Sendable {
  private let count = Mutex(0)
  var last: Int { count.withLock(\.self) }
  func note(_ byteCount: Int) { count.withLock { $0 = byteCount } }
}
