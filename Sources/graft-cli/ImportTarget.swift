import Foundation
import Graft
import GraftPostgres
import GraftSQLite

/// Where files are imported: a graph in memory, or a database.
struct ImportTarget {
  private enum Kind {
    case memory(GraphStore)
    case database(GraphDatabase, saveInterval: Int, isResuming: Bool)
  }

  private let kind: Kind
  let model: GraphModel

  /// - Throws: `StoreError` where the database cannot be opened.
  init(_ arguments: ImportArguments, _ model: GraphModel) throws {
    self.model = model
    guard let path = arguments.database else {
      kind = .memory(GraphStore(model: model))
      return
    }
    let database =
      GraphDatabase.isPostgres(path)
      ? try GraphDatabase(model: model, onPostgres: path)
      : try GraphDatabase(model: model, at: URL(fileURLWithPath: path))
    kind = .database(
      database, saveInterval: arguments.saveInterval, isResuming: arguments.isResuming)
  }

  /// The model of a database that exists; nil where there is none.
  static func model(of path: String?) throws -> GraphModel? {
    guard let path else { return nil }
    if GraphDatabase.isPostgres(path) {
      return try GraphDatabase.hasTables(onPostgres: path)
        ? GraphDatabase(contentsOfPostgres: path).model : nil
    }
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try GraphDatabase(contentsOf: URL(fileURLWithPath: path)).model
  }

  /// Begins a group of imports whose missing objects are deleted together; nil for a database, where each file
  /// deletes its own.
  func makeGroup() -> ImportGroup? {
    guard case .memory(let store) = kind else { return nil }
    return ImportGroup(store)
  }

  /// Imports a file.
  func importJSON(
    _ input: Input, progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws -> ImportReport {
    switch kind {
    case .memory(let store):
      try await store.importJSON(
        input.roots, from: input.source, options: input.options, progress: progress)
    case .database(let database, let saveInterval, let isResuming):
      try await database.importJSON(
        input.roots, from: input.source, options: input.options, saveEvery: saveInterval,
        resuming: isResuming, progress: progress)
    }
  }

  /// All objects.
  ///
  /// - Throws: `StoreError` where the database cannot be read.
  func graph() throws -> Graph {
    switch kind {
    case .memory(let store): store.graph
    case .database(let database, _, _): try database.graph()
    }
  }

  /// The graph that has the objects of reports; none has those of a database.
  var reportedGraph: Graph {
    guard case .memory(let store) = kind else { return GraphStore(model: model).graph }
    return store.graph
  }

  /// The number of objects of an entity, without those below it.
  func count(of entity: String) -> Int {
    switch kind {
    case .memory(let store): (try? store.graph.count(of: entity, includesSubentities: false)) ?? 0
    case .database(let database, _, _): (try? database.count(of: entity)) ?? 0
    }
  }
}
