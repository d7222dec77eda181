import Foundation

/// A table of text: the first column flush left, the others flush right.
struct TextTable {
  private var rows: [[String]]

  init(header: [String]) {
    rows = [header]
  }

  mutating func append(_ row: [String]) {
    rows.append(row)
  }

  /// The table, a line for each row, the header underlined.
  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      zip(row, widths).enumerated().map { position, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return position == 0 ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ")
    }
    lines.insert(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "), at: 1)
    return lines.joined(separator: "\n")
  }
}

extension Double {
  /// The number with the given count of decimals.
  func rounded(to decimals: Int) -> String {
    String(format: "%.\(decimals)f", self)
  }
}

extension Int {
  /// The number with commas between its thousands.
  var grouped: String {
    let digits = String(magnitude)
    let groups = stride(from: digits.count, to: 0, by: -3).map { end in
      digits.dropLast(digits.count - end).suffix(3)
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}
