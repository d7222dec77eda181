import Foundation
import Graft
import Testing

@testable import GraftTestSupport

@Suite struct `Typed entities` {
  @Test func `are imported and read by their members`() throws {
    let graph = try Tweet.store().graph
    let tweets = graph.objects(Tweet.self)
    #expect(tweets.count == 2)
    let first = try #require(tweets.first)
    #expect(first.id == 1)
    #expect(first.text == "Look west")
    #expect(first.retweets == 5)
    #expect(first.postedAt == Date(timeIntervalSince1970: 1_348_457_721))
    #expect(first.author?.screenName == "ada")
    #expect(first.author?.tweets.count == 2)
    #expect(first.hashtags.map(\.text) == ["sun", "west"])
    #expect(tweets.map(\.retweets) == [5, 0])
  }

  @Test func `bring those along that they lead to`() throws {
    let model = try GraphModel(for: Tweet.self)
    #expect(model.entities.map(\.name) == ["Tweet", "User", "Hashtag"])
  }

  @Test func `are sorted, compared and filtered by their members`() throws {
    let tweets = try Tweet.store().graph.objects(Tweet.self)
    #expect(
      tweets.sorted(using: SortDescriptor(\Object<Tweet>.retweets)).map(\.id) == [2, 1])
    #expect(
      tweets.sorted(using: KeyPathComparator(\Object<Tweet>.text, order: .reverse)).map(\.id)
        == [2, 1])
    let popular = #Predicate<Object<Tweet>> { $0.retweets > 1 }
    #expect(try tweets.filter(popular).map(\.id) == [1])
  }

  @Test func `are found by their identity`() throws {
    let graph = try Tweet.store().graph
    #expect(try graph.object(Tweet.self, id: 2)?.text == "There it is")
    #expect(try graph.object(Hashtag.self, id: "sun")?.text == "sun")
    #expect(try graph.object(Tweet.self, id: 3) == nil)
  }
}

@Suite struct `Handles` {
  private struct Named: Entity {
    let id = Attribute<Int>()
    let type = Attribute<String>()
    let description = Attribute<String>()
    let hash = Attribute<String>()
    static let identity = [\Self.id]
  }

  private func named() throws -> Object<Named> {
    let store = try GraphStore(for: Named.self)
    let document = #"{"id": 1, "type": "t", "description": "d", "hash": "h"}"#
    try store.importJSON(Named.self, from: Data(document.utf8))
    return try #require(store.graph.objects(Named.self).first)
  }

  @Test func `have members of the entity before members of their own`() throws {
    let object = try named()
    #expect(object.id == 1)
    #expect(object.type == "t")
    #expect(object.description == "d")
  }

  @Test func `give by key path what a member of their own hides`() throws {
    #expect(try named()[\.hash] == "h")
  }

  @Test func `print what their objects hold`() throws {
    #expect(
      try "\(named())" == #"Named(id: 1, type: "t", description: "d", hash: "h")"#)
    #expect(
      try "\(Tweet.store().graph.objects(User.self))"
        == #"[User(id: 7, screenName: "ada")]"#)
  }

  @Test func `are equal across snapshots until a value, a link or the order of links differs`()
    throws
  {
    let store = try Tweet.store()
    let before = store.graph
    func tweet(_ graph: Graph) throws -> Object<Tweet> {
      try #require(try graph.object(Tweet.self, id: 1))
    }
    func change(_ body: (MutableObject<Tweet>, MutableGraph) throws -> Void) throws -> Graph {
      try store.write { graph in try body(#require(try graph.object(Tweet.self, id: 1)), graph) }
      return store.graph
    }
    let other = try change { _, graph in try graph.object(Tweet.self, id: 2)?.text = "Changed" }
    #expect(try tweet(before) == tweet(other))
    #expect(try GraphObject(tweet(before)) == GraphObject(tweet(other)))
    #expect(try Set([tweet(before), tweet(other)]).count == 1)
    let author = try change { tweet, _ in tweet.author?.screenName = "augusta" }
    #expect(try tweet(before) == tweet(author), "what it leads to is not its content")
    #expect(try tweet(before).author != tweet(author).author)
    let counted = try change { tweet, _ in tweet.retweets += 1 }
    #expect(try tweet(before) != tweet(counted))
    #expect(try GraphObject(tweet(before)) != GraphObject(tweet(counted)))
    let back = try change { tweet, _ in tweet.retweets -= 1 }
    #expect(try tweet(before) == tweet(back))
    let linked = try change { tweet, graph in
      tweet.hashtags.append(try graph.findOrInsert(Hashtag.self, id: "moon"))
    }
    #expect(try tweet(before) != tweet(linked))
    let unlinked = try change { tweet, _ in tweet.author = nil }
    #expect(try tweet(linked) != tweet(unlinked))
  }

  @Test func `of two stores are never equal`() throws {
    let (first, second) = try (Tweet.store(), Tweet.store())
    #expect(first.graph.objects(Tweet.self).first != second.graph.objects(Tweet.self).first)
    #expect(
      first.graph.objects(Tweet.self).first?.objectID
        != second.graph.objects(Tweet.self).first?.objectID)
  }

  @Test func `are equal on the same object of the same snapshot`() throws {
    let store = try Tweet.store()
    let first = try #require(store.graph.objects(Tweet.self).first)
    #expect(try first == #require(store.graph.objects(Tweet.self).first))
    #expect(first != store.graph.objects(Tweet.self).last)
    #expect(Set([first, first]).count == 1)
    #expect(Object<Tweet>(GraphObject(first)) == first)
    #expect(Object<User>(GraphObject(first)) == nil)
  }
}
