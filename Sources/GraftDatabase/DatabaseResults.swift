public import Graft

/// Reports the objects that a query finds in a database, each time that they have changed; see the method
/// `results(of:)` of ``GraftDatabase/GraphDatabase``.
public struct DatabaseResults<Item: Sendable>: AsyncSequence, Sendable {
  /// All objects that the query finds.
  public typealias Element = [Item]

  fileprivate let database: GraphDatabase
  fileprivate let query: DatabaseQuery
  fileprivate let interval: Duration
  fileprivate let makeItem: @Sendable (GraphObject) -> Item?

  /// Runs a query again and again.
  public struct Iterator: AsyncIteratorProtocol {
    private let results: DatabaseResults
    private var changes: DatabaseChanges.Iterator
    private var last: FoundObjects?

    fileprivate init(_ results: DatabaseResults) {
      self.results = results
      changes = results.database.changes(every: results.interval).makeAsyncIterator()
    }

    /// Waits until the result of the query has changed; the first call does not wait.
    ///
    /// - Returns: All objects that the query finds; nil where the task was cancelled.
    /// - Throws: ``Graft/StoreError`` for a query that cannot be used, and where the database cannot be read.
    public mutating func next() async throws -> [Item]? {
      while try await changes.next() != nil {
        let (database, query, last) = (results.database, results.query, last)
        let found: FoundObjects?
        do {
          found = try await database.inBackground { interruption in
            let found = FoundObjects(try database.fetch(query, interruption))
            return last?.isSame(as: found) == true ? nil : found
          }
        } catch is CancellationError {
          return nil
        }
        guard let found else { continue }
        self.last = found
        return found.objects.compactMap {
          results.makeItem(GraphObject(id: $0, graph: found.graph))
        }
      }
      return nil
    }
  }

  /// Makes an iterator.
  ///
  /// - Returns: An iterator with a connection of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension GraphDatabase {
  /// Returns the objects of an entity that meet a condition: at once, and anew whenever a commit
  /// has changed them, by this process or another.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too.
  ///   - interval: The time between two checks for a commit.
  /// - Returns: The results. They end when the task is cancelled.
  /// - Throws: ``Graft/StoreError`` for a name that the model lacks; a condition that cannot be used is an error of the
  ///   sequence.
  public func results(
    of entity: String, where condition: DatabaseCondition<GraphObject>? = nil,
    orderedBy order: DatabaseOrder<GraphObject> = [], limit: Int? = nil,
    following relationships: [String] = [], every interval: Duration = .milliseconds(100)
  ) throws(StoreError) -> DatabaseResults<GraphObject> {
    let query = try query(entity, condition, order, nil, limit, relationships)
    return DatabaseResults(database: self, query: query, interval: interval) { $0 }
  }

  /// Returns the objects of a typed entity that meet a condition: at once, and anew whenever a
  /// commit has changed them, by this process or another.
  ///
  /// ```swift
  /// for try await tweets in try database.results(of: Tweet.self, orderedBy: .reverse(\.postedAt), limit: 50) {
  ///   show(tweets)
  /// }
  /// ```
  ///
  /// The query runs again after each commit, on a thread of its own. A result that equals the
  /// previous one is not an element: the same objects in the same order, with the same values and
  /// the same related objects. Commits that come while the query runs, or while an element is used,
  /// are taken together.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too.
  ///   - interval: The time between two checks for a commit.
  /// - Returns: The results. They end when the task is cancelled.
  /// - Throws: ``Graft/StoreError`` for a type that the model was not made from; a condition that
  ///   cannot be used is an error of the sequence.
  public func results<E: Entity>(
    of entity: E.Type, where condition: DatabaseCondition<E>? = nil,
    orderedBy order: DatabaseOrder<E> = [], limit: Int? = nil,
    following relationships: PartialKeyPath<RelationshipPath<E>>...,
    every interval: Duration = .milliseconds(100)
  ) throws(StoreError) -> DatabaseResults<Object<E>> {
    let query = try query(entity, condition, order, nil, limit, relationships)
    return DatabaseResults(database: self, query: query, interval: interval) { Object($0) }
  }
}

/// The objects that a query has found, and their graph.
private struct FoundObjects: Sendable {
  let graph: Graph
  let objects: [ObjectID]

  init(_ found: (graph: Graph, objects: [ObjectID])) {
    (graph, objects) = found
  }

  /// Returns whether two runs of one query have found the same objects with the same content.
  ///
  /// Rows are in the order in which they were read, so that objects in the same rows must be the same.
  func isSame(as other: FoundObjects) -> Bool {
    func isSame(_ first: [ObjectID], _ second: [ObjectID]) -> Bool {
      first.elementsEqual(second) { $0.entity == $1.entity && $0.row == $1.row }
    }
    guard isSame(objects, other.objects) else { return false }
    return graph.schema.entities.allSatisfy { entity in
      let (rows, otherRows) = (graph.rows(entity.number), other.graph.rows(entity.number))
      guard isSame(Array(rows), Array(otherRows)) else { return false }
      return zip(rows, otherRows).allSatisfy { id, otherID in
        let isFault = GraphObject(id: id, graph: graph).isFault
        guard isFault == GraphObject(id: otherID, graph: other.graph).isFault else { return false }
        // Of a fault only the identity was read.
        return (isFault || graph.isStub(id) == other.graph.isStub(otherID))
          && (isFault ? entity.identity : Array(entity.attributes.indices)).allSatisfy {
            OwnedValue?(graph.value(id, attribute: $0))
              == OwnedValue?(other.graph.value(otherID, attribute: $0))
          }
          && entity.relationships.indices.allSatisfy {
            isSame(graph.knownTargets(of: id, $0), other.graph.knownTargets(of: otherID, $0))
          }
      }
    }
  }
}

extension OwnedValue? {
  /// Creates the value of a column; nil for null.
  fileprivate init(_ value: RawValue) {
    self = value.isNull ? nil : .some(OwnedValue(value))
  }
}
