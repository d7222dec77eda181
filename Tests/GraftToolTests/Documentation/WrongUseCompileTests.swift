import Foundation
import Testing

@testable import GraftTestSupport

/// Code that must not compile, and what the compiler says to its author.
@Suite(
  .waits,
  .enabled(
    if: Compiler.isUsable,
    "the compiler or the module Graft is not where it is looked for, beside the tests"))
struct `Wrong use of typed entities` {
  private static let entities = """
    import Foundation
    import Graft

    struct Tweet: Entity {
      let id = Attribute<Int64>()
      let text = Attribute<String>()
      let author = ToOne<User>(inverse: \\.tweets)
      static let identity = [\\Self.id]
    }
    struct User: Entity {
      let name = Attribute<String>()
      let tweets = ToMany<Tweet>(.nowhere)
    }

    """

  @Test func `is not what right use is`() throws {
    let messages = try Compiler.messages(
      for: Self.entities + """
        func f(_ tweet: Object<Tweet>, _ store: GraphStore) throws -> String? {
          try store.write { try $0.object(Tweet.self, id: 1)?.text = "Hm" }
          try store.write { try $0.insert(Tweet.self) { $0.id = 2 } }
          let id = try store.write { graph in
            let tweet = try graph.insert(Tweet.self) { $0.id = 3 }
            tweet.text = "Ah"
            return tweet.objectID
          }
          _ = store.graph.object(id, as: Tweet.self)
          return tweet.author?.name
        }
        """)
    #expect(messages == "")
  }

  @Test(arguments: [
    // An unknown property.
    ("print(tweet.txet)", "error: ", "member 'txet'"),
    ("_ = tweet.author.name", "must be unwrapped", "'name'"),
    // A value of another type.
    ("let count: Int = tweet.text", "cannot convert value of type 'String'", "'Int'"),
    (
      "try store.write { try $0.object(Tweet.self, id: 1)?.text = 5 }",
      "cannot assign value of type 'Int'", "'String'"
    ),
    // An object of another entity.
    (
      "try store.write { graph in graph.object(tweet)?.author = graph.object(tweet) }",
      "cannot", "'MutableObject<User>"
    ),
    // A snapshot, written to.
    ("tweet.text = \"Hm\"", "cannot assign", "dynamic lookup property"),
    // An entity that is none.
    ("_ = store.graph.objects(Int.self)", "cannot convert value of type 'Int.Type'", "'String'"),
    // An attribute of a type that nothing says how to keep.
    (
      "struct Opaque: Sendable {}; _ = Attribute<Opaque>()",
      "on 'Attribute' requires", "'Opaque' conform to 'AttributeConvertible'"
    ),
    // An object beyond its closure.
    (
      "_ = try store.write { graph in graph.model; return try graph.object(Tweet.self, id: 1) }",
      "'Sendable' is unavailable", "return its objectID instead"
    ),
    (
      "_ = try store.write { graph in _ = graph.model; return [try graph.insert(\"Tweet\")] }",
      "'Sendable' is unavailable", "return its id instead"
    ),
    (
      "let tweet = try store.write { try $0.object(Tweet.self, id: 1) }; tweet?.text = \"Hm\"",
      "on non-optional value of type '()'", "error"
    ),
    // A graph beyond its closure.
    (
      "try store.write { graph in let f: @Sendable () -> Void = { _ = graph.model }; f() }",
      "non-Sendable type 'MutableGraph'", "'@Sendable' closure"
    ),
  ])
  func `is refused by the compiler`(_ code: String, _ complaint: String, _ detail: String) throws {
    let messages = try Compiler.messages(
      for: Self.entities + """
        func f(_ tweet: Object<Tweet>, _ store: GraphStore) throws {
          \(code)
        }
        """)
    #expect(messages.contains("error: "), "it compiles")
    #expect(messages.contains(complaint) && messages.contains(detail), "\(messages)")
  }

  @Test(arguments: [
    ("where: .attribute(\\.text, equals: \"a\")", ""),
    ("where: .attribute(\\User.name, equals: \"a\")", "User"),
    ("where: .attribute(\\.name, equals: \"a\")", "name"),
    ("where: .attribute(\\.text, equals: 5)", "'String'"),
    ("where: .relationship(\\.author, where: .attribute(\\.name, equals: \"a\"))", ""),
    ("where: .relationship(\\.author, where: .attribute(\\.text, equals: \"a\"))", "'text'"),
    ("orderedBy: [.forward(\\.text), .reverse(\\.id)]", ""),
    ("orderedBy: .forward(\\User.name)", "User"),
  ])
  func `in a query of a database is refused`(_ arguments: String, _ complaint: String) throws {
    let messages = try Compiler.messages(
      for: "import GraftDatabase\n" + Self.entities + """
        func f(_ database: GraphDatabase) throws {
          _ = try database.objects(Tweet.self, \(arguments))
        }
        """)
    guard !complaint.isEmpty else { return #expect(messages == "") }
    #expect(messages.contains("error: ") && messages.contains(complaint), "\(messages)")
  }

  @Test(arguments: [
    (
      "let tweets = ToMany<Tweet>(inverse: \\.author)", "let author = ToOne<Author>()",
      "no dynamic member 'author'"
    ),
    ("let names = ToMany<Tweet>(inverse: \\.text)", "", "Relationship"),
  ])
  func `in the description of an entity is refused too`(
    _ property: String, _ other: String, _ complaint: String
  ) throws {
    let messages = try Compiler.messages(
      for: """
        import Graft
        struct Tweet: Entity { let text = Attribute<String>() }
        struct Author: Entity { \(property); \(other) }
        """)
    #expect(messages.contains("error: ") && messages.contains(complaint), "\(messages)")
  }
}
