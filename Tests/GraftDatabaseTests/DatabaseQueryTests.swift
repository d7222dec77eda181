import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

private struct City: Entity {
  let name = Attribute<String>()
  static let identity = [\Self.name]
}

private struct Person: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String?>()
  let fee = Attribute<Decimal?>()
  let born = Attribute<Date?>()
  let score = Attribute<Double?>()
  let city = ToOne<City>()
  let posts = ToMany<Post>(.nowhere)
  static let identity = [\Self.id]
}

private struct Post: Entity {
  let id = Attribute<Int>()
  let text = Attribute<String>()
  let author = ToOne<Person>(inverse: \.posts)
  let readers = ToManyOrdered<Person>()
  let answers = ToMany<Post>()
  static let identity = [\Self.id]
}

private enum Tier: String, CaseIterable, AttributeConvertible { case stalls, circle }

private struct Block: Entity {
  let tier = Attribute<Tier>()
  let seats = ToMany<Seat>()
  static let identity = [\Self.tier]
}

private struct Seat: Entity {
  let row = Attribute<String>()
  let number = Attribute<Int64>()
  let tier = Attribute<Tier?>()
  static let identity = [\Self.row, \Self.number]
}

@Suite struct `Reading from a database` {
  private let file = TemporaryDatabase()
  private let database: GraphDatabase

  private static let document = """
    [{"id": 5, "text": "five", "author": {"id": 1, "name": "Ada", "fee": 9.5, "score": 1,
        "born": "1815-12-10T00:00:00Z", "city": {"name": "London"}}, "readers": [3, 2], "answers": [7]},
      {"id": 7, "text": "seven", "author": 1, "readers": [2], "answers": []},
      {"id": 6, "text": "six", "author": {"id": 2, "name": "Ben", "fee": 10, "score": 2.5,
        "born": "2012-09-24T03:35:21.25Z", "city": {"name": "Ostend"}}, "readers": []},
      {"id": 8, "text": "o'; DROP TABLE \\"Post\\"; --", "author": {"id": 3, "name": null, "fee": 0.1}}]
    """

  init() throws {
    database = try GraphDatabase(model: GraphModel(for: Post.self), at: file.url)
    let importer = try database.makeImporter([ImportRoot(Post.self)])
    try importer.parse(Data(Self.document.utf8))
    _ = try importer.finish()
  }

  private func ids(
    _ condition: DatabaseCondition<Person>?, orderedBy order: DatabaseOrder<Person> = []
  ) throws -> [Int] {
    try database.objects(Person.self, where: condition, orderedBy: order).map(\.id)
  }

  @Test func `gives objects and the identities of related objects`() throws {
    let graph = try database.graph(of: Post.self, limit: 1)
    let post = try #require(graph.objects(Post.self).first)
    #expect(post.id == 5 && post.text == "five" && !post.isStub)
    #expect(post.author?.isFault == true && post.author?.id == 1)
    #expect(post.readers.map(\.id) == [3, 2])
    #expect(post.answers.map(\.id) == [7])
    #expect(post.answers.map(\.isFault) == [true])
    #expect(graph.count(of: City.self) == 0)
  }

  @Test func `follows relationships`() throws {
    let graph = try database.graph(of: Post.self, limit: 1, following: \.author, \.readers)
    let post = try #require(graph.objects(Post.self).first)
    #expect(post.author?.name == "Ada")
    #expect(post.author?.city?.name == "London" && post.author?.city?.isFault == true)
    #expect(post.readers.map(\.isFault) == [false, false])
    #expect(post.answers.map(\.isFault) == [true])
  }

  @Test func `follows paths, and relationships that their inverses keep`() throws {
    let people = try database.objects("Person", limit: 1, following: ["posts.answers", "city"])
    let ada = try #require(people.first)
    #expect(ada.objects("posts").map { $0["id"] } == [.integer(5), .integer(7)])
    #expect(ada.objects("posts").allSatisfy { !$0.isFault && !$0.isStub })
    #expect(ada.object("city")?.isStub == false)
    let typed = try database.object(Person.self, id: 1, following: \.posts.answers, \.city)
    #expect(typed?.posts.flatMap { $0.answers.map(\.text) } == ["seven"])
  }

  @Test func `puts the objects first, in their order`() throws {
    let graph = try database.graph(of: Post.self, orderedBy: .forward(\.text), following: \.answers)
    #expect(graph.objects(Post.self).map(\.id) == [5, 8, 7, 6])
    #expect(try database.graph(of: Post.self, limit: 0).objects(Post.self).isEmpty)
  }

