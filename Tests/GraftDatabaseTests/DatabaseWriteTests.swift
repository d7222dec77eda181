import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

private struct Author: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String>()
  let books = ToMany<Book>(.nowhere)
  static let identity = [\Self.id]
}

private struct Book: Entity {
  let id = Attribute<Int>()
  let title = Attribute<String?>()
  let author = ToOne<Author>(inverse: \.books)
  let tags = ToMany<Tag>()
  static let identity = [\Self.id]
}

private struct Tag: Entity {
  let text = Attribute<String>()
  static let identity = [\Self.text]
}

private struct Album: Entity {
  let id = Attribute<Int>()
  let songs = ToManyOrdered<Song>(inverse: \.album)
  let covers = ToMany<Song>(inverse: \.covered)
  static let identity = [\Self.id]
}

private struct Song: Entity {
  let id = Attribute<Int>()
  let title = Attribute<String?>()
  let album = ToOne<Album>(.nowhere)
  let covered = ToOne<Album>(.nowhere)
  static let identity = [\Self.id]
}

@Suite struct `Writing to a database` {
  private let file = TemporaryDatabase()

  private func library() throws -> GraphDatabase {
    let database = try GraphDatabase(
      model: GraphModel(for: Book.self), at: file.url, configuration: .quick)
    let importer = try database.makeImporter(Book.self)
    let text = """
      [{"id": 1, "title": "one", "author": {"id": 7, "name": "Ada"}, "tags": [{"text": "x"}, {"text": "y"}]},
        {"id": 2, "title": "two", "author": 7, "tags": [{"text": "y"}]},
        {"id": 3, "title": "three", "author": {"id": 8, "name": "Ben"}}]
      """
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
    return database
  }

  @Test func `deletes a chain in a time that grows with its length`() throws {
    struct Link: Entity {
      let id = Attribute<Int>()
      let next = ToOne<Link>(inverse: \.previous, deleteRule: .cascade)
      let previous = ToOne<Link>(.nowhere)
      static let identity = [\Self.id]
    }
    func seconds(_ count: Int) throws -> Double {
      let file = TemporaryDatabase()
      let database = try GraphDatabase(
        model: GraphModel(for: Link.self), at: file.url, configuration: .quick)
      let importer = try database.makeImporter(Link.self)
      let links = (0..<count).map {
        $0 + 1 < count ? #"{"id":\#($0),"next":\#($0 + 1)}"# : #"{"id":\#($0)}"#
      }
      try importer.parse(Data("[\(links.joined(separator: ","))]".utf8))
      _ = try importer.finish()
      let seconds = try ThreadTime.seconds {
        try database.write { try $0.object(Link.self, id: 0)?.delete() }
      }
      #expect(try database.count(of: "Link") == 0)
      return seconds
    }
    let few = try seconds(300)
    #expect(try seconds(3_000) < few * 10 * 3 + 0.5)
  }

  /// A change of an album's songs, which are 1 to 30; song 31 is new.
  enum ListChange: CaseIterable {
    case remove, removeWhere, append, insert, replace

    fileprivate func apply(to list: MutableRelatedObjects<Song>, _ new: MutableObject<Song>) {
      switch self {
      case .remove: list.remove(list[3])
      case .removeWhere:
        let removed = list[3].objectID
        list.removeAll { $0.objectID == removed }
      case .append: list.append(contentsOf: [new])
      case .insert: list.insert(new, at: 0)
      case .replace: list.replace(with: list.filter { $0 != list[3] } + [new])
      }
    }

    var read: [Int] {
      switch self {
      case .remove, .removeWhere: [4]
      case .append, .insert: [31]
      case .replace: [4, 31]
      }
    }

    var members: [Int] {
      let rest = [1, 2, 3] + Array(5...30)
      return switch self {
      case .remove, .removeWhere: rest
      case .append: Array(1...31)
      case .insert: [31] + Array(1...30)
      case .replace: rest + [31]
      }
    }
  }

