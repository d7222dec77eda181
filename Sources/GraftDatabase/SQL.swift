import Graft

/// Pieces of SQL: quoted names and strings, parameters, conditions.
package enum SQL {
  /// Returns a name in quotation marks, as an identifier of SQL.
  package static func quote(_ name: String) -> String {
    // Most names have none, and a search in a string costs more than all else here.
    let hasQuotes = name.utf8.contains(UInt8(ascii: "\""))
    return "\"" + (hasQuotes ? name.replacing("\"", with: "\"\"") : name) + "\""
  }

  /// Returns a string in apostrophes, as a literal of SQL.
  package static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// Returns a name of at most 60 bytes; the end of a longer one is replaced by its hash (FNV-1a),
  /// so that it stays unique.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > 60 else { return name }
    let hash = name.withBorrowedUTF8 { StableHash($0).value }
    var start = name
    while start.utf8.count > 42 { start.removeLast() }
    return "\(start)_\(hash & 0xFFFF_FFFF_FFFF)"
  }

  /// Names in quotation marks, separated by commas.
  package static func list(_ names: some Sequence<String>) -> String {
    names.map(quote).joined(separator: ", ")
  }

  /// Returns the condition that columns equal parameters, which are numbered from `parameter` on:
  /// `"a" = $3 AND "b" = $4`.
  static func equal(_ names: [String], from parameter: Int) -> String {
    names.enumerated().map { "\(quote($1)) = $\(parameter + $0)" }.joined(separator: " AND ")
  }

  /// Returns a `WHERE` clause with all conditions that are neither nil nor empty; an empty string
  /// where there are none.
  static func whereAll(_ conditions: [String?]) -> String {
    let conditions = conditions.compactMap(\.self).filter { !$0.isEmpty }
    return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  /// Parameters, separated by commas: `$1, $2`.
  static func parameters(_ count: Int, from parameter: Int = 1) -> String {
    (0..<count).map { "$\(parameter + $0)" }.joined(separator: ", ")
  }
}
