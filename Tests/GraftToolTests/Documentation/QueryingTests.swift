import Foundation
import Graft
import Testing

@testable import GraftTestSupport

@Suite struct `The article on queries` {
  private typealias Code = QueryingAGraph

  private func graph() throws -> Graph {
    let store = try GraphStore(for: Code.Tweet.self)
    let document = """
      [{"id_str": "1", "text": "Oh!", "created_at": 100, "retweet_count": 7,
        "user": {"id_str": "9", "screen_name": "ada"}},
       {"id_str": "2", "text": "Hm", "created_at": 300, "user": {"id_str": "9"}},
       {"id_str": "3", "text": "Ah", "created_at": 200, "retweet_count": 5}]
      """
    try store.importJSON(Code.Tweet.self, from: Data(document.utf8))
    return store.graph
  }

  @Test func `finds, filters, sorts and counts`() throws {
    #expect(try Code.collections(graph()) == [1, 2, 7, 3])
  }

  @Test func `looks up by indexes, and sums a column`() async throws {
    let tweets = try graph().objects(Code.Tweet.self)
    let printed = try await Code.transcript { #expect(Code.indexes(tweets) == [2, 3, 1]) }
    #expect(printed == "1 2")
    #expect(Code.columns(tweets) == 12)
  }

  @Test func `chains conditions and orders`() throws {
    #expect(try Code.chains(graph().objects(Code.Tweet.self)) == [3])
  }

  @Test func `follows relationships`() async throws {
    let graph = try graph()
    #expect(try await Code.transcript { Code.relationships(graph) } == "ada 2 7")
  }

  @Test func `decodes into types of one's own`() throws {
    let lines = try Code.decoded(graph().objects(Code.Tweet.self))
    #expect(lines.map(\.text) == ["Oh!", "Hm", "Ah"])
    #expect(lines.map(\.author?.screenName) == ["ada", "ada", nil])
  }

  @Test func `reads by names`() async throws {
    let graph = try graph()
    #expect(try await Code.transcript { try Code.named(graph) } == "Ah\nOh!")
  }
}
