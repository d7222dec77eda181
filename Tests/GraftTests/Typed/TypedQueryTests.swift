import Foundation
import Graft
import Testing

@testable import GraftTestSupport

private enum Mood: String, CaseIterable, Sendable { case calm, wild }

private struct Spot: Codable, Equatable, Sendable {
  var x: Int
  var y: Int
}

private struct Media: Entity {
  let id = Attribute<Int>()
  let title = Attribute<String>(isIndexed: true)
  let rating = Attribute<Int?>(isIndexed: true)
  let size = Attribute<UInt8>()
  let mood = Attribute<Mood>(isIndexed: true)
  let spot = Attribute<Spot?>()
  let link = Attribute<URL?>(isIndexed: true)
  static let identity = [\Self.id]
  static let options = EntityOptions<Self>(subentities: [Video.self], discriminator: "type")
}

private struct Video: Entity {
  typealias Superentity = Media
  let duration = Attribute<Double>(isIndexed: true)
  static let options = EntityOptions<Self>(discriminatorValue: "video")
}

@Suite struct `A typed query` {
  private func graph() throws -> Graph {
    let store = try GraphStore(for: Media.self)
    let document = """
      [
        {"id": 1, "title": "Waves", "rating": 3, "size": 9, "mood": "wild",
         "spot": {"y": 2, "x": 1}, "type": "video", "duration": 1.5},
        {"id": 2, "title": "Beach", "size": 7, "mood": "calm", "link": "https://a.b"},
        {"id": 3, "title": "Waves", "rating": 5, "size": 200, "mood": "wild", "type": "video",
         "duration": 0.5},
        {"id": 4, "title": "Dunes", "rating": 3, "size": 0, "mood": "calm", "spot": {"x": 0, "y": 0}}
      ]
      """
    try store.importJSON(Media.self, from: Data(document.utf8))
    return store.graph
  }

  @Test func `finds equal values of any type`() throws {
    let media = try graph().objects(Media.self)
    #expect(media.where(\.title, equals: "Waves").map(\.id) == [1, 3])
    #expect(media.where(\.rating, equals: 3).map(\.id) == [4, 1])
    #expect(media.where(\.rating, equals: nil).map(\.id) == [2])
    #expect(media.where(\.size, equals: 200).map(\.id) == [3])
    #expect(media.where(\.mood, equals: .wild).map(\.id) == [1, 3])
    #expect(media.where(\.spot, equals: Spot(x: 1, y: 2)).map(\.id) == [1])
    #expect(media.where(\.spot, equals: nil).map(\.id) == [2, 3])
    #expect(media.where(\.link, equals: URL(string: "https://a.b")).map(\.id) == [2])
    #expect(media.where(\.title, equals: "waves").isEmpty)
  }

  @Test func `finds the values of a range, least first`() throws {
    let media = try graph().objects(Media.self)
    #expect(media.where(\.rating, in: 3...).map(\.id) == [4, 1, 3])
    #expect(media.where(\.rating, in: ..<5).count == 2)
    #expect(media.where(\.title, in: "C"..<"W").map(\.title) == ["Dunes"])
    #expect(media.where(\.size, in: 1...9).map(\.id) == [2, 1])
  }

  @Test func `orders, with objects that lack a value last both ways`() throws {
    let media = try graph().objects(Media.self)
    #expect(media.ordered(by: \.rating).map(\.id) == [4, 1, 3, 2])
    #expect(media.ordered(by: \.rating, .reverse).map(\.id) == [3, 4, 1, 2])
    #expect(media.ordered(by: \.title).prefix(2).map(\.title) == ["Beach", "Dunes"])
  }

  @Test func `reaches the attributes of the entity above`() throws {
    let videos = try graph().objects(Video.self)
    #expect(videos.where(\.title, equals: "Waves").map(\.id) == [1, 3])
    #expect(videos.where(\.rating, in: 4...).map(\.id) == [3])
    #expect(videos.where(\.size, in: 10...).map(\.id) == [3])
    #expect(videos.ordered(by: \.title).map(\.id) == [1, 3])
    #expect(videos.ordered(by: \.duration).map(\.id) == [3, 1])
    #expect(videos.where(\.duration, in: ...1).first?.id == 3)
  }

