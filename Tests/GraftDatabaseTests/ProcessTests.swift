import Foundation
import GraftPostgres
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Four processes at one database: two import, one reads, and this one writes and reads.
@Suite(.waits, .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `Processes that share a database` {
  private static let duration: Duration = Seeds.areAllTried ? .seconds(60) : .seconds(1.5)

  private static let model = """
    {"entities": [
      {"name": "Post", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "text", "type": "String", "isOptional": true}, {"name": "likes", "type": "Integer 64", "isOptional": true}],
       "relationships": [{"name": "author", "destination": "User", "inverse": "posts"},
        {"name": "tags", "destination": "Tag", "isToMany": true, "isOrdered": true}]},
      {"name": "User", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "name", "type": "String", "isOptional": true}],
       "relationships": [{"name": "posts", "destination": "Post", "isToMany": true, "inverse": "author"}]},
      {"name": "Tag", "userInfo": {"identityAttributes": "text"}, "attributes": [{"name": "text", "type": "String"}]},
      {"name": "Counter", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "value", "type": "Integer 64"}]}
    ]}
    """

  /// Posts that overlap with those of other imports; the author and the tag follow from the number.
  private static func document(_ random: inout SeededGenerator) -> String {
    (0..<150).map { _ in
      let number = Int.random(in: 0..<3000, using: &random)
      return """
        {"id": \(number), "text": "p\(number)", "author": {"id": \(number % 40), "name": "u\(number % 40)"}, \
        "tags": [{"text": "t\(number % 30)"}]}

        """
    }.joined()
  }

  /// The numbers of objects that the processes report as inserted, by entity.
  private final class Told: Sendable {
    let inserted = Mutex<[String: Int]>([:])
    let runs = Mutex(0)

    func note(_ report: Data) throws {
      let json = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
      let files = try #require(json["files"] as? [[String: Any]])
      for entity in files.flatMap({ $0["entities"] as? [[String: Any]] ?? [] }) {
        let name = try #require(entity["entity"] as? String)
        let count = try #require(entity["inserted"] as? Int)
        inserted.withLock { $0[name, default: 0] += count }
      }
      runs.withLock { $0 += 1 }
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `keep what each was told it has written`(kind: DatabaseKind) async throws {
    let model = try TemporaryFile(Self.model, name: "model.json")
    let trial = try TrialDatabase(kind)
    let database = try trial.open(GraphModel(contentsOf: model.url))
    try await database.write { graph in
      try graph.findOrInsert("Counter", identifiedBy: ["id": .integer(1)])["value"] = .integer(0)
    }
    let address = trial.commandLineAddress
    let told = Told()
    let end = ContinuousClock.now + Self.duration
    let written = try await withThrowingTaskGroup(of: Int.self) { group in
      for importer in 0..<2 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(importer + 1))
          repeat {
            let document = try TemporaryFile(Self.document(&random), name: "posts.ndjson")
            let outcome = try await GraftTool.run([
              "import", "--into", address, "--save-every", "20", "--report", "-", "--output",
              "none", "Post=\(document.path)",
            ])
            try #require(outcome.status == 0, "\(outcome.errors)")
            try told.note(Data(outcome.output.utf8))
          } while ContinuousClock.now < end
          return 0
        }
      }
      group.addTask {
        repeat {
          let outcome = try await GraftTool.run([
            "query", address, "Post", "--limit", "50", "--follow", "author,tags",
          ])
          try #require(outcome.status == 0, "\(outcome.errors)")
        } while ContinuousClock.now < end
        return 0
      }
      group.addTask {
        var random = SeededGenerator(seed: 9)
        var count = 0
        repeat {
          let number = Int64.random(in: 0..<3000, using: &random)
          let isNew = try await database.write { graph in
            let counter = try #require(
              try graph.object("Counter", identifiedBy: ["id": .integer(1)]))
            guard case .integer(let value)? = counter["value"] else { return false }
            counter["value"] = .integer(value + 1)
            let isNew = try graph.object("Post", identifiedBy: ["id": .integer(number)]) == nil
            let post = try graph.findOrInsert("Post", identifiedBy: ["id": .integer(number)])
            post["likes"] = .integer(number)
            return isNew
          }
          if isNew { told.inserted.withLock { $0["Post", default: 0] += 1 } }
          count += 1
          let read = try await database.objects("Post", where: "likes = \(Int(number))")
          try #require(read.count == 1)
        } while ContinuousClock.now < end
        return count
      }
      return try await group.reduce(0, +)
    }
    #expect(written > 0 && told.runs.withLock(\.self) > 0)
    #expect(try trial.faults() == [])
    let graph = try await database.graph()
    let counter = try graph.object("Counter", identifiedBy: ["id": .integer(1)])
    #expect(counter?["value"] == .integer(Int64(written)))
    for entity in ["Post", "User", "Tag"] {
      let count = told.inserted.withLock { $0[entity, default: 0] }
      #expect(try graph.count(of: entity) == count, "\(entity)")
    }
    let isRight = try graph.objects("Post").allSatisfy { post in
      guard case .integer(let id)? = post["id"] else { return false }
      if let likes = post["likes"], likes != .integer(id) { return false }
      guard let text = post["text"] else { return post.object("author") == nil }
      return text == .string("p\(id)") && post.object("author")?["id"] == .integer(id % 40)
        && post.objects("tags").map { $0["text"] } == [.string("t\(id % 30)")]
    }
    #expect(isRight)
  }

  @Test func `leave the threads of others free while they wait`() async throws {
    let file = TemporaryDatabase()
    let model = try TemporaryFile(Self.model, name: "model.json")
    let database = try GraphDatabase(
      model: GraphModel(contentsOf: model.url), at: file.url, configuration: .quick)
    let told = Told()
    let holds = AsyncStream<Void>.makeStream()
    let holder = Task.detached {
      try await database.write { graph in
        holds.continuation.yield()
        while told.runs.withLock(\.self) == 0 { Thread.sleep(forTimeInterval: 0.001) }
        _ = try graph.findOrInsert("User", identifiedBy: ["id": .integer(0)])
      }
    }
    for await _ in holds.stream { break }
    // More than there are threads.
    let waiting = Task {
      try await withThrowingTaskGroup { group in
        for number in 1...20 {
          group.addTask {
            try await database.write { graph in
              _ = try graph.findOrInsert("User", identifiedBy: ["id": .integer(Int64(number))])
            }
          }
        }
        try await group.waitForAll()
      }
    }
    // Time enough for all of them to wait.
    try await Task.sleep(for: .milliseconds(100))
    await Task.detached { told.runs.withLock { $0 = 1 } }.value
    try await holder.value
    try await waiting.value
    #expect(try await database.count(of: "User") == 21)
  }
}
