import Foundation

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

  func read(_ bytes: UnsafeRawBufferPointer) throws {
    let tree = try JSONSerialization.jsonObject(with: bytes.borrowedData)
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
