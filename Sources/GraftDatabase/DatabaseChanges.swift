import Graft

/// The changes of a database, whoever makes them; see ``GraphDatabase/changes(every:)``.
public struct DatabaseChanges: AsyncSequence, Sendable {
  fileprivate let database: GraphDatabase
  fileprivate let interval: Duration

  /// Looks for changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let database: GraphDatabase
    private let interval: Duration
    private var connection: (any DatabaseConnection)?
    private var last: String?

    fileprivate init(_ changes: DatabaseChanges) {
      database = changes.database
      interval = changes.interval
    }

    /// Waits until the database has changed; the first call does not wait.
    ///
    /// - Returns: Nothing in particular; nil where the task was cancelled.
    /// - Throws: ``StoreError`` where the database cannot be read.
    public mutating func next() async throws -> Void? {
      guard let connection, let last else {
        let connection = try database.connect()
        self.last = try connection.version()
        self.connection = connection
        return ()
      }
      while true {
        do { try await Task.sleep(for: interval) } catch { return nil }
        let version = try connection.version()
        guard version != last else { continue }
        self.last = version
        return ()
      }
    }
  }

  /// Makes an iterator.
  ///
  /// - Returns: An iterator with a connection of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension GraphDatabase {
  /// The changes of the database: an element at once, and one whenever something was committed since the last, by this
  /// process or another.
  ///
  /// ```swift
  /// for try await _ in database.changes() {
  ///   show(try database.objects(Tweet.self, orderedBy: \.postedAt, .reverse, limit: 50))
  /// }
  /// ```
  ///
  /// Several commits between two looks are one element, and so are those that come while an element is used. A look
  /// reads a counter and no table. ``GraphStore/changes`` of a store in memory says which objects have changed.
  ///
  /// - Parameter interval: How long to wait between two looks.
  /// - Returns: The changes. They end when the task is cancelled.
  public func changes(every interval: Duration = .milliseconds(100)) -> DatabaseChanges {
    DatabaseChanges(database: self, interval: interval)
  }
}
