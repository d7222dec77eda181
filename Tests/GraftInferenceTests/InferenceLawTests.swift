import Foundation
import GraftExport
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

/// For every document, the inferred model imports it without an issue, and an export by the model
/// has everything that the document had.
@Suite struct `Inference from a document` {
  private static let fixtures: [String] = {
    let folder = SourceTree.root.appending(path: "Fixtures")
    let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return (paths ?? []).filter { path in
      let name = path.split(separator: "/").last ?? ""
      return name.hasPrefix("document.")
        || ["documents/timeline.json", "documents/catalog.json"].contains(path)
    }.sorted()
  }()

  /// Paths that an export writes otherwise: dates with an offset, and objects with fewer keys at
  /// one of their places.
  private static let losses: [String: [String]] = [
    "documents/cyclonedx/document.json": ["$.metadata.timestamp"],
    "documents/github-events/document.ndjson": [".actor.display_login"],
    "documents/mitre-attack/document.json": ["].modified"],
    "documents/twitter-timeline/document.json": [".created_at"],
  ]

  /// An array of arrays, from which nothing can be inferred.
  private static let hopeless = "shapes/rows-without-header/document.json"

  private static func trial(_ file: String, chunk: Int = .max) throws -> InferenceTrial {
    guard chunk != .max else { return try InferenceTrial.whole(Fixture.url("Fixtures/\(file)")) }
    let data = try Data(contentsOf: Fixture.url("Fixtures/\(file)"))
    return try InferenceTrial(
      data, format: file.hasSuffix(".ndjson") ? .ndjson : .json, chunk: chunk)
  }

  @Test(arguments: fixtures.filter { $0 != hopeless })
  func `imports it and writes it again`(file: String) throws {
    let trial = try Self.trial(file)
    #expect(trial.model.warnings.isEmpty)
    let known = Self.losses[file] ?? []
    let unknown = try trial.differences().filter { line in !known.contains { line.contains($0) } }
    #expect(unknown == [])
  }

