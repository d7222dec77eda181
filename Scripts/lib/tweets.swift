// Prints a few tweets of a graph that `graft import --output graph` wrote to standard input.

import Foundation

/// The graph, as far as the demo shows it: objects by entity, linked by their "@id".
struct TimelineGraph: Decodable {
  let tweets: [Tweet]
  let users: [User]
  let hashtags: [Hashtag]

  enum CodingKeys: String, CodingKey {
    case tweets = "Tweet"
    case users = "User"
    case hashtags = "Hashtag"
  }

  struct Tweet: Decodable {
    let text: String
    let author: String?
    let original: String?
    let retweets: [String]
    let hashtags: [String]
  }

  struct User: Decodable {
    let id: String
    let name: String?
    let screenName: String
    let tweets: [String]

    enum CodingKeys: String, CodingKey {
      case id = "@id"
      case name, screenName, tweets
    }
  }

  struct Hashtag: Decodable {
    let id: String
    let text: String

    enum CodingKeys: String, CodingKey {
      case id = "@id"
      case text
    }
  }
}

@main
struct Tweets {
  static func main() throws {
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let graph = try JSONDecoder().decode(TimelineGraph.self, from: input)
    let users = Dictionary(uniqueKeysWithValues: graph.users.map { ($0.id, $0) })
    let hashtags = Dictionary(uniqueKeysWithValues: graph.hashtags.map { ($0.id, $0.text) })
    for tweet in graph.tweets.filter({ $0.original == nil }).prefix(6) {
      guard let author = tweet.author.flatMap({ users[$0] }) else { continue }
      print("\n  \(author.name ?? "") @\(author.screenName), one of \(author.tweets.count) tweets")
      for line in tweet.text.split(separator: "\n") {
        print("    \(line)")
      }
      let notes = tweet.hashtags.compactMap { hashtags[$0] }.map { "hashtag \($0)" }
      let retweets = tweet.retweets.isEmpty ? [] : ["retweets: \(tweet.retweets.count)"]
      if !(notes + retweets).isEmpty {
        print("    (\((notes + retweets).joined(separator: ", ")))")
      }
    }
    print()
  }
}
