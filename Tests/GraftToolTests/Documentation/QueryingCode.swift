import Foundation
import Graft
import GraftExport

@testable import GraftTestSupport

enum QueryingAGraph: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int64>("id_str")
    let text = Attribute<String>()
    let postedAt = Attribute<Date>("created_at", isIndexed: true)
    let retweets = Attribute<Int>("retweet_count", default: 0, isIndexed: true)
    let author = ToOne<User>("user", inverse: \.tweets)
    static let identity = [\Self.id]
  }

  struct User: Entity {
    let id = Attribute<Int64>("id_str")
    let screenName = Attribute<String?>("screen_name")
    let tweets = ToMany<Tweet>(.nowhere)
    static let identity = [\Self.id]
  }

  struct Line: Decodable {
    let text: String
    let author: Author?

    struct Author: Decodable { let screenName: String? }
  }

  static func collections(_ graph: Graph) throws -> [Int] {
    let tweets = graph.objects(Tweet.self)
    let loud = tweets.filter { $0.text.contains("!") }
    let recent = tweets.sorted(using: KeyPathComparator(\.postedAt, order: .reverse))
    let first = try graph.object(Tweet.self, id: 1)
    let count = graph.count(of: Tweet.self)
    return [loud.count, Int(recent[0].id), first?.retweets ?? -1, count]
  }

  static func indexes(_ tweets: Objects<Tweet>) -> [Int64] {
    let newest = tweets.ordered(by: \.postedAt, .reverse).prefix(10)
    let unnoticed = tweets.where(\.retweets, equals: 0)
    let shared = tweets.where(\.retweets, in: 5...)
    print(unnoticed.count, shared.count)
    return newest.map(\.id)
  }

  static func chains(_ tweets: Objects<Tweet>) -> [Int64] {
    let best = tweets.where(\.retweets, in: 5...).ordered(by: \.postedAt, .reverse).first
    let unheard = best?.author?.tweets.where(\.retweets, equals: 0).ordered(by: \.text)
    return [best?.id ?? 0] + (unheard?.map(\.id) ?? [])
  }

  static func columns(_ tweets: Objects<Tweet>) -> Int {
    let total = tweets.column(\.retweets).reduce(0, +)
    return total
  }

  static func relationships(_ graph: Graph) {
    for user in graph.objects(User.self) {
      print(user.screenName ?? "?", user.tweets.count, user.tweets.map(\.retweets).max() ?? 0)
    }
  }

  static func decoded(_ tweets: Objects<Tweet>) throws -> [Line] {
    let lines = try tweets.map { try $0.decoded(as: Line.self) }
    return lines
  }

  static func named(_ graph: Graph) throws {
    for tweet in try graph.objects("Tweet").where("retweets", in: 5...) {
      if case .string(let text) = tweet["text"] { print(text) }
    }
  }
}
