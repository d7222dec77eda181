import Foundation
import Graft
import Testing

@Suite struct `Typed writes` {
  @Test func `insert, update, link and delete by members`() throws {
    let store = try Tweet.store()
    let id = try store.write { graph in
      let tweet = try graph.insert(Tweet.self) { tweet in
        tweet.id = 3
        tweet.text = "New"
        tweet.postedAt = Date(timeIntervalSince1970: 0)
      }
      tweet.author = try graph.object(User.self, id: 7)
      tweet.hashtags.append(try graph.findOrInsert(Hashtag.self, id: "sun"))
      tweet.hashtags.append(try graph.findOrInsert(Hashtag.self, id: "moon"))
      tweet.retweets += 2
      try graph.object(Tweet.self, id: 1)?.delete()
      return tweet.objectID
    }
    let graph = store.graph
    let tweet = try #require(graph.object(id, as: Tweet.self))
    #expect(tweet.id == 3 && tweet.text == "New" && tweet.retweets == 2)
    #expect(tweet.author?.id == 7)
    #expect(tweet.hashtags.map(\.text) == ["sun", "moon"])
    #expect(graph.objects(Tweet.self).map(\.id) == [2, 3])
    #expect(try #require(try graph.object(User.self, id: 7)).tweets.map(\.id) == [2, 3])
  }

  @Test func `find objects by their place, and as what they are`() throws {
    let store = try Tweet.store()
    let ids = try #require(store.graph.objects(Tweet.self).first).objectID
    try store.write { graph in
      #expect(graph.count(of: Tweet.self) == 2)
      let tweet = try #require(graph.object(ids, as: Tweet.self))
      #expect(graph.object(ids, as: User.self) == nil)
      #expect(MutableObject<User>(tweet.untyped) == nil)
      #expect(tweet.id == 1)
      tweet.id = 11
    }
    #expect(try store.graph.object(Tweet.self, id: 11)?.text == "Look west")
  }

  @Test func `begin at a handle of a snapshot`() throws {
    let store = try Tweet.store()
    let tweet = try #require(store.graph.objects(Tweet.self).first)
    try store.write { graph in
      graph.object(tweet)?.text = "Changed"
    }
    #expect(tweet.text == "Look west")
    #expect(store.graph.object(tweet.objectID, as: Tweet.self)?.text == "Changed")
  }

  @Test func `that give an identity twice are undone`() throws {
    let store = try Tweet.store()
    let before = store.graph.canonicalJSON()
    let error = #expect(throws: StoreError.self) {
      try store.write { graph in
        try graph.insert(User.self) { $0.id = 8 }
        try graph.insert(User.self) { $0.id = 8 }
      }
    }
    #expect(error?.kind == .duplicateIdentity)
    #expect(store.graph.canonicalJSON() == before)
  }

  @Test func `hold dynamic values to what the type can hold`() throws {
    struct Byte: Entity { let value = Attribute<UInt8>() }
    let store = try GraphStore(for: Byte.self)
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.insert("Byte", ["value": .integer(256)]) }
    }
    #expect(error?.message == "Byte.value: expected an integer between 0 and 255, found 256")
  }

  @Test func `are told to observers of the entity`() async throws {
    let store = try Tweet.store()
    let changes = store.changes(of: Tweet.self)
    try store.write { graph in
      try graph.object(Tweet.self, id: 1)?.delete()
      try graph.object(Tweet.self, id: 2)?.text = "Changed"
    }
    let change = try #require(await changes.first { _ in true })
    #expect(change.deleted(Tweet.self).map(\.text) == ["Look west"])
    #expect(change.updated(Tweet.self).map(\.text) == ["Changed"])
    #expect(change.inserted(Tweet.self).isEmpty)
  }

  @MainActor @Test func `show in observed objects`() async throws {
    let store = try Tweet.store()
    let tweets = ObservedObjects(Tweet.self, in: store) { $0.retweets > 3 }
    #expect(tweets.objects.map(\.id) == [1])
    try store.write { graph in
      try graph.object(Tweet.self, id: 2)?.retweets = 9
    }
    for _ in 0..<1000 where tweets.objects.count < 2 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(tweets.objects.map(\.id) == [1, 2])
  }
}
