import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

private struct Person: Entity {
  let id = Attribute<Int>()
  let login = Attribute<String>()
  let born = Attribute<Date>()
  let age = Attribute<Int>(default: 0)
  let issues = ToMany<Ticket>(inverse: \.author)
  let watching = ToMany<Ticket>(.nowhere)
  let starred = ToManyOrdered<Ticket>(.nowhere)
  let boss = ToOne<Person>(inverse: \.reports)
  let reports = ToManyOrdered<Person>()
  let desk = ToOne<Desk>(inverse: \.person)
  static let identity = [\Self.id]
  static let options = EntityOptions<Self>(subentities: [Robot.self], discriminator: "type")
}

private struct Robot: Entity {
  typealias Superentity = Person
  let maker = ToOne<Maker>()
  static let options = EntityOptions<Self>(discriminatorValue: "robot")
}

private struct Maker: Entity {
  let name = Attribute<String>()
  let city = Attribute<String>(default: "")
  static let identity = [\Self.name]
}

private struct Desk: Entity {
  let id = Attribute<Int>()
  let room = Attribute<String>()
  let person = ToOne<Person>(.nowhere)
  static let identity = [\Self.id]
}

private struct Ticket: Entity {
  let id = Attribute<Int>()
  let title = Attribute<String>()
  let author = ToOne<Person>()
  let watchers = ToMany<Person>(inverse: \.watching)
  let stars = ToManyOrdered<Person>(inverse: \.starred)
  let comments = ToMany<Comment>(inverse: \.issue)
  let lines = ToManyOrdered<Line>()
  static let identity = [\Self.id]
}

private struct Comment: Entity {
  let id = Attribute<Int>()
  let text = Attribute<String>()
  let author = ToOne<Person>()
  let issue = ToOne<Ticket>(.nowhere)
  static let identity = [\Self.id]
}

/// Without an identity, by which it could be named.
private struct Line: Entity {
  let text = Attribute<String>()
}

private struct Names: Decodable {
  struct Named: Decodable { var login: String }
  struct Text: Decodable { var author: Named? }
  var title: String
  var comments: [Text]
}

private let document = """
  [{"id": 1, "title": "one", "author": {"id": 7, "login": "ada", "born": "1815-12-10", "age": 36,
      "desk": {"id": 70, "room": "A"}},
    "watchers": [{"id": 8, "login": "ben", "born": "1791-12-26", "boss": 7, "desk": {"id": 80, "room": "B"}},
      {"id": 9, "login": "r2", "born": "2000-01-01", "type": "robot", "boss": 7,
        "maker": {"name": "Acme", "city": "Rome"}}],
    "stars": [9, 7, 8], "lines": [{"text": "a"}, {"text": "b"}],
    "comments": [{"id": 11, "text": "first", "author": 8}, {"id": 12, "text": "second", "author": 9}]},
   {"id": 2, "title": "two", "author": 8, "watchers": [8], "stars": [], "lines": [], "comments": []}]
  """

/// Only what the database has read of it is in the graph of a query, and nothing else seems to be.
@Suite final class `A partial graph` {
  /// The orders in which the model can be written.
  enum Start: CaseIterable {
    case issue
    case person
  }

  static let trials = DatabaseKind.with(Start.allCases)

  /// The databases to remove after the test.
  private var places: [TrialDatabase] = []

  private func database(_ kind: DatabaseKind, _ start: Start) throws -> GraphDatabase {
    let place = try TrialDatabase(kind)
    places.append(place)
    let model =
      switch start {
      case .issue: try GraphModel(for: Ticket.self)
      case .person: try GraphModel(for: Person.self)
      }
    let database = try place.open(model)
    let importer = try database.makeImporter([ImportRoot(Ticket.self)])
    try importer.parse(Data(document.utf8))
    _ = try importer.finish()
    return database
  }

  /// The error that reading something gives where it was not read; nil where it was.
  private static func refusal<R>(_ read: () throws -> R) rethrows -> StoreError? {
    try UnreadNotes.catching { notes in
      _ = try read()
      return notes.error
    }
  }

