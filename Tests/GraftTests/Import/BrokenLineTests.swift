import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Lines of NDJSON that are not JSON.
@Suite struct `A broken line` {
  private static let cuts = [1, 2, 3, 7, 1_000]
  private static let deletingLost = ImportOptions.with {
    $0.parser.format = .ndjson
    $0.brokenLines = .skip
    $0.relationships.removed = .delete
  }

  private func load(
    _ text: String, chunk: Int, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> (report: ImportReport, lines: [String]) {
    let trial = try ImportTrial([.make("Hero", [.make("name")])])
    let report = try trial.load(
      text,
      .with {
        $0.parser.format = .ndjson
        $0.errorPolicy = .skipObject
        change(&$0)
      }, chunk: chunk)
    return (report, trial.lines)
  }

  @Test(arguments: [
    (#"{"id": 2"#, "2:9: $: line 2 is skipped: the document ends too early"),
    (#"{"id": 2, "name": "#, "2:19: $.name: line 2 is skipped: the document ends too early"),
    (
      #"{"id": 2, "name": "x"#,
      "2:21: $.name: line 2 is skipped: the document ends inside a string that begins at 2:19"
    ), (#"{"id": 2}}"#, "2:10: $: line 2 is skipped: "),
    (#"{"id": 7} {"id": 8,}"#, "2:20: $: line 2 is skipped: expected another member"),
    ("<html>", "2:1: $: line 2 is skipped: expected a value, found '<'"),
    (#"{"id": 2, "name": "\#(String(repeating: "y", count: 700))"#, "2:"),
    ("]", "2:1: $: line 2 is skipped: "), ("tru", "2:"), (#"{"id": 07}"#, "2:"),
    ("{\"id\": 2, \"name\": \"\u{C}\"}", "2:"),
  ])
  func `is an issue with its number, leaves nothing, and does not end the import`(
    line: String, start: String
  ) throws {
    for chunk in Self.cuts {
      for end in ["\n", "\r\n"] {
        let text = #"{"id": 1}"# + end + line + end + #"{"id": 3}"# + end
        let (report, lines) = try load(text, chunk: chunk)
        #expect(lines == ["Hero/1 id: 1", "Hero/2 id: 3"])
        #expect(report.brokenLineCount == 1 && report.issueCount == 1)
        let issue = try #require(report.issues.first)
        #expect(issue.description.hasPrefix(start), "\(issue)")
        #expect(issue.description.contains("line 2 is skipped: "))
        #expect(issue.error.location?.line == 2)
        #expect(issue.error.kind == .invalidJSON)
        #expect(report.byteCount == text.utf8.count)
      }
    }
  }

  @Test func `may be the first, the last and every line`() throws {
    for chunk in Self.cuts {
      let (report, lines) = try load("{\n\u{FEFF}\n{\"id\":1}\n[{", chunk: chunk)
      #expect(lines == ["Hero/1 id: 1"])
      #expect(report.issues.map(\.error.location?.line) == [1, 2, 4])
      let (none, empty) = try load("x\ny", chunk: chunk)
      #expect(none.issueCount == 2 && empty == [])
    }
  }

  @Test func `may be cut anywhere by the end of the text`() throws {
    let last = #"{"id": 3, "name": "xyz"}"#
    for count in 1..<last.count {
      let start = "{\"id\": 1}\n\n{\"id\": 2}\n"
      let (report, lines) = try load(start + last.prefix(count), chunk: 7)
      #expect(lines == ["Hero/1 id: 1", "Hero/2 id: 2"])
      let issue = try #require(report.issues.first?.error)
      #expect(issue.location?.description == "4:\(count + 1)")
      #expect(issue.message.hasPrefix("line 4 is skipped: the document ends "), "\(issue)")
    }
    #expect(try load(last, chunk: 7).report.issueCount == 0)
  }

  @Test func `leaves the places of later errors right`() throws {
    for chunk in Self.cuts {
      let (report, _) = try load("{\"é\":\n\n{\"id\": true}\n", chunk: chunk)
      #expect(
        report.issues.map(\.error.location) == [
          SourceLocation(offset: 6, line: 1, column: 7),
          SourceLocation(offset: 15, line: 3, column: 8),
        ])
    }
  }

  @Test func `is one that exceeds a limit`() throws {
    let long = String(repeating: "x", count: 300)
    let text = "{\"id\":1,\"name\":\"\(long)\"}\n{\"id\":2}\n[[[[[]]]]]\n{\"id\":3}"
    for chunk in Self.cuts {
      let (report, lines) = try load(text, chunk: chunk) {
        $0.parser.limits.tokenBytes = 100
        $0.parser.limits.depth = 4
      }
      #expect(lines == ["Hero/1 id: 2", "Hero/2 id: 3"])
      #expect(report.issues.map(\.error.kind) == [.limit, .limit])
      #expect(report.issues.map(\.error.location?.line) == [1, 3])
      let (short, rest) = try load(text, chunk: chunk) { $0.bufferLimit = 100 }
      #expect(rest == ["Hero/1 id: 2", "Hero/2 id: 3"])
      #expect(
        short.issues.first?.error.message
          == "line 1 is skipped: a line of more than 100 bytes; ImportOptions.bufferLimit may be"
          + " raised")
    }
  }

  @Test func `ends the import where that is asked for, or the format is not NDJSON`() throws {
    let text = "{\"id\":1}\n{\n{\"id\":2}"
    #expect(throws: ImportError.self) { try load(text, chunk: 9) { $0.errorPolicy = .fail } }
    #expect(throws: ImportError.self) { try load(text, chunk: 9) { $0.brokenLines = .fail } }
    #expect(throws: ImportError.self) { try load(text, chunk: 9) { $0.parser.format = .json } }
    let (report, _) = try load(text, chunk: 9) {
      $0.errorPolicy = .fail
      $0.brokenLines = .skip
    }
    #expect(report.insertedCount == 2)
  }

  @Test func `in an encoding other than UTF-8 is an error of the whole text`() throws {
    let trial = try ImportTrial([.make("Hero")])
    let importer = try trial.store.makeImporter(
      entity: "Hero",
      options: .with {
        $0.parser.format = .ndjson
        $0.brokenLines = .skip
      })
    let data = try #require("{\"id\":1}\n".data(using: .utf16LittleEndian))
    let error = #expect(throws: ImportError.self) {
      try importer.parse(data)
      _ = try importer.finish()
    }
    #expect(error?.message == "the text is in UTF-16, little-endian; expected UTF-8")
  }

  @Test(arguments: [true, false])
  func `keeps what a list has lost, and says so, unless it has no identity`(
    hasIdentity: Bool
  ) throws {
    let item = EntityDescription.make(
      "Item", identity: hasIdentity ? "id" : "", [.make("name")],
      [.make("owner", to: "Owner", inverse: "items")])
    let trial = try ImportTrial([
      .make("Owner", [], [.make("items", to: "Item", many: true, inverse: "owner")]), item,
    ])
    try trial.load(#"{"id": 1, "items": [{"id": 1, "name": "x"}, {"id": 2}]}"#, Self.deletingLost)
    let report = try trial.load(
      "{\"id\": 1, \"items\": [{\"id\": 3, \"name\": \"y\"}]}\n{\"id", Self.deletingLost)
    #expect(try trial.store.graph.count(of: "Item") == (hasIdentity ? 3 : 1))
    #expect(
      report.notices.map(\.error.message)
        == (hasIdentity
          ? [
            "not all objects that relationships have lost were deleted: what was skipped may have"
              + " mentioned them"
          ] : []))
  }

  @Test(arguments: [DeleteRule.cascade, .nullify])
  func `keeps what has an identity from being deleted with what has none`(
    rule: DeleteRule
  ) throws {
    let trial = try ImportTrial([
      .make("Owner", [], [.make("items", to: "Item", many: true)]),
      .make(
        "Item", identity: "", [.make("name")],
        [RelationshipDescription(name: "part", destination: "Part", deleteRule: rule)]),
      .make("Part"),
    ])
    try trial.load(#"{"id": 1, "items": [{"name": "x", "part": {"id": 7}}]}"#, Self.deletingLost)
    let report = try trial.load(
      "{\"id\": 1, \"items\": []}\n{\"id\": 2, \"items\": [{\"part\": 7}", Self.deletingLost)
    #expect(try trial.store.graph.count(of: "Part") == 1)
    #expect(try trial.store.graph.count(of: "Item") == (rule == .cascade ? 1 : 0))
    #expect(report.noticeCount == (rule == .cascade ? 1 : 0))
  }

  @Test func `keeps what is missing from being deleted`() async throws {
    let trial = try ImportTrial([.make("Hero")])
    try trial.load("[1,2]")
    let options = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.brokenLines = .skip
      $0.deletesMissing = true
    }
    let report = try trial.load("{\"id\":1}\n{\"id\":", options)
    #expect(trial.lines == ["Hero/1 id: 1", "Hero/2 id: 2"])
    #expect(report.noticeCount == 1)
    let group = try await trial.store.importGroup { group in
      var options = options
      options.group = group
      try trial.load("{\"id\":1}\n{\"id\":", options)
    }
    #expect(group.noticeCount == 1)
    #expect(trial.lines == ["Hero/1 id: 1", "Hero/2 id: 2"])
  }

  @Test(arguments: [
    (#"{"id": 2"#, "3:1"), (#"{"id": 2, "boss": {"id": 3}"#, "3:1"), ("[", nil),
    (#"{"id": 2,"#, "3:1"),
  ])
  func `is the place of an error that is noticed on a later one`(line: String, end: String?) throws
  {
    for chunk in Self.cuts {
      let error = #expect(throws: ImportError.self) {
        try load("{\"id\": 1}\n\(line)\n{\"id\": 3}\n", chunk: chunk) { $0.brokenLines = .fail }
      }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("2:1: $"))
      #expect(
        text.contains(
          ": the document that begins here goes on to \(end ?? "4:1"), where it is broken: "))
    }
  }

  @Test func `that is a row is an object by position`() throws {
    let trial = try ImportTrial([
      .make(
        "Reading", identity: "id",
        [
          .make("id", .integer64, ["JSONKeyPath": "[0]"]),
          .make("station", .string, ["JSONKeyPath": "[1]"]),
        ])
    ])
    for chunk in Self.cuts {
      try trial.load(
        "[1,\"a\"]\n[2,\"b\"]\n", .with { $0.parser.format = .ndjson }, chunk: chunk)
      #expect(
        trial.lines == [#"Reading/1 id: 1, station: "a""#, #"Reading/2 id: 2, station: "b""#])
    }
    try trial.load(
      "[[1,\"c\"],[2,\"d\"]]\n[[3,\"e\"]]", at: "[*]", .with { $0.parser.format = .ndjson })
    let stations = trial.lines.map { String($0.suffix(3)) }
    #expect(stations == [#""c""#, #""d""#, #""e""#])
  }
}
