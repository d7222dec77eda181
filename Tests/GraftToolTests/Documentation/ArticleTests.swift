import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftDatabaseTests
@testable import GraftExport
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the code of the articles, with their documents, and compares what it prints.
@Suite struct `The article` {
  @Test func `that all begin with prints what it says`() async throws {
    let page = Article.named("Graft")
    let printed = try await LandingPage.transcript {
      try LandingPage.named(try LandingPage.typed())
    }
    let tweets = "Look west.\nThere it is!"
    #expect(printed == (page.texts("text") + [tweets]).joined(separator: "\n"))
  }

  @Test func `on an API imports pages, again and again`() async throws {
    typealias Page = ImportingAnAPI
    let server = try LoopbackServer { request in
      if request.headers["if-none-match"] == "a" { return [.head("304 Not Modified")] }
      let isFirst = !request.target.contains("&page=2")
      let issue = { (id: String) in
        #"{"id": \#(id), "title": "t", "updated_at": "2026-11-23", "user": {"login": "ada"}}"#
      }
      return [
        .answer(
          isFirst ? "[\(issue("1")), \(issue("2"))]" : "[\(issue("3"))]",
          headers: ["ETag: a", "X-Schema: 2"]
            + (isFirst ? ["Link: <?per_page=2&page=2>; rel=\"next\""] : []))
      ]
    }
    let file = TemporaryDatabase()
    let url = server.url("issues?per_page=2")
    let printed = try await Page.transcript {
      let database = try await Page.imported(url, into: file.url)
      try await Page.patient(URLRequest(url: url), into: database)
      try await Page.renewed(url, in: database)
      try await Page.renewed(url, in: database)
      try await Page.mirrored(url, into: database)
      try await Page.inHand(url, into: GraphStore(for: Page.Issue.self))
      try await Page.paused(url, into: GraphStore(for: Page.Issue.self))
      #expect(try await database.count(of: "Issue") == 3)
    }
    #expect(printed == "4 objects are new\n0 are new\nnothing new\na\n4 objects are new")
    #expect(server.requests.contains { $0.target.contains("since=2026-11-23T00%3A00%3A00Z") })
    let own = try GraphStore(for: Page.Issue.self)
    try await own.importJSON(Page.Issue.self, from: Page.own(url))
    #expect(own.graph.objects(Page.Issue.self).count == 2)
  }

  @Test func `on mapping reads its document`() throws {
    typealias Page = MappingJSON
    let json = try #require(Article.named("MappingJSON").texts("json").first)
    let graph = try Page.events(Data(json.utf8)).graph
    let event = try #require(graph.objects(Page.Event.self).first)
    #expect(event.id == 138_586_341)
    #expect(event.name == "On comets")
    #expect(event.start == Date(timeIntervalSince1970: 1_777_919_400))
    #expect(event.end == Date(timeIntervalSince1970: 1_777_924_800))
    #expect(event.longitude == 13.4 && event.latitude == 52.5)
    #expect(event.kind == .talk)
    #expect(event.tags == ["sky", "ice"])
    #expect(event.colour == "blue")
    #expect(event.speakers.map(\.name) == ["Ada", "Ben"])
    #expect(event.room?.number == 7)
  }

