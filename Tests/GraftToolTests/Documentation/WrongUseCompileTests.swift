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

  /// A function that is right.
  private static let rightUse = """
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
    """

  /// Statements, and two parts of the complaint about each.
  private static let mistakes = [
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
  ]

  /// Arguments of a query, and a part of the complaint about them; empty for right ones.
  private static let queries = [
    ("where: .attribute(\\.text, equals: \"a\")", ""),
    ("where: .attribute(\\User.name, equals: \"a\")", "User"),
    ("where: .attribute(\\.name, equals: \"a\")", "name"),
    ("where: .attribute(\\.text, equals: 5)", "'String'"),
    ("where: .relationship(\\.author, where: .attribute(\\.name, equals: \"a\"))", ""),
    ("where: .relationship(\\.author, where: .attribute(\\.text, equals: \"a\"))", "'text'"),
    ("orderedBy: [.forward(\\.text), .reverse(\\.id)]", ""),
    ("orderedBy: .forward(\\User.name)", "User"),
  ]

  /// Two properties of an entity, and a part of the complaint about them.
  private static let properties = [
    (
      "let tweets = ToMany<Tweet>(inverse: \\.author)", "let author = ToOne<Author>()",
      "no dynamic member 'author'"
    )
  ]

  /// The files that are compiled, in one run for all tests.
  private static let files: [String] =
    [entities + rightUse]
    + mistakes.map { code, _, _ in
      entities + """
        func f(_ tweet: Object<Tweet>, _ store: GraphStore) throws {
          \(code)
        }
        """
    }
    + queries.map { arguments, _ in
      "import GraftDatabase\n" + entities + """
        func f(_ database: GraphDatabase) throws {
          _ = try database.objects(Tweet.self, \(arguments))
        }
        """
    }
    + properties.map { property, other, _ in
      """
      import Graft
      struct Tweet: Entity { let text = Attribute<String>() }
      struct Author: Entity { \(property); \(other) }
      """
    }

  private static let messages = Result { try Compiler.messages(forEach: files) }

  @Test func `is not what right use is`() throws {
    #expect(try Self.messages.get()[0] == "")
  }

  @Test(arguments: mistakes.indices)
  func `is refused by the compiler`(_ number: Int) throws {
    let (code, complaint, detail) = Self.mistakes[number]
    let messages = try Self.messages.get()[1 + number]
    #expect(messages.contains("error: "), "it compiles: \(code)")
    #expect(messages.contains(complaint) && messages.contains(detail), "\(messages)")
  }

  @Test(arguments: queries.indices)
  func `in a query of a database is refused`(_ number: Int) throws {
    let complaint = Self.queries[number].1
    let messages = try Self.messages.get()[1 + Self.mistakes.count + number]
    guard !complaint.isEmpty else { return #expect(messages == "") }
    #expect(messages.contains("error: ") && messages.contains(complaint), "\(messages)")
  }

  @Test(arguments: properties.indices)
  func `in the description of an entity is refused too`(_ number: Int) throws {
    let messages = try Self.messages.get()[1 + Self.mistakes.count + Self.queries.count + number]
    let complaint = Self.properties[number].2
    #expect(messages.contains("error: ") && messages.contains(complaint), "\(messages)")
  }
}
