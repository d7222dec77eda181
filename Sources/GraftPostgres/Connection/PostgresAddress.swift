#if canImport(CPQ)
import CPQ
import Foundation

// Raw memory: libpq gives lists of options that end with one without a keyword, and frees them itself. They are
// copied into strings before that.

/// The address of a database, with a user: `postgres://user@host:port/database`, or libpq's
/// `host=… dbname=…`.
///
/// Parts that the text omits come from the environment (`PGHOST`, `PGUSER` …), the service file and the
/// password file, as for `psql`.
struct PostgresAddress: Sendable {
  /// The text as it was given, which may hold a password and is shown nowhere.
  let text: String
  /// Passwords in the text, which must not be shown.
  let secrets: [String]
  /// The options that the text gives.
  private let options: [String: String]

  /// Reads an address.
  ///
  /// - Parameter text: A URL that begins with `postgres://` or `postgresql://`, or options as `keyword=value`.
  /// - Throws: ``PostgresError`` if the text is neither; what is wrong is said without quoting it.
  init(_ text: String) throws(PostgresError) {
    guard !text.utf8.contains(0) else {
      throw PostgresError(.address, "\(Self.expectation), found a text with U+0000")
    }
    var message: UnsafeMutablePointer<CChar>?
    let list = unsafe PQconninfoParse(text, &message)
    defer {
      unsafe PQconninfoFree(list)
      unsafe PQfreemem(message)
    }
    guard unsafe list != nil else {
      let reason = unsafe message.map { unsafe Self.withoutQuotations(String(cString: $0)) }
      throw PostgresError(
        .address, "\(Self.expectation)\(reason.map { ": \($0)" } ?? "")")
    }
    options = unsafe Self.values(of: list)
    secrets = options.filter { Self.isSecret($0.key) }.map(\.value)
    self.text = text
  }

  private static let expectation =
    "the address of the database cannot be read; expected postgres://user@host:port/database, or options"
    + " such as host=localhost dbname=graft"

  private static func isSecret(_ keyword: String) -> Bool {
    keyword.contains("password") || keyword == "sslkey"
  }

  /// Returns libpq's message up to the piece of text that it quotes, which may be a password.
  private static func withoutQuotations(_ message: String) -> String {
    guard !message.hasPrefix("missing") else { return "an option lacks its \"=\"" }
    return message.prefix { $0 != "\"" }
      .trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: ":")))
  }

  private static func values(
    of list: UnsafeMutablePointer<PQconninfoOption>?
  ) -> [String: String] {
    var values: [String: String] = [:]
    var option = unsafe list
    while let entry = unsafe option, let keyword = unsafe entry.pointee.keyword {
      if let value = unsafe entry.pointee.val {
        values[unsafe String(cString: keyword)] = unsafe String(cString: value)
      }
      unsafe option = entry + 1
    }
    return values
  }

  /// Returns whether the text gives an option.
  func gives(_ keyword: String) -> Bool { options[keyword] != nil }
}

extension PostgresAddress {
  /// Returns a message without the passwords.
  static func withoutSecrets(_ message: String, _ secrets: [String]) -> String {
    secrets.reduce(message) {
      $1.isEmpty ? $0 : $0.replacingOccurrences(of: $1, with: "…")
    }
  }
}
#endif
