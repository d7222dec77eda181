import CommandLineSupport
import Foundation
import Graft
import GraftDatabase
import GraftPostgres

/// The target of imports that the arguments choose: a graph in memory, or a database.
struct ChosenTarget {
  private enum Kind {
    case memory(GraphStore)
    case database(GraphDatabase, SaveChoice, isResuming: Bool)
  }

  private let kind: Kind
  private let isDryRun: Bool
  private let start = Date.now
  let model: GraphModel

  /// - Throws: `StoreError` if the database cannot be opened.
  init(_ arguments: ImportArguments, _ model: GraphModel) throws {
    self.model = model
    isDryRun = arguments.isDryRun
    guard let path = arguments.database, let database = try Self.database(path, model, arguments)
    else {
      kind = .memory(GraphStore(model: model))
      return
    }
    kind = .database(database, arguments.saves, isResuming: arguments.isResuming)
  }

  /// Returns the database of an import.
  ///
  /// A dry run opens one that exists, without changing its tables.
  ///
  /// - Returns: The database; nil for a dry run if there is none yet.
  /// - Throws: `StoreError` if it cannot be opened; ``UsageError`` for a dry run with another model than the database's,
  ///   since an import would change the tables first.
  private static func database(
    _ path: String, _ model: GraphModel, _ arguments: ImportArguments
  ) throws -> GraphDatabase? {
    if arguments.isDryRun {
      guard let database = try DatabaseFile.existing(path) else { return nil }
      // The database knows no code that the model mentions.
      let stored = try GraphModel(
        entities: model.entities, dialect: model.dialect,
        extensions: ModelExtensions(toleratesMissing: true))
      guard database.model != stored else { return try DatabaseFile.open(path, model) }
      throw UsageError(
        "--dry-run changes nothing, and an import with this model would change the tables of"
          + " \(Secrets.removed(from: path)) first; import without --dry-run, or leave the model out to take the"
          + " database's")
    }
    return arguments.isDistributed
      ? try GraphDatabase(
        model: model, onPostgres: path, distributed: true, smallEntities: arguments.smallEntities)
      : try DatabaseFile.open(path, model)
  }

  /// Begins a group of imports whose missing objects are deleted together.
  ///
  /// - Parameter count: The number of its imports.
  /// - Returns: The group; nil for a single import, which deletes its own missing objects before it checks the graph, and
  ///   can be resumed.
  /// - Throws: `StoreError` if the database cannot be written.
  func makeGroup(of count: Int) throws -> ImportGroup? {
    guard count > 1 else { return nil }
    switch kind {
    case .memory(let store): return ImportGroup(store)
    // A group deletes at its end, also after a dry run.
    case .database(let database, _, _): return isDryRun ? nil : try ImportGroup(database)
    }
  }

  /// Imports a file.
  func importJSON(
    _ input: Input, progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws -> ImportReport {
    switch kind {
    case .memory(let store):
      return try await store.importJSON(
        input.roots, from: input.source, options: input.options, progress: progress)
    case .database(let database, let saves, let isResuming):
      var options = input.options
      options.savePolicy = saves.policy
      options.isDryRun = isDryRun
      return try await database.importJSON(
        input.roots, from: input.source, options: options,
        resuming: isResuming, progress: progress)
    }
  }

  /// Returns the words for the saved part of an interrupted import; nil if nothing was saved.
  func kept(of input: Input) -> String? {
    guard case .database(let database, let saves, let isResuming) = kind, !saves.policy.isAtEnd,
      let count = try? database.savedCountOfUnfinishedImport(since: isResuming ? nil : start),
      count > 0
    else { return nil }
    let goesOn =
      input.canBeResumed ? "; --resume continues after \(count == 1 ? "it" : "them")" : ""
    return Self.kept(count, "object") + goesOn
  }

  /// Returns the words for the saved pages of an unfinished list; nil if nothing was saved.
  func kept(of pages: ImportedPages) -> String? {
    guard case .database = kind, pages.count > 0 else { return nil }
    let goesOn = pages.canBeResumed ? "; --resume continues with page \(pages.count + 1)" : ""
    return Self.kept(pages.count, "page") + goesOn
  }

  private static func kept(_ count: Int, _ noun: String) -> String {
    "the first \(Amount.count(count, noun)) of it \(count == 1 ? "is" : "are") kept"
  }

  /// Returns a graph of all objects.
  ///
  /// - Throws: `StoreError` if the database cannot be read.
  func graph() throws -> Graph {
    switch kind {
    case .memory(let store): store.graph
    case .database(let database, _, _): try database.graph()
    }
  }

  /// The graph that has the objects of reports; empty for a database.
  var reportedGraph: Graph {
    guard case .memory(let store) = kind else { return GraphStore(model: model).graph }
    return store.graph
  }

  /// Returns the number of objects of an entity, without those below it.
  func count(of entity: String) -> Int {
    switch kind {
    case .memory(let store): (try? store.graph.count(of: entity, includesSubentities: false)) ?? 0
    case .database(let database, _, _):
      (try? database.count(of: entity, includesSubentities: false)) ?? 0
    }
  }
}
