import Foundation
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

private struct Bird: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String>()
  static let identity = [\Self.id]

  /// Writes a bird, or deletes the one without a name.
  static func put(_ id: Int, _ name: String?, into database: GraphDatabase) throws {
    let identity: [String: AttributeValue] = ["id": .integer(Int64(id))]
    try database.write { graph in
      let bird = try graph.findOrInsert("Bird", identifiedBy: identity)
      if let name { bird["name"] = .string(name) } else { try bird.delete() }
    }
  }
}

@Suite struct `Reads of a database` {
  private func database(_ kind: DatabaseKind, _ count: Int) throws -> GraphDatabase {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Bird.self))
    try database.write { graph in
      for number in 0..<count {
        try graph.insert(Bird.self) { bird in
          bird.id = number
          bird.name = "\(number)"
        }
      }
    }
    return database
  }

  /// A database that counts its connections.
  private func counting(
    _ other: GraphDatabase, _ count: ConnectionCount
  ) throws -> GraphDatabase {
    try GraphDatabase(model: other.model) { () throws(StoreError) in
      count.number.add(1, ordering: .relaxed)
      return try other.connect()
    }
  }

  private final class ConnectionCount: Sendable {
    let number = Atomic<Int>(0)
    var value: Int { number.load(ordering: .relaxed) }
  }

  @Test(arguments: DatabaseKind.present)
  func `share a connection, one after another`(kind: DatabaseKind) throws {
    let count = ConnectionCount()
    let database = try counting(database(kind, 3), count)
    let opened = count.value
    for number in 0..<50 {
      let bird = try database.object(Bird.self, id: number % 3)
      #expect(bird?.name == "\(number % 3)")
      #expect(try database.count(of: Bird.self, where: "id = \(number)") == (number < 3 ? 1 : 0))
    }
    _ = try? database.objects("Bird", where: "nothing = 1")
    _ = try? database.rows("SELECT nothing")
    #expect(try database.graph().objects(Bird.self).count == 3)
    #expect(count.value == opened + 1)
  }

  @Test(arguments: DatabaseKind.present)
  func `see what others have written since`(kind: DatabaseKind) throws {
    let database = try database(kind, 1)
    for number in 0..<5 {
      try database.write { try $0.object(Bird.self, id: 0)?.name = "n\(number)" }
      #expect(try database.object(Bird.self, id: 0)?.name == "n\(number)")
      #expect(try database.objects(Bird.self).map(\.name) == ["n\(number)"])
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `at the same time have connections of their own`(kind: DatabaseKind) async throws {
    let database = try database(kind, 20)
    let names = try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 0..<40 {
        group.addTask { try await database.object(Bird.self, id: number % 20)?.name }
      }
      var names: [String] = []
      for try await name in group { names.append(name ?? "none") }
      return names
    }
    #expect(names.sorted() == (0..<40).map { "\($0 % 20)" }.sorted())
  }

  @Test func `do not use a file that was replaced`() throws {
    let (file, other) = (TemporaryDatabase(), TemporaryDatabase())
    let model = try GraphModel(for: Bird.self)
    let database = try GraphDatabase(model: model, at: file.url)
    #expect(try database.count(of: Bird.self) == 0)
    do {
      let replacement = try GraphDatabase(model: model, at: other.url)
      try replacement.write {
        try $0.insert(Bird.self) {
          $0.id = 1
          $0.name = "new"
        }
      }
    }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.url.path + suffix)
    }
    try FileManager.default.moveItem(at: other.url, to: file.url)
    #expect(try database.objects(Bird.self).map(\.name) == ["new"])
  }

  @Test func `close their connections with the database`() throws {
    let file = TemporaryDatabase()
    do {
      let database = try GraphDatabase(model: GraphModel(for: Bird.self), at: file.url)
      #expect(try database.count(of: Bird.self) == 0)
    }
    // The last connection to a file removes its write-ahead log.
    #expect(!FileManager.default.fileExists(atPath: file.url.path + "-wal"))
  }

  @Test(arguments: DatabaseKind.present)
  func `of an identity find what memory finds`(kind: DatabaseKind) throws {
    let model = try GraphModel(
      entities: [
        .make("Animal", [.make("name")]), .make("Dog", identity: "", parent: "Animal"),
        .make("Cat", identity: "", parent: "Animal"),
        .make("Anonymous", identity: "", [.make("x")]),
      ], dialect: .graft)
    let database = try TrialDatabase.opened(kind, model)
    try database.write { graph in
      try graph.insert("Dog")["id"] = .integer(1)
      try graph.insert("Anonymous")["x"] = .string("y")
    }
    let one: [String: AttributeValue] = ["id": .integer(1)]
    #expect(try database.object("Animal", identifiedBy: one)?.entityName == "Dog")
    #expect(try database.object("Dog", identifiedBy: one)?.entityName == "Dog")
    #expect(try database.object("Cat", identifiedBy: one) == nil)
    #expect(try database.object("Dog", identifiedBy: ["id": .integer(2)]) == nil)
    #expect(try database.object("Anonymous", identifiedBy: [:]) == nil)
  }
}

