import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `A report as JSON` {
  private func object(_ report: ImportReport, _ graph: Graph?) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: report.jsonData(with: graph)) as? [String: Any])
  }

  @Test func `has all keys, whatever happened`() throws {
    let keys: Set = [
      "response", "byteCount", "seconds", "entities", "roots", "issueCount", "issues",
      "noticeCount",
      "notices", "unfilledStubCount", "unfilledStubs", "skippedNullCount",
      "ignoredReferenceCount", "brokenLineCount", "coverage",
    ]
    #expect(Set(try object(ImportReport(), nil).keys) == keys)
  }

  @Test func `says what was done, and where`() throws {
    let trial = try ImportTrial([
      .make("Hero", [.make("born", .date), .make("name")], [.make("boss", to: "Hero")])
    ])
    let report = try trial.load(
      #"{"heroes":[{"id":1,"born":true,"boss":7,"nmae":"\u0001\""},null]}"#, at: "heroes",
      .with {
        $0.errorPolicy = .skipValue
        $0.unknownKeys = .report
        $0.reportsCoverage = true
      })
    let json = try object(report, trial.store.graph)
    let entity = try #require((json["entities"] as? [[String: Any]])?.first)
    #expect(entity["entity"] as? String == "Hero")
    #expect(entity["inserted"] as? Int == 2)
    let root = try #require((json["roots"] as? [[String: Any]])?.first)
    #expect(root["path"] as? String == "heroes")
    #expect(root["objects"] as? Int == 1)
    let issue = try #require((json["issues"] as? [[String: Any]])?.first)
    #expect(issue["path"] as? String == "$.heroes[0].born")
    #expect(issue["line"] as? Int == 1)
    #expect(issue["column"] as? Int == 27)
    #expect(issue["property"] as? String == "born")
    #expect(issue["kind"] as? String == "wrong type")
    #expect(issue["message"] as? String == report.issues[0].error.message)
    #expect((json["notices"] as? [Any])?.count == 1)
    #expect((json["unfilledStubs"] as? [String])?.count == 1)
    #expect(json["skippedNullCount"] as? Int == 1)
    let coverage = try #require(json["coverage"] as? [String: Any])
    let key = try #require((coverage["unreadKeys"] as? [[String: Any]])?.first)
    #expect(key["nearest"] as? String == "name")
    #expect((coverage["unfoundPaths"] as? [[String: Any]])?.first?["property"] as? String == "name")
  }
}
