import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// An import killed by `kill -9` leaves a sound database, from which `--resume` goes on.
@Suite(.waits, .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `A killed import into a database` {
  @Test(arguments: DatabaseKind.present, Seeds.some(3, of: 8))
  func `ends as one that was never killed, when it is resumed`(
    kind: DatabaseKind, seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let document = folder.appending(path: "document.ndjson")
    let model = folder.appending(path: "model.json")
    let trial = try TrialDatabase(kind)
    try Self.model.write(to: model, atomically: true, encoding: .utf8)
    let text = Self.document(&random)
    try text.write(to: document, atomically: true, encoding: .utf8)
    let store = GraphStore(model: try GraphModel(contentsOf: model))
    try store.importJSON(
      entity: "Post", from: Data(text.utf8), options: .with { $0.parser.format = .ndjson })

    let database = try trial.open(store.model)
    let arguments = [
      "import", "--model", model.path, "--into", trial.commandLineAddress, "--save-every", "20",
      "--resume",
      "--output", "none", "Post=\(document.path)",
    ]
    var status: Int32?
    for attempt in 0..<50 where status == nil {
      // The later attempts have more time, so that the last ends; a server needs more of it.
      let step = kind.isOnServer ? 0.05 : 0.02
      let wait =
        attempt < 30 ? Double.random(in: 0...step * Double(attempt + 1), using: &random) : 60
      status = try GraftTool.run(arguments, killAfter: wait)
    }
    #expect(status == 0)
    #expect(try trial.faults() == [])
    #expect(try await database.graph().content(depth: 2) == store.graph.content(depth: 2))
  }

  private static let model = """
    {"entities": [
      {"name": "Post", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "text", "type": "String"}],
       "relationships": [{"name": "author", "destination": "User", "inverse": "posts"},
        {"name": "tags", "destination": "Tag", "isToMany": true, "isOrdered": true}]},
      {"name": "User", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "name", "type": "String"}],
       "relationships": [{"name": "posts", "destination": "Post", "isToMany": true, "inverse": "author"}]},
      {"name": "Tag", "userInfo": {"identityAttributes": "text"}, "attributes": [{"name": "text", "type": "String"}]}
    ]}
    """

  private static func document(_ random: inout SeededGenerator) -> String {
    (0..<600).map { number in
      let user = Int.random(in: 0..<40, using: &random)
      let tags = (0..<Int.random(in: 0...3, using: &random))
        .map { _ in #"{"text": "t\#(Int.random(in: 0..<30, using: &random))"}"# }
      return """
        {"id": \(number % 500), "text": "p\(number)", "author": {"id": \(user), "name": "u\(number)"}, \
        "tags": [\(tags.joined(separator: ", "))]}

        """
    }.joined()
  }
}
