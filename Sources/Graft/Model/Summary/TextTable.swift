/// Lines of cells, set in columns.
struct TextTable {
  private var rows: [[String]] = []

  mutating func append(_ cells: [String]) {
    rows.append(cells)
  }

  /// The lines, each column as wide as its widest cell, without white space at the ends of lines.
  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() where !(widths[column] == 0) {
        line += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
