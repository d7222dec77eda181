import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `An import of data in memory` {
  private struct Tag: Entity {
    let text = Attribute<String>()
    static let identity = [\Self.text]
  }

  private static let bytes = Array(#"{"tags": [{"text": "a"}, {"text": "b"}]}"#.utf8)

  @Test func `takes bytes in any form, typed and by name`() throws {
    let store = try GraphStore(for: Tag.self)
    let (bytes, root) = (Self.bytes, ImportRoot(Tag.self, at: "tags"))
    #expect(try store.importJSON([root], from: bytes[...]).insertedCount == 2)
    #expect(try store.importJSON(Tag.self, at: "tags", from: bytes).unchangedCount == 2)
    #expect(
      try store.importJSON(entity: "Tag", at: "tags", from: Data(bytes)).unchangedCount == 2)
  }

  @Test func `tells its progress, and may be repeated from the same source`() async throws {
    let store = try GraphStore(for: Tag.self)
    let notes = Mutex<[Int]>([])
    let source = ImportSource.data(Self.bytes)
    var options = ImportOptions()
    options.chunkSize = 16
    let report = try await store.importJSON(
      Tag.self, at: "tags", from: source, options: options
    ) { note in
      notes.withLock { $0.append(note.byteCount) }
      #expect(note.totalByteCount == 40)
    }
    #expect(report.insertedCount == 2)
    #expect(notes.withLock { $0 } == [16, 32, 40])
    #expect(try await store.importJSON(Tag.self, at: "tags", from: source).unchangedCount == 2)
  }
}
