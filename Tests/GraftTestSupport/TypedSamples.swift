import Foundation
import Graft

struct Tweet: Entity {
  let id = Attribute<Int64>("id_str")
  let text = Attribute<String>()
  let postedAt = Attribute<Date>("created_at", format: "EEE MMM dd HH:mm:ss Z yyyy")
  let retweets = Attribute<Int>("retweet_count", default: 0)
  let author = ToOne<User>("user", inverse: \.tweets)
  let hashtags = ToMany<Hashtag>("entities.hashtags")
  static let identity = [\Self.id]
}

struct User: Entity {
  let id = Attribute<Int64>()
  let screenName = Attribute<String?>("screen_name")
  let tweets = ToMany<Tweet>(.nowhere)
  static let identity = [\Self.id]
}

struct Hashtag: Entity {
  let text = Attribute<String>()
  static let identity = [\Self.text]
}

extension Tweet {
  static let document = Data(
    """
    {"statuses": [
      {"id_str": "1", "text": "Look west", "created_at": "Mon Sep 24 03:35:21 +0000 2012",
       "user": {"id": 7, "screen_name": "ada"}, "retweet_count": 5,
       "entities": {"hashtags": [{"text": "sun"}, {"text": "west"}]}},
      {"id_str": "2", "text": "There it is", "created_at": "Mon Sep 24 03:36:21 +0000 2012",
       "user": {"id": 7}, "entities": {"hashtags": [{"text": "sun"}]}}
    ]}
    """.utf8)

  static func store() throws -> GraphStore {
    let store = try GraphStore(for: Tweet.self)
    try store.importJSON(Tweet.self, at: "statuses", from: document)
    return store
  }
}
