import CSQLite
import Foundation
import GraftSQLite

@testable import GraftDatabase
@testable import GraftTestSupport

/// A file for a database, which is removed with this object.
final class TemporaryDatabase: Sendable {
  let url: URL

  /// A folder in memory, so that no test waits for a disk; else the folder for temporary files.
  private static let folder: URL = {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }()

  init() {
    url = Self.folder.appending(path: "graft-\(UUID().uuidString).sqlite")
  }

  deinit {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }

  /// The rows of a query as texts, columns separated by `|`, as the shell of SQLite prints them.
  func rows(_ sql: String) throws -> [String] {
    var handle: OpaquePointer?
    guard sqlite3_open(url.path, &handle) == SQLITE_OK else { throw CocoaError(.fileReadUnknown) }
    defer { sqlite3_close(handle) }
    // Reads are served from memory, whether or not the disk has the bytes.
    sqlite3_exec(handle, "PRAGMA synchronous = OFF", nil, nil, nil)
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw SQLFailure(message: String(cString: sqlite3_errmsg(handle)))
    }
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let columns = (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
      }
      rows.append(columns.joined(separator: "|"))
    }
    return rows
  }

  /// Runs statements that return nothing.
  func run(_ sql: String) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(url.path, &handle) == SQLITE_OK else { throw CocoaError(.fileReadUnknown) }
    defer { sqlite3_close(handle) }
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SQLFailure(message: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// Returns the faults that SQLite finds: damage, and links without a row.
  func integrityFaults() throws -> [String] {
    try rows("PRAGMA integrity_check").filter { $0 != "ok" } + rows("PRAGMA foreign_key_check")
  }

  struct SQLFailure: Error {
    var message: String
  }
}

extension SQLiteConfiguration {
  /// A configuration that does not wait for the disk, for tests in which nothing crashes.
  static var quick: SQLiteConfiguration {
    var configuration = SQLiteConfiguration()
    configuration.synchronous = .normal
    return configuration
  }
}
