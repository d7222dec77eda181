#if canImport(CPQ)
import Foundation
import Graft
import GraftDatabase

/// A prepared statement of a database on a Postgres server.
///
/// Values are sent in the types that the server has found for the parameters, which are those of the columns. A
/// statement for many rows has a parameter for each column, an array of the values of all rows; or it copies rows that
/// are surely new.
final class PostgresDatabaseStatement: DatabaseStatement {
  private let sql: String
  /// The statement's name on the server; empty for a copy, which is not prepared.
  private let name: String
  private let types: [PostgresType?]
  private let database: PostgresDatabase
  private var values: PostgresValues
  /// The change of a statement for many rows; nil for a statement for one row, or one that reads.
  let change: RowChange?
  /// The values of rows that wait, by column; none of a statement for one row.
  private var waiting: [PostgresArray] = []
  private var waitingCount = 0
  /// The rows that wait to be copied; nil for a statement that copies none.
  private var copy: PostgresCopy?
  /// The error of a value that was bound.
  private var failure: StoreError?
  private var result: PostgresResult?
  /// The replies to queries that were sent, the earliest first.
  private var replies: [PostgresReply] = []
  private var row = 0

  init(_ sql: String, _ name: String, _ types: [UInt32], _ database: PostgresDatabase) {
    self.sql = sql
    self.name = name
    self.types = types.map { PostgresType(rawValue: $0) }
    self.database = database
    change = nil
    values = PostgresValues(count: types.count)
  }

  /// Creates a statement for many rows.
  ///
  /// - Parameters:
  ///   - sql: Its text.
  ///   - name: The name by which the server knows it.
  ///   - columns: The columns of the rows.
  ///   - change: The change of the statement; nil if it reads.
  ///   - database: The database.
  init(
    _ sql: String, _ name: String, rowsOf columns: [DatabaseSchema.Column], _ change: RowChange?,
    _ database: PostgresDatabase
  ) {
    self.sql = sql
    self.name = name
    types = columns.map { PostgresType($0.type) }
    self.database = database
    self.change = change
    values = PostgresValues(count: columns.count)
    waiting = columns.map { PostgresArray(of: PostgresType($0.type)) }
  }

  /// Creates a statement that copies rows which are certainly new.
  ///
  /// - Parameters:
  ///   - statement: Its text.
  ///   - change: The change, which inserts rows.
  ///   - database: The database.
  init(copying statement: PostgresSQL, _ change: RowChange, _ database: PostgresDatabase) {
    sql = statement.text
    name = ""
    types = change.values.map { PostgresType($0.type) }
    self.database = database
    self.change = change
    copy = PostgresCopy(statement, columnCount: change.values.count)
    values = PostgresValues(count: 0)
  }

  deinit {
    if copy == nil { database.noteUnneeded(name) }
  }

