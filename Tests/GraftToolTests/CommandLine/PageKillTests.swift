import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftDatabaseTests
@testable import GraftExport
@testable import GraftTestSupport

/// An import of pages that is killed by `kill -9` leaves a sound database, in which `--resume` goes on.
@Suite(
  .waits, .timeLimit(.minutes(10)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `A killed import of pages` {
  private static let pageCount = Seeds.areAllTried ? 1_000 : 120
  private static let pageSize = 4

  /// An API of pages whose objects are linked across pages; some objects have no identity.
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let page = Int(request.target.split(separator: "=").last ?? "") ?? 0
      let hasMore = page + 1 < pageCount
      return [
        .answer(
          "[\(posts(of: page))]",
          headers: hasMore ? ["Link: </posts?page=\(page + 1)>; rel=\"next\""] : [])
      ]
    }
  }

  private static func posts(of page: Int) -> String {
    (page * pageSize..<(page + 1) * pageSize).map { number in
      """
      {"id": \(number), "text": "p\(number)", "author": {"id": \(number % 37), "name": "u\(number)"}, \
      "notes": [{"text": "n\(number)"}]}
      """
    }.joined(separator: ",")
  }

  private static let model = """
    {"entities": [
      {"name": "Post", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "text", "type": "String"}],
       "relationships": [{"name": "author", "destination": "User", "inverse": "posts"},
        {"name": "notes", "destination": "Note", "isToMany": true, "isOrdered": true}]},
      {"name": "User", "userInfo": {"identityAttributes": "id"}, "attributes": [{"name": "id", "type": "Integer 64"}, {"name": "name", "type": "String"}],
       "relationships": [{"name": "posts", "destination": "Post", "isToMany": true, "inverse": "author"}]},
      {"name": "Note", "attributes": [{"name": "text", "type": "String"}]}
    ]}
    """

  @Test(arguments: Seeds.some(1, of: 3))
  func `ends as one that was never killed, when it is resumed`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let server = try Self.server()
    let model = try TemporaryFile(Self.model, name: "model.json")
    func arguments(_ file: URL) -> [String] {
      [
        "import", "--model", model.path, "--into", file.path, "--pages", "link", "--resume",
        "--output", "none", "Post=\(server.url("posts?page=0").absoluteString)",
      ]
    }
    let whole = TemporaryDatabase()
    let begin = ContinuousClock.now
    #expect(try GraftTool.run(arguments(whole.url), killAfter: 600) == 0)
    let time = (ContinuousClock.now - begin) / .seconds(1)

    let file = TemporaryDatabase()
    var status: Int32?
    var killCount = 0
    while status == nil, killCount < 200 {
      // Twenty moments or so; each comes later than the one before, so that the last import ends also where other tests
      // take the processor meanwhile.
      status = try GraftTool.run(
        arguments(file.url),
        killAfter: time * (0.02 + Double.random(in: 0...0.1, using: &random))
          * pow(1.05, Double(killCount)))
      guard status == nil else { break }
      killCount += 1
      // A process may be killed between its last save and its end; another one would begin anew.
      let posts = Self.pageCount * Self.pageSize
      let hasEnded =
        "SELECT count(*) = \(posts) AND (SELECT count(*) FROM graft_note) = 0 FROM Post"
      if (try? file.rows(hasEnded)) == ["1"] { status = 0 }
    }
    #expect(status == 0 && killCount > 0)
    #expect(try file.integrityFaults() == [])
    let (found, expected) = (
      try GraphDatabase(contentsOf: file.url), try GraphDatabase(contentsOf: whole.url)
    )
    #expect(try await found.graph().canonicalJSON() == expected.graph().canonicalJSON())
    #expect(try file.rows("SELECT count(*) FROM Note") == ["\(Self.pageCount * Self.pageSize)"])
    #expect(try file.rows("SELECT count(*) FROM graft_note") == ["0"])
    // Each page is asked for once; a kill repeats a page, and the next one, which is requested while it is parsed.
    #expect(server.requests.count <= 2 * Self.pageCount + 2 * killCount)
  }
}
