import Foundation
import Graft

@testable import GraftTestSupport

enum ReadingReports: CodeOfPage {
  struct Hero: Entity {
    let id = Attribute<Int>()
    let name = Attribute<String?>()
    let born = Attribute<Int?>("life.born")
    static let identity = [\Self.id]
  }

  static func importing(_ document: Data, into store: GraphStore) throws {
    let report = try store.importJSON(Hero.self, at: "heroes", from: document)
    print(report.insertedCount, "new,", report.issueCount, "issues,", report.noticeCount, "notices")
    for notice in report.notices { print(notice) }
  }

  static func covering(_ document: Data, for store: GraphStore) throws {
    var options = ImportOptions()
    options.reportsCoverage = true
    options.isDryRun = true
    let report = try store.importJSON(Hero.self, at: "heroes", from: document, options: options)
    for path in report.coverage?.unfoundPaths ?? [] { print(path) }
    for key in report.coverage?.unreadKeys ?? [] { print(key) }
  }
}
