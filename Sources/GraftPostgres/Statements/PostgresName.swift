/// The name of a table, column or another thing in a database, which is quoted wherever it is part of a statement.
struct PostgresName: Sendable, Hashable {
  /// The most bytes that a name may have.
  ///
  /// Postgres cuts longer ones off, so that two names may become one.
  static let byteLimit = 63

  let text: String

  /// Checks a name.
  ///
  /// - Throws: ``PostgresError`` where it is empty, too long, or has U+0000.
  init(_ text: String) throws(PostgresError) {
    if let problem = PostgresNameProblem.ofName(text) {
      throw PostgresError(.name, problem.description)
    }
    self.text = text
  }

  /// The name in a statement.
  var quoted: String {
    "\"\(text.replacing("\"", with: "\"\""))\""
  }
}

/// What is wrong with a name among others, or would surprise whoever reads the database by hand.
struct PostgresNameProblem: Hashable, CustomStringConvertible {
  /// The name.
  let name: String
  /// Whether the name cannot be used.
  let isError: Bool
  /// What is wrong, and what helps.
  let description: String

  fileprivate static func ofName(_ name: String) -> PostgresNameProblem? {
    let bytes = name.utf8.count
    let reason: String? =
      if name.isEmpty {
        "a name is empty; give it one"
      } else if name.utf8.contains(0) {
        "the name \"\(name.replacing("\0", with: "\\0"))\" has the character U+0000, which Postgres does not"
          + " take; choose another"
      } else if bytes > PostgresName.byteLimit {
        "the name \"\(name)\" has \(bytes) bytes, of which Postgres keeps \(PostgresName.byteLimit); choose a"
          + " shorter one"
      } else {
        nil
      }
    return reason.map { PostgresNameProblem(name: name, isError: true, description: $0) }
  }

  /// Finds what is wrong with names that are used side by side: those of all tables, or of a table's columns.
  ///
  /// - Parameter names: The names.
  /// - Returns: In the order of the names: those that are empty, longer than 63 bytes or have U+0000, those that occur
  ///   twice, and, as no error, those that differ in nothing but case, for which a query must have quotation
  ///   marks to tell them apart.
  static func problems(in names: [String]) -> [PostgresNameProblem] {
    var seen: [String: String] = [:]
    return names.compactMap { name in
      if let problem = ofName(name) { return problem }
      guard let other = seen.updateValue(name, forKey: name.lowercased()) else { return nil }
      return PostgresNameProblem(
        name: name, isError: other == name,
        description: other == name
          ? "the name \"\(name)\" occurs twice; choose another for one of them"
          : "the names \"\(other)\" and \"\(name)\" differ in nothing but case; a query must have them in quotation"
            + " marks")
    }
  }
}
