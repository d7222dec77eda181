/// A row of a source, copied so that it stays while others are read.
package struct RowBuffer: ~Copyable {
  @usableFromInline package enum Cell {
    case null
    case word(UInt64)
    case bytes(start: Int, count: Int)
  }

  /// The number of the object's entity.
  package var entity = 0
  @usableFromInline package var cells: [Cell] = []
  @usableFromInline package var bytes: [UInt8] = []
  /// The array that `withValues` lends, kept because a new one for each row would cost as much as reading the row.
  private var lent: [RawValue] = []

  package init() {}

  @inline(never)
  fileprivate init(_ values: ArraySlice<OwnedValue>) {
    for value in values { value.withRawValue { append($0) } }
  }

  /// Forgets all values, and keeps the memory.
  package mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  @inlinable package mutating func appendNull() { cells.append(.null) }

  @inlinable package mutating func append(word: UInt64) { cells.append(.word(word)) }

  package mutating func append(bytes value: RawSpan) {
    value.withBorrowed { append(bytes: $0) }
  }

  private mutating func append(bytes value: BorrowedBuffer<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: value)
    cells.append(.bytes(start: start, count: bytes.count - start))
  }

  @inline(never)
  mutating func append(_ value: RawValue) {
    if value.isNull {
      appendNull()
    } else if value.hasBytes {
      append(bytes: value.bytes)
    } else {
      append(word: value.bits)
    }
  }

  /// Calls a closure with values of the row, which are valid until it returns.
  ///
  /// - Parameters:
  ///   - columns: The positions of the values.
  ///   - body: Receives the values, in the order of `columns`.
  /// - Returns: The closure's result.
  /// - Throws: The closure's error.
  package mutating func withValues<R, E: Error>(
    _ columns: some Collection<Int>, _ body: (BorrowedBuffer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    var values = lent
    lent = []
    let result = try bytes.withBorrowed { (bytes) throws(E) in
      gather(columns, in: bytes, into: &values)
      return try values.withBorrowed(body)
    }
    lent = values
    return result
  }

  @inline(never)
  private func gather(
    _ columns: some Collection<Int>, in bytes: BorrowedBuffer<UInt8>, into values: inout [RawValue]
  ) {
    values.removeAll(keepingCapacity: true)
    for column in columns { values.append(value(column, in: bytes)) }
  }

  /// Calls a closure with all values of the row, which are valid until it returns.
  package mutating func withAll<R, E: Error>(
    _ body: (BorrowedBuffer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    try withValues(cells.indices, body)
  }

  /// Returns values of the row as the key of a row of a table.
  package mutating func key(_ columns: some Collection<Int>, of table: Int) -> RowKey {
    RowKey(table: table, values: withValues(columns) { $0.map { OwnedValue($0) } })
  }

  private func value(_ column: Int, in bytes: BorrowedBuffer<UInt8>) -> RawValue {
    switch cells[column] {
    case .null: .null
    case .word(let word): .word(word)
    case .bytes(let start, let count): .bytes(bytes[start..<start + count])
    }
  }
}

extension OwnedValue {
  /// Calls a closure with several values as columns take them.
  package static func withRawValues<R, E: Error>(
    _ values: ArraySlice<OwnedValue>, _ body: (BorrowedBuffer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    var row = RowBuffer(values)
    return try row.withAll(body)
  }
}

/// The key of a row.
package struct RowKey: Hashable {
  /// The number of its table.
  package var table: Int
  /// A value for each column of the key.
  package var values: [OwnedValue]

  package init(table: Int, values: [OwnedValue]) {
    self.table = table
    self.values = values
  }
}

/// The keys of several rows of a table.
package final class RowKeys {
  package let table: Int
  package private(set) var count = 0
  private let width: Int
  /// The values of all keys, one key after the other.
  private var values = RowBuffer()

  package init(table: Int, width: Int) {
    self.table = table
    self.width = width
  }

  /// Adds a key, whose values the closure appends.
  package func append(_ body: (inout RowBuffer) -> Void) {
    body(&values)
    count += 1
  }

  /// The keys, each with values of its own.
  package var all: [RowKey] {
    (0..<count).map { number in
      withKey(number) { RowKey(table: table, values: $0.map { OwnedValue($0) }) }
    }
  }

  /// Calls a closure with a key, which is valid until it returns.
  func withKey<R, E: Error>(
    _ number: Int, _ body: (BorrowedBuffer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    try values.withValues(number * width..<(number + 1) * width, body)
  }
}
