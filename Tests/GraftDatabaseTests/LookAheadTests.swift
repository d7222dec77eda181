import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `A look-ahead` {
  @Test(arguments: [1, 7, 1_000])
  func `asks for what the lines after a broken one look up`(chunk: Int) throws {
    var options = ImportOptions()
    options.parser.format = .ndjson
    options.brokenLines = .skip
    let model = try GraphModel(
      entities: [
        .make(
          "User", [.make("name")],
          [
            .make("tweets", to: "Tweet", many: true, inverse: "author"),
            .make("friends", to: "User", many: true),
          ]),
        .make(
          "Tweet", [.make("text")],
          [.make("author", to: "User", inverse: "tweets"), .make("reply", to: "Tweet")]),
      ], dialect: .graft)
    let source = SampleRows(users: [3: "ada"], authors: [7: 3, 8: 3])
    let dryRun = try JSONImporter(
      [ImportRoot("Tweet")], options: options, lookingUpIn: source, of: model, from: nil)
    let lines = [#"{"id": 5, "author": 4}"#, #"{"id": 6, "te"#, #"{"id": 7}"#, ""]
    let bytes = Array(lines.joined(separator: "\n").utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try dryRun.parse(Array(bytes[start..<min(start + chunk, bytes.count)]))
    }
    #expect(source.requests == ["user 4", "tweet 5", "tweet 7"])
  }
}
