/// Lays out rows of cells as text, each column as wide as its widest cell.
package struct TextTable {
  /// The side of the column at which cells are aligned.
  package enum Alignment: Sendable {
    case left
    case right
  }

  private var rows: [[String]] = []
  private let alignment: Alignment

  /// Creates an empty table.
  ///
  /// - Parameter alignment: The alignment of all columns but the first: on the right if they are
  ///   numbers. The first column is aligned on the left.
  package init(alignment: Alignment = .left) {
    self.alignment = alignment
  }

  package mutating func append(_ cells: [String]) {
    rows.append(cells)
  }

  /// The rows, without white space at the ends; columns that are empty in all rows are left out.
  package var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        let space = String(repeating: " ", count: widths[column] - cell.count)
        line += (column > 0 && alignment == .right ? space + cell : cell + space) + "  "
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
