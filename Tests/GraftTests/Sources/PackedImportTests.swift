import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `An import of gzip data` {
  private static let lines = [#"{"text": "a"}"# + "\n", #"{"text": "b"}"# + "\n"]

  private static func store() throws -> GraphStore {
    let tag = EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "text", type: .string)],
      userInfo: ["JSONMissingIdentity": "insert"])
    return GraphStore(model: try GraphModel(entities: [tag], dialect: .graft))
  }

  private static var options: ImportOptions {
    var options = ImportOptions()
    options.parser.format = .ndjson
    return options
  }

  /// The texts of the tags that a source holds.
  private static func texts(_ source: ImportSource) async throws -> [AttributeValue?] {
    let store = try store()
    try await store.importJSON(entity: "Tag", from: source, options: options)
    return try store.graph.objects("Tag").map { $0["text"] }
  }

  @Test(arguments: ["deflate", "tags.ndjson.deflate", "tags.gz", "tags.zst", "tags.zz"])
  func `is no import of a text that is named like it`(name: String) async throws {
    let file = try TemporaryFile(Data(Self.lines.joined().utf8), name: name)
    #expect(try await Self.texts(.url(file.url)) == [.string("a"), .string("b")])
  }

  @Test(arguments: [1, 2, 7, 1_000])
  func `equals the import of the unpacked data, however it is cut`(size: Int) async throws {
    let packed = GzipWriter.pack(Self.lines[0], Self.lines[1])
    let chunks = stride(from: 0, to: packed.count, by: size).map {
      Data(packed[$0..<min($0 + size, packed.count)])
    }
    #expect(try await Self.texts(.chunks(chunks)) == [.string("a"), .string("b")])
    #expect(try await Self.texts(.data(packed)) == [.string("a"), .string("b")])
  }

  @Test func `reads members one after the other, and zeros behind them`() async throws {
    let packed = GzipWriter.pack(Self.lines[0]) + GzipWriter.pack(Self.lines[1]) + Data(count: 512)
    #expect(try await Self.texts(.data(packed)) == [.string("a"), .string("b")])
  }

  @Test func `fails wherever it is cut off, also between two blocks and before the check sum`()
    async throws
  {
    let packed = GzipWriter.pack(Self.lines[0], Self.lines[1])
    for count in 1..<packed.count {
      let file = try TemporaryFile(Data(packed[..<count]), name: "tags.ndjson.gz")
      let store = try Self.store()
      let error = await #expect(throws: ImportSourceError.self, "\(count)") {
        try await store.importJSON(entity: "Tag", from: .url(file.url), options: Self.options)
      }
      #expect(error?.kind == .encoding)
      #expect(
        error?.description
          == "\(file.path): gzip data is cut off at byte \(count), before its end")
      #expect(try store.graph.count(of: "Tag") == 0)
    }
  }

  @Test(arguments: [
    (2, 4, "unknown compression method"), (13, 15, "invalid stored block lengths"),
    (-8, -4, "incorrect data check"), (-1, 0, "incorrect length check"),
  ])
  func `fails where it is damaged`(offset: Int, end: Int, reason: String) async throws {
    var packed = GzipWriter.pack(Self.lines[0], Self.lines[1])
    packed[offset < 0 ? packed.count + offset : offset] ^= 0x5A
    let damaged = packed
    let byte = end > 0 ? end : packed.count + end
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.texts(.data(damaged))
    }
    #expect(
      error?.description == "data: gzip data is damaged at byte \(byte): \(reason)")
  }

  @Test(arguments: ParserOptions.Engine.allCases, [false, true])
  func `is refused by an importer that is handed the bytes`(
    engine: ParserOptions.Engine, isCut: Bool
  ) throws {
    let packed = GzipWriter.pack(Self.lines[0])
    for skipsLines in [false, true] {
      var options = Self.options
      options.parser.engine = engine
      if skipsLines { options.brokenLines = .skip }
      let importer = try Self.store().makeImporter(entity: "Tag", options: options)
      let error = #expect(throws: ImportError.self) {
        if isCut { try importer.parse(packed[..<1]) }
        try importer.parse(isCut ? packed[1...] : packed)
        _ = try importer.finish()
      }
      #expect(
        error?.description.hasSuffix(
          "the bytes are compressed by gzip; expected UTF-8: decompress them first, or import them from an ImportSource, which does so"
        ) == true, "\(error?.description ?? "")")
    }
  }

  @Test func `fails at what follows it and is not packed`() async throws {
    let packed = GzipWriter.pack(Self.lines[0]) + Data(Self.lines[1].utf8)
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.texts(.data(packed))
    }
    #expect(error?.kind == .encoding)
  }

  @Test func `tells no size, which would be that of the packed bytes`() async throws {
    let file = try TemporaryFile(GzipWriter.pack(Self.lines[0]), name: "tags.json.gz")
    let totals = Totals()
    try await Self.store().importJSON(
      [ImportRoot("Tag")], from: .url(file.url), options: Self.options
    ) { totals.add($0) }
    #expect(totals.notes.map(\.byteCount) == [Self.lines[0].utf8.count])
    #expect(totals.notes.map(\.totalByteCount) == [nil])
    // The check sum behind the content is read when the content has been imported.
    let fraction = try #require(totals.notes.last?.fractionCompleted)
    #expect(fraction > 0.5 && fraction <= 1)
  }
}

/// The progress that an import has reported.
final class Totals: Sendable {
  private let list = Mutex<[ImportProgress]>([])
  var notes: [ImportProgress] { list.withLock(\.self) }
  func add(_ note: ImportProgress) { list.withLock { $0.append(note) } }
}
