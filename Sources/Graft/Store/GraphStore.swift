import Synchronization

// Commits follow one another. A writer holds the commit lock for the whole of its closure. So it
// sees the commit of the writer before it, its base is still the current graph when it commits,
// nothing is rebased, and the identifiers of inserted objects are final. An import takes the lock
// only to commit. So an import waits for at most one closure of a writer, and a writer for at most
// one commit of an import; readers and observers wait for neither.

/// The thread-safe owner of the current graph, where imports and writes are committed.
///
/// Readers take a snapshot with ``graph`` and never wait for a writer.
public final class GraphStore: Sendable {
  /// The model that the objects follow.
  public let model: GraphModel

  let layout: StoreLayout
  let publisher: GraphPublisher
  /// The lock that a thread holds during a whole commit.
  private let commits = Guarded(())
  /// The thread that holds `commits`; 0 if none does.
  private let committer = Atomic<UInt>(0)
  /// Makes commits durable; nil for a store in memory only.
  private let log: (any CommitLog)?
  /// Texts that imports have left, by key.
  private let notes = Mutex([String: String]())

  /// Creates an empty store.
  ///
  /// - Parameter model: The entities whose objects the store keeps.
  public init(model: GraphModel) {
    self.model = model
    layout = StoreLayout(model: model)
    publisher = GraphPublisher(Graph(layout: layout))
    log = nil
  }

  /// Creates a store whose commits are kept by a log.
  package init(model: GraphModel, log: any CommitLog) throws(StoreError) {
    self.model = model
    layout = StoreLayout(model: model)
    publisher = GraphPublisher(try log.read(into: Graph(layout: layout)))
    self.log = log
  }

  /// Creates an empty store for typed entities.
  ///
  /// Destinations of relationships, entities above the given ones, and listed sub-entities need not
  /// be named.
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - extensions: The code that annotations mention by name, in addition to the entities' own
  ///     code.
  /// - Throws: ``ModelError`` with all that is wrong with the entities, each error with the
  ///   entity's and property's name.
  public convenience init(
    for entities: any Entity.Type..., extensions: ModelExtensions = ModelExtensions()
  ) throws(ModelError) {
    self.init(model: try GraphModel(types: entities, extensions: extensions))
  }

  deinit { publisher.close() }

  /// The current graph, as a value that never changes.
  ///
  /// - Complexity: O(1), some nanoseconds.
  public var graph: Graph { publisher.graph }

  /// Keeps a text under a key, or removes it.
  func note(_ text: String?, for key: String) { notes.withLock { $0[key] = text } }

  /// Returns the text under a key; nil if there is none.
  func noted(_ key: String) -> String? { notes.withLock { $0[key] } }
}

// The two overloads of `write` differ in whether the result of the closure is used.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension GraphStore {
  /// Changes the graph: all changes of the closure are published at its end, or none.
  ///
  /// ```swift
  /// try store.write { graph in
  ///   let ada = try graph.findOrInsert("User", identifiedBy: ["name": .string("Ada")])
  ///   ada["followers"] = .integer(36)
  ///   try graph.delete(graph.objects("Tweet").filter { $0["text"] == nil })
  /// }
  /// ```
  ///
  /// Readers of ``graph`` see the previous graph until the write is published. Other writes wait
  /// for the closure. Imports read on, and wait only to commit. So keep the closure short: prepare
  /// before it what takes long.
  ///
  /// The closure's graph and its objects are valid only within the closure, and are not `Sendable`,
  /// so that the compiler refuses to return them. To read an object afterwards, return its
  /// ``ObjectID``, which is the same in ``graph``.
  ///
  /// At the end the model's requirements on the changed objects are checked: required properties,
  /// bounds of relationships, and bounds and patterns of values.
  ///
  /// - Parameter body: Changes the graph. An error that it throws undoes everything.
  /// - Returns: The closure's result.
  /// - Throws: The closure's error; else the ``StoreError`` of the first misuse that could not be
  ///   thrown at once, as in an assignment to a subscript; else the ``StoreError`` that lists the
  ///   violations of the model.
  /// - Precondition: The thread is not in a closure of this method already: begin neither a write
  ///   nor an import there.
  /// - Complexity: O(*n*) in the number of row groups written, each of up to 1024 objects.
  @discardableResult
  public func write<R: Sendable>(_ body: (MutableGraph) throws -> R) throws -> R {
    try change(body)
  }

  // For a closure of one call whose result is not used, as in `write { try $0.insert(…) }`: the object that the
  // call returns is not Sendable.
  /// Changes the graph: all changes of the closure are published at its end, or none.
  ///
  /// - Parameter body: Changes the graph. An error that it throws undoes everything.
  /// - Throws: The closure's error, or ``StoreError``, like the method with a result.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func write(_ body: (MutableGraph) throws -> Void) throws {
    try change(body)
  }

  private func change<R>(_ body: (MutableGraph) throws -> R) throws -> R {
    try serially {
      let transaction = GraphTransaction(base: graph)
      let mutable = MutableGraph(transaction)
      defer { mutable.end() }
      let result = try body(mutable)
      if let error = mutable.deferredError { throw error }
      _ = try publish(transaction, checkingValues: true)
      return result
    }
  }

  /// Publishes the changes of a transaction, all or none; the transaction then continues from the
  /// published graph.
  ///
  /// If the store has changed since the transaction began, the changes are replayed onto the
  /// current graph by a ``Rebase``.
  ///
  /// - Throws: ``StoreError`` if an object lacks what the model requires, or the changes conflict
  ///   with commits since it began; nothing is published then, and the transaction is as
  ///   it was.
  func commit(_ transaction: GraphTransaction) throws(StoreError) -> CommitResult {
    guard transaction.layout === layout else { misuse("the transaction is another store's") }
    return try serially { () throws(StoreError) in
      let graph = self.graph
      if graph.storage === transaction.base.storage {
        return CommitResult(graph: try publish(transaction, checkingValues: false))
      }
      let rebase = try Rebase(transaction, onto: graph, by: transaction.rebaseRules)
      let published = try publish(rebase.target, checkingValues: false)
      let result = CommitResult(
        graph: published, remapping: rebase.remapping,
        rebased: .init(rebase, from: graph, to: published))
      transaction.reset(to: result.graph)
      return result
    }
  }

  /// Publishes a transaction whose base is the current graph; called within `serially`.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, which continues from the published graph.
  ///   - checkingValues: Whether written values must obey the bounds and patterns of the model.
  /// - Returns: The current graph, which is no new one if nothing was written.
  /// - Throws: ``StoreError`` if an object is not as the model requires; nothing is published then.
  private func publish(
    _ transaction: GraphTransaction, checkingValues: Bool
  ) throws(StoreError) -> Graph {
    let previous = transaction.base
    let graph = try transaction.checked(values: checkingValues)
    guard graph.storage !== previous.storage else { return previous }
    try log?.write(graph, after: previous)
    publisher.publish(graph)
    return graph
  }

  /// Runs `body` without other commits in between.
  ///
  /// - Precondition: The thread is not in such a body already; it would wait for itself.
  private func serially<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let thread = CLibrary.currentThread
    guard committer.load(ordering: .relaxed) != thread else {
      misuse(
        "a write or an import was begun on the thread of a write(_:) that has not ended; "
          + "use the graph that its closure is given, or begin the other one after it")
    }
    return try commits.withLock { _ throws(E) in
      committer.store(thread, ordering: .relaxed)
      defer { committer.store(0, ordering: .relaxed) }
      return try body()
    }
  }
}

