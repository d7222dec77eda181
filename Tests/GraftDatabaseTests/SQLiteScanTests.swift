import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftSQLite
@testable import GraftTestSupport

@Suite struct `Looking up one number after the other` {
  private static let lookup = RowLookup(
    table: "t", columns: [.init(name: "v", type: .integer64)],
    key: [.init(name: "k", type: .integer64)], filter: "", order: nil)

  /// Keys in one of the orders in which documents have them.
  private static func keys(_ random: inout SeededGenerator) -> [Int64] {
    let keys = (0..<Int.random(in: 1...60, using: &random)).map { _ in
      Int64.random(in: -2...200, using: &random)
    }
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: keys
    case 1: keys.sorted()
    case 2: keys.sorted(by: >)
    default: keys.sorted().map { $0 / 7 }
    }
  }

  @Test(arguments: Seeds.some(8, of: 40))
  func `finds what a look-up of each finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = TemporaryDatabase()
    let connection = try SQLiteConnection(path: file.url.path, .init())
    try file.run(
      "CREATE TABLE t (k INTEGER NOT NULL, v INTEGER NOT NULL, PRIMARY KEY (k, v)) WITHOUT ROWID")
    if seed.isMultiple(of: 2) {
      // Another tool may do this.
      try file.run(
        "INSERT INTO t VALUES ('a text', 1), (x'00', 2), (7.5, 1), (8.5, 1)")
    }
    let statement = try connection.prepare(oneByOne: Self.lookup)
    #expect(statement is SQLiteScan)
    var content: [Int64: Set<Int64>] = [:]
    for round in 0..<40 {
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let key = Int64.random(in: 0...200, using: &random)
        let value = Int64.random(in: 0...2, using: &random)
        content[key, default: []].insert(value)
        try file.run("INSERT OR IGNORE INTO t VALUES (\(key), \(value))")
      }
      if let key = content.keys.min() {
        content[key] = nil
        try file.run("DELETE FROM t WHERE k = \(key)")
      }
      // Outside of a transaction, each look-up finds what was written before.
      if round % 5 != 4 { try connection.beginReading() }
      defer { connection.endReading() }
      for key in Self.keys(&random) {
        statement.bind(0, .integer64, word: UInt64(bitPattern: key))
        var found: [Int64] = []
        let isWhole = Bool.random(using: &random)
        while try statement.next() {
          found.append(Int64(bitPattern: statement.word(0, .integer64)))
          if !isWhole { break }
        }
        if !isWhole { statement.reset() }
        let expected = content[key] ?? []
        let isRight =
          isWhole
          ? found.count == expected.count && Set(found) == expected
          : found.isEmpty == expected.isEmpty && expected.isSuperset(of: found)
        try #require(isRight, "seed \(seed), round \(round), key \(key): \(found)")
      }
    }
  }

  @Test func `leaves no transaction open`() throws {
    let file = TemporaryDatabase()
    let connection = try SQLiteConnection(path: file.url.path, .init())
    try file.run("CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER)")
    try file.run("INSERT INTO t VALUES (1, 10), (2, 20)")
    let statement = try connection.prepare(oneByOne: Self.lookup)
    func value() throws -> UInt64? {
      statement.bind(0, .integer64, word: 2)
      defer { statement.reset() }
      return try statement.next() ? statement.word(0, .integer64) : nil
    }
    try connection.beginReading()
    #expect(try value() == 20)
    try file.run("UPDATE t SET v = 21")
    #expect(try value() == 20)
    connection.endReading()
    #expect(try value() == 21)
    try connection.beginReading()
    #expect(try value() == 21)
    connection.endReading()
    _ = try connection.begin()
    try connection.execute("UPDATE t SET v = 22")
    #expect(try value() == 22)
    try connection.execute("UPDATE t SET v = 23")
    #expect(try value() == 23)
    try connection.commit()
    #expect(try value() == 23)
  }

  @Test func `uses a scan only for one integer without an order`() throws {
    let file = TemporaryDatabase()
    let connection = try SQLiteConnection(path: file.url.path, .init())
    try file.run("CREATE TABLE t (k TEXT, l INTEGER, v INTEGER)")
    func lookUp(_ key: [DatabaseSchema.Column], order: String? = nil) throws -> Bool {
      let lookup = RowLookup(
        table: "t", columns: Self.lookup.columns, key: key, filter: "", order: order)
      return try connection.prepare(oneByOne: lookup) is SQLiteScan
    }
    let (text, integer) = (
      DatabaseSchema.Column(name: "k", type: .string),
      DatabaseSchema.Column(name: "l", type: .integer32)
    )
    #expect(try lookUp([integer]))
    #expect(try !lookUp([integer], order: "v"))
    #expect(try !lookUp([text]))
    #expect(try !lookUp([integer, text]))
  }
}
