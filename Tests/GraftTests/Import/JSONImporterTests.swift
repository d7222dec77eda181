import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// The life of one importer.
@Suite struct `An importer` {
  private let store: GraphStore

  init() throws { store = try ImportTrial([.make("Hero", [.make("name")])]).store }

  private func error(_ body: () throws -> Void) -> ImportError? {
    #expect(throws: ImportError.self, performing: body)
  }

  @Test func `takes bytes in any form`() throws {
    let importer = try store.makeImporter(entity: "Hero")
    try importer.parse(Data("[{\"id\"".utf8))
    try importer.parse(Array(":1},".utf8))
    try Array("{\"id\":2".utf8).withUnsafeBytes { try importer.parse($0) }
    try ContiguousArray("}]".utf8).withUnsafeBytes { try importer.parse($0.bytes) }
    try importer.parse(Data())
    #expect(importer.byteCount == 19)
    #expect(try importer.finish().insertedCount == 2)
  }

  @Test func `publishes nothing before it has finished`() throws {
    let importer = try store.makeImporter(entity: "Hero")
    try importer.parse(Data("[{\"id\":1}]".utf8))
    #expect(try store.graph.count(of: "Hero") == 0)
    _ = try importer.finish()
    #expect(try store.graph.count(of: "Hero") == 1)
  }

  @Test func `throws the same error for ever`() throws {
    let importer = try store.makeImporter(entity: "Hero")
    let first = error { try importer.parse(Data("[{\"id\":1},{\"id\":true}".utf8)) }
    #expect(first?.description == "1:17: $[1].id: expected an integer of 64 bits, found true")
    #expect(error { try importer.parse(Data("]".utf8)) } == first)
    #expect(error { _ = try importer.finish() } == first)
    importer.cancel()
    #expect(error { _ = try importer.finish() } == first)
    #expect(importer.byteCount == 0 || importer.byteCount == 21)
  }

  @Test(arguments: ["", "[", "[{\"id\":1}]"])
  func `that is cancelled publishes nothing`(json: String) throws {
    let importer = try store.makeImporter(entity: "Hero")
    try importer.parse(Data(json.utf8))
    importer.cancel()
    importer.cancel()
    let first = error { try importer.parse(Data("]".utf8)) }
    #expect(first?.kind == .cancelled)
    #expect(error { _ = try importer.finish() } == first)
    #expect(try store.graph.count(of: "Hero") == 0)
  }

  @Test func `finishes once`() throws {
    let importer = try store.makeImporter(entity: "Hero")
    try importer.parse(Data("[{\"id\":1}]".utf8))
    _ = try importer.finish()
    #expect(error { _ = try importer.finish() }?.message == "the import has finished")
    #expect(error { try importer.parse(Data("[]".utf8)) }?.message == "the import has finished")
    importer.cancel()
    #expect(error { _ = try importer.finish() }?.kind == .model)
    #expect(try store.graph.count(of: "Hero") == 1)
  }

  @Test func `of no bytes is cut short`() throws {
    let importer = try store.makeImporter(entity: "Hero")
    let first = error { _ = try importer.finish() }
    #expect(first?.kind == .invalidJSON)
    #expect(error { _ = try importer.finish() } == first)
  }

  @Test func `reads one document after another where that is the format`() throws {
    let options = ImportOptions.with { $0.parser.format = .ndjson }
    let importer = try store.makeImporter(entity: "Hero", options: options)
    for byte in Data("{\"id\":1}\n{\"id\":2}\n\n[{\"id\":3}]\n".utf8) {
      try importer.parse([byte])
    }
    #expect(try importer.finish().roots.map(\.objects) == [3])
  }
}