  @Test(arguments: fixtures.filter { $0 != hopeless })
  func `gives the same model for every cut of the bytes`(file: String) throws {
    let whole = try Self.trial(file).model
    for chunk in [1, 7, 1000] { #expect(try Self.trial(file, chunk: chunk).model == whole) }
  }

  @Test(arguments: fixtures.filter { $0 != hopeless && $0.hasSuffix(".json") })
  func `gives the same model for every order of keys`(file: String) throws {
    let trial = try Self.trial(file)
    let object = try JSONSerialization.jsonObject(with: trial.document)
    let sorted = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    let first = try InferenceTrial(sorted).model
    var random = SystemRandomNumberGenerator()
    let tree = try #require(try JSONTree.read(String(decoding: sorted, as: UTF8.self)))
    let other = try InferenceTrial(tree.shuffled(&random)).model
    #expect(other == first)
  }

  @Test(arguments: fixtures.filter { $0 != hopeless })
  func `gives a model whose file reads back as the same`(file: String) throws {
    let model = try Self.trial(file).model
    let copy = try TemporaryFile(model.schemaFile, name: "model.json")
    let read = try GraphModel(contentsOf: copy.url)
    #expect(read == model)
    #expect(read.warnings.isEmpty)
    let contents = try TemporaryFile(model.xcodeModelFile, name: "contents")
    let xcode = try GraphModel(contentsOf: contents.url)
    #expect(xcode == model)
    #expect(xcode.warnings.isEmpty)
  }

  @Test func `says what it found where there is nothing to infer`() {
    let wide = #""id": 1, "# + (1...400).map { #""key\#($0)": "x""# }.joined(separator: ", ")
    for (json, found) in [
      ("[]", "an empty array"), ("{}", "an empty object"),
      ("[1, 2]", "an array of strings, numbers or booleans"),
      ("[[1], [2]]", "an array of arrays"), ("1", "a number"),
      ("[{\(wide)}]", "an array of dictionaries whose values have nothing in common"),
      ("[1, {}]", "values of several kinds"), (#"[["a", "b"]]"#, "an array of arrays"),
    ] {
      #expect(
        throws: InferenceError(
          "no entity can be inferred: expected objects, or an array of objects, found \(found)")
      ) { try InferenceTrial(json) }
    }
  }

  @Test(arguments: [
    ("users.json", #"[{"id": 1, "n": 2}]"#, "User"), ("data.json", #"[{"id": 1, "n": 2}]"#, "Item"),
    ("a/b/my-shop.json", #"{"id": 1, "n": 2}"#, "MyShop"), ("7f3a.json", #"{"id": 1}"#, "Document"),
    ("backup.json", #"[{"id": 1, "n": 2}]"#, "Item"),
    ("x.json", #"{"type": "FeatureCollection", "features": []}"#, "FeatureCollection"),
  ])
  func `is named after the file where nothing in it tells`(
    file: String, json: String, name: String
  ) throws {
    let trial = try InferenceTrial(Data(json.utf8), fileName: file)
    #expect(trial.model.entities[0].name == name)
    #expect(trial.model.entities[0].userInfo["root"] == "$")
  }

  @Test func `counts the places of many documents once`() throws {
    let inference = ModelInference()
    for number in 0..<150 {
      try inference.beginDocument(rootName: "User")
      try inference.parse(Data(#"{"id": \#(number), "parts": [{"id": \#(number)}]}"#.utf8))
    }
    let model = try inference.finish()
    #expect(model.notices.isEmpty)
    #expect(model.entities.first { $0.name == "User" }?.relationships.map(\.name) == ["parts"])
  }

  @Test func `of several documents finds what one refers to in the other`() throws {
    let inference = ModelInference()
    try inference.beginDocument(rootName: "User")
    try inference.parse(Data(#"[{"id": 71, "login": "ann"}, {"id": 82, "login": "ben"}]"#.utf8))
    try inference.beginDocument(rootName: "Post")
    try inference.parse(Data(#"[{"no": 1, "userId": 71}, {"no": 2, "userId": 82}]"#.utf8))
    let model = try inference.finish()
    #expect(model.roots.map { $0?.entity } == ["User", "Post"])
    let post = try #require(model.entities.first { $0.name == "Post" })
    #expect(post.relationships.map(\.destination) == ["User"])
  }
}

extension RandomValue {
  /// The document with the members of all objects in another order.
  fileprivate func shuffled(_ random: inout SystemRandomNumberGenerator) -> String {
    switch self {
    case .scalar(let text), .reference(let text): return text
    case .array(let elements):
      return "[" + elements.map { $0.shuffled(&random) }.joined(separator: ",") + "]"
    case .object(let members):
      let texts = members.shuffled(using: &random).map {
        "\"\($0.key)\":\($0.value.shuffled(&random))"
      }
      return "{" + texts.joined(separator: ",") + "}"
    }
  }
}

@Suite struct `Inference within limits` {
  @Test func `takes any number of keys at one place for a dictionary`() throws {
    let members = (0..<30_000).map { "\"key\($0)x\": {\"n\": \($0)}" }.joined(separator: ",")
    let trial = try InferenceTrial("{\"things\": {\(members)}}")
    #expect(try trial.relationship("Document", "things") == "⇉ Thing")
    #expect(trial.model.entities.count == 2)
  }

  @Test func `takes two hundred thousand keys at one place for a dictionary, in memory for a few`()
    throws
  {
    let inference = ModelInference()
    try inference.parse(Data(#"{"things": {"#.utf8))
    for part in 0..<200 {
      let members = (0..<1000).map { "\"key\(part)x\($0)\": \($0)" }.joined(separator: ",")
      try inference.parse(Data(((part == 0 ? "" : ",") + members).utf8))
    }
    try inference.parse(Data("}}".utf8))
    let model = try inference.finish()
    #expect(model.entities.map(\.name) == ["Document", "Thing"])
    #expect(model.entities[0].relationships.map(\.paths) == ["things.*"])
  }

  @Test func `takes a thousand tags and a hundred thousand identifiers for what they are`() throws {
    let objects = (0..<20_000).map {
      #"{"id": "\#($0)", "type": "kind\#($0 % 1000)", "n": \#($0)}"#
    }
    let trial = try InferenceTrial("[\(objects.joined(separator: ","))]")
    #expect(trial.model.entities.map(\.identity) == [["id"]])
  }

  @Test func `takes any depth that is parsed`() throws {
    var json = #"{"name": "leaf"}"#
    for level in 0..<500 { json = "{\"name\": \"n\(level)\", \"child\": \(json)}" }
    let trial = try InferenceTrial(json)
    #expect(trial.model.entities.count == 1)
    let grid = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try InferenceTrial("{\"grid\": \(grid)}").type("Document", "grid") == .transformable)
  }

  @Test func `takes a thousand shapes`() throws {
    let shapes = (0..<1000).map {
      "\"part\($0 % 7)a\($0)b\": {\"x\($0)\": \($0), \"y\($0)\": \"a\"}"
    }
    let few = try InferenceTrial("[{\(shapes.prefix(300).joined(separator: ","))}]")
    #expect(try few.differences() == [])
    // A thousand in an object are a dictionary; a thousand objects in an array have all their keys.
    for json in ["{\(shapes.joined(separator: ","))}", "[{\(shapes.joined(separator: "},{"))}]"] {
      let trial = try InferenceTrial(#"{"list": \#(json)}"#)
      #expect(trial.model.entities.count <= 3)
      #expect(try trial.differences() == [])
    }
  }

  @Test func `says what it did not look into`() throws {
    // Each object has a key of its own below one that is always there.
    let parts = (0..<60).map { outer in
      "\"part\(outer)\": {" + (0..<100).map { "\"k\(outer)n\($0)\": 1" }.joined(separator: ",")
        + "}"
    }
    var options = InferenceOptions()
    options.placeLimit = 5000
    let trial = try InferenceTrial("{" + parts.joined(separator: ",") + "}", options: options)
    #expect(
      trial.inferred.notices == [
        "the documents have more than 5000 different places; what lies beyond is kept as JSON"
      ])
    #expect(try trial.differences() == [])
  }
}
