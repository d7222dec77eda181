import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

private struct Tweet: Entity {
  let id = Attribute<Int>()
  let text = Attribute<String?>()
  let likes = Attribute<Int>(default: 0)
  let author = ToOne<User>(inverse: \.tweets)
  let tags = ToManyOrdered<Tag>()
  let readers = ToMany<User>(inverse: \.reading)
  static let identity = [\Self.id]
}

private struct User: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String?>()
  let place = Attribute<String?>()
  let tweets = ToMany<Tweet>(.nowhere)
  let reading = ToMany<Tweet>(.nowhere)
  let friends = ToMany<User>()
  static let identity = [\Self.id]
}

private struct Tag: Entity {
  let text = Attribute<String>()
  static let identity = [\Self.text]
}

/// An import that is under way while others write: what it has read, what they do, and what it reads afterwards.
struct Turns: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The documents imported before.
  var before = ""
  /// The document that the import reads before the others write.
  var first: String
  let others: @Sendable (MutableGraph) throws -> Void
  /// The document that it reads afterwards.
  var then = ""

  init(
    _ name: String, before: String = "", _ first: String, then: String = "",
    others: @escaping @Sendable (MutableGraph) throws -> Void
  ) {
    testDescription = name
    self.before = before
    self.first = first
    self.then = then
    self.others = others
  }

  static let all = [
    Turns("both change one object", before: #"{"id": 1, "text": "a"}"#, #"{"id": 1, "text": "b"}"#)
    {
      try $0.object(Tweet.self, id: 1)?.likes = 7
    },
    Turns(
      "both change one attribute", before: #"{"id": 1, "text": "a"}"#, #"{"id": 1, "text": "b"}"#
    ) {
      try $0.object(Tweet.self, id: 1)?.text = "c"
    },
    Turns(
      "the import changes nothing", before: #"{"id": 1, "text": "a"}"#, #"{"id": 1, "text": "a"}"#
    ) {
      try $0.object(Tweet.self, id: 1)?.text = "c"
    },
    Turns("both insert one object", #"{"id": 1, "text": "a", "author": 3}"#) {
      let tweet = try $0.insert(Tweet.self) { $0.id = 1 }
      tweet.likes = 3
      tweet.text = "x"
      tweet.author = try $0.insert(User.self) { $0.id = 3 }
    },
    Turns("others insert what is read later", #"{"id": 1}"#, then: #"{"id": 2, "text": "b"}"#) {
      let tweet = try $0.insert(Tweet.self) { $0.id = 2 }
      tweet.likes = 3
    },
    Turns(
      "others delete what is changed", before: #"{"id": 1, "text": "a", "likes": 2}"#,
      #"{"id": 1, "text": "b"}"#
    ) {
      try $0.object(Tweet.self, id: 1)?.delete()
    },
    Turns(
      "others delete what is not changed", before: #"{"id": 1, "text": "a"}"#,
      #"{"id": 1, "text": "a"}"#
    ) {
      try $0.object(Tweet.self, id: 1)?.delete()
    },
    Turns(
      "others delete what a link leads to",
      before: #"{"id": 1, "author": {"id": 3, "name": "Ada"}} {"id": 2}"#,
      #"{"id": 1, "text": "b", "author": {"id": 3, "name": "Ada"}}"#
    ) {
      try $0.object(User.self, id: 3)?.delete()
    },
    Turns(
      "both add to lists without order", before: #"{"id": 1, "readers": [{"id": 1}, {"id": 2}]}"#,
      #"{"id": 1, "readers": [{"id": 2}, {"id": 3}]}"#
    ) {
      let tweet = try #require(try $0.object(Tweet.self, id: 1))
      tweet.readers.append(try $0.insert(User.self) { $0.id = 4 })
    },
    Turns(
      "both add to lists with an order",
      before: #"{"id": 1, "tags": [{"text": "a"}, {"text": "b"}]}"#,
      #"{"id": 1, "tags": [{"text": "c"}, {"text": "b"}]}"#
    ) {
      let tweet = try #require(try $0.object(Tweet.self, id: 1))
      tweet.tags.append(try $0.insert(Tag.self) { $0.text = "d" })
    },
    Turns(
      "only the import changes the order",
      before: #"{"id": 1, "tags": [{"text": "a"}, {"text": "b"}]}"#,
      #"{"id": 1, "tags": [{"text": "b"}, {"text": "a"}]}"#
    ) {
      try $0.object(Tweet.self, id: 1)?.likes = 1
    },
    Turns(
      "both link to one object", before: #"{"id": 1, "author": {"id": 3}} {"id": 2}"#,
      #"{"id": 2, "author": 3} {"id": 4, "author": 3}"#
    ) {
      let tweet = try $0.insert(Tweet.self) { $0.id = 5 }
      tweet.author = try $0.object(User.self, id: 3)
    },
    Turns(
      "others move what the import moves", before: #"{"id": 1, "author": {"id": 3}}"#,
      #"{"id": 1, "author": 4}"#
    ) {
      try $0.object(Tweet.self, id: 1)?.author = try $0.insert(User.self) { $0.id = 5 }
    },
  ]
}

