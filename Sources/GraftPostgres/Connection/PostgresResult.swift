#if canImport(CPQ)
import CPQ

// Raw memory: `result` is libpq's, does not change, and ends with the object that owns it. Bytes of a field are
// lent for a call, during which the row keeps the result.

/// The result of a statement.
@safe
final class PostgresResult {
  private let result: OpaquePointer

  /// Takes ownership of a result of libpq.
  init(_ result: OpaquePointer) { unsafe self.result = result }

  deinit { unsafe PQclear(result) }

  /// The number of rows.
  var rowCount: Int { unsafe Int(PQntuples(result)) }

  /// The number of columns.
  var columnCount: Int { unsafe Int(PQnfields(result)) }

  /// The rows, in the order of the server.
  var rows: some Collection<PostgresRow> {
    (0..<rowCount).lazy.map { PostgresRow(result: self, row: $0) }
  }

  /// The first word of the statement as the server carried it out, such as `COMMIT`.
  var command: String {
    unsafe String(String(cString: PQcmdStatus(result)).prefix { $0 != " " })
  }

  /// Returns the type of a column; nil for one that is not known here.
  func type(of column: Int) -> PostgresType? {
    unsafe PostgresType(ofResult: PQftype(result, CInt(column)))
  }

  /// The names of the columns.
  var columnNames: [String] {
    unsafe (0..<PQnfields(result)).map { column in
      unsafe PQfname(result, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The numbers of the types of a prepared statement's parameters, of a result that describes it.
  var parameterTypes: [UInt32] {
    unsafe (0..<PQnparams(result)).map { unsafe PQparamtype(result, $0) }
  }

  /// Whether the statement was skipped because one before it had failed.
  var isSkipped: Bool { unsafe PQresultStatus(result) == PGRES_PIPELINE_ABORTED }

  var isError: Bool {
    switch unsafe PQresultStatus(result) {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR, PGRES_EMPTY_QUERY: true
    default: false
    }
  }

  var errorText: String {
    let text = unsafe String(cString: PQresultErrorMessage(result))
    return text.isEmpty ? "the statement is empty" : text
  }

  func errorField(_ field: cpq_field) -> String? {
    unsafe PQresultErrorField(result, CInt(field.rawValue)).map { unsafe String(cString: $0) }
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    unsafe PQgetisnull(result, CInt(row), CInt(column)) != 0
  }

  /// Calls a function with the bytes of a field; returns nil for null.
  func withBytes<R, E>(
    _ row: Int, _ column: Int, _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R? {
    let (row, column) = (CInt(row), CInt(column))
    guard unsafe PQgetisnull(result, row, column) == 0,
      let start = unsafe PQgetvalue(result, row, column)
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: start, count: Int(PQgetlength(result, row, column)))
    return try body(unsafe RawSpan(_unsafeBytes: bytes))
  }
}

/// A row of a result.
struct PostgresRow {
  fileprivate let result: PostgresResult
  fileprivate let row: Int

  /// Returns a `text`; nil for null.
  func text(_ column: Int) throws(PostgresError) -> String? {
    try withBytes(column, of: .text) { String(wire: $0) }
  }

  /// Returns a `boolean`; nil for null.
  func boolean(_ column: Int) throws(PostgresError) -> Bool? {
    try withBytes(column, of: .boolean) { $0.byteCount == 1 && $0.byte(at: 0) != 0 }
  }

  /// Calls a function with the bytes of a value.
  ///
  /// - Parameters:
  ///   - column: The number of the column, counted from 0.
  ///   - type: The type that it must have.
  ///   - body: Takes the bytes.
  /// - Returns: The function's result; nil for null.
  /// - Throws: ``PostgresError`` if the column is of another type.
  func withBytes<R>(
    _ column: Int, of type: PostgresType, _ body: (RawSpan) -> R
  ) throws(PostgresError) -> R? {
    guard result.type(of: column) == type else {
      let found = result.type(of: column).map { "\($0)" } ?? "another type"
      throw PostgresError(
        .value, "column \(column + 1) of a result: expected \(type), found \(found)")
    }
    return result.withBytes(row, column, body)
  }
}
#endif
