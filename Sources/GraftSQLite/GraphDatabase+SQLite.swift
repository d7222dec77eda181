public import Foundation
public import Graft

extension GraphDatabase {
  /// Opens a file of SQLite, and makes it and its tables where there is none.
  ///
  /// ```swift
  /// let database = try GraphDatabase(model: model, at: URL(filePath: "tweets.sqlite"))
  /// ```
  ///
  /// The tables are for any tool: one for each entity with the identity as its primary key, one for each to-many
  /// relationship. Entities, attributes and relationships that the model has more than the file are added to it.
  ///
  /// - Parameters:
  ///   - model: The entities whose objects the database keeps.
  ///   - url: The URL of the file.
  ///   - configuration: How the file is written.
  /// - Throws: ``StoreError`` of the kind `database` where the file cannot be opened, is no database of Graft's,
  ///   or keeps objects of a model that cannot be extended to this one.
  public convenience init(
    model: GraphModel, at url: URL, configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) throws(StoreError) {
    try self.init(path: url.path, model: model, configuration)
  }

  /// Opens a file of SQLite with the model that it was made for.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - configuration: How the file is written.
  /// - Throws: ``StoreError`` of the kind `database` where there is no such file, or it is no database of Graft's.
  public convenience init(
    contentsOf url: URL, configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) throws(StoreError) {
    var configuration = configuration
    configuration.createsFile = false
    try self.init(path: url.path, model: nil, configuration)
  }

  private convenience init(
    path: String, model: GraphModel?, _ configuration: SQLiteConfiguration
  ) throws(StoreError) {
    try self.init(model: model) { () throws(StoreError) in
      try SQLiteConnection(path: path, configuration)
    }
  }
}
