import Foundation
import Graft

/// The reason why Postgres cannot hold a value.
///
/// ``PostgresDatabaseStatement``, which knows the table and column, makes a `StoreError` of it.
struct PostgresValueError: Error, Hashable, CustomStringConvertible {
  /// The fault and the remedy.
  let description: String

  init(_ description: String) { self.description = description }

  /// Returns why a column of text cannot hold a string; nil if it can.
  static func fault(ofText value: RawValue) -> String? {
    let bytes = value.bytes
    return bytes.contains(0) ? nulCharacter(in: bytes).description : nil
  }

  static func nulCharacter(in text: some Collection<UInt8>) -> PostgresValueError {
    let start = String(decoding: text.prefix(60), as: UTF8.self).replacing("\0", with: "\\u0000")
    return PostgresValueError(
      "the string \"\(start)\" has the character U+0000, which Postgres does not hold; remove it, or let the"
        + " attribute be Binary")
  }
}
