import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Limits` {
  private static let model: [EntityDescription] = [
    .make("Hero", [.make("name")], [.make("boss", to: "Hero")], ["JSONDiscriminator": "kind"]),
    .make("Villain", identity: "", parent: "Hero"),
  ]

  /// A limit, with a document that keeps it and one that does not.
  struct Limit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let options: ImportOptions
    let kept: String
    let broken: String
  }

  static let limits = [
    Limit(
      testDescription: "nesting depth", options: .with { $0.parser.limits.depth = 3 },
      kept: #"{"id":1,"x":[[]]}"#, broken: #"{"id":1,"x":[[[]]]}"#),
    Limit(
      testDescription: "bytes of one token",
      options: .with { $0.parser.limits.tokenBytes = 100 },
      kept: #"{"id":1,"name":"\#(String(repeating: "x", count: 90))"}"#,
      broken: #"{"id":1,"name":"\#(String(repeating: "x", count: 110))"}"#),
    Limit(
      testDescription: "bytes buffered for late information",
      options: .with { $0.bufferLimit = 2000 },
      kept: #"{"kind":"Villain","id":1,"name":"\#(String(repeating: "x", count: 2500))"}"#,
      broken: #"{"id":1,"name":"\#(String(repeating: "x", count: 2500))","kind":"Villain"}"#),
  ]

  @Test(arguments: limits)
  func `are errors past them, and may be moved`(limit: Limit) throws {
    for chunk in [1, 50, 10_000] {
      let trial = try ImportTrial(Self.model)
      try trial.load(limit.kept, limit.options, chunk: chunk)
      let before = trial.text
      let error = #expect(throws: ImportError.self) {
        try trial.load(limit.broken, limit.options, chunk: chunk)
      }
      #expect(error?.kind == .limit)
      #expect(error?.location != nil)
      #expect(trial.text == before)
      try trial.load(limit.broken, chunk: chunk)
    }
  }
}
