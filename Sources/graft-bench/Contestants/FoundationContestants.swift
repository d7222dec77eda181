import Foundation

extension Contestant {
  /// Foundation's `JSONDecoder`, reading the fields that the import maps into structs.
  static let decoder = Contestant(
    name: "decoder", title: "JSONDecoder", readsChunks: false
  ) { _ in
    DecoderReader()
  }
}

private final class DecoderReader: DocumentReader {
  private var page: TimelinePage?

  func read(_ bytes: Data) throws {
    page = try JSONDecoder().decode(TimelinePage.self, from: bytes)
  }

  func finish() throws {
    guard page != nil else { throw ContestantError(description: "JSONDecoder found no page") }
  }
}

// The fields of a timeline that the import maps, as one would declare them for `JSONDecoder`. Dates
// and identifiers stay strings here, though the import converts them, in favour of Foundation, whose
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

extension Contestant {
  /// Foundation's `JSONSerialization`, and the fields that the import maps picked from its
  /// dictionaries.
  static let serialization = Contestant(
    name: "serialization", title: "JSONSerialization", readsChunks: false
  ) { subject in
    SerializationReader(subject: subject)
  }
}

private final class SerializationReader: DocumentReader {
  private typealias Members = [String: Any]
  private let subject: Subject
  private var tree: Any?
  private var picked: [PickedTweet] = []

  private struct PickedTweet {
    let identifier: String
    let text: String
    let createdAt: String?
    let language: String?
    let retweetCount: Int
    let favoriteCount: Int
    let author: PickedUser?
    let hashtags: [String]
  }

  private struct PickedUser {
    let identifier: String
    let screenName: String
    let name: String?
    let followersCount: Int
    let isVerified: Bool
    let joinedAt: String?
  }

  init(subject: Subject) {
    self.subject = subject
  }

  func read(_ bytes: Data) throws {
    let tree = try JSONSerialization.jsonObject(with: bytes)
    self.tree = tree
    guard case .timeline = subject else { return }
    guard let page = tree as? Members, let statuses = page["statuses"] as? [Members] else {
      throw ContestantError(description: "JSONSerialization found no \"statuses\"")
    }
    for status in statuses {
      pick(status)
    }
  }

  func finish() throws {
    guard tree != nil else { throw ContestantError(description: "JSONSerialization found nothing") }
  }

  private func pick(_ status: Members) {
    if let original = status["retweeted_status"] as? Members { pick(original) }
    guard let identifier = status["id_str"] as? String, let text = status["text"] as? String else {
      return
    }
    let entities = status["entities"] as? Members
    let hashtags = entities?["hashtags"] as? [Members] ?? []
    picked.append(
      PickedTweet(
        identifier: identifier,
        text: text,
        createdAt: status["created_at"] as? String,
        language: status["lang"] as? String,
        retweetCount: status["retweet_count"] as? Int ?? 0,
        favoriteCount: status["favorite_count"] as? Int ?? 0,
        author: (status["user"] as? Members).flatMap(user),
        hashtags: hashtags.compactMap { $0["text"] as? String }
      ))
  }

  private func user(_ members: Members) -> PickedUser? {
    guard let identifier = members["id_str"] as? String,
      let screenName = members["screen_name"] as? String
    else { return nil }
    return PickedUser(
      identifier: identifier,
      screenName: screenName,
      name: members["name"] as? String,
      followersCount: members["followers_count"] as? Int ?? 0,
      isVerified: members["verified"] as? Bool ?? false,
      joinedAt: members["created_at"] as? String
    )
  }
}