  private func expect(
    _ message: String, following: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation,
    _ read: () throws -> some Any
  ) rethrows {
    let error = try Self.refusal(read)
    #expect(error?.kind == .notRead, sourceLocation: location)
    #expect(error?.message == message, sourceLocation: location)
    if let following { #expect(error?.following == following, sourceLocation: location) }
  }

  @Test(arguments: trials)
  func `refuses what was not read of a typed object, and names what to follow`(
    kind: DatabaseKind, start: Start
  ) throws {
    let database = try self.database(kind, start)
    let issue = try #require(try database.object(Ticket.self, id: 1, following: \.comments))
    let author = try #require(issue.author)
    #expect(author.id == 7 && author.isFault && !issue.isFault)
    let message = #"Ticket.author was not read (Person 7); add following: \.author"#
    expect(message, following: "author") { author.login }
    expect(message) { author.born }
    expect(message) { author.boss }
    expect(message) { author.issues.count }
    expect(message) { author.watching.isEmpty }
    expect(message) { author.starred.map(\.id) }
    expect(message) { author.desk?.room }
    expect(message) { author.isStub }
    let comment = try #require(issue.comments.first)
    #expect(comment.text == "first")
    expect(
      #"Comment.author was not read (Person 8); add following: \.comments.author"#,
      following: "comments.author"
    ) { comment.author?.login }
    let followed = try database.object(
      Ticket.self, id: 1, following: \.comments.author, \.author)
    #expect(followed?.comments.first?.author?.login == "ben")
    #expect(followed?.author?.born == Date(timeIntervalSince1970: -4_861_728_000))
  }

  @Test(arguments: trials)
  func `refuses what was not read of an object by names`(kind: DatabaseKind, start: Start) throws {
    let database = try self.database(kind, start)
    let issue = try #require(
      try database.object("Ticket", identifiedBy: ["id": .integer(1)], following: ["comments"]))
    let author = try #require(issue.object("author"))
    #expect(author["id"] == .integer(7) && author.isFault)
    let message = #"Ticket.author was not read (Person 7); add following: "author""#
    expect(message) { author["login"] }
    expect(message) { author.value("age") }
    expect(message) { author.object("boss") }
    expect(message) { author.objects("watching") }
    expect(message) { author.selection(of: "issues").count }
    expect(#"Comment.author was not read (Person 8); add following: "comments.author""#) {
      issue.objects("comments").map { $0.object("author")?["login"] }
    }
  }

  @Test(arguments: trials)
  func `has what the rows and lists of an object say, whichever end is declared first`(
    kind: DatabaseKind, start: Start
  ) throws {
    let database = try self.database(kind, start)
    let issue = try #require(try database.object(Ticket.self, id: 1))
    #expect(Set(issue.watchers.map(\.id)) == [8, 9])
    #expect(issue.stars.map(\.id) == [9, 7, 8])
    #expect(issue.lines.count == 2)
    let ben = try #require(try database.object(Person.self, id: 8))
    #expect(Set(ben.watching.map(\.id)) == [1, 2])
    #expect(ben.starred.map(\.id) == [1])
    #expect(ben.boss?.id == 7 && ben.desk?.id == 80)
    let robot = try #require(try database.object(Robot.self, id: 9))
    #expect(robot.maker?.name == "Acme" && robot.login == "r2")
    #expect(robot.watching.map(\.id) == [1])
    let desk = try #require(try database.object(Desk.self, id: 80))
    #expect(desk.person?.id == 8)
  }

  @Test(arguments: trials)
  func `refuses members that refer to the object themselves, until they are followed`(
    kind: DatabaseKind, start: Start
  ) throws {
    let database = try self.database(kind, start)
    let issue = try #require(try database.object(Ticket.self, id: 1, following: \.author))
    expect(#"Ticket.comments was not read (Ticket 1); add following: \.comments"#) {
      issue.comments.count
    }
    expect(#"Person.issues was not read (Person 7); add following: \.author.issues"#) {
      issue.author?.issues.first
    }
    let typed = try database.object(Ticket.self, id: 1, following: \.comments, \.author.issues)
    #expect(typed?.comments.count == 2 && typed?.author?.issues.map(\.title) == ["one"])
    // An ordered list is a table of its own.
    let ada = try #require(try database.object(Person.self, id: 7))
    #expect(Set(ada.reports.map(\.id)) == [8, 9])
    expect(#"Person.reports was not read (Person 8); add following: \.reports"#) {
      ada.reports.map(\.login)
    }
  }

