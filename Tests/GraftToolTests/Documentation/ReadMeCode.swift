import Foundation
import Graft
import GraftExport

@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum ReadMe: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int64>("id_str")  // the string "1845…" becomes an Int64
    let text = Attribute<String>()  // the same name in JSON
    let postedAt = Attribute<Date>("created_at", format: "EEE MMM dd HH:mm:ss Z yyyy")
    let retweets = Attribute<Int>("retweet_count", default: 0)
    let author = ToOne<User>("user", inverse: \.tweets)
    let original = ToOne<Tweet>("retweeted_status")
    let hashtags = ToMany<Hashtag>("entities.hashtags")  // a path into nested objects
    static let identity = [\Self.id]
  }

  struct User: Entity {
    let id = Attribute<Int64>("id_str")
    let screenName = Attribute<String>("screen_name")
    let tweets = ToMany<Tweet>(.nowhere)  // filled from Tweet.author, its inverse
    static let identity = [\Self.id]
  }

  struct Hashtag: Entity {
    let text = Attribute<String>()
    static let identity = [\Self.text]
  }

  static func typed() async throws -> GraphStore {
    let store = try GraphStore(for: Tweet.self)
    let url = URL(filePath: "Fixtures/documents/timeline.json")  // or an http(s) URL, streamed
    let report = try await store.importJSON(Tweet.self, at: "statuses", from: url)
    let userCount = store.graph.count(of: User.self)
    print("\(report.count(of: "Tweet").inserted) new tweets by \(userCount) users")
    for tweet in store.graph.objects(Tweet.self).prefix(2) {
      print("@\(tweet.author?.screenName ?? "?"): \(tweet.text)")
    }
    return store
  }

  static func named(_ url: URL) async throws {
    let model = try GraphModel(contentsOf: URL(filePath: "Fixtures/schemas/Timeline.xcdatamodeld"))
    let store = GraphStore(model: model)
    try await store.importJSON(entity: "Tweet", at: "statuses", from: url)
    for tweet in try store.graph.objects("Tweet").prefix(2) {
      if case .string(let text) = tweet["text"],
        case .string(let name) = tweet.object("author")?["screenName"]
      {
        print("@\(name): \(text)")
      }
    }
  }

  static func read(
    _ url: URL, _ session: URLSession, _ body: AsyncStream<Data>, into store: GraphStore
  ) async throws {
    let request = URLRequest(url: url)
    try await store.importJSON(
      Tweet.self, at: "statuses", from: .request(request, session: session))
    try await store.importJSON(Tweet.self, at: "statuses", from: .chunks(body))
  }

  static func pushed(_ chunk: Data, into store: GraphStore) throws -> ImportReport {
    let importer = try store.makeImporter(Tweet.self, at: "statuses")
    try importer.parse(chunk)  // as often as there is one; cut anywhere, even in a character
    let report = try importer.finish()  // published now; a document that breaks off is an error
    return report
  }

  static func written(_ store: GraphStore) throws -> (GraphChangeSequence, Data) {
    let changes = store.changes(of: Tweet.self)  // an asynchronous sequence of commits
    try store.write { graph in
      let tweet = try graph.object(Tweet.self, id: 1_845_000_174_218_000_022)
      tweet?.hashtags.append(try graph.findOrInsert(Hashtag.self, id: "aeroplane"))
    }
    let exporter = try JSONExporter(model: store.model)  // the mapping reversed
    let json = try exporter.data(.entity("Tweet", of: store.graph))
    return (changes, json)
  }
}
