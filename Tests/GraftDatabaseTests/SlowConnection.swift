import Foundation
import Synchronization

@testable import Graft
@testable import GraftDatabase
@testable import GraftSQLite

/// What the commits of an import do in a test: each takes some time, and one may fail.
final class SlowCommits: Sendable {
  private struct State {
    /// The commits since the database was opened; nil before.
    var commitCount: Int?
    var connectionCount = 0
    var interruptCount = 0
  }

  private let time: TimeInterval
  private let failing: Int?
  /// Called where a connection has read and is kept for the next read.
  fileprivate let rest: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - time: The time that a commit takes at least, in seconds.
  ///   - failing: The number of the commit that fails, counted from 1; nil for none.
  ///   - rest: Called where a connection has read and is kept for the next read.
  init(
    taking time: TimeInterval, failing: Int? = nil, rest: @escaping @Sendable () -> Void = {}
  ) {
    self.time = time
    self.failing = failing
    self.rest = rest
  }

  /// The number of connections that were made since the database was opened.
  var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// The number of interruptions of the connections.
  var interruptCount: Int { state.withLock { $0.interruptCount } }

  fileprivate func interrupt() { state.withLock { $0.interruptCount += 1 } }

  /// Opens a database in a file.
  func open(_ model: GraphModel, _ file: TemporaryDatabase) throws -> GraphDatabase {
    let database = try GraphDatabase(model: model) { () throws(StoreError) in
      let connection = try SQLiteConnection(path: file.url.path, .quick)
      self.state.withLock { $0.connectionCount += 1 }
      return SlowConnection(connection, self)
    }
    state.withLock { $0 = State(commitCount: 0) }
    return database
  }

  fileprivate func commit() throws(StoreError) {
    let number = state.withLock { state in
      state.commitCount? += 1
      return state.commitCount
    }
    guard let number else { return }
    Thread.sleep(forTimeInterval: time)
    if number == failing { throw StoreError(.database, "commit \(number) fails") }
  }
}

/// A connection to a file of SQLite whose commits are slow.
private final class SlowConnection: DatabaseConnection {
  private let connection: SQLiteConnection
  private let commits: SlowCommits

  init(_ connection: SQLiteConnection, _ commits: SlowCommits) {
    self.connection = connection
    self.commits = commits
  }

  func commit() throws(StoreError) {
    try commits.commit()
    try connection.commit()
  }

  var name: String { connection.name }
  var dialect: SQLDialect { connection.dialect }
  var isLost: Bool { connection.isLost }
  func execute(_ sql: String) throws(StoreError) { try connection.execute(sql) }
  func prepare(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    try connection.prepare(sql)
  }
  func prepareReading(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    try connection.prepareReading(sql)
  }
  func makeIndexes(_ statements: [String]) throws(StoreError) {
    try connection.makeIndexes(statements)
  }
  func begin() throws(StoreError) -> Bool { try connection.begin() }
  func noteVersion() throws(StoreError) -> Bool { try connection.noteVersion() }
  func beginReading() throws(StoreError) { try connection.beginReading() }
  func endReading() { connection.endReading() }
  func indexNames() throws(StoreError) -> Set<String> { try connection.indexNames() }
  func rest() { commits.rest() }
  func makeInterrupt() -> @Sendable () -> Void {
    let (commits, interrupt) = (commits, connection.makeInterrupt())
    return {
      commits.interrupt()
      interrupt()
    }
  }
  func version() throws(StoreError) -> String { try connection.version() }
  func rollback() { connection.rollback() }
  func enforceForeignKeys() throws(StoreError) { try connection.enforceForeignKeys() }
  func tableNames() throws(StoreError) -> [String] { try connection.tableNames() }
  func columnNames(of table: String) throws(StoreError) -> [String] {
    try connection.columnNames(of: table)
  }
}
