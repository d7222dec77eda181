public import Foundation
public import Graft
public import GraftDatabase

extension GraphDatabase {
  /// Opens a file of SQLite, and creates it and its tables if there is none.
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
  ///   - configuration: The options for the file.
  /// - Throws: ``Graft/StoreError`` of the kind `database` if the file cannot be opened, is no
  ///   database of Graft's, or keeps objects of a model that cannot be extended to this one.
  public convenience init(
    model: GraphModel, at url: URL, configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) throws(StoreError) {
    try self.init(url: url, model: model, configuration)
  }

  /// Opens a file of SQLite for typed entities, and creates it and its tables if there is none.
  ///
  /// - Parameters:
  ///   - entities: The entities; those that they lead to need not be named.
  ///   - extensions: The code that annotations mention by name.
  ///   - url: The URL of the file.
  ///   - configuration: The options for the file.
  /// - Throws: ``Graft/ModelError`` with all that is wrong with the entities; ``Graft/StoreError`` as the initializer with a
  ///   model does.
  public convenience init(
    for entities: any Entity.Type..., extensions: ModelExtensions = ModelExtensions(), at url: URL,
    configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) throws {
    try self.init(
      model: GraphModel(types: entities, extensions: extensions), at: url,
      configuration: configuration)
  }

  /// Opens a file of SQLite with the model that it was made for.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - configuration: The options for the file.
  /// - Throws: ``Graft/StoreError`` of the kind `database` if there is no such file, or it is no
  ///   database of Graft's.
  public convenience init(
    contentsOf url: URL, configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) throws(StoreError) {
    var configuration = configuration
    configuration.createsFile = false
    try self.init(url: url, model: nil, configuration)
  }

  private convenience init(
    url: URL, model: GraphModel?, _ configuration: SQLiteConfiguration
  ) throws(StoreError) {
    if let scheme = url.scheme, !url.isFileURL {
      throw StoreError(
        .database,
        "SQLite opens files, and this is a URL of the scheme \"\(scheme)\"; give the URL of a file")
    }
    try self.init(model: model) { () throws(StoreError) in
      try SQLiteConnection(path: url.path, configuration)
    }
  }
}

extension GraphStore {
  /// Loads a file of SQLite into memory, and writes every commit through to it.
  ///
  /// This is for graphs that fit into memory, and that one process changes at a time: all that a store can do is
  /// done in memory, and lasts. A commit is published when it is in the file; one that cannot be written throws
  /// and publishes nothing.
  ///
  /// ```swift
  /// let store = try GraphStore(model: model, at: URL(filePath: "settings.sqlite"))
  /// try store.write { try $0.insert("Note")["text"] = .string("Buy milk") }
  /// ```
  ///
  /// - Parameters:
  ///   - model: The entities whose objects the store keeps.
  ///   - url: The URL of the file; a new one is made if there is none.
  ///   - configuration: The options for the file.
  /// - Throws: ``Graft/StoreError`` of the kind `database`, as ``GraftDatabase/GraphDatabase`` does.
  /// - Complexity: O(*n*) in the objects; for a commit, in its changes.
  public convenience init(
    model: GraphModel, at url: URL, configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) throws(StoreError) {
    try self.init(GraphDatabase(model: model, at: url, configuration: configuration))
  }

  /// Loads a file of SQLite of typed entities into memory, and writes every commit through to it.
  ///
  /// - Parameters:
  ///   - entities: The entities; those that they lead to need not be named.
  ///   - extensions: The code that annotations mention by name.
  ///   - url: The URL of the file; a new one is made if there is none.
  ///   - configuration: The options for the file.
  /// - Throws: ``Graft/ModelError`` with all that is wrong with the entities; ``Graft/StoreError`` of the kind `database`.
  public convenience init(
    for entities: any Entity.Type..., extensions: ModelExtensions = ModelExtensions(), at url: URL,
    configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) throws {
    try self.init(
      model: GraphModel(types: entities, extensions: extensions), at: url,
      configuration: configuration)
  }
}
