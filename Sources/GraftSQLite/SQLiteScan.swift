// Looking a row up in a B-tree costs four times as much as going on to the next row, and most documents mention objects
// in the order of their keys, or in the opposite one. So a look-up begins a scan at its key, and the next look-up goes
// on from there. With the rows 3, 4, 7 and 9, and the look-ups
//
//   4   begins the scan, and finds row 4
//   7   goes on by one row
//   8   goes on to row 9: there is no 8
//   9   has its row already
//   3   begins the scan anew
//
// Where keys come in no order, a statement for one key is used, and a scan is tried again from time to time. A scan
// keeps the state of the database that its first row is of, so there is none outside of a transaction that only reads,
// and all end with it.

import CSQLite
import Graft
import GraftDatabase

/// Looks up the rows of one integer after the other.
final class SQLiteScan: DatabaseStatement {
  private let lookup: RowLookup
  private let connection: SQLiteConnection
  /// Reads the rows of one key.
  private let single: SQLiteStatement
  /// Read rows from a key on, upwards and downwards; nil until they are needed.
  private var upward: SQLiteStatement?
  private var downward: SQLiteStatement?

  /// The key that is looked up.
  private var key: Int64 = 0
  /// Whether the key has been looked for since it was bound.
  private var isPlaced = false
  /// The statement that is at the current row.
  private var current: SQLiteStatement

  // The scan.
  private var isDownward = false
  /// The transaction in which the scan has begun; 0 for no scan.
  private var reading = 0
  /// The last key that was looked up with the scan: it is past all rows before that key.
  private var passed: Int64 = 0
  /// The key of the row at which the scan is; nil after the last.
  private var place: Int64?
  /// Whether the row at which the scan is was returned.
  private var isTaken = false
  /// How many rows a look-up may go on before it begins the scan anew: more the more often that was enough.
  private var patience = 4
  /// The number of look-ups without a scan until one is tried.
  private var untilTrial = 0

  /// - Parameters:
  ///   - lookup: A look-up by one integer, without an order of its rows.
  ///   - connection: The connection.
  /// - Throws: ``Graft/StoreError`` if SQLite refuses the statement.
  init(_ lookup: RowLookup, _ connection: SQLiteConnection) throws(StoreError) {
    self.lookup = lookup
    self.connection = connection
    single = try connection.statement(lookup.sql)
    current = single
  }

  // MARK: Looking up

  func bindNull(_ parameter: Int) {
    isPlaced = true
    current = single
    single.bindNull(parameter)
  }

  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64) {
    key = Int64(bitPattern: word)
    isPlaced = false
  }

  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan) {
    isPlaced = true
    current = single
    single.bind(parameter, type, bytes: bytes)
  }

  func next() throws(StoreError) -> Bool {
    if isPlaced {
      guard current !== single else { return try single.next() }
      try advance(current)
    } else {
      isPlaced = true
      guard try isScanned() else {
        current = single
        single.bind(0, .integer64, word: UInt64(bitPattern: key))
        return try single.next()
      }
    }
    isTaken = place == key
    return isTaken
  }

  func reset() {
    if current === single { single.reset() }
  }

  func run() throws(StoreError) { _ = try next() }

  /// Brings the scan to the key, or past it.
  ///
  /// - Returns: Whether there is a scan.
  private func isScanned() throws(StoreError) -> Bool {
    guard connection.reading != 0 else { return false }
    if patience == 0 {
      untilTrial -= 1
      if untilTrial > 0 { return false }
      // The position is one of the other direction.
      (patience, isDownward, reading) = (2, !isDownward, 0)
    }
    let scan = try scan()
    current = scan
    guard reading == connection.reading, isBefore(passed, key) else {
      // The first look-up of a transaction says nothing about the order.
      if reading == connection.reading { loseTrust() }
      try begin(scan)
      return true
    }
    passed = key
    if isTaken { try advance(scan) }
    var count = 0
    while let place, isBefore(place, key) {
      count += 1
      if count > patience {
        loseTrust()
        try begin(scan)
        return true
      }
      try advance(scan)
    }
    patience = min(patience + 1, 16)
    return true
  }

  private func isBefore(_ first: Int64, _ second: Int64) -> Bool {
    isDownward ? first > second : first < second
  }

  private func loseTrust() {
    patience = max(patience - 2, 0)
    if patience == 0 { untilTrial = 64 }
  }

  private func scan() throws(StoreError) -> SQLiteStatement {
    if let scan = isDownward ? downward : upward { return scan }
    let scan = try connection.statement(lookup.scan(isDownward: isDownward))
    if isDownward { downward = scan } else { upward = scan }
    return scan
  }

  /// Begins the scan at the key.
  private func begin(_ scan: SQLiteStatement) throws(StoreError) {
    scan.reset()
    (passed, reading) = (key, connection.noteScan())
    scan.bind(0, .integer64, word: UInt64(bitPattern: key))
    try advance(scan)
  }

  /// Advances the scan by one row.
  private func advance(_ scan: SQLiteStatement) throws(StoreError) {
    isTaken = false
    place = nil
    // An error ends the scan.
    let reading = reading
    self.reading = 0
    rows: while try scan.next() {
      // Another tool may have stored something else: fractions, and strings, which SQLite sorts after all numbers.
      switch scan.type(lookup.columns.count) {
      case SQLITE_FLOAT: continue
      case SQLITE_INTEGER:
        place = Int64(bitPattern: scan.word(lookup.columns.count, .integer64))
        break rows
      default: break rows
      }
    }
    self.reading = reading
  }

  // MARK: The current row

  var columnNames: [String] { current.columnNames }
  func value(_ column: Int) throws(StoreError) -> AttributeValue? { try current.value(column) }
  func isNull(_ column: Int) -> Bool { current.isNull(column) }
  func word(_ column: Int, _ type: AttributeType) -> UInt64 { current.word(column, type) }

  func withBytes(_ column: Int, _ type: AttributeType, _ body: (RawSpan) -> Void) {
    current.withBytes(column, type, body)
  }
}

extension RowLookup {
  /// Whether rows from a key on can be read instead of those of the key.
  var isScannable: Bool {
    key.count == 1 && order == nil && key[0].type.isInteger
  }

  /// Returns the query for the rows from a key on, with the key after the columns.
  fileprivate func scan(isDownward: Bool) -> String {
    let name = SQL.quote(key[0].name)
    return "SELECT \(SQL.list(columns.map(\.name))), \(name) FROM \(SQL.quote(table)) WHERE"
      + " \(name) \(isDownward ? "<=" : ">=") $1\(filter) ORDER BY \(name)\(isDownward ? " DESC" : "")"
  }
}
