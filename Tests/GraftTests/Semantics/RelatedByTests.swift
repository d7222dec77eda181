import CommandLineSupport
import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

private struct Remark: Entity {
  let id = Attribute<Int>()
  let author = ToOne<Author>("user_name", inverse: \.tweets, relatedBy: \.screenName)
  let mentions = ToMany<Author>(relatedBy: \.screenName)
  static let identity = [\Self.id]
}

private struct Author: Entity {
  let id = Attribute<Int>()
  let screenName = Attribute<String?>("screen_name")
  let tweets = ToMany<Remark>("-")
  static let identity = [\Self.id]
}

@Suite struct `A relationship by another attribute than the identity` {
  private static func model(
    _ notes: [String: String] = [:], inverse: Bool = true
  ) -> [EntityDescription] {
    let relatedBy = notes.merging(["JSONRelatedBy": "name"]) { $1 }
    return [
      .make(
        "Tweet", [],
        [
          .make("author", to: "User", inverse: inverse ? "tweets" : nil, relatedBy),
          .make("mentions", to: "User", many: true, relatedBy), .make("owner", to: "User"),
        ]),
      .make(
        "User", [.make("name"), .make("age", .integer16)],
        inverse
          ? [.make("tweets", to: "Tweet", many: true, inverse: "author", ["JSONKeyPath": "-"])] : []
      ),
      .make("Bot", identity: "", parent: "User"),
    ]
  }

  private static func roots() throws -> [ImportRoot] {
    [ImportRoot("Tweet", at: "tweets"), ImportRoot("User", at: "users")]
  }

  private static let users = #""users":[{"id":7,"name":"ann"},{"id":8,"name":"bob","age":3}]"#
  private static let tweets = #""tweets":[{"id":1,"author":"ann","mentions":["bob","ann"]}]"#

  /// The users by their names, with the tweets of each.
  private func content(_ trial: ImportTrial) throws -> [String] {
    try trial.store.graph.objects("User").map { user in
      let tweets = try trial.store.graph.objects("Tweet").filter { tweet in
        tweet.object("author")?.id == user.id
      }
      let text = { (value: AttributeValue?) in value.map(\.text) ?? "-" }
      return
        "\(text(user["id"])) \(text(user["name"])) \(tweets.count)\(user.isStub ? " stub" : "")"
    }.sorted()
  }

  /// The inner object ends first, and is the one that the outer object describes too.
  @Test(arguments: ImportOptions.Mode.allCases)
  func `may find an object inside itself`(mode: ImportOptions.Mode) throws {
    let trial = try ImportTrial([
      .make(
        "Part", identity: "", [.make("code", .integer16)],
        [
          .make("whole", to: "Part", many: false, inverse: "next", ["JSONRelatedBy": "code"]),
          .make("next", to: "Part", inverse: "whole"),
        ])
    ])
    try trial.load(
      #"[{"whole": {"code": 3, "whole": {"code": 3}}}]"#, [ImportRoot("Part")],
      .with { $0.mode = mode })
    let graph = trial.store.graph
    let parts = try Array(graph.objects("Part"))
    #expect(parts.count == (mode == .updateOnly ? 0 : 2))
    #expect(parts.allSatisfy { $0.object("whole").map { graph.contains($0.id) } ?? true })
    #expect(parts.count { $0["code"] == .integer(3) } == parts.count / 2)
  }

  @Test(arguments: [true, false], [nil, 1])
  func `finds its objects, be they there before, or later in the document or in another`(
    inverse: Bool, saveInterval: Int?
  ) throws {
    for documents in [
      ["{\(Self.users),\(Self.tweets)}"], ["{\(Self.tweets),\(Self.users)}"],
      ["{\(Self.users)}", "{\(Self.tweets)}"], ["{\(Self.tweets)}", "{\(Self.users)}"],
    ] {
      let trial = try ImportTrial(Self.model(inverse: inverse))
      for json in documents {
        let roots = try Self.roots().filter { json.contains("\"\($0.path)\":") }
        try trial.load(json, roots, .with { $0.savePolicy.objects = saveInterval })
      }
      #expect(try content(trial) == [#"7 "ann" 1"#, #"8 "bob" 0"#])
      let mentions = try trial.store.graph.objects("Tweet").flatMap { $0.objects("mentions") }
      #expect(mentions.compactMap { $0["id"] }.count == 2)
    }
  }