  @Test(arguments: ListChange.allCases, [true, false])
  func `reads only the members that a list gains or loses`(
    change: ListChange, isOrdered: Bool
  ) throws {
    if change == .insert, !isOrdered { return }
    let database = try GraphDatabase(
      model: GraphModel(for: Album.self), at: file.url, configuration: .quick)
    try database.write { graph in
      let album = try graph.insert(Album.self) { $0.id = 1 }
      for id in 1...30 {
        let song = try graph.insert(Song.self) { $0.id = id }
        if isOrdered { album.songs.append(song) } else { album.covers.append(song) }
      }
      try graph.insert(Song.self) { $0.id = 31 }
    }
    let read = try database.write { graph in
      let album = try #require(try graph.object(Album.self, id: 1))
      let new = try graph.findOrInsert(Song.self, id: 31)
      change.apply(to: isOrdered ? album.songs : album.covers, new)
      let transaction = graph.transaction
      let fetched = try #require(transaction.fetched)
      return transaction.objects(of: new.objectID.entity)
        .filter { !fetched.state(of: $0).contains(.unread) }
        .map { transaction.withIdentity(of: $0) { Int($0[0].integer) } }
    }
    #expect(Set(read).subtracting([31]) == Set(change.read).subtracting([31]))
    let album = try #require(
      try database.object(Album.self, id: 1, following: \.songs, \.covers))
    let members = isOrdered ? album.songs.map(\.id) : album.covers.map(\.id).sorted()
    #expect(members == (isOrdered ? change.members : change.members.sorted()))
  }

  @Test func `finds, changes, links, inserts and deletes what is there`() throws {
    let database = try library()
    let titles = try database.write { graph in
      let one = try #require(try graph.object(Book.self, id: 1))
      let titles = [one.title, one.author?.name]
      let books = one.author.map { $0.books.compactMap(\.title) } ?? []
      #expect(Set(books) == ["one", "two"])
      one.title = "uno"
      let new = try graph.insert(Book.self) { $0.id = 4 }
      new.author = one.author
      try #require(try graph.object(Book.self, id: 3)).delete()
      return titles
    }
    #expect(titles == ["one", "Ada"])
    #expect(
      try file.rows("SELECT id, title, author FROM Book ORDER BY id")
        == ["1|uno|7", "2|two|7", "4||7"])
    #expect(
      try file.rows("SELECT book, tag FROM Book_tags ORDER BY 1, 2") == ["1|x", "1|y", "2|y"])
    #expect(try file.integrityFaults() == [])
  }

  @Test func `finds objects by a condition, and counts all`() throws {
    let database = try library()
    let found = try database.write { graph in
      let some = try graph.objects(Book.self, where: .attribute(\Book.id, in: 2...))
      for book in some { book.title = book.title.map { $0 + "!" } }
      return try (
        some.map(\.id), graph.objects("Book", where: "author = \(7)", limit: 1).count,
        graph.count(of: "Book"), graph.objects(Tag.self).map(\.text).sorted()
      )
    }
    #expect(found.0 == [2, 3])
    #expect(found.1 == 1)
    #expect(found.2 == 3)
    #expect(found.3 == ["x", "y"])
    #expect(try file.rows("SELECT title FROM Book ORDER BY id") == ["one", "two!", "three!"])
  }

  @Test func `lets what refers to an object follow its new identity`() throws {
    let database = try library()
    try database.write { graph in
      try #require(try graph.object(Author.self, id: 7)).id = 70
      try #require(try graph.object(Tag.self, id: "y")).text = "z"
    }
    #expect(try file.rows("SELECT id, author FROM Book ORDER BY id") == ["1|70", "2|70", "3|8"])
    #expect(
      try file.rows("SELECT book, tag FROM Book_tags ORDER BY 1, 2") == ["1|x", "1|z", "2|z"])
    #expect(try file.integrityFaults() == [])
  }

  @Test func `may give the former identity of an object to a new one`() throws {
    let database = try library()
    try database.write { graph in
      try #require(try graph.object(Author.self, id: 7)).id = 70
      #expect(try graph.object(Author.self, id: 7) == nil)
      try graph.findOrInsert(Author.self, id: 7).name = "new"
      try #require(try graph.object(Tag.self, id: "y")).text = "z"
      _ = try graph.findOrInsert(Tag.self, id: "y")
    }
    #expect(try file.rows("SELECT id, author FROM Book ORDER BY id") == ["1|70", "2|70", "3|8"])
    #expect(try file.rows("SELECT name FROM Author WHERE id = 7") == ["new"])
    #expect(try file.rows("SELECT text FROM Tag ORDER BY 1") == ["x", "y", "z"])
    #expect(try file.integrityFaults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `may move identities along among objects that lead to each other`(kind: DatabaseKind) throws
  {
    let model = try GraphModel(
      entities: [.make("User", [.make("name")], [.make("boss", to: "User")])], dialect: .graft)
    let database = try TrialDatabase.opened(kind, model)
    func user(_ id: Int64, _ graph: MutableGraph) throws -> MutableGraphObject {
      try graph.findOrInsert("User", identifiedBy: ["id": .integer(id)])
    }
    try database.write { graph in
      for id in 1...4 as ClosedRange<Int64> {
        try user(id, graph)["name"] = .string("\(id)")
        try user(id, graph).setObject(user(1, graph), of: "boss")
      }
    }
    try database.write { graph in
      for id in (1...3 as ClosedRange<Int64>).reversed() {
        try user(id, graph)["id"] = .integer(id == 3 ? 5 : id + 1)
      }
      try user(5, graph).setObject(user(1, graph), of: "boss")
    }
    let users = try database.graph().objects("User")
    #expect(users.compactMap { $0["id"]?.shortText } == ["1", "2", "3", "4", "5"])
    #expect(
      users.map { $0.object("boss")?["id"]?.shortText ?? "none" } == ["none", "2", "2", "2", "1"])
  }

  @Test func `undoes everything where it fails`() throws {
    let database = try library()
    let before = try database.graph().content(depth: 2)
    #expect(throws: CancellationError.self) {
      try database.write { graph in
        try #require(try graph.object(Book.self, id: 1)).delete()
        throw CancellationError()
      }
    }
    let missing = #expect(throws: StoreError.self) {
      try database.write { _ = try $0.insert(Author.self) { $0.id = 9 } }
    }
    #expect(missing?.kind == .invalidObjects)
    let taken = #expect(throws: StoreError.self) {
      try database.write { try #require(try $0.object(Author.self, id: 7)).id = 8 }
    }
    #expect(taken?.kind == .duplicateIdentity)
    let condition = #expect(throws: StoreError.self) {
      try database.write { _ = try $0.objects("Book", where: "nothing = 1") }
    }
    #expect(condition?.kind == .invalidCondition)
    #expect(try database.graph().content(depth: 2) == before)
  }

  @Test func `takes a condition only in a database`() throws {
    let store = try GraphStore(for: Book.self)
    let error = #expect(throws: StoreError.self) {
      try store.write { _ = try $0.objects("Book", where: "id = 1") }
    }
    #expect(error?.message.contains("in memory takes no condition") == true)
  }

  @Test func `does not mind what an import let pass and it has only read`() throws {
    let model = try GraphModel(
      entities: [
        .make(
          "Bird",
          [AttributeDescription(name: "name", type: .string, isOptional: false), .make("note")])
      ], dialect: .graft)
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let importer = try database.makeImporter(entity: "Bird")
    try importer.parse(Data(#"[{"id": 1, "name": "wren"}, {"id": 2, "name": "owl"}]"#.utf8))
    _ = try importer.finish()
    try file.run("UPDATE Bird SET name = NULL WHERE id = 1")
    try database.write { graph in
      for bird in try graph.objects("Bird") where bird["name"] != nil {
        bird["note"] = .string("!")
      }
    }
    #expect(try file.rows("SELECT id, note FROM Bird ORDER BY id") == ["1|", "2|!"])
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(20, of: 60)))
  func `does what a write in memory does`(kind: DatabaseKind, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random)
    let store = GraphStore(model: family.model)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(family.model)
    var options = ImportOptions()
    options.parser.format = .ndjson
    let document = Data(family.document(&random).utf8)
    guard (try? store.importJSON([family.root], from: document, options: options)) != nil else {
      return
    }
    let importer = try database.makeImporter([family.root], options: options)
    try importer.parse(document)
    _ = try importer.finish()
    for round in 0..<3 {
      let steps = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        RandomStep(family.model, &random)
      }
      let place = "seed \(seed), round \(round): \(steps)"
      let expected = Result { try store.write { graph in try steps.map { try $0.run(graph) } } }
      let found = Result { try database.write { graph in try steps.map { try $0.run(graph) } } }
      try #require(
        (try? found.get()) == (try? expected.get()), "\(place): \(found), expected \(expected)")
      try #require(
        try trial.openAgain().graph().content(depth: 2) == store.graph.content(depth: 2),
        "\(place)")
      try #require(try trial.faults() == [], "\(place)")
    }
  }
}