@Suite struct `Writers of one database` {
  private let model: GraphModel

  init() throws { model = try GraphModel(for: Tweet.self) }

  private var options: ImportOptions {
    .with {
      $0.parser.format = .ndjson
      $0.savePolicy.objects = 1000
    }
  }

  private func content(_ graph: Graph) throws -> [String: Int] {
    try graph.content(depth: 2)
  }

  @Test(arguments: DatabaseKind.with(Turns.all))
  func `are met by the rules of a store in memory`(kind: DatabaseKind, turns: Turns) throws {
    let roots = [ImportRoot(Tweet.self)]
    let store = GraphStore(model: model)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    var imports: [JSONImporter] = []
    imports = [
      try store.makeImporter(roots, options: options),
      try database.makeImporter(roots, options: options),
    ]
    for importer in imports {
      try importer.parse(Data(turns.before.utf8))
      _ = try importer.finish()
    }
    imports = [
      try store.makeImporter(roots, options: options),
      try database.makeImporter(roots, options: options),
    ]
    for importer in imports { try importer.parse(Data("\(turns.first)\n".utf8)) }
    try store.write(turns.others)
    try database.write(turns.others)
    for importer in imports { try importer.parse(Data(turns.then.utf8)) }
    let reports = try imports.map { try $0.finish() }
    #expect(reports[1].entities == reports[0].entities)
    #expect(try content(database.graph()) == content(store.graph))
    #expect(try trial.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `move an object away, whose identity an import goes on with`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    try database.write { graph in try graph.insert(Tweet.self) { $0.id = 1 }.text = "a" }
    let importer = try database.makeImporter([ImportRoot(Tweet.self)], options: options)
    try importer.parse(Data("{\"id\": 1, \"text\": \"b\"}\n".utf8))
    // A key is all that a database knows an object by.
    try database.write { try $0.object(Tweet.self, id: 1)?.id = 9 }
    let report = try importer.finish()
    #expect(report.insertedCount == 1)
    let texts = try database.objects(Tweet.self).map { [$0.id.description, $0.text] }
    #expect(texts == [["1", "b"], ["9", "a"]])
  }

  /// Messages name members by their login, of which another import knows the identity.
  private static let messages =
    #"{"id": 1, "from": "ann"}"# + "\n" + #"{"id": 2, "from": "bob"}"# + "\n"
  private static let members =
    #"{"id": 7, "login": "ann"}"# + "\n" + #"{"id": 8, "login": "bob"}"# + "\n"
  private static let more =
    #"{"id": 3, "from": "ann"}"# + "\n" + #"{"id": 4, "from": "eve"}"# + "\n"

  @Test(arguments: DatabaseKind.present, [nil, "messages"])
  func `find the objects of a value that imports have made meanwhile`(
    kind: DatabaseKind, inverse: String?
  ) throws {
    let messages = inverse.map { name in
      RelationshipDescription.make(
        name, to: "Message", many: true, inverse: "from", ["JSONKeyPath": "-"])
    }
    let model = try GraphModel(
      entities: [
        .make(
          "Message", [], [.make("from", to: "Member", inverse: inverse, ["JSONRelatedBy": "login"])]
        ),
        .make("Member", [.make("login")], messages.map { [$0] } ?? []),
      ], dialect: .graft)
    func run(
      _ target: some ImportTarget, _ begin: String, _ other: (String, String), _ then: String
    ) throws {
      let importer = try target.makeImporter([ImportRoot(begin)], options: options)
      let texts = ["Message": Self.messages, "Member": Self.members]
      try importer.parse(Data((texts[begin] ?? "").utf8))
      let second = try target.makeImporter([ImportRoot(other.0)], options: options)
      try second.parse(Data(other.1.utf8))
      _ = try second.finish()
      try importer.parse(Data(then.utf8))
      _ = try importer.finish()
    }
    for (begin, other, then) in [
      ("Message", ("Member", Self.members), Self.more),
      ("Member", ("Message", Self.messages + Self.more), ""),
      ("Message", ("Message", Self.more), ""),
    ] {
      let inOrder = GraphStore(model: model)
      for (root, text) in [
        (begin, begin == "Member" ? Self.members : Self.messages), other, (begin, then),
      ] {
        let importer = try inOrder.makeImporter([ImportRoot(root)], options: options)
        try importer.parse(Data(text.utf8))
        _ = try importer.finish()
      }
      let store = GraphStore(model: model)
      try run(store, begin, other, then)
      #expect(try content(store.graph) == content(inOrder.graph), "\(begin)")
      let trial = try TrialDatabase(kind)
      let database = try trial.open(model)
      try run(database, begin, other, then)
      #expect(try content(database.graph()) == content(inOrder.graph), "\(begin)")
      #expect(try trial.faults() == [])
    }
  }