@Suite struct `Asynchronous reads of a database` {
  private static let slow: DatabaseSQL = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n
    """

  @Test(arguments: DatabaseKind.present)
  func `give what the others give`(kind: DatabaseKind) async throws {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Bird.self))
    try Bird.put(1, "Ara", into: database)
    #expect(try await database.count(of: Bird.self) == 1)
    #expect(try await database.count(of: "Bird", where: "id = \(2)") == 0)
    #expect(try await database.object(Bird.self, id: 1)?.name == "Ara")
    #expect(try await database.objects(Bird.self, orderedBy: .reverse(\.name)).map(\.id) == [1])
    #expect(try await database.objects("Bird").count == 1)
    #expect(try await database.graph().objects(Bird.self).count == 1)
    #expect(try await database.graph(of: Bird.self).objects(Bird.self).count == 1)
    #expect(try await database.rows("SELECT name FROM \"Bird\"")[0].value(0) == "Ara")
    await #expect(throws: StoreError.self) { try await database.objects("Brid") }
  }

  @Test(arguments: DatabaseKind.present)
  func `end in the database when their task is cancelled`(kind: DatabaseKind) async throws {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Bird.self))
    let task = Task { try await database.rows(Self.slow) }
    try await Task.sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // Counting to a billion takes minutes.
    #expect(ContinuousClock.now - start < .seconds(40))
    #expect(try await database.count(of: Bird.self) == 0)
    if kind.isOnServer {
      let running = try await database.rows(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE \("WITH RECURSIVE n%")"
      )
      #expect(try running[0].value(0) == 0)
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `do not begin once their task is cancelled`(kind: DatabaseKind) async throws {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Bird.self))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await database.rows(Self.slow)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `interrupt no connection that the next read may use`() throws {
    let interruption = DatabaseInterruption()
    let commits = SlowCommits(taking: 0) { interruption.call() }
    let file = TemporaryDatabase()
    let database = try commits.open(GraphModel(for: Bird.self), file)
    #expect(try database.rows("SELECT 1", interruption).count == 1)
    #expect(interruption.isCalled)
    #expect(commits.interruptCount == 0)
  }

  @Test func `leave no connection to the next read to which an interruption may be on its way`()
    throws
  {
    let file = TemporaryDatabase()
    let commits = SlowCommits(taking: 0)
    let database = try commits.open(GraphModel(for: Bird.self), file)
    let interruption = DatabaseInterruption()
    #expect(throws: StoreError.self) {
      try database.reading(interruption) { (_) throws(StoreError) in
        interruption.call()
        throw StoreError(.invalidCondition, "the condition cannot be used")
      }
    }
    #expect(try database.count(of: Bird.self) == 0)
    #expect(commits.connectionCount == 2)
  }

  @Test func `keep no thread of the cooperative pool`() async throws {
    let database = try TrialDatabase.opened(.sqlite, GraphModel(for: Bird.self))
    let reads = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task { try await database.rows(Self.slow) }
    }
    // The reads leave a thread for other tasks.
    await Task { await Task.yield() }.value
    for read in reads { read.cancel() }
    for read in reads { await #expect(throws: CancellationError.self) { try await read.value } }
  }
}

@Suite struct `Results of a query of a database` {
  @Test(arguments: DatabaseKind.present)
  func `come anew when a commit has changed them`(kind: DatabaseKind) async throws {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Bird.self))
    // With connections of its own, as another process has.
    let other = try GraphDatabase(model: database.model, connect: database.connect)
    try Bird.put(1, "a", into: other)
    var results = try database.results(
      of: Bird.self, where: .attribute(\.id, in: 1...9), orderedBy: .reverse(\.name), limit: 2,
      every: .milliseconds(5)
    ).makeAsyncIterator()
    #expect(try await results.next()?.map(\.name) == ["a"])
    try Bird.put(2, "b", into: other)
    #expect(try await results.next()?.map(\.name) == ["b", "a"])
    // It selects no such bird, and the third is beyond the limit: only the last commit is one that changes it.
    try Bird.put(10, "z", into: other)
    try Bird.put(3, "0", into: other)
    try Bird.put(1, "c", into: other)
    #expect(try await results.next()?.map(\.name) == ["c", "b"])
    try Bird.put(2, nil, into: other)
    #expect(try await results.next()?.map(\.name) == ["c", "0"])
  }

  @Test func `are not given where nothing in them has changed`() async throws {
    let database = try TrialDatabase.opened(.sqlite, GraphModel(for: Bird.self))
    let count = Mutex(0)
    let watching = Task {
      for try await _ in try database.results(
        of: Bird.self, where: "id < \(5)", every: .milliseconds(2))
      {
        count.withLock { $0 += 1 }
      }
    }
    while count.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(2)) }
    for number in 10..<20 {
      try Bird.put(number, "x", into: database)
      try await Task.sleep(for: .milliseconds(4))
    }
    #expect(count.withLock { $0 } == 1)
    try Bird.put(1, "x", into: database)
    while count.withLock({ $0 }) == 1 { try await Task.sleep(for: .milliseconds(2)) }
    watching.cancel()
    // A loop over them ends without an error.
    try await watching.value
  }

  @Test(arguments: DatabaseKind.present)
  func `throw for a query that cannot be used`(kind: DatabaseKind) async throws {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Bird.self))
    var results = try database.results(of: Bird.self, where: "nothing = 1").makeAsyncIterator()
    await #expect(throws: StoreError.self) { try await results.next() }
    #expect(throws: StoreError.self) { try database.results(of: "Brid") }
  }
}
