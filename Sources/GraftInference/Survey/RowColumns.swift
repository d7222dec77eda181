// Rows of a table: [["name", "age"], ["Ann", 31], ["Ben", 28]]. The arrays in an array are rows if
//   the first one is a header      different strings, and a column with other values below
//   the columns differ             three or more, each of one kind, and not all of the same one; or two, of
//                                  which one holds objects: [["Fee", {"nth": 8}], …]
//   there is nothing around them   the document itself is the table
//
// Arrays of numbers alone, such as [[8.5, 47.2], [8.6, 47.3]], are points or a matrix, pairs are
// pairs, and arrays of objects are lists. Each position has a shape of its own while the document
// is read, until it is clear that the arrays are no rows.

import Graft

/// The shapes at each position of arrays inside an array.
struct RowColumns {
  /// The most positions that are distinguished.
  static let limit = 64
  /// The number of rows inside a document after which the columns must differ.
  static let trialCount = 64

  private(set) var columns: ContiguousArray<Shape> = []
  /// The strings of the first array, where it has nothing else.
  private(set) var header: [String] = []
  /// The compositions of the first array's columns, while it may be a header.
  private var first: ContiguousArray<Shape> = []
  /// The number of arrays, and the number of arrays as long as the first one.
  private(set) var count = 0
  private var width = 0
  private var sameWidthCount = 0
  /// Whether the arrays are known to be rows.
  private(set) var isSettled = false

  /// The number of columns, including the header's.
  var columnCount: Int { max(columns.count, header.count) }

  /// Returns the place of the values at a position; nil where there are too many.
  mutating func column(_ position: Int) -> Shape? {
    if position < columns.count { return columns[position] }
    guard position == columns.count, position < Self.limit else { return nil }
    let shape = Shape()
    shape.ruleOutIdentity()
    columns.append(shape)
    return shape
  }

  /// Notes that an array has ended.
  mutating func endRow(ofLength length: Int) {
    count += 1
    if count == 1 {
      width = length
      sameWidthCount = 1
      let texts = columns.compactMap { column -> String? in
        column.count == 1 && column.stringCount == 1 ? column.scalars.samples?.values.first : nil
      }
      guard texts.count == columns.count, texts.count > 1 else { return }
      header = texts
      first = columns
      columns = []
    } else if length == width {
      sameWidthCount += 1
    }
  }

  /// Whether all columns hold the same kind of value; the arrays are then no rows.
  var areAlike: Bool { Set(columns.map { Composition($0).rawKind }).count < 2 }

  /// Decides whether the arrays are rows, and whether the first one is their header.
  ///
  /// - Parameter isOutermost: Whether there is nothing around them.
  /// - Returns: Whether they are.
  mutating func settle(isOutermost: Bool) -> Bool {
    if isSettled { return true }
    guard columnCount > 1, sameWidthCount * 10 >= count * 9 else { return false }
    let hasHeader = isHeader(isOutermost: isOutermost)
    if !hasHeader { forgetHeader() }
    let compositions = columns.map { Composition($0) }
    let areClean = compositions.allSatisfy { $0 != .mixed && $0 != .unknown }
    let areRows =
      hasHeader
      || count > 1 && areClean && !areAlike
        && (columns.count > 2 || compositions.contains(.object))
      || isOutermost && count > 1 && compositions.allSatisfy { $0.isScalar || $0 == .null }
    isSettled = areRows
    return areRows
  }

  private func isHeader(isOutermost: Bool) -> Bool {
    guard header.count > 1, count > 1, columns.count == header.count,
      Set(header).count == header.count,
      header.allSatisfy({ $0.contains(where: \.isLetter) && $0.utf8.count <= 60 })
    else { return false }
    let columns = zip(header, columns)
    if columns.contains(where: { !Self.mayHold($1, $0) }) { return true }
    // Texts above texts are a header only where they are words such as a program writes.
    return isOutermost && count > 3
      && columns.allSatisfy { text, column in
        KeyForm(text) == .name && !column.scalars.sketch.contains(Fingerprint.of(text))
      }
  }

  /// Returns whether a text may be one of a column's values, and need not be above them.
  private static func mayHold(_ column: Shape, _ text: String) -> Bool {
    switch Composition(column) {
    case .string: break
    case .null, .mixed: return true
    default: return false
    }
    var formats = TextFormats.everything
    text.withBorrowedUTF8 { formats.narrow(to: $0) }
    return formats.isSuperset(of: column.scalars.formats)
  }

  /// Treats the first array like the others, and not as a header.
  private mutating func forgetHeader() {
    guard !header.isEmpty else { return }
    for (position, shape) in first.enumerated() {
      if position < columns.count {
        columns[position].formUnion(shape, isDeep: true)
      } else {
        columns.append(shape)
      }
    }
    header = []
    first = []
  }

  /// Returns the shape of all positions together, including the header.
  mutating func union() -> Shape? {
    forgetHeader()
    guard let all = columns.first else { return nil }
    for column in columns.dropFirst() { all.formUnion(column, isDeep: true) }
    all.allowIdentity()
    return all
  }

  /// Adds the columns of another place.
  mutating func formUnion(_ other: RowColumns, isDeep: Bool) {
    for (position, shape) in other.columns.enumerated() {
      column(position)?.formUnion(shape, isDeep: isDeep)
    }
    count += other.count
    header = other.header
    isSettled = other.isSettled
  }

  /// Returns the name of a position: the header, or else its number, counted from 1.
  func name(of position: Int) -> String {
    position < header.count ? header[position] : "column\(position + 1)"
  }
}

extension Composition {
  /// A number for each kind of value, to compare columns.
  fileprivate var rawKind: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .number: 2
    case .string: 3
    case .object, .emptyObject, .dictionary, .unknown: 4
    case .objects, .scalars, .emptyArray, .grid, .row: 5
    case .mixed: 6
    }
  }
}

extension Shape {
  /// Decides at each place inside whether the arrays in an array are rows.
  func settleRows(isOutermost: Bool) {
    guard hasPlacesInside else { return }
    if var rows = rows, !rows.isSettled {
      if rows.settle(isOutermost: isOutermost) { self.rows = rows } else { dissolveRows() }
    }
    for column in rows?.columns ?? [] { column.settleRows(isOutermost: false) }
    element?.settleRows(isOutermost: false)
    eachMember?.settleRows(isOutermost: false)
    for member in members { member.shape.settleRows(isOutermost: false) }
  }
}
