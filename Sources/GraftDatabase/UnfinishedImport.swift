package import Foundation
package import Graft

extension GraphDatabase {
  /// Returns the number of root objects that an unfinished import has saved.
  ///
  /// - Parameter start: The earliest time at which the import may have begun; nil for any.
  /// - Returns: The number for the last import; nil if it has reached its end, or began before.
  /// - Throws: ``Graft/StoreError`` if the database cannot be read.
  package func savedCountOfUnfinishedImport(since start: Date?) throws(StoreError) -> Int? {
    let rows = try rows(
      """
      SELECT "object_count", "started", "ended" FROM "graft_import" WHERE "number" > 0 ORDER BY "number" DESC LIMIT 1
      """)
    guard let row = rows.first, try row.value("ended", as: String?.self) == nil else { return nil }
    let isOlder =
      try start.map { (start) throws(StoreError) in
        try row.value("started", as: String.self) < start.formatted(.iso8601)
      } ?? false
    return isOlder ? nil : try row.value("object_count", as: Int.self)
  }
}
