import Foundation
import Graft
import GraftDatabase
import GraftPostgres
import GraftSQLite

/// Opens the databases that a command was given: files of SQLite, and URLs of Postgres.
enum DatabaseFile {
  /// Returns the model of a database that exists; nil if there is none.
  static func model(of path: String?) throws -> GraphModel? {
    try path.flatMap { try existing($0)?.model }
  }

  /// Returns a database that exists; nil if there is none.
  static func existing(_ path: String) throws -> GraphDatabase? {
    let exists =
      GraphDatabase.isPostgres(path)
      ? try GraphDatabase.hasTables(onPostgres: path) : FileManager.default.fileExists(atPath: path)
    return exists ? try open(path) : nil
  }

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The path of its file, or the URL of a database of Postgres.
  ///   - model: The model that it is made for where it does not exist; nil for one that exists.
  /// - Returns: The database.
  /// - Throws: `StoreError` if it cannot be opened, ``FileError`` if it should exist and does not.
  static func open(_ path: String, _ model: GraphModel? = nil) throws -> GraphDatabase {
    if GraphDatabase.isPostgres(path) {
      guard let model else { return try GraphDatabase(contentsOfPostgres: path) }
      return try GraphDatabase(model: model, onPostgres: path)
    }
    let url = URL(fileURLWithPath: path)
    if let model { return try GraphDatabase(model: model, at: url) }
    guard FileManager.default.fileExists(atPath: path) else {
      throw FileError(unreadable: path, CocoaError(.fileReadNoSuchFile))
    }
    return try GraphDatabase(contentsOf: url)
  }

  /// Returns whether a path leads to a database.
  ///
  /// A URL of Postgres does, and so does a file that begins like one of SQLite.
  static func isDatabase(_ path: String) -> Bool {
    if GraphDatabase.isPostgres(path) { return true }
    // Bytes read from a pipe would be lost.
    guard !InputFile.isStream(path), let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? file.close() }
    return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }
}