  @Test func `on mapping shows a type that says how it is kept`() throws {
    typealias Page = MappingJSON
    let store = try GraphStore(for: Page.Ticket.self)
    try store.importJSON(
      Page.Ticket.self, from: Data(#"[{"price": 3.5}, {"price": "3.50"}, {"price": 12}]"#.utf8))
    #expect(store.graph.objects(Page.Ticket.self).map(\.price.cents) == [350, 350, 1200])
    #expect(throws: ImportError.self) {
      try store.importJSON(Page.Ticket.self, from: Data(#"{"price": 0.001}"#.utf8))
    }
  }

  @Test func `on inference imports by the inferred model`() throws {
    let document = Data(#"{"people": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Ben"}]}"#.utf8)
    #expect(try Inferring.imported(document).graph.count(of: "Person") == 2)
  }

  /// The sections of the article on shapes: what its document gives, by the canonical form.
  private static let shapes: [(roots: [String], entities: [any Entity.Type], lines: [String])] = [
    (
      ["Language@languages.*", "Book@books"], [ShapesOfJSON.Book.self],
      [
        "Book/1 id: 1, language: Language/1, translations: [Language/2, Language/3]",
        #"Language/1 code: "en", name: "English""#, #"Language/2 code: "de", name: "German""#,
        #"Language/3 code: "ro""#,
      ]
    ),
    (
      ["Follower@follows.*"], [ShapesOfJSON.Follower.self],
      [
        "Follower/1 follows: [Follower/3], id: 2", "Follower/2 id: 3",
        "Follower/3 follows: [Follower/1, Follower/2], id: 1",
      ]
    ),
    (
      ["Browser@agents.*"], [ShapesOfJSON.Browser.self],
      [
        #"Browser/1 name: "firefox", releases: [Release/1, Release/2]"#,
        #"Browser/2 name: "safari", releases: [Release/3]"#,
        #"Release/1 browser: "firefox", support: "full", version: "120""#,
        #"Release/2 browser: "firefox", support: "partial", version: "119""#,
        #"Release/3 browser: "safari", support: "full", version: "17.1""#,
      ]
    ),
    (
      ["Reading@rows[1:]"], [ShapesOfJSON.Reading.self],
      [
        #"Reading/1 celsius: -11.5, id: 1, station: "Kirkenes""#,
        #"Reading/2 id: 2, station: "Alta""#,
      ]
    ),
    (
      ["Volume"], [ShapesOfJSON.Volume.self],
      [
        #"Author/1 name: "Ada""#, #"Author/2 name: "Ion""#,
        #"Volume/1 authors: [Author/1], isbn: "1""#,
        #"Volume/2 authors: [Author/1, Author/2], isbn: "2""#,
      ]
    ),
    (
      ["Work"], [ShapesOfJSON.Work.self],
      [
        #"Label/1 text: "a string""#, #"Label/2 language: "fr", text: "une boîte""#,
        #"Work/1 label: Label/1, title: "Plain""#, #"Work/2 label: Label/2, title: "Boxed""#,
      ]
    ),
    (
      ["Product@products", "Stock@stock.*"], [ShapesOfJSON.Stock.self],
      [
        #"Product/1 name: "Lamp", sku: "A-1""#,
        #"Stock/1 count: 4, product: Product/1, sku: "A-1""#,
      ]
    ),
    (
      ["Order"], [ShapesOfJSON.Order.self],
      [
        #"Item/1 currency: "EUR", order: 7, position: 0, sku: "a""#,
        #"Item/2 currency: "EUR", order: 7, position: 1, sku: "b""#,
        "Order/1 items: [Item/1, Item/2], number: 7",
      ]
    ),
    (
      ["Record"], [ShapesOfJSON.Record.self],
      [
        #"Record/1 kind: "start", line: 1, source: "log.ndjson", text: "one""#,
        #"Record/2 kind: "other", line: 2, source: "log.ndjson", text: "two""#,
        #"Record/3 kind: "other", line: 3, source: "log.ndjson", text: "two""#,
      ]
    ),
    (
      ["Message@messages", "Member@members"], [ShapesOfJSON.Message.self],
      [
        #"Member/1 login: "mei""#, #"Member/2 id: 7, login: "ada""#,
        #"Member/3 id: 8, login: "ion""#,
        "Message/1 from: Member/2, id: 1, to: [Member/1, Member/3]",
      ]
    ),
    (
      ["Post"], [ShapesOfJSON.Post.self],
      [
        #"Photo/1 id: 1, mood: "calm", width: 640"#, #"Post/1 id: 2, mood: "other""#,
      ]
    ),
  ]

  @Test(arguments: shapes.indices)
  func `on shapes reads its documents`(section: Int) throws {
    let (roots, entities, lines) = Self.shapes[section]
    let documents = Article.named("ShapesOfJSON").texts("json")
    try #require(documents.count == Self.shapes.count)
    let trial = ImportTrial(
      try GraphModel(types: entities, extensions: ModelExtensions()), entity: "")
    var options = ImportOptions()
    options.fileName = "log.ndjson"
    options.parser.format = .ndjson
    try trial.load(
      documents[section],
      roots.map { root in
        let parts = root.split(separator: "@", maxSplits: 1).map(String.init)
        return try ImportRoot(parts[0], at: parts.count > 1 ? parts[1] : nil)
      }, options, chunk: 5)
    #expect(trial.lines == lines)
  }

  @Test func `on mapping tells entities apart by a key`() throws {
    typealias Page = MappingJSON
    let store = try GraphStore(for: Page.Media.self)
    let json = """
      [{"id": 1, "width": 9, "type": "photo"}, {"type": "video", "id": 2, "duration": 3}]
      """
    try store.importJSON(Page.Media.self, from: Data(json.utf8))
    #expect(store.graph.objects(Page.Media.self).map(\.entityName) == ["Photo", "Video"])
  }

  @Test func `on mapping transforms in both directions`() throws {
    struct Share: Entity { let part = Attribute<Int>(transformer: MappingJSON.percent) }
    let store = try GraphStore(for: Share.self)
    try store.importJSON(Share.self, from: Data(#"{"part": "12%"}"#.utf8))
    #expect(store.graph.objects(Share.self).map(\.part) == [12])
    let json = try JSONExporter(model: store.model).data(.entity("Share", of: store.graph))
    #expect(String(decoding: json, as: UTF8.self) == #"[{"part":"12%"}]"#)
  }

  @Test func `on mapping keeps what has no type of its own`() throws {
    typealias Page = MappingJSON
    let store = try GraphStore(for: Page.Place.self)
    let json =
      #"{"name": " Ostend ", "position": {"lat": 51.2, "lon": 2.9}, "extra": [1, {"a": null}], "fee": "12%"}"#
    try store.importJSON(Page.Place.self, from: Data(json.utf8))
    let place = try #require(store.graph.objects(Page.Place.self).first)
    #expect(place.name == "Ostend" && place.position?.lat == 51.2 && place.fee == 12)
    let copy = try JSONExporter(model: store.model).data(.object(place))
    #expect(
      String(decoding: copy, as: UTF8.self)
        == #"{"name":"Ostend","position":{"lat":51.2,"lon":2.9},"fee":"12%"}"#)

    let named = try Page.named()
    try named.importJSON(entity: "Place", from: Data(json.utf8))
    let object = try #require(try named.graph.objects("Place").first)
    #expect(object["name"] == .string("Ostend") && object["fee"] == .integer(12))
    #expect(object["extra"] == .json(#"[1,{"a":null}]"#))
  }

  @Test func `on identity tells friends of friends`() throws {
    typealias Page = IdentityAndUniquing
    let store = try GraphStore(for: Page.Person.self)
    let json =
      #"[{"name": "Ada", "friends": ["Ben"], "boss": "Cy"}, {"name": "Dot", "friends": ["Ada"]}]"#
    try store.importJSON(Page.Person.self, from: Data(json.utf8))
    let ben = try #require(try store.graph.object(Page.Person.self, id: "Ben"))
    #expect(ben.friends.map(\.name) == ["Ada"])
    #expect(try store.graph.object(Page.Person.self, id: "Cy")?.staff.map(\.name) == ["Ada"])
  }

  @Test func `on reports prints what it says`() async throws {
    typealias Page = ReadingReports
    let page = Article.named("ReadingReports")
    let document = Data(try #require(page.texts("json").first).utf8)
    let store = try GraphStore(for: Page.Hero.self)
    let covered = try await Page.transcript { try Page.covering(document, for: store) }
    #expect(covered == page.texts("text").first)
    let printed = try await Page.transcript { try Page.importing(document, into: store) }
    #expect(printed == "2 new, 0 issues, 0 notices")
  }

  @Test func `on identity counts its stub`() async throws {
    typealias Page = IdentityAndUniquing
    let store = try GraphStore(for: Page.Artist.self)
    let json = """
      {"handle": "joni", "name": "Joni", "influences": ["miles"],
        "tracks": [{"album": "Blue", "track_no": "3"}, {"album": "Blue", "track_no": 3}]}
      """
    let printed = try await Page.transcript { try Page.stubs(store, Data(json.utf8)) }
    #expect(printed == "1 stub\nmiles is known by name only")
    let (track, artist) = try Page.found(store)
    #expect(track != nil && track?.title == nil && track?.artist == artist)
    #expect(artist?.tracks.count == 1)
  }

  @Test func `on policies imports by them`() throws {
    typealias Page = SettlingPolicies
    let store = try GraphStore(for: Page.Article.self)
    func load(_ json: String) throws -> ImportReport {
      try Page.importing(Data(json.utf8), into: store)
    }
    _ = try load(
      """
      {"id": 1, "title": "A", "subtitle": "a", "tags": [{"name": "x"}], "comments": [{"id": 1}]}
      """)
    let report = try load(
      """
      [{"id": 1, "title": "B", "subtitle": null, "tags": [{"name": "y"}], "comments": [],
        "pages": 4}, {"id": 2}]
      """)
    let article = try #require(store.graph.objects(Page.Article.self).first)
    #expect(article.title == "B" && article.subtitle == "a")
    #expect(article.tags.map(\.name) == ["x", "y"])
    #expect(store.graph.count(of: Page.Comment.self) == 0)
    #expect(store.graph.count(of: Page.Article.self) == 1)
    #expect(report.issueCount == 1 && report.noticeCount == 1)
  }

  @Test func `on hooks has its say`() throws {
    typealias Page = ValidatingAndHooks
    let store = try GraphStore(for: Page.Product.self)
    let notes = Page.Notes()
    var options = Page.hooked(notes)
    options.errorPolicy = .skipObject
    let json = """
      [{"sku": "AB12", "price": 1.5, "name": "red hat"}, {"sku": "AB13", "price": 2, "name": null},
       {"sku": "AB14", "price": 0}, {"sku": "AB15", "price": 1, "name": "Test"},
       {"sku": "ab16", "price": 3}]
      """
    let report = try store.importJSON(
      Page.Product.self, from: Data(json.utf8), options: options)
    #expect(store.graph.objects(Page.Product.self).map(\.name) == ["Red Hat", "Nameless"])
    #expect(notes.lines.withLock { $0 } == ["$[0] inserted", "$[1] inserted"])
    #expect(report.issues.map(\.error.kind) == [.invalidValue, .invalidValue])
    // An update without the name leaves it as it is.
    try store.importJSON(
      Page.Product.self, from: Data(#"[{"sku": "AB12", "price": 2}]"#.utf8), options: options)
    #expect(store.graph.objects(Page.Product.self).map(\.name) == ["Red Hat", "Nameless"])
  }

  @Test func `on errors prints what it says`() async throws {
    typealias Page = UnderstandingErrors
    let page = Article.named("UnderstandingErrors")
    let json = try #require(page.texts("json").first)
    let store = try GraphStore(for: Page.Hero.self)
    let printed = try await Page.transcript { try Page.importing(Data(json.utf8), into: store) }
    #expect(printed == page.texts("text").first)
    let diary = try GraphStore(for: Page.Diary.self)
    #expect(try await Page.transcript { Page.warnings(diary) } == page.texts("text").last)
  }

  @Test func `on concurrency keeps its snapshot`() async throws {
    typealias Page = ConcurrencyAndSnapshots
    let store = try GraphStore(for: Page.Tweet.self)
    let documents = (1...8).map { id in
      Data(#"{"statuses": [{"id": 1, "text": "Look west."}, {"id": \#(id), "text": ""}]}"#.utf8)
    }
    try await Page.imports(Array(documents.dropFirst()), into: store)
    #expect(store.graph.count(of: Page.Tweet.self) == 8)
    let printed = try await Page.transcript { try Page.snapshots(store) }
    #expect(printed == Article.named("ConcurrencyAndSnapshots").texts("text").first)
  }

  @MainActor @Test func `on concurrency observes what is popular`() throws {
    typealias Page = ConcurrencyAndSnapshots
    let store = try GraphStore(for: Page.Tweet.self)
    let json = #"[{"id": 1, "text": "", "retweets": 101}, {"id": 2, "text": "", "retweets": 500}]"#
    try store.importJSON(Page.Tweet.self, from: Data(json.utf8))
    #expect(Page.observed(store).objects.map(\.id) == [2, 1])
  }

  @Test func `on saving loads what it has saved, and reads lines`() async throws {
    typealias Page = SavingAndLoading
    let texts = Article.named("SavingAndLoading").texts("text")
    try #require(texts.count == 3)
    let lines = try TemporaryFile(texts[0], name: "notes.ndjson")
    let store = try GraphStore(for: Page.Note.self)
    let read = try await Page.transcript { try await Page.reading(lines.url, into: store) }
    #expect(read == texts[1])
    #expect(try await Page.transcript { try Page.writing(store) } == texts[2])
    let file = try TemporaryFile("", name: "notes.json")
    try Page.saved(store, to: file.url)
    let restored = try await Page.loaded(from: file.url)
    let names = { (store: GraphStore) in
      store.graph.objects(Page.Note.self).map { "\($0.text) \($0.labels.map(\.name))" }
    }
    #expect(names(restored) == names(store))
    #expect(names(restored) == [#"Look west. ["sky"]"#, #"There it is! ["sky", "comet"]"#])
  }

  @Test func `on databases prints what it says, with the tables that it shows`() async throws {
    typealias Page = KeepingObjectsInADatabase
    let page = Article.named("KeepingObjectsInADatabase")
    let file = TemporaryDatabase()
    let json = """
      [{"id": 1, "text": "Look west.", "posted_at": "2024-10-12T19:00:00Z",
        "author": {"id": 7, "name": "Ada"}, "hashtags": [{"text": "comet"}, {"text": "sky"}]},
       {"id": 2, "text": "There it is!", "author": 7, "hashtags": [{"text": "sky"}]}]
      """
    var database: GraphDatabase?
    let imported = try await Page.transcript {
      database = try await Page.imported(.data(Data(json.utf8)), into: file.url)
    }
    #expect(imported == "5 objects are new")
    let read = try await Page.transcript { try Page.read(try #require(database)) }
    #expect(read == page.texts("text").first)
    let tweet = try #require(try await database?.object(Page.Tweet.self, id: 1))
    let tag = try #require(tweet.hashtags.first { $0.text == "comet" })
    let error = #expect(throws: ExportError.self) {
      try JSONExporter(model: tweet.graph.model).data(.object(tag))
    }
    #expect(error?.message == page.texts("text")[1])
    let followed = try await Page.transcript { try Page.follow(try #require(database)) }
    #expect(followed == #"["comet", "sky", "sky"]"#)
    let pages = try await Page.transcript { try Page.page(try #require(database)) }
    #expect(pages == "[1, 2]\n1 without a date")
    let sums = try await Page.transcript { try Page.sum(try #require(database)) }
    #expect(sums == "7 2")
    // The page leaves out how foreign keys are checked, and those of lists.
    let shown = page.texts("text")[2].split(separator: "\n").filter { $0.hasPrefix("CREATE") }
      .map { $0.prefix { $0 != ")" } }
    let tables = try file.rows("SELECT sql FROM sqlite_schema WHERE type = 'table'")
    for table in shown {
      #expect(tables.contains { $0.hasPrefix(table) }, "\(table)")
    }
    #expect(try file.rows("SELECT postedAt FROM Tweet WHERE id = 1") == ["2024-10-12 19:00:00.000"])
    let counts = try file.rows(
      """
      SELECT name, count(*) FROM "Tweet" JOIN "User" ON author = "User".id GROUP BY name
      """)
    #expect(page.texts("text")[3].hasSuffix(counts.joined()))
    try Page.write(try #require(database), Date(timeIntervalSince1970: 2e9))
    #expect(try file.rows("SELECT id FROM Tweet") == ["2"])
    #expect(try file.rows("SELECT name FROM User WHERE id = 3") == ["Ada"])
  }

  @Test func `on exports writes what it reads`() throws {
    typealias Page = ExportingJSON
    let json = """
      {"id": 1, "text": "Hm", "meta": {"lang": "de"}, "user": {"name": "Ada", "tweets": [1,
        {"id": 2, "text": "Oh"}]}}
      """
    let store = try GraphStore(for: Page.Tweet.self)
    try store.importJSON(Page.Tweet.self, from: Data(json.utf8))
    let file = try TemporaryFile("", name: "graph.json")
    let (one, all) = try Page.exported(store, to: file.url)
    for (text, count) in [(one, 1), (all, 2)] {
      let copy = try GraphStore(for: Page.Tweet.self)
      try copy.importJSON(Page.Tweet.self, from: try #require(text))
      #expect(copy.graph.count(of: Page.Tweet.self) == count)
      #expect(try copy.graph.object(Page.Tweet.self, id: 1)?.language == "de")
    }
    let whole = try GraphStore(for: Page.Tweet.self)
    try whole.importJSON(
      [ImportRoot(Page.Tweet.self, at: "Tweet"), ImportRoot(Page.User.self, at: "User")],
      from: try Data(contentsOf: file.url))
    #expect(whole.graph.canonicalJSON() == store.graph.canonicalJSON())
    let second = try #require(try store.graph.object(Page.Tweet.self, id: 2))
    let brief = try Page.brief(store).data(.object(GraphObject(second)))
    #expect(
      String(decoding: brief, as: UTF8.self).split { $0 == "\n" || $0 == " " }.joined()
        == #"{"id":2,"text":"Oh","user":"Ada"}"#)
  }

  @Test func `on engines imports with the one that it chooses`() async throws {
    let store = try GraphStore(for: ChoosingAnEngine.Tweet.self)
    let url = SourceTree.root.appendingPathComponent("Fixtures/documents/timeline.json")
    let report = try await ChoosingAnEngine.importing(from: url, into: store)
    #expect(report.insertedCount == 20)
  }

  @Test func `on engines shows the tokens that the scanner finds`() throws {
    let figure = try #require(Article.named("ChoosingAnEngine").texts("text").first)
    let rows = figure.split(separator: "\n").map { String($0.dropFirst(11)) }
    let text = try #require(rows.first)
    let shown = try #require(rows.last).utf8.enumerated().filter { $0.element == UInt8(ascii: "1") }
    let window = TokenWindow(ParserOptions())
    let found = Array(text.utf8).withBorrowed { text in
      let tokens = window.scan(text)
      return withExtendedLifetime(window) {
        (0...text.count).prefix { tokens.kind($0) != 0 }.map(tokens.offset)
      }
    }
    #expect(shown.map(\.offset) == found)
  }
}

/// A page, where `Page` is the namespace of its code.
private typealias Article = Page
