import Graft

/// Reports each change of a database, by any process; see ``GraftDatabase/GraphDatabase/changes(every:)``.
public struct DatabaseChanges: AsyncSequence, Sendable {
  fileprivate let database: GraphDatabase
  fileprivate let interval: Duration

  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let database: GraphDatabase
    private let interval: Duration
    private var watch: DatabaseWatch?

    fileprivate init(_ changes: DatabaseChanges) {
      database = changes.database
      interval = changes.interval
    }

    /// Waits until the database has changed; the first call does not wait.
    ///
    /// - Returns: Nothing in particular; nil where the task was cancelled.
    /// - Throws: ``Graft/StoreError`` where the database cannot be read.
    public mutating func next() async throws -> Void? {
      guard let watch else {
        watch = try await DatabaseWatch.begin(database)
        return ()
      }
      while true {
        do { try await Task.sleep(for: interval) } catch { return nil }
        if try await watch.hasChanged() { return () }
      }
    }
  }

  /// Makes an iterator.
  ///
  /// - Returns: An iterator with a connection of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// A connection that checks whether others have committed.
///
/// Unchecked: the iterator that has it awaits each look before the next.
private final class DatabaseWatch: @unchecked Sendable {
  private let connection: any DatabaseConnection
  private var version: String

  private init(_ connection: any DatabaseConnection) throws(StoreError) {
    self.connection = connection
    version = try connection.version()
  }

  /// Connects, and remembers the last commit.
  @concurrent
  static func begin(_ database: GraphDatabase) async throws -> DatabaseWatch {
    try await BlockingWork.run { try DatabaseWatch(database.connect()) }
  }

  /// Returns whether anything was committed since the last check.
  @concurrent
  func hasChanged() async throws -> Bool {
    try await BlockingWork.run {
      let last = version
      version = try connection.version()
      return version != last
    }
  }
}

extension GraphDatabase {
  /// Returns the changes of the database: one element at once, and one after each commit, by this process or another.
  ///
  /// ```swift
  /// for try await _ in database.changes() {
  ///   badge = try await database.count(of: Tweet.self, where: .attribute(\.isRead, equals: false))
  /// }
  /// ```
  ///
  /// Commits between two looks, or while the caller uses an element, are combined into one element.
  /// A look reads a counter and no table. ``Graft/GraphStore/changes`` of a store in memory says
  /// which objects have changed.
  ///
  /// - Parameter interval: How long to wait between two looks.
  /// - Returns: The changes. They end when the task is cancelled.
  public func changes(every interval: Duration = .milliseconds(100)) -> DatabaseChanges {
    DatabaseChanges(database: self, interval: interval)
  }
}