  @Test(arguments: trials)
  func `follows relationships of sub-entities`(kind: DatabaseKind, start: Start) throws {
    let database = try self.database(kind, start)
    let issue = try #require(try database.object(Ticket.self, id: 1, following: \.watchers))
    let robot = try #require(issue.watchers.compactMap { $0.as(Robot.self) }.first)
    #expect(robot.maker?.name == "Acme")
    expect(
      #"Robot.maker was not read (Maker "Acme"); add following: \.watchers[\Robot.maker]"#,
      following: "watchers.maker"
    ) { robot.maker?.city }
    let typed = try database.object(Ticket.self, id: 1, following: \.watchers[\Robot.maker])
    #expect(
      typed?.watchers.compactMap { $0.as(Robot.self)?.maker?.city } == ["Rome"])
    let robots = try database.objects(Person.self, following: \.[\Robot.maker])
    #expect(robots.compactMap { $0.as(Robot.self)?.maker?.city } == ["Rome"])
    let named = try database.objects("Ticket", following: ["watchers.maker"])
    let watchers = named.flatMap { $0.objects("watchers") }.filter { $0.entityName == "Robot" }
    let cities = watchers.map { $0.object("maker")?["city"] }
    #expect(cities == [.string("Rome")])
    #expect(throws: StoreError.self) {
      try database.objects("Ticket", following: ["author.makers"])
    }
  }

  @Test(arguments: trials)
  func `is an error to a decoder`(kind: DatabaseKind, start: Start) throws {
    let database = try self.database(kind, start)
    let partial = try #require(try database.object(Ticket.self, id: 1, following: \.comments))
    let error = #expect(throws: DecodingError.self) { try partial.decoded(as: Names.self) }
    guard case .dataCorrupted(let context)? = error else {
      Testing.Issue.record("expected corrupted data, found \(String(describing: error))")
      return
    }
    #expect(
      context.debugDescription
        == #"Comment.author was not read (Person 8); add following: \.comments.author"#)
    #expect(context.codingPath.map(\.stringValue) == ["comments", "0", "author", "login"])
    #expect((context.underlyingError as? StoreError)?.following == "comments.author")
    struct Members: Decodable { var comments: [Int]? }
    let alone = try #require(try database.object(Ticket.self, id: 1))
    #expect(throws: DecodingError.self) { try alone.decoded(as: Members.self) }
    let whole = try #require(
      try database.object(Ticket.self, id: 1, following: \.comments.author))
    #expect(try whole.decoded(as: Names.self).comments.map(\.author?.login) == ["ben", "r2"])
  }

  private func text(_ content: ExportContent, _ database: GraphDatabase) throws -> String {
    var options = ExportOptions()
    options.keyOrder = .sorted
    let exporter = try JSONExporter(model: database.model, options: options)
    return String(decoding: try exporter.data(content), as: UTF8.self)
  }

  @Test(arguments: trials)
  func `is exported where it is complete, and an error elsewhere`(
    kind: DatabaseKind, start: Start
  ) throws {
    let database = try self.database(kind, start)
    let comments = try database.objects(Comment.self)
    // A fault is named by its identity, which the link holds.
    #expect(
      try text(.objects(comments), database)
        == #"[{"author":8,"id":11,"text":"first"},{"author":9,"id":12,"text":"second"}]"#)
    func expect(_ path: String, _ content: ExportContent) {
      let error = #expect(throws: ExportError.self) { try text(content, database) }
      #expect(error?.kind == .notRead)
      #expect((error?.underlyingError as? StoreError)?.following == path)
    }
    let issue = try #require(try database.object(Ticket.self, id: 1))
    let author = try #require(issue.author)
    expect("author", .object(author))
    expect("author", .objects([author]))
    // Without an identity they are named by nothing.
    let commented = try #require(try database.object(Ticket.self, id: 1, following: \.comments))
    expect("lines", .object(commented))
    // An empty list would clear the links at the next import.
    let lined = try #require(try database.object(Ticket.self, id: 1, following: \.lines))
    expect("comments", .object(lined))
    expect("comments", .graph(lined.graph))
    let whole = try #require(
      try database.object(Ticket.self, id: 1, following: \.lines, \.comments))
    let json = try text(.object(whole), database)
    #expect(json.contains(#""comments":[{"author":8,"id":11"#), "\(json)")
    #expect(json.contains(#""stars":[9,7,8]"#) && json.contains(#""watchers":[8,9]"#), "\(json)")
    // Objects without identity would be inserted anew.
    let other = try database.objects(Ticket.self, where: "id = 2", following: \.comments)
    let before = try database.graph().content(depth: 2)
    let importer = try database.makeImporter([ImportRoot(Ticket.self)])
    try importer.parse(Data(try text(.objects(other), database).utf8))
    _ = try importer.finish()
    #expect(try database.graph().content(depth: 2) == before)
  }

  @Test(arguments: trials)
  func `leaves out of its dumps what was not read`(kind: DatabaseKind, start: Start) throws {
    let database = try self.database(kind, start)
    let issue = try #require(try database.object(Ticket.self, id: 1))
    let author = try #require(issue.author)
    #expect(author.debugDescription == "Person(id: 7, not read)")
    #expect("\(GraphObject(author))" == "Person(id: 7, not read)")
    #expect("\(author.issues)" == "[not read]" && "\(issue.comments)" == "[not read]")
    #expect("\(GraphObject(issue.lines[0]))" == "Line(not read)")
    #expect("\(issue)".contains(#"title: "one""#))
    let canonical = String(decoding: issue.graph.canonicalJSON(), as: UTF8.self)
    #expect(canonical.contains(#"{"@id": "Person/1", "id": 7}"#), "\(canonical)")
    #expect(!canonical.contains("comments") && canonical.contains(#""title": "one""#))
  }

  @Test(arguments: trials)
  func `refuses queries in memory by properties that were not read`(
    kind: DatabaseKind, start: Start
  ) throws {
    let database = try self.database(kind, start)
    let graph = try database.graph(of: Ticket.self, where: .attribute(\Ticket.id, equals: 1))
    let people = graph.objects(Person.self)
    let message = #"Ticket.author was not read (Person 7); add following: \.author"#
    expect(message) { people.where(\.login, equals: "ada").count }
    expect(message) { Array(people.ordered(by: \.born)) }
    expect(message) { people.column(\.age).reduce(0, +) }
    let error = #expect(throws: StoreError.self) {
      try graph.objects("Person").where("login", equals: .string("ada"))
    }
    #expect(error?.kind == .notRead && error?.message == message)
    let watchers = try #require(graph.objects(Ticket.self).first).watchers
    let other = #"Ticket.watchers was not read (Person 8); add following: \.watchers"#
    expect(other) { watchers.where(\.login, equals: "ben").count }
    expect(other) { Array(watchers.ordered(by: \.login)) }
    // An identity is known, and so is all of an object that was read.
    #expect(Self.refusal { people.where(\.id, in: 8...).count } == nil)
    #expect(people.where(\.id, in: 8...).count == 2)
    #expect(graph.objects(Ticket.self).where(\.title, equals: "one").count == 1)
    let read = try database.graph(
      of: Ticket.self, where: .attribute(\Ticket.id, equals: 1), following: \.author, \.watchers)
    #expect(read.objects(Person.self).where(\.login, equals: "ada").count == 1)
    let age = read.objects(Person.self).column(\.age).reduce(0, +)
    #expect(age == 36)
  }

  @Test func `compares objects as any graph does`() throws {
    let database = try self.database(.sqlite, .issue)
    let issue = try #require(try database.object(Ticket.self, id: 1))
    #expect(issue.author == issue.author && Set([issue.author]).count == 1)
    #expect(issue.watchers[0] != issue.watchers[1])
    #expect(issue.watchers.contains(issue.watchers[1]))
  }

  @Test func `of everything lacks nothing`() throws {
    let database = try self.database(.sqlite, .issue)
    let graph = try database.graph()
    #expect(graph.storage.unread == nil)
    #expect(graph.objects(Person.self).map(\.isFault) == [false, false, false])
    #expect(graph.objects(Comment.self).map { $0.author?.login } == ["ben", "r2"])
  }

  @Test func `stops a program that reads what was not read`() async throws {
    let file = TemporaryDatabase()
    let path = file.url.path
    let importer = try GraphDatabase(model: GraphModel(for: Ticket.self), at: file.url)
      .makeImporter([ImportRoot(Ticket.self)])
    try importer.parse(Data(document.utf8))
    _ = try importer.finish()
    let typed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      let database = try GraphDatabase(
        model: GraphModel(for: Ticket.self), at: URL(filePath: path))
      print(try await database.object(Ticket.self, id: 1)?.author?.login ?? "none")
    }
    let message = String(decoding: typed?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains(#"Ticket.author was not read (Person 7); add following: \.author"#),
      "\(message)")
    let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      let database = try GraphDatabase(contentsOf: URL(filePath: path))
      print(try await database.objects("Ticket").map { $0.objects("comments") })
    }
    let other = String(decoding: named?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      other.contains(#"Ticket.comments was not read (Ticket 1); add following: "comments""#),
      "\(other)")
  }
}
