import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `The key of a list` {
  private static func model(
    hashtags: String? = "entities.hashtags", tweets: String? = nil
  ) throws -> GraphModel {
    func annotations(_ path: String?) -> [String: String] {
      path.map { ["JSONKeyPath": $0] } ?? [:]
    }
    return try GraphModel(
      entities: [
        .make(
          "Tweet", [.make("text")],
          [
            .make(
              "hashtags", to: "Hashtag", many: true, inverse: "tweets", annotations(hashtags))
          ]),
        .make(
          "Hashtag", identity: "text", [.make("text")],
          [.make("tweets", to: "Tweet", many: true, inverse: "hashtags", annotations(tweets))]),
      ], dialect: .graft)
  }

  private static func text(_ lists: [Int: String]) -> Data {
    let tweets = lists.sorted { $0.key < $1.key }.map { id, hashtags in
      #"{"id": \#(id), "entities": {"hashtags": [\#(hashtags)]}}"#
    }
    return Data("[\(tweets.joined(separator: ","))]".utf8)
  }

  private static func load(_ database: GraphDatabase, _ lists: [Int: String]) throws {
    var options = ImportOptions()
    options.savePolicy.objects = 1
    let importer = try database.makeImporter([ImportRoot("Tweet")], options: options)
    try importer.parse(text(lists))
    _ = try importer.finish()
  }

  @Test(arguments: [
    ("entities.hashtags", nil, "tweet, hashtag"), (nil, "tweets", "hashtag, tweet"),
    (nil, nil, "hashtag, tweet"), ("entities.hashtags", "tweets", "hashtag, tweet"),
    (nil, "-", "tweet, hashtag"), ("-", nil, "hashtag, tweet"),
  ])
  func `begins with the end that documents give`(
    hashtags: String?, tweets: String?, key: String
  )
    throws
  {
    let file = TemporaryDatabase()
    _ = try GraphDatabase(
      model: Self.model(hashtags: hashtags, tweets: tweets), at: file.url, configuration: .quick)
    let columns = try file.rows(
      "SELECT name FROM pragma_table_info('Hashtag_tweets') WHERE pk > 0 ORDER BY pk")
    #expect(columns.joined(separator: ", ") == key)
  }

  @Test(arguments: ["tweet, hashtag", "hashtag, tweet"])
  func `may begin with the other end in a file of another model`(key: String) throws {
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: Self.model(), at: file.url, configuration: .quick)
    try file.run(
      """
      DROP TABLE "Hashtag_tweets";
      CREATE TABLE "Hashtag_tweets" ("hashtag" TEXT NOT NULL, "tweet" INTEGER NOT NULL, PRIMARY KEY (\(key)),
        FOREIGN KEY ("hashtag") REFERENCES "Hashtag" ("text") ON DELETE CASCADE ON UPDATE CASCADE
          DEFERRABLE INITIALLY DEFERRED,
        FOREIGN KEY ("tweet") REFERENCES "Tweet" ("id") ON DELETE CASCADE ON UPDATE CASCADE
          DEFERRABLE INITIALLY DEFERRED) WITHOUT ROWID
      """)
    func links() throws -> [String] {
      try file.rows("SELECT tweet, hashtag FROM \"Hashtag_tweets\" ORDER BY 1, 2")
    }
    try Self.load(database, [1: #""a", "b""#, 2: #""b""#, 3: ""])
    #expect(try links() == ["1|a", "1|b", "2|b"])
    try Self.load(database, [1: #""b", "c""#, 3: #""a""#, 4: #""a""#])
    #expect(try links() == ["1|b", "1|c", "2|b", "3|a", "4|a"])
    try database.write { graph in
      try graph.object("Hashtag", identifiedBy: ["text": .string("b")])?.delete()
    }
    #expect(try links() == ["1|c", "3|a", "4|a"])
    #expect(try file.integrityFaults() == [])
  }
}
