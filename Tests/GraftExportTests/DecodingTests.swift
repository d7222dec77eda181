import Foundation
import Graft
import GraftExport
import Testing

@testable import GraftTestSupport

@Suite struct `An object is decoded` {
  struct Author: Decodable, Equatable {
    var id: Int64
    var screenName: String?
  }

  @Test func `with what it is linked to`() throws {
    struct Summary: Decodable {
      struct Tag: Decodable { var text: String }
      var text: String
      var postedAt: Date
      var retweets: UInt8
      var author: Author?
      var hashtags: [Tag]
    }
    let tweets = try Tweet.store().graph.objects(Tweet.self).map {
      try $0.decoded(as: Summary.self)
    }
    #expect(tweets.map(\.text) == ["Look west", "There it is"])
    #expect(tweets.map(\.retweets) == [5, 0])
    #expect(tweets.map(\.author) == Array(repeating: Author(id: 7, screenName: "ada"), count: 2))
    #expect(tweets.map { $0.hashtags.map(\.text) } == [["sun", "west"], ["sun"]])
    #expect(tweets[0].postedAt == Date(timeIntervalSince1970: 1_348_457_721))
  }

  @Test func `by keys that the type renames`() throws {
    struct Renamed: Decodable {
      enum CodingKeys: String, CodingKey {
        case body = "text"
        case by = "author"
      }
      var body: String
      var by: Author
    }
    let tweet = try #require(try Tweet.store().graph.objects(Tweet.self).first)
    let renamed: Renamed = try tweet.decoded()
    #expect(renamed.body == "Look west")
    #expect(renamed.by.id == 7)
  }

  @Test func `though its objects form a cycle, by a type that does not`() throws {
    struct Reader: Decodable {
      struct Post: Decodable { var author: Author }
      var tweets: [Post]
    }
    let user = try #require(try Tweet.store().graph.objects(User.self).first)
    #expect(try user.decoded(as: Reader.self).tweets.map(\.author.id) == [7, 7])
  }

  final class Node: Decodable {
    let id: Int
    let next: Node?
  }

  private func chain(_ count: Int, closed: Bool) throws -> GraphObject {
    let description = EntityDescription(
      name: "Node", attributes: [AttributeDescription(name: "id", type: .integer64)],
      relationships: [RelationshipDescription(name: "next", destination: "Node")])
    let store = GraphStore(model: try GraphModel(entities: [description]))
    try store.write { graph in
      let nodes = try (0..<count).map { try graph.insert("Node", ["id": .integer(Int64($0))]) }
      for (node, next) in zip(nodes, nodes.dropFirst()) { try node.setObject(next, of: "next") }
      if closed { try nodes[count - 1].setObject(nodes[0], of: "next") }
    }
    return try #require(try store.graph.objects("Node").first)
  }

  @Test func `into a type that contains itself, down to a limit`() throws {
    let first = try chain(11, closed: false)
    let node = try first.decoded(as: Node.self, depthLimit: 10)
    #expect(sequence(first: node) { $0.next }.map(\.id) == Array(0..<11))
    let error = #expect(throws: DecodingError.self) {
      try first.decoded(as: Node.self, depthLimit: 9)
    }
    #expect("\(try #require(error))".contains("Node.next leads deeper than the limit of 9"))
  }

  @Test func `into no type that contains itself, where the objects form a cycle`() throws {
    let first = try chain(3, closed: true)
    let error = #expect(throws: DecodingError.self) { try first.decoded(as: Node.self) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("not about the data: \(String(describing: error))")
      return
    }
    #expect(context.codingPath.count == 101)
    #expect(context.debugDescription.contains("Node.next"))
  }

  @Test func `as a dictionary too`() throws {
    let first = try chain(2, closed: false)
    let next = try #require(first.object("next"))
    #expect(
      throws: DecodingError.self, "an object is no integer"
    ) { try first.decoded(as: [String: Int?].self) }
    #expect(try next.decoded(as: [String: Int?].self) == ["id": 1, "next": nil])
  }
}
