import Foundation
import Graft

@testable import GraftTestSupport

enum LandingPage: CodeOfPage {
  struct Tweet: Entity {
    let id = Attribute<Int64>("id_str")
    let text = Attribute<String>()
    let author = ToOne<User>("user", inverse: \.tweets)
    static let identity = [\Self.id]
  }

  struct User: Entity {
    let name = Attribute<String>()
    let tweets = ToMany<Tweet>(.nowhere)
    static let identity = [\Self.name]
  }

  static func typed() throws -> Data {
    let document = Data(
      """
      {"statuses": [
        {"id_str": "1", "text": "Look west.", "user": {"name": "Ada"}},
        {"id_str": "2", "user": {"name": "Ada"}, "text": "There it is!"}
      ]}
      """.utf8)
    let store = try GraphStore(for: Tweet.self)
    let report = try store.importJSON(Tweet.self, at: "statuses", from: document)
    print(report.insertedCount, "objects are new")

    for user in store.graph.objects(User.self) {
      print(user.name, "wrote", user.tweets.map(\.text))
    }
    return document
  }

  static func named(_ document: Data) throws {
    let tweet = EntityDescription(
      name: "Tweet",
      attributes: [
        AttributeDescription(
          name: "id", type: .integer64, isOptional: false, userInfo: ["JSONKeyPath": "id_str"]),
        AttributeDescription(name: "text", type: .string),
      ],
      userInfo: ["identityAttributes": "id"])
    let model = try GraphModel(entities: [tweet], dialect: .graft)
    let store = GraphStore(model: model)
    try store.importJSON(entity: "Tweet", at: "statuses", from: document)
    for tweet in try store.graph.objects("Tweet") {
      if case .string(let text) = tweet["text"] { print(text) }
    }
  }
}
