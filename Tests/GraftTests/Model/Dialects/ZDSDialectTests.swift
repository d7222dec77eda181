import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct ZDSDialectTests {
  let entities = [
    EntityDescription(
      name: "Tweet", attributes: [.make("createdAt", .date), .make("text"), .make("id.str")],
      relationships: [.make("author", to: "Tweet")],
      userInfo: ["created_at": "createdAt", "user": "author", "a.b": "text", "alt": "text"]),
    EntityDescription(
      name: "Retweet", superentity: "Tweet", userInfo: ["by": "author", "created_at": "createdAt"]),
  ]

  @Test func `the entity's annotations map JSON keys, which are names and not paths`() throws {
    let model = try GraphModel(entities: entities, dialect: .zds)
    #expect(try model.paths("Tweet", "createdAt") == ["created_at"])
    #expect(try model.paths("Tweet", "author") == ["user"])
    #expect(try model.paths("Tweet", "text") == ["['a.b']", "alt"])
    #expect(try model.paths("Tweet", "id.str") == ["['id.str']"])
    #expect(model.warnings.isEmpty)
  }

  @Test func `a map is inherited and added to`() throws {
    let model = try GraphModel(entities: entities, dialect: .zds)
    #expect(try model.paths("Retweet", "author") == ["by", "user"])
    #expect(try model.paths("Retweet", "createdAt") == ["created_at"])
  }

  @Test func `no entity has an identity`() throws {
    let model = try GraphModel(entities: entities, dialect: .zds)
    #expect(model.schema.entities.allSatisfy { $0.identity.isEmpty })
  }
}
