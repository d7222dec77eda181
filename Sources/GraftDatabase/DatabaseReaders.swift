import Dispatch
import Foundation
import Graft
import Synchronization

// Opening a connection and preparing a statement costs ten times as much as a look-up. So a database keeps the
// connections that have read, with their prepared statements.
//
// - Busy: a connection is used by one read at a time. A read that finds none makes another; a few are kept.
// - Closing: closing the database closes its idle connections. A connection that was lost, or whose
//   file has been replaced, is not used again. If a read finds this out only while it reads, it is
//   repeated with a new connection.
// - Changed models: another process may have changed the model, and with it the tables, since the database was
//   opened. A read then fails, whatever it has read.
// - Forks: a child process neither uses nor closes the connections of its parent, whose locks and conversations with
//   the server they are. It makes its own.

/// Keeps the connections that read a database.
final class DatabaseReaders: Sendable {
  private struct State {
    var idle: [DatabaseReader] = []
    var process = getpid()
  }

  /// The number of idle connections that are kept.
  private static let idleLimit = 4

  private let schema: DatabaseSchema
  private let connect: @Sendable () throws(StoreError) -> any DatabaseConnection
  private let state = Guarded(State())

  init(
    _ schema: DatabaseSchema,
    connect: @escaping @Sendable () throws(StoreError) -> any DatabaseConnection
  ) {
    self.schema = schema
    self.connect = connect
  }

  /// Calls a closure with the statements of a connection that only it uses.
  ///
  /// - Parameters:
  ///   - interruption: Interrupts the read when it is called; nil for no interruption.
  ///   - body: Reads; called a second time, with a new connection, if the first was lost.
  /// - Returns: The result of the closure.
  /// - Throws: The closure's error, and ``Graft/StoreError`` where no connection can be made.
  func read<R>(
    _ interruption: DatabaseInterruption?, _ body: (DatabaseStatements) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    if let reader = takeIdle() {
      do throws(StoreError) {
        return try read(reader, interruption, body)
      } catch {
        if !reader.connection.isLost || interruption?.isCalled == true { throw error }
      }
    }
    let connection = try connect()
    try connection.refuseChanges()
    return try read(DatabaseReader(connection, schema), interruption, body)
  }

  private func read<R>(
    _ reader: DatabaseReader, _ interruption: DatabaseInterruption?,
    _ body: (DatabaseStatements) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    var isUsable = false
    interruption?.begin(reader.connection.makeInterrupt())
    defer {
      // The next read may use the connection as soon as it is kept, and is not to be interrupted.
      interruption?.end()
      // An interruption may still be on its way to the server, and would end the next read.
      if isUsable, interruption?.isCalled != true { keep(reader) }
    }
    do throws(StoreError) {
      try interruption?.check()
      let result = try body(reader.statements)
      // The model is checked after the read, so that no change during the read goes unnoticed.
      if try reader.connection.noteVersion() { try schema.requireUnchanged(reader.connection) }
      isUsable = true
      return result
    } catch {
      // A column that is no longer there is a consequence of the change.
      reader.connection.rollback()
      if (try? schema.isUnchanged(reader.connection)) == false {
        throw DatabaseSchema.changed(reader.connection)
      }
      // After any other error the state of the connection is unknown.
      isUsable = error.kind == .invalidCondition
      throw error
    }
  }

  private func takeIdle() -> DatabaseReader? {
    let reader = state.withLock { state -> DatabaseReader? in
      if state.process != getpid() {
        // Not closed, because closing would also close the parent's connection.
        for reader in state.idle { _ = unsafe Unmanaged.passRetained(reader) }
        state = State()
      }
      return state.idle.popLast()
    }
    return reader?.connection.isLost == false ? reader : nil
  }

  private func keep(_ reader: DatabaseReader) {
    guard !reader.connection.isLost else { return }
    reader.connection.rest()
    state.withLock { state in
      if state.idle.count < Self.idleLimit { state.idle.append(reader) }
    }
  }
}

/// A connection for reading, with its prepared statements.
///
/// Unchecked: one thread at a time uses it, which has taken it from ``DatabaseReaders``.
private final class DatabaseReader: @unchecked Sendable {
  let connection: any DatabaseConnection
  let statements: DatabaseStatements

  init(_ connection: any DatabaseConnection, _ schema: DatabaseSchema) {
    self.connection = connection
    statements = DatabaseStatements(connection, schema, makesIndexes: false)
  }
}

/// Interrupts a read from another thread, such as the one that cancels a task.
final class DatabaseInterruption: Sendable {
  private struct State {
    var isCalled = false
    /// Interrupts the connection's statement; nil while no connection is in use, so that a closed
    /// one is never interrupted.
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  /// Whether the read was interrupted.
  var isCalled: Bool { state.withLock { $0.isCalled } }

  /// Ends the read that is under way, or the one that begins next.
  ///
  /// A connection is only interrupted while it runs a statement, and the next one of the read may be about to begin. So
  /// it is interrupted again until the read has ended.
  func call() {
    let isReading = state.withLock { state in
      state.isCalled = true
      state.interrupt?()
      return state.interrupt != nil
    }
    guard isReading else { return }
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(50)) { self.call() }
  }

  private static let queue = DispatchQueue(label: "graft.interruption")

  /// Throws an error if the read was interrupted.
  func check() throws(StoreError) {
    if isCalled { throw StoreError(.database, "the task was cancelled") }
  }

  fileprivate func begin(_ interrupt: @escaping @Sendable () -> Void) {
    state.withLock { $0.interrupt = interrupt }
  }

  fileprivate func end() {
    state.withLock { $0.interrupt = nil }
  }
}