  @Test func `narrows and orders what the call before found, whichever has an index`() throws {
    let media = try graph().objects(Media.self)
    #expect(media.where(\.mood, equals: .wild).where(\.rating, in: 4...).map(\.id) == [3])
    #expect(media.where(\.size, in: 1...).where(\.title, equals: "Waves").map(\.id) == [1, 3])
    #expect(media.where(\.mood, equals: .wild).where(\.mood, equals: .calm).isEmpty)
    #expect(media.where(\.rating, equals: nil).where(\.size, equals: 7).map(\.id) == [2])
    #expect(
      media.where(\.title, equals: "Waves").ordered(by: \.size, .reverse).map(\.id) == [3, 1])
    #expect(media.where(\.size, in: 1...).ordered(by: \.rating).map(\.id) == [1, 3, 2])
    #expect(media.ordered(by: \.rating).where(\.size, in: 0..<100).map(\.id) == [4, 1, 2])
    #expect(media.ordered(by: \.size).ordered(by: \.mood).map(\.id) == [4, 2, 1, 3])
    #expect(media.ordered(by: \.size).ordered(by: \.mood, .reverse).map(\.id) == [1, 3, 4, 2])
    let calm = media.where(\.mood, equals: .calm).ordered(by: \.size)
    #expect(calm.count == 2 && calm.first?.id == 4 && !calm.isEmpty)
    #expect(media.ordered(by: \.size).where(\.size, equals: 9).count == 1)
  }

  @Test func `of several conditions finds what filtering finds`() throws {
    struct Item: Entity {
      let a = Attribute<Int>(isIndexed: true)
      let b = Attribute<Int?>(isIndexed: true)
      let c = Attribute<String>()
    }
    var random = SeededGenerator(seed: 7)
    let store = try GraphStore(for: Item.self)
    try store.write { graph in
      for _ in 0..<500 {
        try graph.insert(Item.self) { item in
          item.a = .random(in: 0..<5, using: &random)
          item.b = Bool.random(using: &random) ? .random(in: 0..<5, using: &random) : nil
          item.c = String(Int.random(in: 0..<20, using: &random))
        }
      }
      try graph.delete(graph.objects(Item.self).filter { $0.a == 4 })
    }
    let items = store.graph.objects(Item.self)
    for a in 0..<5 {
      let found = items.where(\.a, equals: a).where(\.b, in: 1..<4).where(\.c, in: "1"..."5")
      let expected = items.filter { item in
        item.a == a && (1..<4).contains(item.b ?? -1) && ("1"..."5").contains(item.c)
      }
      #expect(Array(found) == expected)
      #expect(found.count == expected.count)
      #expect(
        found.ordered(by: \.c).map(\.c)
          == expected.map(\.c).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
  }

  @Test func `narrows related objects, which keep their order`() throws {
    let store = try Tweet.store()
    let user = try #require(try store.graph.object(User.self, id: 7))
    #expect(user.tweets.where(\.retweets, in: 1...).map(\.id) == [1])
    #expect(user.tweets.ordered(by: \.text, .reverse).map(\.id) == [2, 1])
    #expect(user.tweets.where(\.retweets, in: 0...).map(\.id) == [1, 2])
    let tags = try #require(user.tweets.first).hashtags
    #expect(tags.where(\.text, equals: "sun").ordered(by: \.text).count == 1)
    #expect(tags.ordered(by: \.text).count == 2)
  }

  @Test func `by names chains as well`() throws {
    let tweets = try Tweet.store().graph.objects("Tweet")
    let found = try tweets.where("retweets", in: 0...).where("text", equals: .string("Look west"))
    #expect(found.count == 1)
    #expect(
      try tweets.ordered(by: "retweets").where("id", in: 2...).map { $0["id"] } == [.integer(2)])
    #expect(throws: StoreError.self) { try found.where("txet", equals: nil) }
  }

  @Test func `counts an entity with or without those below it`() throws {
    let graph = try graph()
    #expect(graph.count(of: Media.self) == 4)
    #expect(graph.count(of: Media.self, includesSubentities: false) == 2)
    #expect(graph.objects(Media.self, includesSubentities: false).map(\.id) == [2, 4])
  }

  @Test func `can be asked again and again, and filtered further`() throws {
    let calm = try graph().objects(Media.self).where(\.mood, equals: .calm)
    #expect(calm.count == 2)
    #expect(calm.map(\.id) == calm.map(\.id))
    #expect(calm.filter { $0.rating != nil }.map(\.id) == [4])
  }
}