/// Makes the commits of a store durable, for example in a database.
package protocol CommitLog: Sendable {
  /// Reads all that was committed before.
  ///
  /// - Parameter empty: An empty graph of the store.
  /// - Returns: A graph of the same store.
  /// - Throws: ``StoreError`` if it cannot be read.
  func read(into empty: Graph) throws(StoreError) -> Graph

  /// Writes the differences between two successive graphs, before the later one is published.
  ///
  /// - Parameters:
  ///   - graph: The graph to publish.
  ///   - previous: The graph before it.
  /// - Throws: ``StoreError`` if it cannot be written; nothing is published then.
  func write(_ graph: Graph, after previous: Graph) throws(StoreError)
}

/// The result of a commit.
package struct CommitResult {
  /// The graph that was published.
  package var graph: Graph
  /// The new identifiers of objects whose identifiers changed because the store had changed in the
  /// meantime.
  var remapping: [ObjectID: ObjectID]
  /// The result of replaying the transaction, if the store had changed in the meantime.
  var rebased: Rebased?

  /// The net effect of a rebased commit; changes that another writer had already made do not count.
  struct Rebased {
    /// The transaction's changes, with its own identifiers.
    var intended: GraphDifference
    var inserted: Set<ObjectID>
    var updated: Set<ObjectID>
    /// The transaction's objects that the rules did not let it insert again.
    var passedOver: Set<ObjectID>
    /// The number of deleted objects, by the number of the entity.
    var deleted: [Int: Int]

    /// Compares the graphs before and after a rebased commit.
    ///
    /// - Complexity: O(*n*) in the number of row groups that differ.
    init(_ rebase: Rebase, from old: Graph, to new: Graph) {
      var difference = GraphDifference()
      for entity in 0..<old.storage.layout.entityCount {
        difference.append(GraphDifference(of: entity, from: old, to: new))
      }
      intended = rebase.changes
      inserted = Set(difference.inserted)
      // A change of the inverse by another object's link is not an update of this object.
      updated = Set(
        difference.updated.lazy.filter { update in
          let relationships = old.schema.entities[update.object.entity].relationships
          return !update.attributes.isEmpty || update.changesStub
            || update.relationships.contains { !relationships[$0].paths.isEmpty }
        }.map(\.object))
      // Nor is a link from another object an update of an object that the rules have left as it was.
      updated.subtract(rebase.overruled.compactMap { rebase.current($0) })
      passedOver = rebase.overruled.filter { rebase.current($0) == nil }
      deleted = rebase.deletedCounts
    }
  }

  /// Returns the identifier in the published graph.
  func current(_ id: ObjectID) -> ObjectID { remapping[id] ?? id }
}

extension CommitResult {
  /// Creates the result of a commit that has kept all identifiers.
  package init(graph: Graph) { self.init(graph: graph, remapping: .init(), rebased: nil) }
}