/// One thing that a write does with objects that it finds by their identities.
private struct RandomStep: CustomStringConvertible {
  private enum Kind: CaseIterable {
    case insert, rename, link, replace, add, remove, read, delete, identify
  }

  private let kind: Kind
  private let entity: String
  private let id: Int
  private let other: Int
  private let relationship: RelationshipDescription?
  private let targets: [Int]

  var description: String {
    "\(kind) \(entity) \(id) \(relationship?.name ?? "") \(other) \(targets)"
  }

  init(_ model: GraphModel, _ random: inout SeededGenerator) {
    let entities = model.entities.filter { $0.superentity == nil }
    let chosen = entities.randomElement(using: &random) ?? entities[0]
    entity = chosen.name
    kind = Kind.allCases.randomElement(using: &random) ?? .read
    id = Int.random(in: 0..<6, using: &random)
    other = Int.random(in: 0..<6, using: &random)
    targets = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Int.random(in: 0..<6, using: &random)
    }
    relationship = chosen.relationships.randomElement(using: &random)
  }

  private func find(
    _ entity: String, _ id: Int, _ graph: MutableGraph
  ) throws -> MutableGraphObject? {
    try graph.object(entity, identifiedBy: ["id": .integer(Int64(id))])
  }

  /// Carries the step out, and says what it has seen.
  func run(_ graph: MutableGraph) throws -> String {
    if kind == .insert {
      let object = try graph.findOrInsert(entity, identifiedBy: ["id": .integer(Int64(id))])
      object["name"] = .string("\(other)")
    }
    guard let object = try find(entity, id, graph) else { return "none" }
    switch kind {
    case .rename: object["name"] = .string("\(other)")
    case .delete: return "\(try graph.delete(object))"
    case .identify: object["id"] = .integer(Int64(other + 10 * id))
    default: break
    }
    guard let relationship else { return "\(object["name"].map { "\($0)" } ?? "nil")" }
    let members = try targets.compactMap { try find(relationship.destination, $0, graph) }
    let name = relationship.name
    guard relationship.isToMany else {
      if [.link, .replace, .add].contains(kind) { try object.setObject(members.first, of: name) }
      if kind == .remove { try object.setObject(nil, of: name) }
      return text([object.object(name)].compactMap(\.self), relationship)
    }
    switch kind {
    case .replace: try object.setObjects(members, of: name)
    case .add: for member in members { try object.add(member, to: name) }
    case .remove: for member in members { try object.remove(member, from: name) }
    default: break
    }
    return text(object.objects(name), relationship)
  }

  private func text(
    _ objects: [MutableGraphObject], _ relationship: RelationshipDescription
  ) -> String {
    let texts = objects.map {
      "\($0.entityName) \($0["id"].map { "\($0)" } ?? "-") \($0["name"].map { "\($0)" } ?? "-")"
    }
    return (relationship.isOrdered ? texts : texts.sorted()).joined(separator: ", ")
  }
}

@Suite struct `Changes of a database` {
  private let file = TemporaryDatabase()

  @Test(.timeLimit(.minutes(1))) func `arrive at once, and after each commit`() async throws {
    let model = try GraphModel(entities: [.make("Bird", [.make("name")])], dialect: .graft)
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    var count = 0
    for try await _ in database.changes(every: .milliseconds(5)) {
      #expect(try await database.count(of: "Bird") == count)
      count += 1
      guard count < 4 else { break }
      // By another connection, as each write and import has one.
      try await database.write { [count] in
        _ = try $0.insert("Bird", ["id": .integer(Int64(count))])
      }
    }
    #expect(count == 4)
  }

  @Test(.timeLimit(.minutes(1))) func `end with the task`() async throws {
    let model = try GraphModel(entities: [.make("Bird", [.make("name")])], dialect: .graft)
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let task = Task {
      var count = 0
      for try await _ in database.changes(every: .milliseconds(5)) { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(30))
    task.cancel()
    #expect(try await task.value == 1)
  }
}