  @Test func `makes a stub that has the attribute alone, and lists it until it is filled`() throws {
    let trial = try ImportTrial(Self.model())
    let report = try trial.load(#"{"id":1,"author":"ann"}"#)
    #expect(report.unfilledStubCount == 1)
    #expect(try content(trial) == [#"- "ann" 1 stub"#])
    let filled = try trial.load(#"{"id":7,"name":"ann","age":4}"#, as: "User")
    #expect(filled.unfilledStubCount == 0)
    #expect(try content(trial) == [#"7 "ann" 1"#])
  }

  /// Each kind counts its own objects.
  @Test(arguments: [nil, 1])
  func `may hold one part of an identity, of which the destination gives the other`(
    saveInterval: Int?
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Item", identity: "model pk", isAbstract: true, [.make("model"), .make("pk", .integer64)],
        [], ["JSONDiscriminator": "model"]),
      .make("Author", identity: "", parent: "Item", [.make("name")]),
      .make(
        "Book", identity: "", parent: "Item", [],
        [.make("author", to: "Author", ["JSONRelatedBy": "pk", "JSONExport": "identifier"])]),
    ])
    let json =
      #"[{"model":"Book","pk":1,"author":2},{"model":"Book","pk":2,"author":2},{"model":"Book","pk":3,"author":9},{"model":"Author","pk":2,"name":"Ann"}]"#
    let options = ImportOptions.with { $0.savePolicy.objects = saveInterval }
    #expect(try trial.load(json, as: "Item", options).unfilledStubCount == 1)
    #expect(try trial.load(json, as: "Item", options).insertedCount == 0)
    let books = try trial.store.graph.objects("Book").map { $0.object("author") }
    #expect(books.map { $0?["name"] } == [.string("Ann"), .string("Ann"), nil])
    #expect(books.map { $0?["pk"] } == [.integer(2), .integer(2), .integer(9)])
    #expect(books.map { $0?.isStub } == [false, false, true])
    let exporter = try JSONExporter(model: trial.store.model)
    let again = String(
      decoding: try exporter.data(.objects(trial.store.graph.objects("Book"))), as: UTF8.self)
    #expect(again.contains(#""author":2},"#) && again.contains(#""author":9}"#), "\(again)")
  }

  @Test func `fills a stub with an object of a sub-entity`() throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(#"{"id":1,"author":"ann","mentions":["ann"]}"#)
    try trial.load(#"{"id":7,"name":"ann"}"#, as: "Bot")
    #expect(
      trial.lines == [
        #"Bot/1 id: 7, name: "ann", tweets: [Tweet/1]"#,
        "Tweet/1 author: Bot/1, id: 1, mentions: [Bot/1]",
      ])
  }

  @Test func `joins the stub of a name with that of an identity`() throws {
    for inverse in [true, false] {
      let trial = try ImportTrial(Self.model(inverse: inverse))
      try trial.load(
        #"{"tweets":[{"id":1,"author":"ann","owner":7},{"id":2,"author":"ann"}],"users":[{"id":7,"name":"ann"}]}"#,
        try Self.roots())
      #expect(try content(trial) == [#"7 "ann" 2"#])
      #expect(try trial.store.graph.objects("Tweet").compactMap { $0.object("owner") }.count == 1)
    }
  }

  @Test func `lets an object's own identity come first`() throws {
    let trial = try ImportTrial(Self.model())
    try trial.load("{\(Self.users)}", [ImportRoot("User", at: "users")])
    try trial.load(
      #"[{"id":1,"author":{"id":9,"name":"ann"}},{"id":2,"author":{"name":"bob","age":5}}]"#)
    #expect(try content(trial) == [#"7 "ann" 0"#, #"8 "bob" 1"#, #"9 "ann" 1"#])
  }

  @Test func `leads to the first of several objects that have the value`() throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(#"[{"id":7,"name":"ann"},{"id":8,"name":"ann"}]"#, as: "User")
    try trial.load(#"{"id":1,"author":"ann"}"#)
    #expect(try content(trial) == [#"7 "ann" 1"#, #"8 "ann" 0"#])
  }

  @Test func `leads to the next of several objects when the first has another value`() throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(
      #"""
      [{"id":1,"author":{"id":7,"name":"ann"}},{"id":2,"author":{"id":8,"name":"ann"}},
        {"id":3,"author":"ann"},{"id":4,"author":{"id":7,"name":"eve"}},{"id":5,"author":"ann"},
        {"id":6,"author":{"id":8,"name":"ida"}},{"id":7,"author":{"id":7,"name":"ann"}},
        {"id":8,"author":"ann"}]
      """#)
    #expect(try content(trial) == [#"7 "ann" 5"#, #"8 "ida" 3"#])
  }

  @Test(arguments: [ReferencePolicy.ignore, .defer])
  func `leaves an unknown one out by policy`(policy: ReferencePolicy) throws {
    let trial = try ImportTrial(Self.model(["JSONReference": policy.rawValue]))
    let report = try trial.load(
      #"{"tweets":[{"id":1,"author":"ann","mentions":["eve","bob"]}],"#
        + #""users":[{"id":8,"name":"bob"}]}"#, try Self.roots())
    #expect(try content(trial) == [#"8 "bob" 0"#])
    #expect(report.ignoredReferenceCount == (policy == .defer ? 2 : 3))
    #expect(
      report.notices.first?.description.contains(
        #"found the string "\#(policy == .defer ? "ann" : "ann")", which identifies no object"#)
        == true)
  }

  @Test func `refuses an unknown one by policy`() throws {
    let trial = try ImportTrial(Self.model(["JSONReference": "error"]))
    #expect(trial.failure(#"{"id":1,"author":"ann"}"#).contains(#"found the string "ann""#))
  }

  @Test(arguments: [(false, #"{"type":"Bot","id":8}"#), (true, "8")])
  func `tells no sub-entity where that attribute is the identity`(
    isNamed: Bool, reference: String
  ) throws {
    var notes = ["JSONExport": "identifier"]
    if isNamed { notes["JSONRelatedBy"] = "id" }
    var base = EntityDescription.make("User", [.make("name")])
    base.userInfo["JSONDiscriminator"] = "type"
    let trial = try ImportTrial([
      .make("Tweet", [], [.make("author", to: "User", notes)]), base,
      .make("Bot", identity: "", parent: "User"),
    ])
    try trial.load(
      #"{"tweets":[{"id":1,"author":8}],"users":[{"id":8,"name":"bob","type":"Bot"}]}"#,
      try Self.roots())
    let exporter = try JSONExporter(model: trial.store.model)
    let tweets = Array(try trial.store.graph.objects("Tweet"))
    let json = String(decoding: try exporter.data(.objects(tweets)), as: UTF8.self)
    #expect(json == #"[{"id":1,"author":\#(reference)}]"#)
  }

  @Test func `is exported by that attribute`() throws {
    let trial = try ImportTrial(Self.model(["JSONExport": "identifier"]))
    try trial.load(
      #"{\#(Self.users),"tweets":[{"id":1,"author":"ann","mentions":["bob","eve"]}]}"#,
      try Self.roots())
    let exporter = try JSONExporter(model: trial.store.model)
    let json = String(decoding: try exporter.data(.graph(trial.store.graph)), as: UTF8.self)
    #expect(json.contains(#""author":"ann""#))
    #expect(json.contains(#""mentions":["bob","eve"]"#))
    let again = try ImportTrial(Self.model(["JSONExport": "identifier"]))
    try again.load(
      json, [ImportRoot("Tweet", at: "Tweet"), ImportRoot("User", at: "User")])
    #expect(try content(again) == content(trial))
  }

  @Test func `must name an attribute of the destination`() {
    let error = #expect(throws: ModelError.self) {
      try GraphModel(entities: [
        .make("Tweet", [], [.make("author", to: "User", ["JSONRelatedBy": "nam"])]),
        .make("User", [.make("name")]),
      ])
    }
    #expect(
      error?.description.contains(
        #"JSONRelatedBy names "nam", which is no attribute of User, did you mean "name"?"#) == true)
  }

  @Test func `is declared by a key path, and by a name`() throws {
    let store = try GraphStore(for: Remark.self)
    try store.importJSON(
      Remark.self, from: Data(#"{"id":1,"user_name":"ann","mentions":["bob"]}"#.utf8))
    try store.importJSON(Author.self, from: Data(#"{"id":7,"screen_name":"ann"}"#.utf8))
    #expect(store.graph.objects(Remark.self).first?.author?.id == 7)
    #expect(store.graph.objects(Author.self).map(\.screenName) == ["bob", "ann"])
    let described = try GraphModel(entities: [
      .make(
        "Tweet", [], [RelationshipDescription(name: "user", destination: "User", relatedBy: "n")]),
      .make("User", [.make("n")]),
    ])
    #expect("\(described.summary)".contains("found by n"))
    let whole = try JSONExporter(model: store.model).data(.graph(store.graph))
    let again = try GraphStore(for: Remark.self)
    try again.importJSON(Remark.self, at: "Remark", from: whole)
    #expect(again.graph.objects(Author.self).map(\.screenName) == ["ann", "bob"])
  }

  @Test func `keeps its links when another writer has committed`() throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(#"{"id":1,"author":"ann"}"#)
    let importer = try trial.store.makeImporter([ImportRoot("User")])
    try importer.parse(Data(#"{"id":7,"name":"ann"}"#.utf8))
    try trial.load(#"{"id":2,"author":"ann"}"#)
    _ = try importer.finish()
    #expect(try content(trial) == [#"7 "ann" 2"#])
  }
}
