import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `An import's error` {
  private struct Refusal: Error {}

  @Test func `keeps the error behind it, and is compared without`() {
    let error = ImportError(kind: .invalidValue, message: "no", underlyingError: Refusal())
    #expect(error.underlyingError is Refusal)
    #expect(error == ImportError(kind: .invalidValue, message: "no"))
    #expect(Set([error, ImportError(kind: .invalidValue, message: "no")]).count == 1)
    #expect(error != ImportError(kind: .key, message: "no", underlyingError: Refusal()))
  }

  @Test func `tells what the parser found`() throws {
    let trial = try ImportTrial([.make("Hero")])
    let error = #expect(throws: ImportError.self) { try trial.load(#"[{"id": 1"#) }
    let cause = try #require(error?.underlyingError as? ParsingError)
    #expect(cause.kind == .truncated)
    #expect(cause.location == error?.location)
  }

  @Test func `shortens a long path in its description only`() throws {
    let path = "$" + String(repeating: "[0]", count: 1_000)
    let error = ImportError(kind: .wrongType, path: path, message: "no")
    #expect(error.path == path)
    #expect(error.description.utf8.count < 250)
    #expect(error.description.hasPrefix("$[0][0]") && error.description.hasSuffix("[0]: no"))
    let parser = YAJLParser()
    let fault = #expect(throws: ParsingError.self) {
      try parser.parse(Data((String(repeating: "[", count: 900) + "x").utf8))
    }
    #expect(fault?.path.utf8.count ?? 0 > 2_000)
    #expect(fault?.description.utf8.count ?? 0 < 300)
  }

  @Test func `tells what the store refused`() throws {
    var members = RelationshipDescription.make("members", to: "Person", many: true, inverse: "band")
    members.deleteRule = .deny
    let trial = try ImportTrial([
      .make("Band", [], [members]),
      .make("Person", [], [.make("band", to: "Band", inverse: "members")]),
    ])
    try trial.load(#"[{"id": 1, "members": [{"id": 2}]}]"#)
    let options = ImportOptions.with { $0.deletesMissing = true }
    let error = #expect(throws: ImportError.self) { try trial.load("[]", options) }
    #expect(error?.kind == .invalidValue)
    #expect(error?.entity == "Band")
    #expect(error?.property == "members")
    let cause = try #require(error?.underlyingError as? StoreError)
    #expect(cause.kind == .deletionDenied)
    #expect(cause.message == error?.message)
  }
}
