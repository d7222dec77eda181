import Foundation
import Graft
import GraftExport
import Testing

@testable import GraftTestSupport

// The model of Fixtures/schemas/Timeline.xcdatamodeld, written as types.
private enum Timeline {
  static let format = "EEE MMM dd HH:mm:ss Z yyyy"

  struct Tweet: Entity {
    let identifier = Attribute<Int64>("id_str")
    let text = Attribute<String>()
    let createdAt = Attribute<Date?>("created_at", format: Timeline.format)
    let favoriteCount = Attribute<Int32>("favorite_count", default: 0)
    let retweetCount = Attribute<Int32>("retweet_count", default: 0)
    let language = Attribute<String?>("lang")
    let author = ToOne<User>("user", inverse: \.tweets)
    let hashtags = ToManyOrdered<Hashtag>("entities.hashtags", inverse: \.tweets)
    let original: ToOne<Tweet> = ToOne("retweeted_status")
    let retweets: ToMany<Tweet> = ToMany(.nowhere, inverse: \.original)
    static let identity = [\Self.identifier]
  }

  struct User: Entity {
    let identifier = Attribute<Int64>("id_str")
    let screenName = Attribute<String>("screen_name")
    let name = Attribute<String?>()
    let isVerified = Attribute<Bool>("verified", default: false)
    let followersCount = Attribute<Int32>("followers_count", default: 0)
    let joinedAt = Attribute<Date?>("created_at", format: Timeline.format)
    let tweets = ToMany<Tweet>(.nowhere, deleteRule: .cascade)
    static let identity = [\Self.identifier]
  }

  struct Hashtag: Entity {
    let text = Attribute<String>()
    let tweets = ToMany<Tweet>(.nowhere)
    static let identity = [\Self.text]
  }
}

@Suite struct `The types of a model file` {
  private static let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../Fixtures").standardized

  private func fileModel() throws -> GraphModel {
    try GraphModel(
      contentsOf: Self.fixtures.appending(path: "schemas/Timeline.xcdatamodeld"), dialect: .graft)
  }

  @Test func `make the same model`() throws {
    #expect(try GraphModel(for: Timeline.Tweet.self) == fileModel())
  }

  @Test func `give the same graph`() throws {
    let document = try Data(
      contentsOf: Self.fixtures.appending(path: "documents/timeline.json"))
    let typed = try GraphStore(for: Timeline.Tweet.self)
    try typed.importJSON(Timeline.Tweet.self, at: "statuses", from: document)
    let named = GraphStore(model: try fileModel())
    try named.importJSON(entity: "Tweet", at: "statuses", from: document)
    let typedTexts = typed.graph.objects(Timeline.Tweet.self).map(\.text)
    let namedTexts = try named.graph.objects("Tweet").map { tweet in
      if case .string(let text)? = tweet["text"] { text } else { "" }
    }
    #expect(typedTexts == namedTexts)
    // Entities are numbered otherwise; what the canonical form says is not.
    #expect(typed.graph.canonicalJSON() == named.graph.canonicalJSON())
  }
}