  private var isReading: Bool {
    change == nil && !["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
  }

  private var isForManyRows: Bool { !waiting.isEmpty }

  // MARK: Parameters

  func bindNull(_ parameter: Int) {
    if copy != nil {
      copy?.appendNull(parameter)
    } else if isForManyRows {
      waiting[parameter].appendNull()
    } else {
      values.setNull(parameter)
    }
  }

  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64) {
    let integer = Int64(bitPattern: word)
    let number = Double(bitPattern: word)
    bind(parameter) { column, writer throws(PostgresValueError) in
      switch column {
      case .bigint: writer.append(integer)
      case .integer where Int32(exactly: integer) != nil:
        writer.append(Int32(truncatingIfNeeded: integer))
      case .smallint where Int16(exactly: integer) != nil:
        writer.append(Int16(truncatingIfNeeded: integer))
      case .boolean: writer.bytes.append(word == 0 ? 0 : 1)
      case .double where type.isInteger && Double(exactly: integer) != nil:
        writer.append(Double(integer).bitPattern)
      case .double: writer.append(word)
      case .real where type.isInteger && Float(exactly: integer) != nil:
        writer.append(Float(integer).bitPattern)
      case .real: writer.append(Float(number).bitPattern)
      case .timestamptz:
        let date = Date(timeIntervalSinceReferenceDate: number)
        // A date that no column can hold is compared as infinity, which is before or after the same dates.
        writer.append(
          isReading && Timestamp.isBeyond(date)
            ? number < 0 ? .min : .max : try Timestamp(date).microseconds)
      case .numeric where type.isInteger || (type == .double || type == .float) && number.isFinite:
        let text = type.isInteger ? "\(integer)" : "\(number)"
        guard let number = Numeric(text: Array(text.utf8)) else {
          throw Self.wrongType(column, type)
        }
        writer.append(number)
      default: throw Self.wrongType(column, type)
      }
    }
  }

  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan) {
    // Lent for the call, which copies them.
    unsafe bytes.withUnsafeBytes { bytes in
      bind(parameter) { column, writer throws(PostgresValueError) in
        switch column {
        case .text, .json:
          guard unsafe !bytes.contains(0) else {
            throw unsafe PostgresValueError.nulCharacter(in: bytes)
          }
          unsafe writer.bytes.append(contentsOf: bytes)
        case .bytea: unsafe writer.bytes.append(contentsOf: bytes)
        case .uuid where bytes.count == 16: unsafe writer.bytes.append(contentsOf: bytes)
        case .numeric:
          guard let number = unsafe Numeric(text: bytes) else {
            throw Self.wrongType(column, type)
          }
          writer.append(number)
        default: throw Self.wrongType(column, type)
        }
      }
    }
  }

  private static func wrongType(
    _ column: PostgresType?, _ type: AttributeType
  ) -> PostgresValueError {
    PostgresValueError(
      "expected a value for \(column?.description ?? "a type of another program"), found one of type"
        + " \(type.rawValue) that it does not hold")
  }

  private func bind(
    _ parameter: Int,
    _ write: (PostgresType?, inout WireWriter) throws(PostgresValueError) -> Void
  ) {
    let type = types[parameter]
    do throws(PostgresValueError) {
      if copy != nil {
        try copy?.append(parameter) { writer throws(PostgresValueError) in
          try write(type, &writer)
        }
      } else if isForManyRows {
        try waiting[parameter].append { writer throws(PostgresValueError) in
          try write(type, &writer)
        }
      } else {
        try values.set(parameter) { writer throws(PostgresValueError) in try write(type, &writer) }
      }
    } catch {
      failure =
        failure
        ?? StoreError(
          .database,
          "\(database.name): cannot \(isReading ? "compare" : "write") \(place(of: parameter)): \(error)",
          refusesStatement: isReading)
    }
  }

  /// Returns the table and column of a parameter, by the statement: those of an insertion's list, or before the
  /// operator that compares it.
  private func place(of parameter: Int) -> String {
    if let change {
      return "\(SQL.quote(change.table)).\(SQL.quote((change.values + change.key)[parameter].name))"
    }
    let name = #/"(?:[^"]|"")*"/#
    let names = sql.matches(of: name).map { String(sql[$0.range]) }
    let source = sql.firstRange(of: " FROM ").flatMap {
      sql[$0.upperBound...].prefixMatch(of: name)
    }
    guard let table = source.map({ String($0.output) }) ?? names.first else { return "a value" }
    if sql.hasPrefix("INSERT"), parameter + 1 < names.count {
      return "\(table).\(names[parameter + 1])"
    }
    let number = parameter + 1
    let comparison = sql.matches(of: #/("(?:[^"]|"")*") (?:=|<>|<=?|>=?) \$([0-9]+)/#)
      .first { Int($0.output.2) == number }
    return comparison.map { "\(table).\($0.output.1)" } ?? "a value of \(table)"
  }

  private func begin() throws(StoreError) {
    guard let failure else { return }
    self.failure = nil
    values.removeAll()
    removeWaiting()
    throw failure
  }

  // MARK: Running

  func run() throws(StoreError) {
    try begin()
    if let copy {
      waitingCount += 1
      if waitingCount == 1 { try database.noteWaiting(self) }
      if copy.byteCount >= PostgresCopy.sendingLimit { try sendCopy() }
      return
    }
    guard isForManyRows else {
      try database.sendWaiting()
      defer { values.removeAll() }
      return try database.send(name, values)
    }
    waitingCount += 1
    guard change != nil else { return }
    if waitingCount == 1 { try database.noteWaiting(self) }
    guard waitingCount < Self.rowLimit, waiting.reduce(0, { $0 + $1.byteCount }) < Self.byteLimit
    else { return try database.sendWaiting() }
  }

  /// The most rows that are sent with one statement, and the most bytes.
  private static let rowLimit = 5000
  private static let byteLimit = 1 << 20

  /// Sends the rows that wait.
  func sendWaiting() throws(StoreError) {
    guard waitingCount > 0 else { return }
    if copy != nil {
      waitingCount = 0
      return try sendCopy()
    }
    setArrays()
    defer { values.removeAll() }
    try database.send(name, values)
  }

  /// Sends rows that wait to be copied, and no rows of other statements.
  private func sendCopy() throws(StoreError) {
    guard let copy else { return }
    try database.copy(copy.bytes, copy.statement)
    self.copy?.removeAll()
  }

  /// Forgets the rows that wait.
  func removeWaiting() {
    waitingCount = 0
    copy?.removeAll()
    for column in waiting.indices { waiting[column].removeAll() }
  }

  private func setArrays() {
    for column in waiting.indices {
      values.set(column) { $0.bytes.append(contentsOf: waiting[column].bytes) }
    }
    removeWaiting()
  }

  func ask() throws(StoreError) {
    try begin()
    setArrays()
    defer { values.removeAll() }
    replies.append(try database.ask(name, values))
  }

  func dropAsked() { replies = [] }

  func next() throws(StoreError) -> Bool {
    if result == nil {
      row = -1
      if replies.isEmpty {
        try begin()
        if isForManyRows { setArrays() }
        defer { values.removeAll() }
        result = try database.query(name, values)
      } else {
        result = try database.awaitReply(replies.removeFirst())
      }
    }
    guard let result else { return false }
    row += 1
    guard row < result.rowCount else {
      reset()
      return false
    }
    try checkRow(result)
    return true
  }

  /// Refuses a row with a value that no attribute holds, such as an infinite date that another program has written.
  private func checkRow(_ result: PostgresResult) throws(StoreError) {
    for column in 0..<result.columnCount {
      let isReadable: Bool? =
        switch result.type(of: column) {
        case .numeric: result.withBytes(row, column) { Numeric(wire: $0)?.text != nil }
        case .timestamptz:
          result.withBytes(row, column) {
            Int64(wire: $0).flatMap { Timestamp(microseconds: $0).date } != nil
          }
        case nil: false
        default: true
        }
      guard isReadable ?? true else {
        throw StoreError(
          .database,
          "\(database.name): a value in column \(column + 1) of \(sql.prefix(200)) is one that no attribute holds:"
            + " an infinite date, NaN, more than 38 digits, or of a type of another program; cast it, as in x::text",
          refusesStatement: true)
      }
    }
  }

  func reset() { result = nil }

  // MARK: The current row

  var columnNames: [String] { result?.columnNames ?? [] }

  func value(_ column: Int) throws(StoreError) -> AttributeValue? {
    guard !isNull(column), let type = result?.type(of: column) else { return nil }
    switch type {
    case .bigint, .integer, .smallint:
      return .integer(Int64(bitPattern: word(column, .integer64)))
    case .boolean: return .boolean(word(column, .boolean) != 0)
    case .double: return .double(Double(bitPattern: word(column, .double)))
    case .real: return .float(Float(Double(bitPattern: word(column, .float))))
    case .timestamptz:
      let interval = Double(bitPattern: word(column, .date))
      return .date(Date(timeIntervalSinceReferenceDate: interval))
    case .text: return .string(text(column))
    case .json: return .json(text(column))
    case .numeric: return Decimal(string: text(column), locale: nil).map { .decimal($0) }
    case .bytea, .uuid:
      var data = Data()
      withBytes(column, .binary) { bytes in
        data = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
      }
      guard type == .uuid else { return .binary(data) }
      return unsafe data.withUnsafeBytes { bytes in
        unsafe bytes.count == 16 ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : nil
      }
    }
  }

  private func text(_ column: Int) -> String {
    var text = ""
    withBytes(column, .string) { bytes in
      text = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return text
  }

  func isNull(_ column: Int) -> Bool { result?.isNull(row, column) ?? true }

  func word(_ column: Int, _ type: AttributeType) -> UInt64 {
    guard let result else { return 0 }
    let word: UInt64?? = result.withBytes(row, column) { bytes in
      switch result.type(of: column) {
      case .bigint: UInt64(wire: bytes)
      case .integer: Int32(wire: bytes).map { UInt64(bitPattern: Int64($0)) }
      case .smallint: Int16(wire: bytes).map { UInt64(bitPattern: Int64($0)) }
      case .boolean: UInt8(wire: bytes).map { UInt64($0) }
      case .double: UInt64(wire: bytes)
      case .real: UInt32(wire: bytes).map { Double(Float(bitPattern: $0)).bitPattern }
      case .timestamptz:
        Int64(wire: bytes).flatMap {
          Timestamp(microseconds: $0).date?.timeIntervalSinceReferenceDate.bitPattern
        }
      default: nil
      }
    }
    return (word ?? 0) ?? 0
  }

  func withBytes(_ column: Int, _ type: AttributeType, _ body: (RawSpan) -> Void) {
    guard let result else { return }
    _ = result.withBytes(row, column) { bytes in
      guard result.type(of: column) == .numeric else { return body(bytes) }
      let text = ContiguousArray((Numeric(wire: bytes)?.text ?? "0").utf8)
      // The bytes of the array are those of its elements.
      unsafe body(text.span.bytes)
    }
  }
}
#endif
