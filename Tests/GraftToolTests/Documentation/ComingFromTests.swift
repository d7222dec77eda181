import Foundation
import Graft
import Testing

@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the code of the pages for those who come from other importers.
@Suite struct `Code for those who come from` {
  private func model(_ entity: String, _ attributes: String) throws -> TemporaryFile {
    try TemporaryFile(
      """
      <?xml version="1.0"?>
      <model><entity name="\(entity)">\(attributes)</entity></model>
      """, name: "contents")
  }

  @Test func `CoreDataDandy tells of each object`() async throws {
    typealias Page = ComingFromCoreDataDandy
    let store = try GraphStore(for: Page.Hat.self)
    let data = Data(#"{"hats": [{"hat_id": "7", "details": {"style": "bowler"}}]}"#.utf8)
    let printed = try await Page.transcript { try Page.importing(data, into: store) }
    #expect(printed == "$.hats[0] inserted")
    #expect(try store.graph.object(Page.Hat.self, id: "7")?.style == "bowler")
  }

  @Test func `Groot reads its models, and needs no transformer with types`() throws {
    let file = try model(
      "Hero",
      """
      <attribute name="identifier" attributeType="Integer 64"><userInfo>
        <entry key="JSONKeyPath" value="id"/>
        <entry key="JSONTransformerName" value="IdentifierTransformer"/>
      </userInfo></attribute>
      <userInfo><entry key="identityAttributes" value="identifier"/></userInfo>
      """)
    let data = Data(#"[{"id": "1699", "powers": [4, {"id": "9"}]}]"#.utf8)
    let heroes = try ComingFromGroot.importing(data, byModelAt: file.url)
    #expect(heroes.first?["identifier"] == .integer(1699))
    #expect(ComingFromGroot.code.entityMappers.keys.sorted() == ["VehicleMapper"])
    let store = try GraphStore(for: ComingFromGroot.Hero.self)
    try store.importJSON(
      ComingFromGroot.Hero.self, from: try ComingFromGroot.typed(data))
    #expect(
      store.graph.objects(ComingFromGroot.Hero.self).first?.powers.map(\.identifier) == [4, 9])
  }

  @Test func `MagicalRecord passes over what is not to be imported`() throws {
    let file = try model(
      "Person",
      """
      <attribute name="personID" attributeType="Integer 64"><userInfo>
        <entry key="mappedKeyName" value="id"/></userInfo></attribute>
      <attribute name="hidden" optional="YES" attributeType="Boolean"/>
      <userInfo><entry key="relatedByAttribute" value="personID"/></userInfo>
      """)
    let data = Data(#"[{"id": 1}, {"id": 2, "hidden": true}]"#.utf8)
    let graph = try ComingFromMagicalRecord.importing(data, byModelAt: file.url)
    #expect(try graph.objects("Person").map { $0["personID"] } == [.integer(1)])
    typealias Person = ComingFromMagicalRecord.Person
    let store = try GraphStore(for: Person.self)
    for json in [
      #"[{"person_id": "1", "friends": [2], "score": 5}]"#, #"{"id": 1, "friends": [3]}"#,
    ] {
      try store.importJSON(Person.self, from: Data(json.utf8))
    }
    #expect(try store.graph.object(Person.self, id: 1)?.friends.map(\.personID) == [2, 3])
    #expect(try store.graph.object(Person.self, id: 1)?.score == 0)
  }

  @Test func `Sync deletes what is missing`() async throws {
    typealias Page = ComingFromSync
    let store = try GraphStore(for: Page.User.self)
    let both = #"[{"id": 1, "notes": [{"id": 5}, {"id": 6}], "company_id": 9}, {"id": 2}]"#
    for users in [both, #"[{"id": 1, "notes": [{"id": 6}]}]"#] {
      let file = try TemporaryFile(#"{"data": {"users": \#(users)}}"#)
      try await Page.importing(file.url, into: store)
    }
    #expect(store.graph.objects(Page.User.self).map(\.id) == [1])
    #expect(store.graph.objects(Page.Note.self).map(\.id) == [6])
    #expect(store.graph.count(of: Page.Company.self) == 0)
  }

  @Test func `ZDSStreamJSONParser takes chunks as they come`() throws {
    typealias Page = ComingFromZDSStreamJSONParser
    let store = try GraphStore(for: Page.Tweet.self)
    let (importer, receive) = try Page.receiver(into: store)
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: try #require(URL(string: "http://localhost")))
    for byte in try Data(contentsOf: Fixture.url(Fixture.timeline)) {
      receive(session, task, Data([byte]))
    }
    #expect(try importer.finish().insertedCount > 20)
    session.invalidateAndCancel()
  }

  @Test func `KVCParsing trims, with a hook or with a type`() throws {
    typealias Page = ComingFromKVCParsing
    let data = Data(#"{"title": " Comet seen ", "published": "2026-05-04"}"#.utf8)
    let store = try GraphStore(for: Page.Article.self)
    try Page.importing(data, into: store)
    try store.importJSON(Page.Article.self, from: data)
    #expect(store.graph.objects(Page.Article.self).map(\.headline) == ["Comet seen", "Comet seen"])
  }

  @Test func `RPJSONMapper flattens, with a mapping or with a type`() throws {
    typealias Page = ComingFromRPJSONMapper
    let data = Data(
      """
      {"statuses": [{"id_str": "7", "text": "Hm", "created_at": "2026-05-04",
        "user": {"name": "Ada"}, "coordinates": [13.4, 52.5]}]}
      """.utf8)
    let store = try GraphStore(for: Page.Tweet.self)
    try Page.importing(data, into: store)
    try store.importJSON(Page.Tweet.self, at: "statuses", from: data)
    let tweets = store.graph.objects(Page.Tweet.self)
    #expect(tweets.map(\.authorName) == ["Ada", "Ada"])
    #expect(tweets.map(\.latitude) == [52.5, 52.5])
  }

  @Test func `RestKit connects and takes what is newer`() throws {
    typealias Page = ComingFromRestKit
    let store = try GraphStore(for: Page.Article.self)
    func load(_ articles: String) throws {
      try Page.importing(Data(#"{"articles": [\#(articles)]}"#.utf8), into: store)
    }
    try load(
      """
      {"id": 1, "meta": {"title": "A"}, "updated": "2026-05-04", "writer": {"id": 3},
        "related_ids": [2]},
      {"id": 2, "meta": {"title": "B"}, "updated": "2026-05-04"}
      """)
    try load(#"{"id": 1, "meta": {"title": "Old"}, "updated": "2026-01-01"}"#)
    let article = try #require(try store.graph.object(Page.Article.self, id: 1))
    #expect(article.title == "A")
    #expect(article.author?.articles.map(\.articleID) == [1])
    #expect(article.related.map(\.title) == ["B"])
  }
}
