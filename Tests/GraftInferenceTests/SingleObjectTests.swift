import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `A single object` {
  private static func books(_ author: String) -> String {
    """
    [{"title": "A", "author": \(author)}, {"title": "B", "author": null},
     {"title": "C", "author": [{"name": "Ben", "born": 1980}, {"name": "Eve", "born": 1990}]}]
    """
  }

  @Test func `is a list of one where others have lists of such objects`() throws {
    let trial = try InferenceTrial(Self.books(#"{"name": "Ann", "born": 1970}"#))
    let relationship = try trial.entity("Item").relationships.first
    #expect(try trial.relationship("Item", "author") == "⇉ Author")
    #expect(relationship?.policies.wrapsSingleObjects == true)
    #expect(try trial.differences() == [])
    let losses = trial.inferred.findings.filter { $0.certainty == .loss }
    #expect(
      losses.contains { $0.subject == "Item.author" && $0.evidence.contains("single object") })
  }

  @Test(
    arguments: [
      #"{"total": 3, "next": "x"}"#, #"["Ann", 7]"#, #"{"ann": {"born": 1970}}"#,
    ])
  func `of another kind is kept as JSON, with the lists`(author: String) throws {
    let trial = try InferenceTrial(Self.books(author))
    #expect(try trial.type("Item", "author") == .transformable)
    #expect(try trial.differences() == [])
  }

  @Test func `or value alone or in lists says so, and stays JSON`() throws {
    func note(_ actions: String) throws -> [String] {
      let trial = try InferenceTrial(
        #"[{"no": 1, "action": "read"}, {"no": 2, "action": \#(actions)}]"#)
      #expect(try trial.type("Item", "action") == .transformable)
      #expect(try trial.differences() == [])
      return trial.inferred.findings.filter { $0.subject == "Item.action" }.map(\.evidence)
    }
    #expect(try note(#"["read", "write"]"#).contains("strings, alone or in lists; kept as JSON"))
    #expect(try note("[1, 2]").contains("arrays and strings; kept as JSON"))
  }

  @Test func `is announced by a second look, and nothing else is`() async throws {
    let data = Data(Self.books(#"{"name": "Ann", "born": 1970}"#).utf8)
    let inference = ModelInference()
    try await inference.readDocument(from: .data(data))
    let model = try await inference.finish(readingAgain: [.data(data)])
    let losses = model.findings.filter { $0.certainty == .loss }
    #expect(losses.contains { $0.subject.hasPrefix("Item.author") }, "\(losses)")
    #expect(losses.allSatisfy { $0.subject.contains("uthor") }, "\(losses)")
  }

  @Test func `whose type is a word of Swift names no sub-entity so`() throws {
    let objects = ["protocol", "class"].enumerated().flatMap { number, kind in
      (0..<3).map { #"{"type": "\#(kind)", "k\#(number)": \#($0)}"# }
    }
    let trial = try InferenceTrial("[\(objects.joined(separator: ","))]")
    #expect(trial.model.entities.map(\.name) == ["Item", "Class", "ItemProtocol"])
  }
}
