import Foundation
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftDatabaseTests
@testable import GraftHTTP
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Imports of a list that was imported before.
@Suite(.timeLimit(.minutes(3))) struct `A list that is imported again` {
  private static let roots = [ImportRoot("Issue", at: "items")]

  /// A store or a database, which lives as long as a test.
  private final class Target {
    let file = TemporaryDatabase()
    let target: any ImportTarget

    init(isDatabase: Bool) throws {
      target =
        isDatabase
        ? try GraphDatabase(model: IssueAPI.model(), at: file.url, configuration: .quick)
        : GraphStore(model: try IssueAPI.model())
    }

    func count() async throws -> Int {
      try await (target as? GraphDatabase)?.count(of: "Issue")
        ?? (target as? GraphStore)?.graph.count(of: "Issue") ?? -1
    }
  }

  @Test func `is read in any case where the model has changed`() async throws {
    let api = try Self.api("ETag", version: { "\"a\"" })
    let file = TemporaryDatabase()
    func load(_ attributes: [AttributeDescription]) async throws -> Int {
      let model = try GraphModel(
        entities: [EntityDescription.make("Issue", attributes)], dialect: .graft)
      let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
      try await database.importJSON(Self.roots, from: api.pages { $0.onlyIfChanged = true })
      return api.requests.count
    }
    #expect(try await load([]) == 3)
    #expect(try await load([]) == 4)
    #expect(try await load([.make("title")]) == 7)
    #expect(try await load([.make("title")]) == 8)
  }

  // MARK: Only if it has changed

  /// Lets an API tell whether its list has changed; `version` is that of the list.
  private static func api(
    _ header: String, version: @escaping @Sendable () -> String,
    fails: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) throws -> IssueAPI {
    try IssueAPI { number, request, steps in
      if fails(number) { return [.answer("", status: "410 Gone")] }
      let condition = header == "ETag" ? "if-none-match" : "if-modified-since"
      if request.headers[condition] == version() {
        return [.head("304 Not Modified", ["\(header): \(version())"])]
      }
      guard case .send(let data) = steps[0] else { return steps }
      let text = String(decoding: data, as: UTF8.self)
      return [
        .send(
          text.replacing(
            "HTTP/1.1 200 OK\r\n", with: "HTTP/1.1 200 OK\r\n\(header): \(version())\r\n"))
      ]
    }
  }

  @Test(arguments: ["ETag", "Last-Modified"], [false, true])
  func `is read only if it has changed, and else changes nothing`(
    header: String, isDatabase: Bool
  ) async throws {
    let version = Mutex("\"a\"")
    let api = try Self.api(header, version: { version.withLock { $0 } })
    let trial = try Target(isDatabase: isDatabase)
    var options = ImportOptions()
    options.deletesMissing = true
    func load() async throws -> ImportReport {
      try await trial.target.importJSON(
        Self.roots, from: api.pages { $0.onlyIfChanged = true }, options: options)
    }
    #expect(try await load().response?.isNotModified == false)
    #expect(api.requests.count == 3)
    // The condition is that of the first page only.
    let report = try await load()
    #expect(report.response?.isNotModified == true && report.noticeCount == 1)
    #expect(report.entities.isEmpty && api.requests.count == 4)
    #expect(try await trial.count() == 25)
    version.withLock { $0 = "\"b\"" }
    #expect(try await load().response?.isNotModified == false)
    #expect(api.requests.count == 7)
    #expect(try await load().response?.isNotModified == true)
    // Another list, other roots, or no wish: the list is read.
    try await trial.target.importJSON(
      [ImportRoot("Event", at: "items")], from: api.pages { $0.onlyIfChanged = true })
    #expect(api.requests.count == 11)
    try await trial.target.importJSON(Self.roots, from: api.pages())
    #expect(api.requests.count == 14)
  }

  @Test func `is read again where it was not read to its end`() async throws {
    let api = try Self.api("ETag", version: { "\"a\"" }, fails: { $0 == 2 })
    let trial = try Target(isDatabase: true)
    await #expect(throws: ImportSourceError.self) {
      try await trial.target.importJSON(Self.roots, from: api.pages { $0.onlyIfChanged = true })
    }
    let report = try await trial.target.importJSON(
      Self.roots, from: api.pages { $0.onlyIfChanged = true })
    #expect(report.response?.isNotModified == false)
    #expect(try await trial.count() == 25)
  }

  @Test func `has the conditions of its request, where that has any`() async throws {
    let api = try Self.api("ETag", version: { "\"a\"" })
    let trial = try Target(isDatabase: false)
    var request = URLRequest(url: api.url)
    request.setValue("\"z\"", forHTTPHeaderField: "If-None-Match")
    var options = HTTPOptions()
    options.onlyIfChanged = true
    for _ in 0..<2 {
      try await trial.target.importJSON(
        Self.roots, from: .pages(of: request, next: .linkHeader, options: options))
    }
    #expect(api.requests.count == 6)
  }

  // MARK: Only what is newer

  @Test func `do not go with the deletion of what is missing`() async throws {
    let api = try IssueAPI(.linkHeader)
    let source = api.pages { $0.since = [GreatestValue("updatedAt", of: "Issue", as: "since")] }
    let error = await #expect(throws: ImportError.self) {
      try await GraphStore(model: IssueAPI.model()).importJSON(
        [ImportRoot("Issue", at: "items")], from: source,
        options: .with { $0.deletesMissing = true })
    }
    #expect(error?.message.contains("since and deletesMissing do not go together") == true)
    #expect(api.requests.isEmpty)
  }

  private static func sinceParameters(_ api: IssueAPI) -> [String?] {
    api.requests.map { request in
      URLComponents(string: request.target)?.queryItems?.first { $0.name == "since" }?.value
    }
  }

  @Test(arguments: [false, true])
  func `is asked for what is newer than the target's greatest value`(
    isDatabase: Bool
  )
    async throws
  {
    let api = try IssueAPI(.pageNumber, count: 5)
    let trial = try Target(isDatabase: isDatabase)
    let source = api.pages { $0.since = [GreatestValue("updatedAt", of: "Issue", as: "since")] }
    for _ in 0..<2 { try await trial.target.importJSON(Self.roots, from: source) }
    let newest = "2023-11-14T22:13:24Z"
    #expect(Self.sinceParameters(api) == [nil, nil, newest, newest])
  }

  @Test func `is asked for the same again where it was not read to its end`() async throws {
    // The newest objects come first, and the second page fails.
    let isBroken = Mutex(false)
    let api = try IssueAPI(.linkHeader) { _, request, steps in
      isBroken.withLock { $0 } && request.target.contains("after=")
        ? [.answer("", status: "410 Gone")] : steps
    }
    let trial = try Target(isDatabase: true)
    try trial.target.importJSON(
      Self.roots, from: Data(#"{"items": [{"id": 900, "updatedAt": 1600000000}]}"#.utf8))
    let source = api.pages { $0.since = [GreatestValue("updatedAt", of: "Issue", as: "since")] }
    isBroken.withLock { $0 = true }
    for _ in 0..<2 {
      await #expect(throws: ImportSourceError.self) {
        try await trial.target.importJSON(Self.roots, from: source)
      }
    }
    isBroken.withLock { $0 = false }
    for _ in 0..<2 { try await trial.target.importJSON(Self.roots, from: source) }
    let old = "2020-09-13T12:26:40Z"
    let starts = Self.sinceParameters(api).compactMap { $0 }
    #expect(starts == [old, old, old, "2023-11-14T22:13:44Z"])
    #expect(try await trial.count() == 26)
  }

  private struct Sample: Entity {
    let id = Attribute<Int>()
    let era = Attribute<Date?>(format: "yyyy-MM-dd G")
    let day = Attribute<Date?>(format: "yyyy-MM-dd")
    let seconds = Attribute<Date?>(format: "unix")
    let milliseconds = Attribute<Date?>(format: "unix-ms")
    let time = Attribute<Date?>()
    let name = Attribute<String?>()
    let size = Attribute<Double?>()
    static let identity = [\Self.id]
  }

  @Test func `is asked by dates as the attribute has them in JSON`() throws {
    let store = try GraphStore(for: Sample.self)
    #expect(try GreatestValue.greatest(\Sample.id, as: "a").text(in: store) == nil)
    let json = """
      [{"id": 1, "day": "2026-11-23", "era": "2026-11-23 AD", "seconds": 1600000000, "milliseconds": 1600000000500, "time": \
      "2026-11-23T12:00:00.5Z", "name": "b&c", "size": 1.5}, {"id": 2, "day": "2025-01-01", "name": "a"}, {"id": 3}]
      """
    try store.importJSON(Sample.self, from: Data(json.utf8))
    #expect(try GreatestValue.greatest(\Sample.id, as: "a").text(in: store) == "3")
    #expect(try GreatestValue.greatest(\Sample.day, as: "a").text(in: store) == "2026-11-23")
    #expect(try GreatestValue.greatest(\Sample.era, as: "a").text(in: store) == "2026-11-23 AD")
    #expect(try GreatestValue.greatest(\Sample.seconds, as: "a").text(in: store) == "1600000000")
    #expect(
      try GreatestValue.greatest(\Sample.milliseconds, as: "a").text(in: store) == "1600000000500")
    #expect(
      try GreatestValue.greatest(\Sample.time, as: "a").text(in: store)
        == "2026-11-23T12:00:00.500Z")
    // Never later than the value, which has more digits than milliseconds.
    for fraction in ["123678", "1239999", "123"] {
      let json = #"[{"id": 4, "time": "2027-11-23T12:00:00.\#(fraction)Z"}]"#
      try store.importJSON(Sample.self, from: Data(json.utf8))
      #expect(
        try GreatestValue.greatest(\Sample.time, as: "a").text(in: store)
          == "2027-11-23T12:00:00.123Z")
    }
    #expect(try GreatestValue.greatest(\Sample.name, as: "a").text(in: store) == "b&c")
    #expect(try GreatestValue.greatest(\Sample.size, as: "a").text(in: store) == "1.5")
    // A date that no calendar has.
    try store.write { graph in
      for sample in graph.objects(Sample.self) {
        sample.milliseconds = Date(timeIntervalSince1970: 1e20)
      }
    }
    #expect(try GreatestValue.greatest(\Sample.milliseconds, as: "a").text(in: store) == nil)
    #expect(throws: StoreError.self) {
      try GreatestValue("nmae", of: "Sample", as: "a").text(in: store)
    }
  }
}
