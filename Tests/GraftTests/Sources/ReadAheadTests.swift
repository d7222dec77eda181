import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

extension Reading {
  /// Reads a text from a file ahead, in chunks of at most a size.
  fileprivate init(ahead text: [UInt8], chunkBytes: Int, _ options: ParserOptions) throws {
    let file = try TemporaryFile("", name: "document.json")
    try Data(text).write(to: file.url)
    let log = EventLog()
    let parser = EventParser(sink: log, options: options)
    log.engine = parser.engine
    var failure: ParsingError?
    do {
      try FileSource.withFile(file.url) { source in
        try ReadAhead(source, options, chunkBytes: chunkBytes).read { try parser.parse($0) }
      }
      try parser.finish()
    } catch let error as ParsingError {
      failure = error
    }
    self.init(events: log.events, error: failure)
  }
}

@Suite struct `Reading ahead on a second thread` {
  @Test(arguments: Seeds.some(6, of: 12), [ParserOptions.Format.json, .ndjson])
  func `gives the same events and errors`(
    seed: UInt64, format: ParserOptions.Format
  ) throws {
    var random = SeededGenerator(seed: seed &+ 500)
    for round in 0..<4 {
      let parts = (0..<40).map { _ in RandomDocument.make(&random) }
      var text = Array(
        (format == .json ? "[\(parts.joined(separator: ","))]" : parts.joined(separator: "\n")).utf8
      )
      if round > 1 { text = RandomDocument.damage(text, &random) }
      if round == 1 { text = TextEncoding.byteOrderMark + text }
      let options = ParserOptions(format: format, engine: .native)
      let expected = try Reading(text, options: options)
      for chunkBytes in [128, 200, 1_000, 100_000] {
        let reading = try Reading(ahead: text, chunkBytes: chunkBytes, options)
        try #require(
          reading == expected, "\(String(decoding: text, as: UTF8.self)), \(chunkBytes)")
      }
    }
  }

  @Test(arguments: [10, 1_000, 16_383, 16_384, 20_000, 60_000], ["x", #"\""#, #"\\"#, "é"])
  func `takes strings and keys of any length`(length: Int, piece: String) throws {
    let long = String(repeating: piece, count: length / piece.utf8.count)
    let key = String(repeating: piece, count: min(length, 60_000) / piece.utf8.count)
    let text = Array(#"["\#(long)", {"\#(key)": 1}, 2, "\#(long)", true, {"a": "b"}]"#.utf8)
    let options = ParserOptions(engine: .native)
    let expected = try Reading(text, options: options)
    try #require(expected.error == nil)
    // The shortest chunks are for the shorter ones, of which each is cut many times as well.
    for chunkBytes in length > 1_000 ? [1_000, 50_000] : [128, 1_000, 50_000] {
      #expect(try Reading(ahead: text, chunkBytes: chunkBytes, options) == expected)
    }
  }

  @Test func `scans on behind a string longer than a window`() throws {
    let text = #"["\#(String(repeating: "x", count: 40_000))", "#
    let numbers = String(repeating: "1, ", count: 2_000)
    let scanned = try scannedCounts(of: Array((text + numbers).utf8), chunkBytes: 16_384)
    // The bracket, nothing of the string, and all behind it but the last few bytes.
    try #require(scanned.count == 3)
    #expect(scanned[..<2] == [1, 0])
    #expect(numbers.utf8.count - scanned[2] < 100)
  }

  @Test(arguments: 0..<64) func `scans text beyond ASCII wherever it is cut`(shift: Int) throws {
    let strings = String(repeating: #""東京é😀\n","#, count: 5_000)
    let text = Array(("[" + String(repeating: " ", count: shift) + strings).utf8)
    let scanned = try scannedCounts(of: text, chunkBytes: 1_000)
    #expect(text.count - scanned.reduce(0, +) < 200)
  }

  /// Returns how many bytes of each chunk are scanned ahead.
  private func scannedCounts(of text: [UInt8], chunkBytes: Int) throws -> [Int] {
    var rest = text[...]
    let chunk = ScannedChunk(capacity: chunkBytes, ParserOptions(engine: .native))
    var border = ScannedChunk.Border.beginning
    var counts: [Int] = []
    while true {
      let end = try chunk.fill(after: border) { memory in
        let next = rest.prefix(memory.count)
        memory.copyBytes(from: next)
        rest = rest.dropFirst(next.count)
        return next.count
      }
      guard let end else { return counts }
      border = end
      counts.append(chunk.parts.reduce(0) { $0 + $1.tokens.scanned })
    }
  }

  @Test func `ends with the consumer's error, and leaves no thread behind`() throws {
    struct Stop: Error {}
    let file = try TemporaryFile(
      "[\(String(repeating: "1, ", count: 1_000_000))1]", name: "document.json")
    weak var left: ReadAhead?
    #expect(throws: Stop.self) {
      try FileSource.withFile(file.url) { source in
        let ahead = ReadAhead(source, ParserOptions(engine: .native))
        left = ahead
        try ahead.read { _ in throw Stop() }
      }
    }
    // The thread has stopped reading, and will end soon.
    for _ in 0..<1_000 where left != nil { Thread.sleep(forTimeInterval: 0.01) }
    #expect(left == nil)
  }
}

@Suite struct `An import that reads ahead` {
  private static func model() throws -> GraphModel {
    try GraphModel(
      entities: [
        EntityDescription(
          name: "Person",
          attributes: [
            AttributeDescription(name: "id", type: .integer64),
            AttributeDescription(name: "name", type: .string),
          ],
          userInfo: ["identityAttributes": "id"])
      ], dialect: .graft)
  }

  private static func options(readsAhead: Bool) -> ImportOptions {
    var options = ImportOptions()
    options.parser.engine = .native
    options.readsAhead = readsAhead
    return options
  }

  /// Several of the chunks that are read ahead, each of 256 KiB.
  private static let objects = (0..<16_000).map {
    #"{"id": \#($0), "name": "n\#($0 % 7)", "more": [1, {"a": "b"}]}"#
  }

  @Test(arguments: [ParserOptions.Format.json, .ndjson])
  func `makes the same graph`(format: ParserOptions.Format) async throws {
    let text =
      format == .json
      ? "[\(Self.objects.joined(separator: ",\n"))]" : Self.objects.joined(separator: "\n")
    let file = try TemporaryFile(text, name: "people.json")
    var graphs: [[AttributeValue?]] = []
    for readsAhead in [false, true] {
      let store = GraphStore(model: try Self.model())
      var options = Self.options(readsAhead: readsAhead)
      options.parser.format = format
      let report = try await store.importJSON(entity: "Person", from: file.url, options: options)
      #expect(report.byteCount == text.utf8.count)
      graphs.append(
        try store.graph.objects("Person").flatMap { [$0["id"], $0["name"]] })
    }
    #expect(graphs[0].count == 2 * Self.objects.count)
    #expect(graphs[0][graphs[0].count - 2] == .integer(15_999))
    let areSame = graphs[0] == graphs[1]
    #expect(areSame)
  }

  @Test(arguments: [(0, #"{"id": 1 2}"#), (8_000, #"{"id": "x"}"#), (15_999, #"{"id": 01}"#)])
  func `fails with the same error`(index: Int, object: String) async throws {
    var objects = Self.objects
    objects[index] = object
    let file = try TemporaryFile("[\(objects.joined(separator: ",\n"))]", name: "people.json")
    var errors: [String] = []
    for readsAhead in [false, true] {
      let store = GraphStore(model: try Self.model())
      let error = await #expect(throws: ImportError.self) {
        try await store.importJSON(
          entity: "Person", from: file.url, options: Self.options(readsAhead: readsAhead))
      }
      #expect(try store.graph.objects("Person").isEmpty)
      errors.append("\(try #require(error))")
    }
    #expect(errors[0] == errors[1])
  }

  @Test func `ends where its task is cancelled`() async throws {
    let file = try TemporaryFile("[\(Self.objects.joined(separator: ",\n"))]", name: "people.json")
    let store = GraphStore(model: try Self.model())
    let task = Task {
      try await store.importJSON(
        entity: "Person", from: file.url, options: Self.options(readsAhead: true)
      ) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.graph.objects("Person").isEmpty)
  }
}