  @Test func `compares as a selection does`() throws {
    let graph = try database.graph()
    let people = graph.objects(Person.self)
    func expect(
      _ condition: DatabaseCondition<Person>, _ selection: Selection<Object<Person>>
    ) throws {
      let found = try ids(condition)
      #expect(Set(found) == Set(selection.map(\.id)))
    }
    try expect(.attribute(\.name, equals: "Ada"), people.where(\.name, equals: "Ada"))
    try expect(.attribute(\.name, equals: nil), people.where(\.name, equals: nil))
    try expect(.attribute(\.id, in: 2...), people.where(\.id, in: 2...))
    try expect(.attribute(\.name, in: "A"..<"Ben"), people.where(\.name, in: "A"..<"Ben"))
    // By size, though the digits are text: 9.5 is less than 10.
    try expect(.attribute(\.fee, in: 9...10), people.where(\.fee, in: 9...10))
    try expect(.attribute(\.fee, in: ..<10), people.where(\.fee, in: ..<10))
    try expect(.attribute(\.score, in: 1.5...), people.where(\.score, in: 1.5...))
    let date = Date(timeIntervalSince1970: 0)
    try expect(.attribute(\.born, in: ...date), people.where(\.born, in: ...date))
    try expect(.attribute(\.born, in: date...), people.where(\.born, in: date...))
    #expect(try ids(nil, orderedBy: .forward(\.fee)) == people.ordered(by: \.fee).map(\.id))
    #expect(
      try ids(nil, orderedBy: .reverse(\.name)) == people.ordered(by: \.name, .reverse).map(\.id))
    #expect(try ids(nil, orderedBy: .forward(\.born)) == people.ordered(by: \.born).map(\.id))
  }

  @Test func `combines conditions`() throws {
    let ada = DatabaseCondition.attribute(\Person.name, equals: "Ada")
    let dear = DatabaseCondition.attribute(\Person.fee, in: 10...)
    #expect(try ids(ada || dear) == [1, 2])
    #expect(try ids(ada && dear) == [])
    // Of the one without a name it is not true that the name is Ada.
    #expect(try ids(!ada) == [2, 3])
    #expect(try ids(!(ada || dear)) == [3])
  }

  @Test func `takes SQL with values that are bound`() throws {
    #expect(try ids("id > \(1) AND name = \("Ben")") == [2])
    #expect(try ids("\(\Person.fee) IS NOT NULL AND \(attribute: "id") IN \([1, 3])") == [1, 3])
    #expect(try ids("id IN (SELECT author FROM \"Post\" WHERE text LIKE \("s%"))") == [1, 2])
    #expect(try ids("born = \(Date(timeIntervalSince1970: 1_348_457_721.25))") == [2])
    #expect(try ids("name = ''')'") == [])
  }

  @Test(arguments: [
    "'; DROP TABLE \"Post\"; --", "o'; DROP TABLE \"Post\"; --", "\" OR 1 = 1 --", "?1", "$1",
    "a\0b", "",
  ])
  func `never takes a value for SQL`(_ text: String) throws {
    let expected = text.hasPrefix("o") ? [8] : []
    let found = try database.objects(Post.self, where: "text = \(text)")
    #expect(found.map(\.id) == expected)
    let typed = try database.objects(Post.self, where: .attribute(\.text, equals: text))
    #expect(typed.map(\.id) == expected)
    #expect(throws: StoreError.self) { try database.objects(text) }
    #expect(throws: StoreError.self) { try database.objects("Post", orderedBy: .forward(text)) }
    #expect(throws: StoreError.self) { try database.objects("Post", following: [text]) }
    #expect(throws: StoreError.self) {
      try database.objects("Post", where: .attribute(text, equals: .integer(1)))
    }
    #expect(try database.count(of: "Post") == 4)
  }

  @Test(arguments: [
    ("1; DELETE FROM \"Post\"", #"it contains ";"; give one condition"#),
    ("1) OR (1", #"it has a ")" too many"#), ("(1", #"a "(" is not closed"#),
    ("'a", "quotation marks are not closed"), ("1 -- x", "it contains a comment; leave it out"),
    ("1 /* x */", "it contains a comment; leave it out"),
    ("a\0", "it contains U+0000; interpolate the text"),
    ("id = $1", #"it contains the parameter "$"; interpolate the value"#),
    ("id = ?", #"it contains the parameter "?"; interpolate the value"#),
    ("id = :a", #"it contains the parameter ":"; interpolate the value"#),
    ("id = @a", #"it contains the parameter "@"; interpolate the value"#),
  ])
  func `refuses SQL that is more than a condition`(sql: String, reason: String) throws {
    let error = #expect(throws: StoreError.self) {
      try database.objects("Post", where: DatabaseCondition(sql: sql))
    }
    #expect(error?.kind == .invalidCondition)
    #expect(error?.message == "the condition cannot be used: \(reason)")
  }

  @Test func `reads two apostrophes as one of a string, whose escapes go on`() throws {
    var check = SQLCheck("condition")
    try check.read(#"text = E'a''\' ('"#)
    try check.end()
  }

  @Test func `says what a condition may name`() throws {
    let error = #expect(throws: StoreError.self) {
      try database.objects("City", where: "nam = 'x'")
    }
    #expect(error?.kind == .invalidCondition)
    #expect(
      error?.message
        == "\(file.url.path): cannot read it: no such column: nam; the condition may use"
        + #" SQL and the columns of "City": "name", "_stub""#)
  }

  @Test func `finds an object by its identity`() throws {
    let post = try #require(try database.object(Post.self, id: 7, following: \.author))
    #expect(post.text == "seven" && post.author?.name == "Ada")
    let none = try database.object(Post.self, id: 9)
    #expect(none == nil)
    let city = try database.object("City", identifiedBy: ["name": .string("London")])
    #expect(city?.isStub == false)
  }

  @Test func `finds an object by an enumeration, and by several attributes`() async throws {
    let other = TemporaryDatabase()
    let database = try GraphDatabase(model: GraphModel(for: Block.self), at: other.url)
    try write(seat: "F", 12, to: database)
    func read() throws {
      let block = try database.object(Block.self, id: Tier.circle, following: \.seats)
      #expect(block?.seats.map(\.tier) == [.circle])
      let seat = try database.object(Seat.self, identifiedBy: (\.number, 12), (\.row, "F"))
      #expect(seat?.tier == .circle)
      let error = #expect(throws: StoreError.self) {
        try database.object(Seat.self, identifiedBy: (\.row, "F"))
      }
      #expect(error?.message.contains("number") == true)
    }
    try read()
    #expect(try await database.object(Block.self, id: Tier.circle)?.tier == .circle)
    #expect(try await database.object(Block.self, id: Tier.stalls) == nil)
    let none = try await database.object(Seat.self, identifiedBy: (\.row, "F"), (\.number, 13))
    #expect(none == nil)
  }

  private func write(seat row: String, _ number: Int64, to database: GraphDatabase) throws {
    try database.write { graph in
      let seat = try graph.findOrInsert(Seat.self, identifiedBy: (\.row, row), (\.number, number))
      seat.tier = .circle
      try graph.findOrInsert(Block.self, id: Tier.circle).seats.append(seat)
    }
  }

  @Test func `reads what a file says that cannot be written`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.url.path)
    let copy = try GraphDatabase(contentsOf: file.url)
    #expect(try copy.objects("Person", following: ["posts"]).count == 3)
  }
}

@Suite struct `Names that could be SQL` {
  private static let names = [
    "Tweet\"; DROP TABLE \"graft_model\"; --", "select", "Order", "Ordering'", "a b", "Ünïcode",
    "tweet", "Tweet",
    "TWEET", "sqlite_x", "graft_import", "position", "_id", "$1", "?",
  ]

  /// A model in which entities, attributes and relationships have such names.
  private func model() throws -> GraphModel {
    let key = AttributeDescription(
      name: "group\";--", type: .integer64, isOptional: false, userInfo: ["JSONKeyPath": "k"])
    return try GraphModel(
      entities: Self.names.map { name in
        EntityDescription(
          name: name,
          attributes: [key]
            + ["values", "Values", "_stub", "o'clock"].map {
              AttributeDescription(name: $0, type: .string)
            },
          relationships: [
            RelationshipDescription(
              name: "where\"", destination: name, isToMany: true, isOrdered: true,
              userInfo: ["JSONKeyPath": "links"])
          ], userInfo: ["identityAttributes": "group\";--"])
      }, dialect: .graft)
  }

  @Test(arguments: names)
  func `are names`(entity: String) throws {
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: try model(), at: file.url)
    let importer = try database.makeImporter([ImportRoot(entity)])
    let json =
      #"[{"k": 1, "values": "a", "Values": "b", "_stub": "c", "o'clock": "d'", "links": [{"k": 2}]}]"#
    try importer.parse(Data(json.utf8))
    _ = try importer.finish()
    let again = try GraphDatabase(contentsOf: file.url)
    let found = try again.objects(
      entity, where: .attribute("o'clock", equals: .string("d'")), orderedBy: .forward("Values"),
      following: ["where\""])
    let object = try #require(found.first)
    #expect(
      found.count == 1 && object["values"] == .string("a") && object["Values"] == .string("b"))
    #expect(object["_stub"] == .string("c"))
    #expect(object.objects("where\"").map { $0["group\";--"] } == [.integer(2)])
    for other in Self.names where other != entity { #expect(try again.count(of: other) == 0) }
    #expect(try file.integrityFaults() == [])
  }

  @Test func `that contain U+0000 are refused`() throws {
    let file = TemporaryDatabase()
    let entity = EntityDescription(
      name: "A\0B", attributes: [AttributeDescription(name: "x", type: .string)])
    // The model itself may refuse the name; no database may take it.
    #expect(throws: (any Error).self) {
      try GraphDatabase(model: try GraphModel(entities: [entity], dialect: .graft), at: file.url)
    }
  }
}
