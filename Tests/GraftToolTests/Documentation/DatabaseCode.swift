import Foundation
import Graft
import GraftExport
import GraftSQLite

@testable import GraftDatabase
@testable import GraftTestSupport

enum KeepingObjectsInADatabase: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int>()
    let text = Attribute<String>()
    let postedAt = Attribute<Date?>("posted_at")
    let author = ToOne<User>(inverse: \.tweets)
    let hashtags = ToMany<Hashtag>()
    static let identity = [\Self.id]
  }

  struct User: Entity {
    let id = Attribute<Int>()
    let name = Attribute<String?>()
    let tweets = ToMany<Tweet>(.nowhere)
    static let identity = [\Self.id]
  }

  struct Hashtag: Entity {
    let text = Attribute<String>()
    static let identity = [\Self.text]
  }

  static func imported(_ source: ImportSource, into file: URL) async throws -> GraphDatabase {
    let database = try GraphDatabase(model: GraphModel(for: Tweet.self), at: file)
    let report = try await database.importJSON(Tweet.self, from: source)
    print(report.insertedCount, "objects are new")
    return database
  }

  static func export(_ database: GraphDatabase, to file: URL) throws {
    let exporter = try JSONExporter(model: database.model)
    try exporter.write(.graph(database), to: file)
  }

  static func write(_ database: GraphDatabase, _ deadline: Date) throws {
    try database.write { graph in
      for tweet in try graph.objects(Tweet.self, where: "postedAt < \(deadline)") {
        try tweet.delete()
      }
      let ada = try graph.findOrInsert(User.self, id: 3)
      ada.name = "Ada"
    }
  }

  static func observe(
    _ database: GraphDatabase, _ show: @Sendable ([Object<Tweet>]) -> Void
  ) async throws {
    for try await tweets in try database.results(
      of: Tweet.self, orderedBy: .reverse(\.postedAt), limit: 50)
    {
      show(tweets)
    }
  }

  static func page(_ database: GraphDatabase) throws {
    let newest = DatabaseOrder<Tweet>.reverse(\.postedAt)
    var page = try database.objects(Tweet.self, orderedBy: newest, limit: 20)
    while let last = page.last {
      print(page.map(\.id))
      page = try database.objects(Tweet.self, orderedBy: newest, after: last, limit: 20)
    }
    print(
      try database.count(of: Tweet.self, where: .attribute(\.postedAt, equals: nil)),
      "without a date")
  }

  static func sum(_ database: GraphDatabase) throws {
    let rows = try database.rows(
      "SELECT \(\Tweet.author) AS author, count(*) AS n FROM \(Tweet.self) WHERE id > \(0) GROUP BY 1 ORDER BY n DESC"
    )
    for row in rows {
      print(try row.value("author", as: Int?.self) ?? 0, try row.value("n", as: Int.self))
    }
  }

  static func read(_ database: GraphDatabase) throws {
    let tag = "comet"
    let tweets = try database.objects(
      Tweet.self,
      where: .attribute(\.id, in: 1...)
        && .relationship(\.hashtags, where: .attribute(\.text, equals: tag)),
      orderedBy: .reverse(\.postedAt), limit: 100, following: \.author)
    for tweet in tweets {
      print(tweet.author?.name ?? "?", "wrote", tweet.text)
      print(tweet.hashtags.map { "\($0.text), \($0.isFault ? "not read" : "read")" })
    }
  }

  static func follow(_ database: GraphDatabase) throws {
    let users = try database.objects(User.self, following: \.tweets.hashtags)
    print(users.flatMap(\.tweets).flatMap(\.hashtags).map(\.text))
  }
}
