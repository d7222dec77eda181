import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A model of typed entities` {
  @Test func `is equal to the same model described by names`() throws {
    let tweet = EntityDescription(
      name: "Tweet",
      attributes: [
        AttributeDescription(
          name: "id", type: .integer64, isOptional: false, userInfo: ["JSONKeyPath": "id_str"]),
        AttributeDescription(
          name: "postedAt", type: .date, isOptional: false,
          userInfo: [
            "JSONKeyPath": "created_at", "JSONDateFormat": "EEE MMM dd HH:mm:ss Z yyyy",
          ]),
        AttributeDescription(
          name: "retweets", type: .integer64, isOptional: false, defaultValue: .integer(0),
          userInfo: ["JSONKeyPath": "retweet_count"]),
        AttributeDescription(name: "text", type: .string, isOptional: false),
      ],
      relationships: [
        RelationshipDescription(
          name: "hashtags", destination: "Hashtag", isToMany: true,
          userInfo: ["JSONKeyPath": "entities.hashtags"]),
        RelationshipDescription(
          name: "author", destination: "User", inverse: "tweets",
          userInfo: ["JSONKeyPath": "user"]),
      ],
      userInfo: ["identityAttributes": "id"])
    let user = EntityDescription(
      name: "User",
      attributes: [
        AttributeDescription(name: "id", type: .integer64, isOptional: false),
        AttributeDescription(
          name: "screenName", type: .string, userInfo: ["JSONKeyPath": "screen_name"]),
      ],
      relationships: [
        RelationshipDescription(
          name: "tweets", destination: "Tweet", inverse: "author", isToMany: true,
          userInfo: ["JSONKeyPath": "-"])
      ],
      userInfo: ["identityAttributes": "id"])
    let hashtag = EntityDescription(
      name: "Hashtag",
      attributes: [AttributeDescription(name: "text", type: .string, isOptional: false)],
      userInfo: ["identityAttributes": "text"])
    let described = try GraphModel(entities: [hashtag, tweet, user], dialect: .graft)
    #expect(try GraphModel(for: Tweet.self) == described)
    let other = try GraphModel(entities: [hashtag], dialect: .graft)
    #expect(try GraphModel(for: Tweet.self) != other)
  }

  @Test func `describes every option by its value`() throws {
    struct Optioned: Entity {
      let key = Attribute<String>(
        ["a.b", "c"], transformer: .trim, length: 1...3, pattern: "[a-z]+")
      let number = Attribute<Int>(minimum: 1, maximum: 9, onNull: .keep, onAbsent: .error)
      let day = Attribute<Date?>(format: "yyyy-MM-dd", export: .omit, isIndexed: true)
      let near = ToMany<Optioned>(
        count: 0...5, deleteRule: .cascade, collection: .union, removed: .delete,
        reference: .ignore, export: .identifier)
      let above = ToOne<Optioned>(isRequired: true, onNull: .error)
      static let identity = [\Self.key]
      static let options = EntityOptions<Self>(missingIdentity: .skip, modified: \.number)
    }
    let model = try GraphModel(for: Optioned.self)
    let entity = try #require(model.entity(named: "Optioned"))
    #expect(entity.identity == ["key"] && entity.modifiedAttribute == "number")
    #expect(entity.missingIdentity == .skip)
    let attributes = entity.attributes
    #expect(attributes[0].paths == ["a.b", "c"] && attributes[0].transformer == .trim)
    #expect(attributes[0].minimum == .value(.integer(1)))
    #expect(attributes[0].maximum == .value(.integer(3)))
    #expect(attributes[0].pattern == "[a-z]+")
    #expect(attributes[1].policies == Policies(onNull: .keep, onAbsent: .error))
    #expect(attributes[1].minimum == .value(.integer(1)))
    #expect(attributes[1].maximum == .value(.integer(9)))
    #expect(attributes[2].dateFormat == "yyyy-MM-dd")
    #expect(attributes[2].policies == Policies(export: .omit))
    #expect(attributes[2].isIndexed)
    #expect(
      entity.relationships[0].policies
        == Policies(
          collection: .union, removed: .delete, reference: .ignore, export: .identifier))
    #expect(entity.relationships[0].maximumCount == 5)
    #expect(entity.relationships[0].deleteRule == .cascade)
    #expect(!entity.relationships[1].isOptional)
  }

  @Test func `takes a transformer written in code`() throws {
    struct Shout: Entity {
      let word = Attribute<String>(
        transformer: AttributeTransformer { value in
          guard case .string(let text)? = value else { return value }
          return .string(text.uppercased())
        })
    }
    let store = try GraphStore(for: Shout.self)
    try store.importJSON(Shout.self, from: Data(#"{"word": "hey"}"#.utf8))
    #expect(store.graph.objects(Shout.self).map(\.word) == ["HEY"])
  }

  struct `To-do list`: Entity {
    let `1st` = Attribute<Int>()
    let `in charge` = Attribute<String?>()
    let `to-dos` = ToMany<`To-do list`>()
    static let identity = [\Self.`1st`]
  }

  @Test func `has names without the backticks of the source`() throws {
    let store = try GraphStore(for: `To-do list`.self)
    try store.importJSON(
      `To-do list`.self, from: Data(#"{"1st":1,"in charge":"a","to-dos":[{"1st":2}]}"#.utf8))
    let entity = try #require(store.model.entities.first)
    #expect(entity.name == "To-do list" && entity.attributes.map(\.name) == ["1st", "in charge"])
    #expect(try store.graph.count(of: "To-do list") == 2)
    #expect(try store.graph.object(`To-do list`.self, id: 1)?.`to-dos`.count == 1)
  }
}

@Suite struct `A fault of typed entities` {
  private func message(_ make: () throws -> GraphModel) -> String {
    do {
      _ = try make()
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test func `is told with the entity and the property`() {
    struct Bad: Entity {
      let path = Attribute<Int>("a..b")
      let day = Attribute<Date?>(format: "yyyy-QQQQQQ-'")
      let pattern = Attribute<String>(pattern: "(")
      let count = 5
    }
    let text = message { try GraphModel(for: Bad.self) }
    #expect(text.contains("Bad.path: "), "\(text)")
    #expect(text.contains("Bad.day: "), "\(text)")
    #expect(text.contains("Bad.pattern: "), "\(text)")
    #expect(text.contains("Bad: count: a stored property of an entity is an Attribute"), "\(text)")
  }

  @Test func `may be an identity that names no attribute`() {
    struct Bad: Entity {
      let next = ToOne<Bad>()
      static let identity = [\Self.next]
    }
    #expect(message { try GraphModel(for: Bad.self) }.contains("which is no attribute of Bad"))
  }

  @Test func `may be a key path that names a property of the wrong kind`() {
    struct Owner: Entity {
      let name = Attribute<String>()
      let pets = ToMany<Bad>(.nowhere)
    }
    struct Bad: Entity {
      let inverse = ToOne<Owner>(inverse: \.name)
      let related = ToOne<Owner>(relatedBy: \.pets)
      static let options = EntityOptions<Self>(modified: \.inverse)
    }
    let text = message { try GraphModel(for: Bad.self) }
    #expect(text.contains("Bad.inverse: the inverse is no relationship of Owner"), "\(text)")
    #expect(text.contains("Bad.related: `relatedBy` names no attribute of Owner"), "\(text)")
    #expect(text.contains("`modified` names "), "\(text)")
  }

  @Test func `may be an identity that is no key path`() {
    struct Bad: Entity {
      let id = Attribute<Int>()
      static let identity = "id"
    }
    let text = message { try GraphModel(for: Bad.self) }
    #expect(text.contains("expected key paths of attributes"), "\(text)")
  }

  @Test func `may be a required value with nothing to read as`() {
    enum Mood: String, Sendable { case calm }
    struct Bad: Entity { let mood = Attribute<Mood>() }
    struct Good: Entity {
      let mood = Attribute<Mood>(default: .calm)
      let other = Attribute<Mood?>()
    }
    let text = message { try GraphModel(for: Bad.self) }
    #expect(text.contains("Bad.mood: a required Mood has nothing to read as"), "\(text)")
    #expect(message { try GraphModel(for: Good.self) } == "nothing")
  }

  @Test func `may be an inverse that leads elsewhere`() {
    struct Bad: Entity {
      let good = ToOne<Good>(inverse: \.others)
    }
    struct Good: Entity { let others = ToMany<Good>() }
    let text = message { try GraphModel(for: Bad.self) }
    #expect(text.contains("Bad.good: inverse \"others\" leads to Good, expected Bad"), "\(text)")
  }

  struct Address: Codable, Sendable { var city = "" }

  /// Entities whose annotations are wrong, or doubtful.
  static let mistakes: [(any Entity.Type, String)] = {
    struct Mapped: Entity { let name = Attribute<String>("a..b") }
    struct Dated: Entity { let day = Attribute<Date?>(format: "yyyy-QQQQQQ-'") }
    struct Formatted: Entity { let count = Attribute<Int>(format: "unix") }
    struct Kept: Entity {
      let home = Attribute<Address?>()
      static let identity = [\Self.home]
    }
    struct Grown: Entity {
      let flag = Attribute<Bool>()
      static let options = EntityOptions<Self>(modified: \.flag)
    }
    struct Each: Entity { let tags = Attribute<String?>("tags[*]") }
    struct Idle: Entity {
      let kind = Attribute<String>()
      static let options = EntityOptions<Self>(discriminator: "kind")
    }
    struct Odd: Entity {
      let kind = Attribute<String>()
      static let options = EntityOptions<Self>(
        subentities: [Even.self], discriminator: "kinds[*]", unknown: Mapped.self)
    }
    struct Even: Entity { typealias Superentity = Odd }
    struct Lonely: Entity {
      let id = Attribute<Int>(.nowhere)
      static let identity = [\Self.id]
      static let options = EntityOptions<Self>(discriminatorValue: "x")
    }
    struct Open: Entity { let name = Attribute<String>(unknown: "none") }
    struct Above: Entity {
      let id = Attribute<Int>()
      static let options = EntityOptions<Self>(subentities: [Below.self])
    }
    struct Below: Entity { typealias Superentity = Above }
    struct Numbered: Entity { let count = Attribute<Int?>(length: 1...2) }
    struct Unlinked: Entity { let others = ToMany<Unlinked>(.nowhere) }
    struct Hidden: Entity { let entityName = Attribute<String>() }
    return [
      (Mapped.self, "the path: "), (Dated.self, "`format`: "),
      (Formatted.self, "a date format has no effect on an Integer 64"),
      (Kept.self, "`identity` names \"home\", an attribute of a Codable type"),
      (Grown.self, "`modified` names \"flag\""), (Each.self, "an attribute of a Codable type"),
      (Idle.self, "`discriminator` \"kind\" has no effect"),
      (Odd.self, "`discriminator` is \"kinds[*]\""), (Odd.self, "`unknown` names \"Mapped\""),
      (Lonely.self, "`discriminatorValue` has no effect without a `discriminator`"),
      (Lonely.self, "name the path where it is found"),
      (Open.self, "`unknown` has no effect where nothing says which values are known"),
      (Numbered.self, "Numbered.count: `length` is for strings; give `minimum` and `maximum`"),
      (Unlinked.self, "no import fills it: it has no path in JSON, and no relationship leads back"),
      (Hidden.self, "read the property as object[\\.entityName], or rename it"),
      (Above.self, "give Above a `discriminator` in its EntityOptions"),
    ]
  }()

  @Test(arguments: mistakes.indices)
  func `is said in the words of typed entities`(_ number: Int) throws {
    let (type, expected) = Self.mistakes[number]
    var text = ""
    do {
      text = try GraphModel(types: [type], extensions: ModelExtensions()).warnings
        .map(\.description).joined(separator: "\n")
    } catch {
      text = "\(error)"
    }
    #expect(text.contains(expected), "\(text)")
    #expect(text.firstMatch(of: /JSON[A-Z]|identityAttributes|annotat|Transformable/) == nil)
  }

  @Test func `is said in the words of typed entities when a document is imported`() throws {
    struct Hidden: Entity {
      let id = Attribute<Int>(.nowhere)
      static let identity = [\Self.id]
    }
    let error = #expect(throws: ImportError.self) {
      try GraphStore(for: Hidden.self).importJSON(Hidden.self, from: Data("{}".utf8))
    }
    #expect(
      error?.message
        == "expected a value for id of Hidden (identity, which is nowhere in JSON: name its path),"
        + " found none")
  }
}
