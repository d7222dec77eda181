import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftInference
@testable import GraftTestSupport

/// Checks the findings of an inference that reads its documents twice.
@Suite struct `A second look` {
  /// Reads a document twice.
  private func infer(
    _ document: Data, format: ParserOptions.Format = .json, fileName: String? = nil,
    options: InferenceOptions = InferenceOptions()
  ) async throws -> InferredModel {
    let inference = ModelInference(options: options)
    try inference.beginDocument(fileName: fileName, options: ParserOptions(format: format))
    try inference.parse(document)
    try inference.endDocument()
    return try await inference.finish(readingAgain: [.data(document)])
  }

  private func infer(_ json: String) async throws -> InferredModel {
    try await infer(Data(json.utf8))
  }

  private func finding(_ subject: String, in model: InferredModel) -> String? {
    model.findings.first { $0.subject == subject }?.description
  }

  // MARK: Counts

  @Test func `counts all objects and identities`() async throws {
    let objects = (0..<1500).map { #"{"id": \#($0), "name": "n\#($0 % 700)"}"# }
    let json = "[\((objects + objects[..<10]).joined(separator: ","))]"
    let model = try await infer(json)
    #expect(model.isVerified)
    #expect(
      finding("Item.id", in: model)
        == "Item.id: 1510 objects, 1500 identities, all equal (certain)")
    #expect(model.entities[0].userInfo["inferred"] == "1510 objects, 1500 identities, all equal")
    let first = try InferenceTrial(json).inferred
    #expect(!first.isVerified)
    #expect(finding("Item.id", in: first)?.contains("(estimated)") == true)
  }

  @Test func `counts all identifiers that name an object`() async throws {
    let users = (0..<900).map { #"{"id": \#($0 * 7919 + 104_729), "login": "u\#($0)"}"# }
    let posts = (0..<900).map {
      #"{"id": "p\#($0)", "userId": \#(($0 == 5 ? 1_000 : $0) * 7919 + 104_729)}"#
    }
    let json =
      #"{"users": [\#(users.joined(separator: ","))], "posts": [\#(posts.joined(separator: ","))]}"#
    let model = try await infer(json)
    #expect(
      finding("Post.userId → User", in: model)?.contains("899 of 900 values are identities") == true
    )
  }

  // MARK: Identities

  /// Returns objects with unique identities, except for two that repeat another's identity with other contents.
  private static func merging(_ key: String, more: String = "") -> String {
    var objects = (0..<3000).map {
      #"{"\#(key)": \#($0 * 31), "note": "event \#($0)", "count": 1\#(more)}"#
    }
    objects += [1234, 2345].map {
      #"{"\#(key)": \#($0 * 31), "note": "other \#($0)", "count": 1\#(more)}"#
    }
    return #"{"events": [\#(objects.joined(separator: ","))]}"#
  }

  @Test func `gives up an identity that means two objects, and says by which values`() async throws
  {
    let json = Self.merging("id")
    // A sample of the identities does not show it.
    let first = try InferenceTrial(json)
    #expect(try first.entity("Event").identity == ["id"])
    let model = try await infer(json)
    #expect(model.entities.first { $0.name == "Event" }?.identity == nil)
    #expect(
      finding("Event", in: model)
        == "Event: 3002 objects, no identity: the same id occurs with different note"
        + #" ("event 1234" and "other 1234"), of which only the last would be kept (likely)"#)
    #expect(!model.findings.contains { $0.certainty == .loss })
  }

