// The fields of a timeline that the import maps, as one would declare them for `JSONDecoder`. Dates
// and identifiers stay texts here, though the import converts them, in favour of Foundation, whose
// `DateFormatter` is slow.

struct TimelinePage: Decodable {
  let statuses: [TimelineTweet]
}

/// A class, because a tweet holds its original, which is a tweet.
final class TimelineTweet: Decodable {
  let identifier: String
  let text: String
  let createdAt: String
  let language: String?
  let retweetCount: Int
  let favoriteCount: Int
  let author: TimelineUser
  let entities: TimelineEntities
  let original: TimelineTweet?

  private enum CodingKeys: String, CodingKey {
    case identifier = "id_str"
    case text
    case createdAt = "created_at"
    case language = "lang"
    case retweetCount = "retweet_count"
    case favoriteCount = "favorite_count"
    case author = "user"
    case entities
    case original = "retweeted_status"
  }
}

struct TimelineUser: Decodable {
  let identifier: String
  let screenName: String
  let name: String?
  let followersCount: Int
  let isVerified: Bool
  let joinedAt: String

  private enum CodingKeys: String, CodingKey {
    case identifier = "id_str"
    case screenName = "screen_name"
    case name
    case followersCount = "followers_count"
    case isVerified = "verified"
    case joinedAt = "created_at"
  }
}

struct TimelineEntities: Decodable {
  let hashtags: [TimelineHashtag]
}

struct TimelineHashtag: Decodable {
  let text: String
}
