// Raw memory: `handle` is a statement of SQLite, prepared and finalized here; its connection outlives it. What is
// read from a row is valid until the statement goes on, and is lent only for the length of a call.
//
// Bytes that last until the statement has run are bound as `SQLITE_STATIC`. SQLite reads them while it runs the
// statement, and all parameters are bound again before the next run. Others are bound as `SQLITE_TRANSIENT`, so that
// SQLite copies them.

import CSQLite
import Foundation
import Graft
import GraftDatabase

/// A prepared statement of SQLite.
@safe final class SQLiteStatement: DatabaseStatement {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection
  /// The error of binding a value: the value is too long, or there is no memory to copy it.
  private var bindFailure = SQLITE_OK

  init(
    _ sql: String, _ database: OpaquePointer, _ connection: SQLiteConnection
  ) throws(StoreError) {
    self.connection = connection
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      throw connection.failure(code, "read it")
    }
    unsafe handle = prepared
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  // MARK: Parameters

  func bindNull(_ parameter: Int) {
    unsafe sqlite3_bind_null(handle, Int32(parameter + 1))
  }

  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64) {
    let number = Int32(parameter + 1)
    switch type {
    case .double, .float: unsafe sqlite3_bind_double(handle, number, Double(bitPattern: word))
    case .date:
      let interval = Double(bitPattern: word)
      let isText = ColumnText.date(interval) { bindText($0, number) }
      // A date without an exact text, such as one of the year 12000, is kept as seconds since 2001.
      if !isText { unsafe sqlite3_bind_double(handle, number, interval) }
    default: unsafe sqlite3_bind_int64(handle, number, Int64(bitPattern: word))
    }
  }

  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan) {
    let number = Int32(parameter + 1)
    switch type {
    case .binary:
      unsafe bytes.withUnsafeBytes {
        // Null would be no value instead of an empty one.
        note(
          unsafe $0.isEmpty
            ? sqlite3_bind_zeroblob(handle, number, 0)
            : csqlite_bind_blob(handle, number, $0.baseAddress, UInt64($0.count)))
      }
    case .uuid: ColumnText.uuid(bytes) { bindText($0, number) }
    default: bindText(bytes, number)
    }
  }

  func bind(_ parameter: Int, _ type: AttributeType, lastingBytes bytes: RawSpan) {
    // An empty value may have no address, and the text of a UUID is made for the call.
    guard !bytes.isEmpty, type != .uuid else { return bind(parameter, type, bytes: bytes) }
    let number = Int32(parameter + 1)
    unsafe bytes.withUnsafeBytes {
      let count = UInt64($0.count)
      note(
        unsafe type == .binary
          ? sqlite3_bind_blob64(handle, number, $0.baseAddress, count, nil)
          : sqlite3_bind_text64(
            handle, number, $0.baseAddress?.assumingMemoryBound(to: CChar.self), count, nil,
            UInt8(SQLITE_UTF8)))
    }
  }

  private func bindText(_ text: RawSpan, _ number: Int32) {
    unsafe text.withUnsafeBytes {
      note(
        unsafe $0.isEmpty
          ? csqlite_bind_text(handle, number, "", 0)
          : csqlite_bind_text(handle, number, $0.baseAddress, UInt64($0.count)))
    }
  }

  @inline(__always)
  private func note(_ code: Int32) {
    if code != SQLITE_OK { bindFailure = code }
  }

  /// Fails if a value could not be bound, for which null would otherwise be written.
  @inline(__always)
  private func requireBound(_ action: String) throws(StoreError) {
    guard bindFailure == SQLITE_OK else {
      let code = bindFailure
      bindFailure = SQLITE_OK
      throw connection.failure(code, action)
    }
  }

  // MARK: Running

  func run() throws(StoreError) {
    try requireBound("write to it")
    let code = unsafe sqlite3_step(handle)
    unsafe sqlite3_reset(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      throw connection.failure(code, "write to it")
    }
  }

  func next() throws(StoreError) -> Bool {
    try requireBound("read it")
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    unsafe sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw connection.failure(code, "read it") }
    return false
  }

  func reset() {
    unsafe sqlite3_reset(handle)
  }

  // MARK: The current row

  var columnNames: [String] {
    unsafe (0..<sqlite3_column_count(handle)).map { column in
      unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  func value(_ column: Int) throws(StoreError) -> AttributeValue? {
    let number = Int32(column)
    switch unsafe sqlite3_column_type(handle, number) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, number))
    case SQLITE_FLOAT: return .double(unsafe sqlite3_column_double(handle, number))
    case SQLITE_TEXT:
      var text = ""
      withText(number) { bytes in
        text = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
      }
      return .string(text)
    case SQLITE_BLOB:
      var data = Data()
      withBytes(column, .binary) { bytes in
        data = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
      }
      return .binary(data)
    default: return nil
    }
  }

  /// SQLite's type of a value of the current row.
  private func type(_ column: Int) -> Int32 { unsafe sqlite3_column_type(handle, Int32(column)) }

  func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

  func word(_ column: Int, _ type: AttributeType) -> UInt64 {
    let number = Int32(column)
    switch type {
    case .double, .float: return unsafe sqlite3_column_double(handle, number).bitPattern
    case .date:
      guard unsafe sqlite3_column_type(handle, number) == SQLITE_TEXT else {
        return unsafe sqlite3_column_double(handle, number).bitPattern
      }
      var interval = 0.0
      withText(number) { interval = ColumnText.date(of: $0) ?? 0 }
      return interval.bitPattern
    default: return unsafe UInt64(bitPattern: sqlite3_column_int64(handle, number))
    }
  }

  func withBytes(_ column: Int, _ type: AttributeType, _ body: (RawSpan) -> Void) {
    switch type {
    case .binary:
      let start = unsafe sqlite3_column_blob(handle, Int32(column))
      let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
      unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count).bytes)
    case .uuid: withText(Int32(column)) { ColumnText.uuid(of: $0, body) }
    default: withText(Int32(column), body)
    }
  }

  private func withText(_ column: Int32, _ body: (RawSpan) -> Void) {
    let start = unsafe sqlite3_column_text(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count).bytes)
  }
}
