import Foundation
import Graft
import GraftExport
import Testing

@testable import GraftTestSupport

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

  @Test func `link many objects in a time that grows with their number`() throws {
    struct Album: Entity { let songs = ToManyOrdered<Song>() }
    struct Song: Entity { let title = Attribute<String?>() }
    func seconds(_ count: Int) throws -> Double {
      let store = try GraphStore(for: Album.self)
      return try store.write { graph in
        let album = try graph.insert(Album.self)
        let songs = try (0..<count).map { _ in try graph.insert(Song.self) }
        let seconds = ThreadTime.seconds { album.songs.append(contentsOf: songs) }
        #expect(Array(album.songs).map(\.objectID) == songs.map(\.objectID))
        return seconds
      }
    }
    let few = try seconds(1_000)
    #expect(try seconds(20_000) < few * 20 * 3 + 0.5)
  }

  @Test func `delete one object, or several`() throws {
    let store = try Tweet.store()
    try store.write { graph in
      let first = try #require(try graph.object(Tweet.self, id: 1))
      #expect(try graph.delete(first) == 1)
      #expect(try graph.delete(first) == 0)
      #expect(try graph.delete(graph.objects(Hashtag.self)) == 2)
    }
    #expect(store.graph.objects(Tweet.self).map(\.id) == [2])
    #expect(store.graph.count(of: Hashtag.self) == 0)
  }

  @Test func `treat a relationship as a collection`() throws {
    struct List: Entity {
      let items = ToManyOrdered<Item>()
      let marked = ToMany<Item>(inverse: \.markedIn)
    }
    struct Item: Entity {
      let name = Attribute<String>()
      let markedIn = ToMany<List>()
    }
    let store = try GraphStore(for: List.self)
    let id = try store.write { graph in
      let list = try graph.insert(List.self)
      let items = try ["a", "b", "c", "d"].map { name in
        try graph.insert(Item.self) { $0.name = name }
      }
      list.items = [items[0], items[1]]
      list.items.append(contentsOf: items[2...])
      #expect(list.items.count == 4 && list.items[2].name == "c" && list.items.last == items[3])
      #expect(list.items.first?.name == "a" && list.items.contains(items[1]))
      #expect(list.items.firstIndex(of: items[3]) == 3)
      #expect(list.items.remove(at: 0) == items[0])
      list.items.insert(items[0], at: 1)
      #expect(list.items.map(\.name) == ["b", "a", "c", "d"])
      list.items.removeAll { $0.name > "b" }
      #expect(list.items.map(\.name) == ["b", "a"])
      list.items.replace(with: list.items.sorted { $0.name < $1.name })
      list.marked.append(contentsOf: items)
      #expect(list.marked[3].name == "d" && items[1].markedIn.first == list)
      list.marked.removeAll()
      #expect(list.marked.isEmpty && items[1].markedIn.isEmpty)
      list.marked = [items[3]]
      try items[1].delete()
      #expect(list.items.count == 1 && list.items[0].name == "a")
      return list.objectID
    }
    let list = try #require(store.graph.object(id, as: List.self))
    #expect(list.items.map(\.name) == ["a"])
    #expect(list.marked.map(\.name) == ["d"])
    try store.write { graph in graph.object(list)?.items = [] }
    #expect(store.graph.object(id, as: List.self)?.items.isEmpty == true)
  }

  @Test func `see the objects of an entity as a collection`() throws {
    let store = try Tweet.store()
    try store.write { graph in
      let tweets = graph.objects(Tweet.self)
      #expect(tweets.first?.id == 1 && tweets.last?.id == 2 && tweets.count == 2)
      for tweet in tweets {
        try graph.insert(Tweet.self) { new in
          (new.id, new.text, new.postedAt) = (tweet.id + 10, "New", tweet.postedAt)
        }
        try tweet.delete()
      }
      #expect(tweets.isEmpty)
      #expect(graph.objects(Tweet.self).map(\.id) == [11, 12])
      #expect(try graph.objects("Tweet").first?["id"] == .integer(11))
    }
  }

  @Test func `and reads find objects by identities of several attributes`() throws {
    struct Seat: Entity {
      let row = Attribute<String>()
      let number = Attribute<Int64>()
      let isTaken = Attribute<Bool>(default: false)
      static let identity = [\Self.row, \Self.number]
    }
    let store = try GraphStore(for: Seat.self)
    try store.write { graph in
      let seat = try graph.findOrInsert(Seat.self, identifiedBy: (\.row, "F"), (\.number, 12))
      seat.isTaken = true
      #expect(try graph.object(Seat.self, identifiedBy: (\.number, 12), (\.row, "F")) == seat)
    }
    let graph = store.graph
    #expect(
      try graph.object(Seat.self, identifiedBy: (\.row, "F"), (\.number, 12))?.isTaken == true)
    #expect(try graph.object(Seat.self, identifiedBy: (\.row, "F"), (\.number, 13)) == nil)
    let error = #expect(throws: StoreError.self) {
      try graph.object(Seat.self, identifiedBy: (\.row, "F"))
    }
    #expect(
      error?.message
        == "the identity of Seat is \"row\", \"number\"; a value for \"number\" is missing")
    let other = #expect(throws: StoreError.self) {
      try graph.object(Seat.self, identifiedBy: (\.row, "F"), (\.isTaken, true))
    }
    #expect(other?.message.contains("\"isTaken\" is not part of the identity of Seat") == true)
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
