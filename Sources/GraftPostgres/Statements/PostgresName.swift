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
    let bytes = text.utf8.count
    let reason: String? =
      if text.isEmpty {
        "a name is empty; give it one"
      } else if text.utf8.contains(0) {
        "the name \"\(text.replacing("\0", with: "\\0"))\" has the character U+0000, which Postgres does not"
          + " take; choose another"
      } else if bytes > Self.byteLimit {
        "the name \"\(text)\" has \(bytes) bytes, of which Postgres keeps \(Self.byteLimit); choose a"
          + " shorter one"
      } else {
        nil
      }
    if let reason { throw PostgresError(.name, reason) }
    self.text = text
  }

  /// The name in a statement.
  var quoted: String {
    "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
