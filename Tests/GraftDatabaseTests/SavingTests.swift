import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `Saves of an import into a database` {
  private let file = TemporaryDatabase()
  private let database: GraphDatabase
  private static let lines = (0..<200).map { "{\"id\": \($0), \"name\": \"n\($0 % 7)\"}\n" }

  init() throws {
    let model = try GraphModel(entities: [.make("Bird", [.make("name")])], dialect: .graft)
    database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
  }

  private func importer(_ configure: (inout ImportOptions) -> Void) throws -> JSONImporter {
    var options = ImportOptions()
    options.parser.format = .ndjson
    configure(&options)
    return try database.makeImporter([ImportRoot("Bird")], options: options)
  }

  /// Feeds lines, and tells how many rows readers see after each.
  private func counts(_ importer: JSONImporter) throws -> [Int] {
    let counts = try Self.lines.map { line in
      try importer.parse(Data(line.utf8))
      return try database.count(of: "Bird")
    }
    _ = try importer.finish()
    #expect(try database.count(of: "Bird") == Self.lines.count)
    #expect(try file.integrityFaults() == [])
    return counts
  }

  @Test func `come after a number of objects`() throws {
    let counts = try counts(importer { $0.savePolicy.objects = 30 })
    #expect(Set(counts) == [0, 30, 60, 90, 120, 150, 180])
  }

  @Test(arguments: DatabaseKind.present)
  func `come after more and more objects by default`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    let database = try place.open(GraphModel(entities: [.make("Bird")], dialect: .graft))
    let options = ImportOptions.with { $0.parser.format = .ndjson }
    let importer = try database.makeImporter([ImportRoot("Bird")], options: options)
    var counts: Set<Int> = []
    for start in stride(from: 0, to: 10_000, by: 500) {
      try importer.parse(Data((start..<start + 500).map { "{\"id\": \($0)}\n" }.joined().utf8))
      counts.insert(try database.count(of: "Bird"))
    }
    // A cluster has few and large saves.
    #expect(counts == (kind == .citus ? [0] : [0, 2500, 7500]))
    #expect(try importer.finish().insertedCount == 10_000)
  }

  @Test(arguments: [
    (nil, nil, [Int](repeating: .max, count: 4)), (300, nil, [300, 300, 300, 300]),
    (1000, 300, [300, 600, 1000, 1000]), (200, 300, [200, 200, 200, 200]),
    (.max, 1 << 61, [1 << 61, 1 << 62, .max, .max]),
  ])
  func `double up to a limit`(limit: Int?, first: Int?, expected: [Int]) {
    var policy = ImportOptions.SavePolicy.every(objects: limit)
    policy.firstObjects = first
    var schedule = SaveSchedule(policy)
    let found = expected.map { _ in
      defer { schedule.start(offset: 0) }
      return schedule.nextCheck
    }
    #expect(found == expected)
    let isDue = schedule.isDue(objectCount: expected[3], offset: 0)
    #expect(isDue)
  }

  /// The document ends too early, so that only what was saved is there.
  @Test(arguments: [
    ("@value", (0..<200).map { "\"b\($0)\"" }), ("name", (0..<200).map { "\"b\($0)\"" }),
    (
      "name",
      ["{\"name\":\"x\",\"mate\":\"y\"}", "{\"name\":\"x\",\"mate\":null}"]
        + (0..<200).map { "{\"name\":\"b\($0)\"}" }
    ),
  ])
  func `come after objects that are strings, and after a link that no longer waits`(
    path: String, elements: [String]
  ) throws {
    let model = try GraphModel(
      entities: [
        .make(
          "Bird", identity: "name", [.make("name", .string, ["JSONKeyPath": path])],
          [.make("mate", to: "Bird", ["JSONReference": "defer"])])
      ], dialect: .graft)
    let place = TemporaryDatabase()
    let database = try GraphDatabase(model: model, at: place.url, configuration: .quick)
    let options = ImportOptions.with { $0.savePolicy.objects = 30 }
    let text = "[\(elements.joined(separator: ","))"
    let first = try database.makeImporter([ImportRoot("Bird")], options: options)
    try first.parse(Data(text.utf8))
    #expect(throws: ImportError.self) { try first.finish() }
    #expect(try database.count(of: "Bird") >= 170)
    let again = try database.makeImporter([ImportRoot("Bird")], options: options)
    try again.parse(Data("\(text)]".utf8))
    _ = try again.finish()
    #expect(try database.count(of: "Bird") == (elements.count > 200 ? 201 : 200))
    #expect(try place.integrityFaults() == [])
  }

  @Test func `come after a number of bytes, if that is sooner`() throws {
    let counts = try counts(
      importer {
        $0.savePolicy.objects = 150
        $0.savePolicy.bytes = 1000
      })
    let saves = Array(Set(counts)).sorted()
    #expect(saves.count > 4)
    for (first, second) in zip(saves, saves.dropFirst()) {
      let bytes = Self.lines[first..<second].reduce(0) { $0 + $1.utf8.count }
      #expect((1000..<1040).contains(bytes), "\(first)..<\(second)")
    }
  }

  @Test func `come after a number of seconds, if that is sooner`() throws {
    let importer = try importer {
      $0.savePolicy.objects = 1000
      $0.savePolicy.time = .milliseconds(50)
    }
    try importer.parse(Data(Self.lines[0].utf8))
    try importer.parse(Data(Self.lines[1].utf8))
    Thread.sleep(forTimeInterval: 0.06)
    try importer.parse(Data(Self.lines[2].utf8))
    #expect(try database.count(of: "Bird") == 3)
    _ = try importer.finish()
  }

  @Test func `are one at the end, of batches that memory has forgotten`() throws {
    let counts = try counts(
      importer {
        $0.savePolicy.objects = 10
        $0.savePolicy.isAtEnd = true
      })
    #expect(Set(counts) == [0])
  }

  @Test func `leave nothing of an import that fails, where there is one at the end`() throws {
    let importer = try importer {
      $0.savePolicy.objects = 10
      $0.savePolicy.isAtEnd = true
    }
    #expect(throws: ImportError.self) {
      try importer.parse(Data((Self.lines.joined() + "{").utf8))
      _ = try importer.finish()
    }
    #expect(try database.count(of: "Bird") == 0)
  }

  @Test func `are none in a dry run`() throws {
    let importer = try importer {
      $0.savePolicy.objects = 10
      $0.isDryRun = true
    }
    try importer.parse(Data(Self.lines.joined().utf8))
    #expect(try importer.finish().insertedCount == Self.lines.count)
    #expect(try database.count(of: "Bird") == 0)
  }

  @Test func `publish in memory after a number of bytes`() throws {
    let store = GraphStore(model: database.model)
    let importer = try store.makeImporter(
      [ImportRoot("Bird")],
      options: .with {
        $0.parser.format = .ndjson
        $0.savePolicy.bytes = 1000
      })
    try importer.parse(Data(Self.lines.joined().utf8))
    let count = try store.graph.count(of: "Bird")
    #expect(count > 100 && count < Self.lines.count)
    _ = try importer.finish()
  }
}