  /// What another import reads, then what the import reads that began before it and ends after it.
  private static let documents: [(early: String, late: String)] = [
    (#"{"id": 1, "r": {"id": 2}}"#, #"{"id": 2, "v": {"id": 1}}"#),
    (#"{"r": {"id": 2}, "id": 1}"#, "{\"id\": 1}\n{\"id\": 1, \"r\": {\"id\": 2}}"),
    (#"{"known": "L", "id": 1}"#, "{\"id\": 1}\n{\"id\": 1, \"known\": \"L\"}"),
    (#"{"id": 9}"#, #"{"id": 7, "list": [4, 3, 1, 2]}"#),
    (#"{"id": 9}"#, "{\"id\": 3, \"owner\": 7}\n{\"id\": 1, \"owner\": 7}"),
  ]

  /// A link that both ends have, and lists in an order of their own, of which the other end is read first.
  @Test(arguments: DatabaseKind.with(Array(documents.indices)))
  func `leave the links and orders of an import as it gives them`(
    kind: DatabaseKind, number: Int
  ) throws {
    let documents = Self.documents[number]
    let list = RelationshipDescription(
      name: "list", destination: "A", inverse: "owner", isToMany: true, isOrdered: true)
    let model = try GraphModel(
      entities: [
        .make(
          "A", [.make("login")],
          [
            .make("known", to: "A", inverse: "knownBy", ["JSONRelatedBy": "login"]),
            .make("knownBy", to: "A", inverse: "known"),
            .make("r", to: "A", inverse: "v"), .make("v", to: "A", inverse: "r"), list,
            .make("owner", to: "A", inverse: "list"),
          ])
      ], dialect: .graft)
    // The late import reads its first line before the other begins, and the rest after that has ended.
    let first = String(documents.late.prefix { $0 != "\n" })
    let rest = String(documents.late.dropFirst(first.count))
    func content(_ target: some ImportTarget, interleaved: Bool) throws {
      let before = try target.makeImporter([ImportRoot("A")], options: options)
      try before.parse(Data(#"{"id": 1}"#.utf8) + Data("\n".utf8) + Data(#"{"id": 3}"#.utf8))
      _ = try before.finish()
      var late = try target.makeImporter([ImportRoot("A")], options: options)
      let early = try target.makeImporter([ImportRoot("A")], options: options)
      if interleaved { try late.parse(Data((first + "\n").utf8)) }
      try early.parse(Data(documents.early.utf8))
      _ = try early.finish()
      if interleaved {
        try late.parse(Data(rest.utf8))
      } else {
        late = try target.makeImporter([ImportRoot("A")], options: options)
        try late.parse(Data(documents.late.utf8))
      }
      _ = try late.finish()
    }
    func lists(_ graph: Graph) throws -> [String] {
      try graph.objects("A").map { object in
        let ids = object.objects("list").map { $0["id"]?.text ?? "" }
        let known = object.object("known")?["login"]?.text ?? "-"
        return
          "\(object["id"]?.text ?? "") \(object.object("r")?["id"]?.text ?? "-") \(known) \(ids)"
      }.sorted()
    }
    let expected = GraphStore(model: model)
    try content(expected, interleaved: false)
    let store = GraphStore(model: model)
    try content(store, interleaved: true)
    #expect(try lists(store.graph) == lists(expected.graph))
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    try content(database, interleaved: true)
    #expect(try lists(database.graph()) == lists(store.graph))
    #expect(try trial.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `keep all objects without identity`(kind: DatabaseKind) throws {
    let model = try GraphModel(
      entities: [.make("Note", identity: "", [.make("text")]), .make("User")], dialect: .graft)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    let importers = try (0..<2).map { _ in
      try database.makeImporter([ImportRoot("Note")], options: options)
    }
    for importer in importers {
      try importer.parse(Data(#"{"text": "a"}"#.utf8) + Data("\n".utf8))
    }
    for importer in importers { _ = try importer.finish() }
    #expect(try database.count(of: "Note") == 2)
  }

  @Test(arguments: DatabaseKind.present)
  func `do not wait for an import that waits for bytes`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    var options = options
    options.savePolicy.objects = 2
    let importer = try database.makeImporter([ImportRoot(Tweet.self)], options: options)
    for number in 1...5 {
      try importer.parse(Data("{\"id\": \(number), \"author\": 3}\n".utf8))
      let start = ContinuousClock.now
      try database.write { graph in
        let tweet = try graph.findOrInsert("Tweet", identifiedBy: ["id": .integer(100)])
        tweet["likes"] = .integer(Int64(number))
      }
      #expect(.now - start < .seconds(5))
    }
    let report = try importer.finish()
    #expect(report.entities.first { $0.entity == "Tweet" }?.inserted == 5)
    #expect(try database.count(of: "Tweet") == 6)
    #expect(try trial.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `import at the same time, each with its own record`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let databases = [try trial.open(model), try trial.open(model)]
    var options = options
    options.savePolicy.objects = 3
    let importers = try databases.map {
      try $0.makeImporter([ImportRoot(Tweet.self)], options: options)
    }
    for number in 0..<20 {
      // They have half of their objects in common.
      for (offset, importer) in importers.enumerated() {
        let text = """
          {"id": \(number + offset * 10), "author": {"id": \(number % 4), "name": "\(offset)"}, "tags": [{"text": "t"}]}

          """
        try importer.parse(Data(text.utf8))
      }
    }
    let reports = try importers.map { try $0.finish() }
    #expect(try databases[0].count(of: "Tweet") == 30)
    #expect(try databases[0].count(of: "User") == 4)
    let inserted = reports.flatMap(\.entities).filter { $0.entity == "Tweet" }.map(\.inserted)
    #expect(inserted.reduce(0, +) == 30, "no object is inserted twice")
    #expect(try trial.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `do not lose an import's place`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    var options = options
    options.savePolicy.objects = 1
    let importer = try database.makeImporter([ImportRoot(Tweet.self)], options: options)
    try importer.parse(Data("{\"id\": 1}\n{\"id\": 2}\n".utf8))
    try database.write { try $0.insert(Tweet.self) { $0.id = 9 } }
    importer.cancel()
    #expect(try database.count(of: "Tweet") == 3)
  }

  @Test(arguments: DatabaseKind.present)
  func `keep an import from deleting what they have inserted`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    try database.write { graph in
      for id in [1, 2, 3] { try graph.insert(Tweet.self) { $0.id = id } }
    }
    var options = options
    options.deletesMissing = true
    let importer = try database.makeImporter([ImportRoot(Tweet.self)], options: options)
    try importer.parse(Data("{\"id\": 1}\n".utf8))
    try database.write { try $0.insert(Tweet.self) { $0.id = 9 } }
    try importer.parse(Data("{\"id\": 2}\n".utf8))
    let report = try importer.finish()
    #expect(report.entities.first?.deleted == 1)
    let ids = try database.graph().objects("Tweet").compactMap { $0["id"] }
    #expect(ids == [.integer(1), .integer(2), .integer(9)])
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(20, of: 80)))
  func `are met as in memory, whatever the inverses, policies and modes`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random, removes: false)
    let store = GraphStore(model: family.model)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(family.model)
    var options = options
    options.errorPolicy = .skipObject
    func run(_ texts: [String], _ importer: JSONImporter) throws {
      for text in texts { try importer.parse(Data(text.utf8)) }
      _ = try importer.finish()
    }
    for round in 0..<4 {
      options.mode =
        [.upsert, .upsert, .insertOnly, .updateOnly].randomElement(using: &random) ?? .upsert
      options.relationships.reference = ReferencePolicy.allCases.randomElement(using: &random)
      let texts = (0..<3).map { _ in family.document(&random) }
      let first = (
        try store.makeImporter([family.root], options: options),
        try database.makeSourceImporter([family.root], options: options)
      )
      let place = "seed \(seed), round \(round): \(texts)"
      do {
        try first.0.parse(Data(texts[0].utf8))
        try first.1.parse(Data(texts[0].utf8))
        let other = Result {
          try run([texts[1]], store.makeImporter([family.root], options: options))
        }
        let found = Result {
          try run([texts[1]], database.makeImporter([family.root], options: options))
        }
        try #require("\(found)" == "\(other)", "\(place)")
        try first.0.parse(Data(texts[2].utf8))
        try first.1.parse(Data(texts[2].utf8))
      }
      let expected = Result { try first.0.finish().entities }
      let found = Result { try first.1.finish().entities }
      try #require("\(found)" == "\(expected)", "\(place)")
      try #require(
        try database.graph().content(depth: 2) == store.graph.content(depth: 2), "\(place)")
      try #require(try trial.faults() == [], "\(place)")
    }
  }
}
