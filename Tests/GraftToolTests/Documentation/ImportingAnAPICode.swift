import Foundation
import GraftHTTP
import GraftSQLite

@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum ImportingAnAPI: CodeOfPage {
  struct Issue: Entity {
    let id = Attribute<Int>()
    let title = Attribute<String>()
    let updatedAt = Attribute<Date?>("updated_at")
    let author = ToOne<User>("user", inverse: \.issues)
    static let identity = [\Self.id]
  }

  struct User: Entity {
    let login = Attribute<String>()
    let issues = ToMany<Issue>(.nowhere)
    static let identity = [\Self.login]
  }

  static func imported(_ url: URL, into file: URL) async throws -> GraphDatabase {
    let database = try GraphDatabase(for: Issue.self, at: file)
    let report = try await database.importJSON(
      Issue.self, from: .pages(of: url, next: .linkHeader))
    print(report.insertedCount, "objects are new")
    return database
  }

  static func paused(_ url: URL, into store: GraphStore) async throws {
    let control = ImportControl()
    var options = ImportOptions()
    options.control = control
    let importing = Task { [options] in
      try await store.importJSON(
        Issue.self, from: .pages(of: url, next: .linkHeader), options: options)
    }
    control.pause()
    control.resume()
    let report = try await importing.value
    print(report.insertedCount, "objects are new")
  }

  static func patient(_ request: URLRequest, into database: GraphDatabase) async throws {
    var options = HTTPOptions()
    options.requestsPerSecond = 5
    options.stallTimeout = .seconds(20)
    options.retries.tries = 8
    options.retries.statuses.remove(500)
    try await database.importJSON(
      Issue.self, from: .pages(of: request, next: .linkHeader, options: options), resuming: true)
  }

  static func renewed(_ url: URL, in database: GraphDatabase) async throws {
    var options = HTTPOptions()
    options.onlyIfChanged = true
    options.since = [.greatest(\Issue.updatedAt, as: "since")]
    let report = try await database.importJSON(
      Issue.self, from: .pages(of: url, next: .linkHeader, options: options))
    print(
      report.response?.isNotModified == true ? "nothing new" : "\(report.insertedCount) are new")
  }

  static func mirrored(_ url: URL, into database: GraphDatabase) async throws {
    var options = ImportOptions()
    options.deletesMissing = true
    try await database.importJSON(
      Issue.self, from: .pages(of: url, next: .linkHeader), options: options)
  }

  static func inHand(_ url: URL, into store: GraphStore) async throws {
    struct Outdated: Error {}
    var options = ImportOptions()
    options.willReadResponse = { response, reading in
      guard response["X-Schema"] == "2" else { throw Outdated() }
      if response["X-Kind"] == "search" { reading.roots = [ImportRoot(Issue.self, at: "items")] }
    }
    do {
      let report = try await store.importJSON(Issue.self, from: url, options: options)
      print(report.response?["ETag"] ?? "no tag")
    } catch let error as ImportSourceError {
      print(error.message)
    }
  }

  static func own(_ url: URL) -> ImportSource {
    .pages(
      of: url,
      next: .request(capturing: ["has_more", "last_id"]) { page in
        guard page.values[0] == "true" else { return nil }
        return page.request(setting: "starting_after", to: page.values[1])
      })
  }
}
