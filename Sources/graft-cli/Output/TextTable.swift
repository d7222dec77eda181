/// Rows of cells in columns: the first to the left, the others, which are numbers, to the right.
struct TextTable {
  private var rows: [[String]]

  init(head: [String]) {
    rows = [head]
  }

  mutating func append(_ row: [String]) {
    rows.append(row)
  }

  func lines(indentation: String = "") -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }
      return indentation + cells.joined(separator: "  ")
    }
  }
}
