import Foundation
import Testing

@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft infer` {
  @Test func `prints a model that imports the document`() async throws {
    let run = try await GraftTool.run(["infer", Fixture.timeline])
    #expect(run.status == 0)
    #expect(run.errors == "")
    let model = try TemporaryFile(run.output, name: "model.json")
    let imported = try await GraftTool.run([
      "import", "--model", model.path, Fixture.timeline,
    ])
    #expect(imported.status == 0)
    #expect(imported.errors == "")
  }

  @Test func `explains itself`() async throws {
    let run = try await GraftTool.run(["infer", "--explain", Fixture.timeline])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("import as Timeline=\(Fixture.timeline)\n"))
    #expect(run.output.contains("22 identities, all equal"))
  }

  @Test func `says that counts are estimated where a document can be read once`() async throws {
    let remark =
      "estimated from one reading; a file is read a second time, and its counts are exact"
    let stream = try await GraftTool.run(
      ["infer", "--explain", "-"], input: Data(#"[{"id": 1}]"#.utf8))
    let lines = stream.output.split(separator: "\n")
    #expect(lines.dropFirst().first ?? "" == remark)
    let file = try await GraftTool.run(["infer", "--explain", Fixture.timeline])
    #expect(!file.output.contains("estimated"))
  }

  @Test func `reads files once if that is enough`() async throws {
    let remark =
      "estimated from one reading; without --once the files are read a second time, and their counts are exact"
    let run = try await GraftTool.run(["infer", "--explain", "--once", Fixture.timeline])
    #expect(run.status == 0)
    #expect(run.output.contains(remark))
    // The model is the same where nothing was left to find out.
    let once = try await GraftTool.run(["infer", "--once", Fixture.catalog])
    #expect(once.output.contains("\"Performance\""))
  }

  @Test func `tells what has changed since another model`() async throws {
    let model = try TemporaryFile(
      try await GraftTool.run(["infer", Fixture.catalog]).output, name: "model.json")
    let same = try await GraftTool.run(["infer", "--against", model.path, Fixture.catalog])
    #expect(same.status == 0)
    #expect(same.output == "")
    let other = try await GraftTool.run([
      "infer", "--against", model.path, "--not", "Event.logo", "--keep", "Performance.eventId",
      Fixture.catalog,
    ])
    #expect(other.status == 1)
    #expect(other.output == "- Event.logo\n~ Performance.event → Event → Integer 64\n")
  }

  @Test func `tells what is found at another path, and what is no longer always there`()
    async throws
  {
    let model = try TemporaryFile(
      #"""
      {"entities": [{"name": "Part", "userInfo": {"identityAttributes": "no"}, "attributes": [
        {"name": "no", "type": "Integer 64", "isOptional": false},
        {"name": "name", "type": "String", "isOptional": false, "userInfo": {"JSONKeyPath": "label.name"}},
        {"name": "size", "type": "Integer 64"}]}]}
      """#, name: "model.json")
    let document = try TemporaryFile(
      #"[{"no": 7, "name": "a", "size": 1}, {"no": 8, "size": 1}, {"no": 9, "name": "c", "size": 2}]"#
    )
    let run = try await GraftTool.run(["infer", "--against", model.path, "Part=" + document.path])
    #expect(run.status == 1)
    #expect(
      run.output == "~ Part.name at label.name → at name\n~ Part.name required → optional\n")
  }

  @Test func `compares models and not the names of files`() async throws {
    let json = #"{"id": 1, "parts": [{"no": 7, "name": "a"}, {"no": 8, "name": "b"}]}"#
    let monday = try TemporaryFile(json, name: "monday.json")
    let tuesday = try TemporaryFile(json, name: "tuesday.json")
    let model = try TemporaryFile(
      try await GraftTool.run(["infer", monday.path]).output, name: "model.json")
    let run = try await GraftTool.run(["infer", "--against", model.path, tuesday.path])
    #expect(run.status == 0)
    #expect(run.output == "")
  }

  @Test func `explains in the order of a reader, without losses if these are not wanted`()
    async throws
  {
    let run = try await GraftTool.run(["infer", "--explain", Fixture.timeline])
    let headings = [
      "What there is", "What tells it apart", "How it hangs together", "What values are",
      "What an export writes otherwise (--no-losses leaves this out)",
    ]
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.filter(headings.contains) == headings)
    let short = try await GraftTool.run(["infer", "--explain", "--no-losses", Fixture.timeline])
    #expect(!short.output.contains("loss  "))
    #expect(run.output.hasPrefix(short.output.trimmingCharacters(in: .newlines)))
  }

  @Test func `writes a page, and an example in Swift`() async throws {
    let page = try await GraftTool.run(["infer", "--output", "html", Fixture.timeline])
    #expect(page.output.hasPrefix("<!DOCTYPE html>"))
    let swift = try await GraftTool.run(
      ["infer", "--output", "swift", "--document", Fixture.timeline])
    #expect(swift.output.contains("func example(_ document: Data) throws -> [String] {"))
  }

  @Test(arguments: [
    (["infer"], "graft: which file? give a path, a URL, or - for standard input"),
    (
      ["infer", "--certainty", "surely", "x.json"],
      "graft: --certainty takes certain, likely, guess; found \"surely\""
    ),
    (["infer", "--rename", "A", "x.json"], "graft: --rename takes OLD=NEW, found \"A\""),
  ])
  func `says what is wrong with its arguments`(arguments: [String], message: String) async throws {
    let run = try await GraftTool.run(arguments)
    #expect(run.status == 2)
    #expect(run.errorLines == [message])
  }

  @Test func `says where there is nothing to infer`() async throws {
    let file = try TemporaryFile("[1, 2]")
    let run = try await GraftTool.run(["infer", file.path])
    #expect(run.status == 3)
    #expect(run.errorLines.count == 1)
  }
}

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft without a model` {
  @Test func `imports a file, and says what it took for what`() async throws {
    let run = try await GraftTool.run(["import", "Fixtures/inference/shop.json"])
    #expect(run.status == 0)
    #expect(
      run.errorLines == [
        "inferred: Shop (no identity) ⇉ Customer, ⇉ Product, ⇉ Category, ⇉ Order",
        "inferred: Customer (identity id) → Address, → Address",
        "inferred: Product (identity sku) → Category",
        "inferred: Category (identity id) → Category",
        "inferred: Order (identity orderNumber) → Customer, ⇉ Line",
        "inferred: Address (no identity)", "inferred: Line (no identity) → Product",
      ])
    #expect(run.output.contains(#/Customer +20 +0 +0/#))
  }

  @Test(arguments: ["inference/shop.json", "inference/hn.ndjson", "documents/catalog.json"])
  func `exports what the file has`(file: String) async throws {
    let isLines = file.hasSuffix(".ndjson")
    let run = try await GraftTool.run(
      ["export", "--omit-null"] + (isLines ? ["--ndjson"] : []) + ["Fixtures/" + file])
    #expect(run.status == 0)
    let source = try Fixture.text("Fixtures/" + file)
    #expect(
      try Self.objects(run.output, isLines: isLines) == Self.objects(source, isLines: isLines))
  }

  /// The documents of a text without nulls, which an export was asked to leave out.
  private static func objects(_ text: String, isLines: Bool) throws -> [NSObject?] {
    let documents = isLines ? text.split(separator: "\n").map(String.init) : [text]
    return try documents.map { document in
      let value = try JSONSerialization.jsonObject(with: Data(document.utf8))
      return withoutNulls(value) as? NSObject
    }
  }

  private static func withoutNulls(_ value: Any) -> Any? {
    switch value {
    case is NSNull: nil
    case let object as [String: Any]: object.compactMapValues(withoutNulls)
    case let array as [Any]: array.map { withoutNulls($0) ?? NSNull() }
    default: value
    }
  }

  @Test func `imports what standard input has`() async throws {
    let run = try await GraftTool.run(
      ["import", "-"], input: Data(#"{"users": [{"id": 1, "name": "Ann"}]}"#.utf8))
    #expect(run.status == 0)
    #expect(
      run.errorLines == [
        "inferred: Document (no identity) ⇉ User", "inferred: User (identity id)",
      ])
  }

  @Test func `writes identifiers as identifiers, wherever their objects are`() async throws {
    let document =
      #"{"users":[{"id":71,"login":"ann","boss":null},{"id":72,"login":"bob","boss":71},{"id":73,"login":"cid","boss":72}],"#
      + #""posts":[{"no":1,"author":71,"likers":[72,73]},{"no":2,"author":73,"likers":[71]},{"no":3,"author":72,"likers":[]}]}"#
    let file = try TemporaryFile(document)
    let model = try TemporaryFile(
      try await GraftTool.run(["infer", file.path]).output, name: "model.json")
    for arguments in [["import", "--output", "json"], ["export", "--all"]] {
      let run = try await GraftTool.run(arguments + ["--model", model.path, file.path])
      #expect(run.status == 0)
      for part in [
        #""boss":71"#, #""boss":72"#, #""author":71"#, #""author":73"#, #""likers":[72,73]"#,
      ] {
        #expect(run.output.contains(part), "\(part): \(run.output)\(run.errors)")
      }
    }
  }

  @Test func `takes several files for one graph`() async throws {
    let users = try TemporaryFile(#"[{"id": 71, "login": "ann"}]"#, name: "users.json")
    let posts = try TemporaryFile(#"[{"no": 1, "userId": 71}]"#, name: "posts.json")
    let run = try await GraftTool.run(["import", users.path, posts.path])
    #expect(run.status == 0)
    #expect(
      run.errorLines == ["inferred: User (identity id)", "inferred: Post (no identity) → User"])
  }

  /// Two lines of NDJSON with an `id` and a `name` each, as gzip packs them.
  private static let packed = Data(
    base64Encoded: "H4sIAAAAAAACA6tWykxRslIw1FFQykvMTQUylRKVarmqIcJGSMJJQGEARZW/XC4AAAA=")

  @Test func `reads what gzip has packed, as often as it must`() async throws {
    let data = try #require(Self.packed)
    let file = try TemporaryFile(data, name: "users.ndjson.gz")
    let run = try await GraftTool.run(["import", "--output", "json", file.path])
    #expect(run.status == 0)
    #expect(run.errorLines == ["inferred: User (identity id)"])
    #expect(run.output == #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"# + "\n")
  }

  @Test func `says why a packed file cannot be read`() async throws {
    let cut = try TemporaryFile(try #require(Self.packed).prefix(30), name: "users.ndjson.gz")
    for command in ["infer", "import"] {
      for file in [cut.path, "no-such-file.gz"] {
        let run = try await GraftTool.run([command, file])
        #expect(run.status == 4)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("\(file): "))
      }
    }
  }

  @Test func `says at which line a file is no JSON`() async throws {
    let file = try TemporaryFile("{\"a\":\n  oops}")
    let run = try await GraftTool.run(["import", file.path])
    #expect(run.status == 3)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("\(file.path):2:3: "))
  }

  @Test func `needs a model for options that name what is in one`() async throws {
    let run = try await GraftTool.run(["import", "--entity", "Customer", Fixture.catalog])
    #expect(run.status == 2)
    #expect(run.errors.contains("give --model PATH"))
  }

  @Test func `imports by an inferred model without a root`() async throws {
    let document = "Fixtures/inference/tvshow.json"
    let text = try await GraftTool.run(["infer", document]).output
    let model = try TemporaryFile(text, name: "model.json")
    let run = try await GraftTool.run([
      "import", "--model", model.path, "--output", "graph", document,
    ])
    #expect(run.status == 0)
    #expect(run.errors == "")
    let inferred = try await GraftTool.run(["import", "--output", "graph", document])
    #expect(run.output == inferred.output)
  }
}