  @Test func `takes another identity in its place`() async throws {
    var number = 0
    let json = Self.merging("id", more: #", "uuid": "@""#).split(separator: "@").map { part in
      number += 1
      return part + "7d444840-9dc0-11d1-b245-5ffdce74\(String(number + 4096, radix: 16))"
    }.joined().replacing(#/}\]}7d444840.*$/#, with: "}]}")
    let model = try await infer(json)
    #expect(model.entities.first { $0.name == "Event" }?.identity == ["uuid"])
  }

  @Test func `keeps an identity of objects whose counters change, and says how many do`()
    async throws
  {
    let members = #""title": "t", "author": "a", "body": "b", "lang": "en", "place": "p""#
    var objects = (0..<400).map { #"{"id": \#($0), "likes": 1, \#(members)}"# }
    objects += (0..<20).map { #"{"id": \#($0), "likes": 2, \#(members)}"# }
    let model = try await infer(#"{"posts": [\#(objects.joined(separator: ","))]}"#)
    #expect(model.entities.first { $0.name == "Post" }?.identity == ["id"])
    #expect(
      finding("Post.id", in: model)
        == "Post.id: 420 objects, 400 identities, equal but for what changes (20 with different likes)"
        + " (likely)")
    #expect(
      finding("Document.posts", in: model)
        == "Document.posts: an export leaves out 20 of 420 elements (loss)")
  }

  @Test(arguments: [
    ("marks", #""a""#, #""b""#, 1, true), ("marks", #""a""#, #""b""#, 4, false),
    ("ancestor_ids", "48007", "48014", 1, true),
  ])
  func `keeps an identity of objects of which few have another list, and says how many`(
    key: String, one: String, more: String, others: Int, hasIdentity: Bool
  ) async throws {
    func things(_ others: Int) -> String {
      (0..<8).map { number in
        let list = number < others ? "\(one), \(more)" : one
        return
          #"{"id": \#(number * 7 + 48000), "name": "n\#(number)", "rank": "r", "a": 1, "b": "x", "\#(key)": [\#(list)]}"#
      }.joined(separator: ",")
    }
    let model = try await infer(
      #"{"lists": [{"no": 1, "things": [\#(things(0))]}, {"no": 2, "things": [\#(things(others))]}]}"#
    )
    #expect((model.entities.first { $0.name == "Thing" }?.identity == ["id"]) == hasIdentity)
    let text = "equal but for what changes (1 with different "
    let findings = model.findings.map(\.description)
    #expect(findings.contains { $0.contains(text) } == hasIdentity, "\(findings)")
    #expect(model.findings.contains { $0.certainty == .loss } == hasIdentity, "\(findings)")
  }

  @Test(arguments: [
    (#"{"no": 1}"#, "1 more than the 1 element that there is"),
    (#"{"no": 1}, {"no": 2}"#, "2 more than the 2 elements that there are"),
  ])
  func `counts what an export writes more than once`(elements: String, count: String) async throws {
    let model = try await infer(
      """
      {"people": [{"uid": "aaaa-1", "name": "Ann", "note": {"uid": "n1", "text": "x", "items": [\(elements)]}},
                  {"uid": "aaaa-2", "name": "Ben", "note": {"uid": "n1", "text": "x"}}]}
      """)
    let losses = model.findings.map(\.description)
    #expect(losses.contains("Note.items: an export writes \(count) (loss)"), "\(losses)")
  }

  @Test func `counts one key and one object as one`() async throws {
    let file = #"{"mime": "a", "size": 1}"#
    let one = try await infer(#"{"id": 1, "files": {"2024-01-02": \#(file)}}"#)
    #expect(
      finding("Document.files.* ⇉ File", in: one)
        == "Document.files.* ⇉ File: 1 dictionary with 1 key (likely)")
    let two = try await infer(
      #"{"id": 1, "files": {"2024-01-02": \#(file), "2024-01-03": \#(file)}}"#)
    #expect(
      finding("Document.files.* ⇉ File", in: two)
        == "Document.files.* ⇉ File: 1 dictionary with 2 keys (likely)")
    let kinds = try await infer(
      """
      {"forms": [{"type": "disc", "radius": 1, "fill": "a"}, {"type": "box", "width": 2, "height": 3},
                 {"type": "disc", "radius": 3, "fill": "b"}, {"type": "disc", "radius": 4, "fill": "c"}]}
      """)
    #expect(
      kinds.entities.filter { $0.superentity != nil }.map { $0.userInfo["inferred"] ?? "" }.sorted()
        == ["1 object", "3 objects"])
  }

  @Test func `keeps an identity that the user has given, and says what is lost`() async throws {
    let model = try await infer(
      Data(#"[{"n": 1, "name": "a"}, {"n": 1, "name": "b"}, {"n": 2, "name": "c"}]"#.utf8),
      options: InferenceOptions(identities: ["Item": ["n"]]))
    #expect(model.entities[0].identity == ["n"])
    #expect(
      model.findings.map(\.description) == [
        "Item.n: 3 objects, 2 identities, equal but for what changes (1 with different name) (likely)",
        "Item.name: some values are written otherwise by an export (loss)",
      ])
  }

  /// A board at three moments; the first says nothing of its settings.
  private static let boards = Data(
    """
    {"actions": [
      {"board": {"id": "5e44-22fc"}}, {"old": {}, "board": {"id": "5e44-22fc", "prefs": {"background": "green"}}},
      {"old": {}, "board": {"id": "5e44-22fc", "prefs": {"background": "grey"}}}]}
    """.utf8)

  @Test func `compares each object with all before it that have its identity`() async throws {
    #expect(try await infer(Self.boards).entities.allSatisfy { $0.name != "Board" })
  }

  @Test func `says what is lost of an object where an export has more of them`() async throws {
    let boards = String(decoding: Self.boards, as: UTF8.self)
    let model = try await infer(
      Data(boards.replacing("[\n", with: #"[{"old": {}}, "#, maxReplacements: 1).utf8),
      options: InferenceOptions(identities: ["Board": ["id"]]))
    #expect(
      model.findings.filter { $0.certainty == .loss }.map(\.description) == [
        "Action.old: absent in 1 of 4; an export writes null (loss)",
        "Action.board: absent in 1 of 4; an export writes null (loss)",
        "Board.prefs: absent in 1 of 3; an export writes an object (loss)",
        "Pref.background: some values are written otherwise by an export (loss)",
      ])
  }

  // MARK: Losses

  static let losses: [(String, [String])] = [
    (#"[{"id": 1, "a": 1}, {"id": 2, "a": 2}]"#, []),
    (#"[{"id": 1, "a": 1}, {"id": 2}]"#, ["Item.a: absent in 1 of 2; an export writes null"]),
    (#"[{"id": 1, "a": null}, {"id": 2}]"#, ["Item.a: absent in 1 of 2; an export writes null"]),
    (
      #"[{"id": 1, "a": [{"x": 1, "y": 2}]}, {"id": 2, "a": null}, {"id": 3}]"#,
      ["Item.a: null or absent in 2 of 3; an export writes []"]
    ),
    // The last value counts, and no other object lacks one.
    (
      #"[{"id": 1, "s": "a", "t": [{"x": 1, "y": 2}]}, {"id": 2, "s": "b", "t": [], "s": "c", "t": [{"x": 3, "y": 4}]}, {"id": 3, "t": []}]"#,
      [
        "Item.s: the same key again in the same object, once; the later value counts",
        "Item.s: absent in 1 of 3; an export writes null",
        "Item.t: the same key again in the same object, once; the later value counts",
      ]
    ),
    (
      #"[{"id": 1, "links": {"a": [{"x": 1}], "b": []}}, {"id": 2}]"#,
      ["Item.links: absent in 1 of 2; an export writes an object without values"]
    ),
    (
      #"[{"id": 1, "at": "2020-01-01T10:00:00+02:00"}, {"id": 2, "at": "2020-01-01T10:00:00+05:00"}]"#,
      [
        "Item.at: dates that an export writes in one form, in UTC; --keep Item.at keeps the strings"
      ]
    ),
    (
      #"[{"id": 1, "at": "2020-01-01T10:00:00+02:00"}, {"id": 2}, {"id": 3, "at": "2020-01-01T10:00:00+05:00"}]"#,
      [
        "Item.at: absent in 1 of 3; an export writes null",
        "Item.at: dates that an export writes in one form, in UTC; --keep Item.at keeps the strings",
      ]
    ),
    (
      #"{"users": [{"id": 71, "name": "Ann", "age": 4}, {"id": 82, "name": "Ben", "age": 5}], "heads": [{"id": 71, "name": "Ann"}, {"id": 82, "name": "Ben", "age": 5}]}"#,
      ["User.age: absent in 1 of 4; an export writes what is known from elsewhere"]
    ),
    // One form and one zone are another one too.
    (
      #"[{"id": 1, "at": "2020-01-01T10:00:00-05:00"}, {"id": 2, "at": "2020-01-01T11:00:00-05:00"}]"#,
      ["Item.at: dates that an export writes in one form, in UTC; --keep Item.at keeps the strings"]
    ),
    // Only a photo has a width; a song without one lacks nothing.
    (
      #"{"parts": [{"type": "photo", "alt": "a", "width": 1, "lens": "x"}, {"type": "photo", "alt": "b", "width": 2}, {"type": "photo", "alt": "c", "width": 3}, {"type": "song", "alt": "d", "length": 4}, {"type": "song", "alt": "e", "length": 5}]}"#,
      ["Part.lens: absent in 2 of 3 whose type is photo; an export writes null"]
    ),
    // Ann is twice in one list.
    (
      #"[{"id": 1, "authors": [{"name": "Ann", "url": "a"}, {"name": "Ben"}]}, {"id": 2, "authors": [{"name": "Ann", "url": "a"}, {"name": "Ann", "url": "a"}, {"name": "Cy"}]}]"#,
      [
        "Item.authors: an export leaves out 1 of 5 elements",
        "Author.url: absent in 2 of 5; an export writes null",
      ]
    ),
  ]

  @Test(arguments: losses)
  func `says what an export writes otherwise`(json: String, lines: [String]) async throws {
    let model = try await infer(json)
    let losses = model.findings.filter { $0.certainty == .loss }
    #expect(losses.map { "\($0.subject): \($0.evidence)" } == lines)
  }

  /// Lists of one kind of object in one object, each with a key of its own: an export writes all keys everywhere.
  private static func lists(_ count: Int) -> String {
    let letters = Array("abcdefghijkl")
    let lists = (0..<count).map { number in
      let objects = (0..<2).map {
        #"{"measure": "m\#(number)-\#($0)", "time": "t\#(number)\#($0)", "place": "p\#(number)\#($0)", "note": "n\#(number)\#($0)", "size": \#(number * 10 + $0), "own\#(number)": [{"v\#(number)": \#(number + $0)}]}"#
      }
      let name = "\(letters[number / 12])\(letters[number % 12])Outcomes"
      return #""\#(name)": [\#(objects.joined(separator: ","))]"#
    }
    return #"{"title": "t", \#(lists.joined(separator: ","))}"#
  }

  @Test(arguments: [4, 36])
  func `says of each key that objects lack, however many places an export has in addition`(
    count: Int
  ) async throws {
    let model = try await infer(Self.lists(count))
    let losses = model.findings.filter { $0.certainty == .loss }
    let lines = (0..<count).map {
      "Outcome.own\($0): absent in \(2 * count - 2) of \(2 * count); an export writes []"
    }
    #expect(losses.map { "\($0.subject): \($0.evidence)" }.sorted() == lines.sorted())
  }

  @Test func `says where it does not compare all keys`() async throws {
    var options = InferenceOptions()
    options.placeLimit = 600
    let model = try await infer(Data(Self.lists(36).utf8), options: options)
    #expect(model.notices.isEmpty)
    let losses = model.findings.filter { $0.certainty == .loss }
    #expect(
      losses.contains {
        $0.subject == "Outcome"
          && $0.evidence
            == "some keys are not compared with an export, as there are too many places"
      })
    #expect(!losses.contains { $0.evidence.contains("another order") })
  }

  // MARK: Values that do not fit

  @Test func `makes the keys of a dictionary strings where one is no number`() async throws {
    let model = try await infer(
      #"[{"id": 1, "rates": {"1": 2.5, "b": 7.5}}, {"id": 2, "rates": {"1": 0.5}}, {"id": 3, "rates": {"x-1": 8.5}}, {"id": 4, "rates": {"1": 7.5, "a": 7.25}}, {"id": 5, "rates": {"0": 4.5, "a": 8.5}}, {"id": 6, "rates": {}}]"#
    )
    let keys = model.entities.flatMap(\.attributes).filter { $0.paths?.annotation == "@key" }
    #expect(keys.map(\.type) == [.string])
    #expect(!model.findings.contains { $0.evidence.contains("skips") })
  }

  @Test func `keeps references as JSON of which one has another form`() async throws {
    let people = (1...3).map { #"{"type": "people", "id": "\#($0)", "name": "n\#($0)"}"# }
    let comments = (1...3).map { #"{"type": "comments", "id": "\#($0)", "body": "b\#($0)"}"# }
    let articles = (1...8).map { number in
      let author = #"{"type": "people", "id": "\#(number % 3 + 1)"}"#
      return
        #"{"id": "\#(number)", "title": "t\#(number)", "author": \#(number == 3 ? #"{"id": \#(author)}"# : author)}"#
    }
    let model = try await infer(
      #"{"data": [\#(articles.joined(separator: ","))], "included": [\#((people + comments).joined(separator: ","))]}"#
    )
    let author = model.entities.flatMap(\.attributes).first { $0.name == "author" }
    #expect(author?.type == .transformable)
    #expect(author?.userInfo["inferred"]?.hasSuffix("found an object; kept as JSON") == true)
    #expect(!model.findings.contains { $0.certainty == .loss })
  }

  @Test func `ends where the documents are too many bytes`() async throws {
    let survey = ShapeSurvey(placeLimit: 100)
    let reader = EventParser(sendingTo: survey)
    let json = Data(#"[{"id": 1}]"#.utf8)
    try json.withRawSpan { try reader.parse($0) }
    try reader.finish()
    let document = SurveyedDocument(
      survey: survey, rootName: nil, fileName: nil, options: ParserOptions())
    let draft = try #require(ModelDrafting.model(of: [document], options: InferenceOptions()))
    let look = try SecondLook(draft, byteLimit: json.count - 1)
    try look.beginDocument(0)
    #expect(throws: SecondLook.LimitExceeded.self) { try json.withRawSpan { try look.parse($0) } }
  }

  @Test func `may be taken at several documents`() async throws {
    let documents = [
      #"[{"id": 71, "login": "ann"}, {"id": 82, "login": "ben"}]"#,
      #"[{"no": 1, "userId": 71}, {"no": 2, "userId": 93}]"#,
    ].map { Data($0.utf8) }
    let inference = ModelInference()
    for (document, name) in zip(documents, ["User", "Post"]) {
      try inference.beginDocument(rootName: name)
      try inference.parse(document)
    }
    try inference.endDocument()
    let model = try await inference.finish(readingAgain: documents.map { .data($0) })
    #expect(model.isVerified)
    #expect(model.roots.map { $0?.entity } == ["User", "Post"])
    let error = await #expect(throws: InferenceError.self) {
      try await inference.finish(readingAgain: [.data(documents[0])])
    }
    #expect(
      error?.message == "expected a source for each of 2 documents that were read, found 1")
  }

  // MARK: The law

  private static let fixtures: [String] = {
    let folder = SourceTree.root.appending(path: "Fixtures")
    let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let known = (paths ?? []).filter { path in
      let name = path.split(separator: "/").last ?? ""
      let isData = name.hasSuffix(".json") || name.hasSuffix(".ndjson")
      return path.hasPrefix("inference/") && isData || name.hasPrefix("document.")
        || ["documents/timeline.json", "documents/catalog.json"].contains(path)
    }
    // An array of arrays, from which nothing can be inferred.
    return known.filter { $0 != "shapes/rows-without-header/document.json" }.sorted()
  }()

  @Test(arguments: fixtures)
  func `says nothing that is not so`(file: String) async throws {
    let document = try Data(contentsOf: Fixture.url("Fixtures/\(file)"))
    let format: ParserOptions.Format = file.hasSuffix(".ndjson") ? .ndjson : .json
    try check(try await infer(document, format: format), of: document, format: format)
  }

  @Test(arguments: 0..<12)
  func `leaves nothing that an import cannot read`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed + 1)
    var checked = 0
    for _ in 0..<25 {
      let json = RandomRecords.make(&random)
      let document = Data(json.utf8)
      guard let inferred = try? await infer(document) else { continue }
      guard inferred.notices.isEmpty else { continue }
      checked += 1
      do {
        try check(inferred, of: document, format: .json)
      } catch {
        Issue.record(error, "\(json)")
      }
    }
    #expect(checked >= 15)
  }

  /// Checks that a strict import by the model succeeds, and that its export is the document just where no loss has been
  /// said.
  private func check(
    _ inferred: InferredModel, of document: Data, format: ParserOptions.Format
  ) throws {
    #expect(inferred.isVerified)
    for finding in inferred.findings {
      for word in ["about ", "(estimated)", "many identities"] {
        #expect(!finding.evidence.contains(word), "\(finding)")
      }
    }
    let root = try #require(inferred.roots[0])
    let store = GraphStore(model: try inferred.graphModel())
    var options = ImportOptions()
    options.parser.format = format
    options.listsRootObjects = true
    let path = root.path.steps.isEmpty ? nil : root.path.description
    let report = try store.importJSON(
      [ImportRoot(root.entity, at: path)], from: document, options: options)
    // The findings name all conflicts of the import, and no others.
    for entity in report.entities where entity.conflicting > 0 {
      #expect(
        inferred.findings.contains { finding in
          finding.subject.hasPrefix(entity.entity)
            && finding.evidence.contains("\(entity.conflicting) with different")
        }, "\(entity)")
    }
    for finding in inferred.findings {
      guard let match = finding.evidence.firstMatch(of: #/^(\d+) objects?, (\d+) identit/#),
        let entity = finding.subject.split(separator: ".").first
      else { continue }
      let count = try store.graph.objects(String(entity)).count { !$0.isStub }
      #expect(Int(match.output.2) == count, "\(finding)")
    }
    let objects = report.roots[0].ids.compactMap { store.graph.object($0) }
    let exporter = try JSONExporter(model: store.model)
    let text = try exporter.data(.objects(objects))
    let exported = try Self.elements(try JSONSerialization.jsonObject(with: text))
    let losses = inferred.findings.filter { $0.certainty == .loss }
    let source = try Self.rootObjects(document, format, root.path)
    let isEqual = Self.isSame(source, exported, isOrdered: root.path.steps.isEmpty)
    #expect(
      isEqual == losses.isEmpty,
      "\(losses) \(String(decoding: document.prefix(3_000), as: UTF8.self))")
  }

  private static func rootObjects(
    _ document: Data, _ format: ParserOptions.Format, _ path: JSONPath
  ) throws -> [Any] {
    let values =
      format == .ndjson
      ? try document.split(separator: UInt8(ascii: "\n")).map {
        try JSONSerialization.jsonObject(with: Data($0), options: .fragmentsAllowed)
      } : [try JSONSerialization.jsonObject(with: document)]
    return try values.flatMap { value -> [Any] in
      if path.steps.isEmpty { return value as? [Any] ?? [value] }
      return try elements(value)
    }
  }

  /// The elements of an array, or the members of an object.
  private static func elements(_ value: Any) throws -> [Any] {
    if let array = value as? [Any] { return array }
    return Array(try #require(value as? [String: Any]).values)
  }

  private static func isSame(_ source: [Any], _ exported: [Any], isOrdered: Bool) -> Bool {
    if isOrdered { return (source as NSArray).isEqual(exported as NSArray) }
    func texts(_ values: [Any]) -> [String] {
      values.map { value in
        let data = try? JSONSerialization.data(
          withJSONObject: [value], options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data ?? Data(), as: UTF8.self)
      }.sorted()
    }
    return texts(source) == texts(exported)
  }
}
