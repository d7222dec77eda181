import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `The export's option` {
  private func trial() throws -> ImportTrial {
    let trial = try ImportTrial([
      .make(
        "E", [.make("b", .string, ["JSONKeyPath": "x.b"]), .make("a"), .make("c")],
        [.make("one", to: "E"), .make("many", to: "E", many: true)])
    ])
    try trial.load(#"[{"id": 1}, {"id": 2, "x": {"b": "z"}}, {"id": 1, "a": "y", "many": [2]}]"#)
    return trial
  }

  @Test func `writesNull leaves values out that are not there`() throws {
    let json = try trial().export("E") { $0.writesNull = false }
    #expect(
      json == #"[{"id":1,"a":"y","many":[{"id":2,"x":{"b":"z"},"many":[]}]},"#
        + #"{"id":2,"x":{"b":"z"},"many":[]}]"#)
  }

  @Test func `writesNull keeps the null that is not the default`() throws {
    var count = AttributeDescription.make("count", .integer64)
    count.defaultValue = .integer(5)
    let trial = try ImportTrial([.make("E", [count, .make("name")])])
    try trial.load(#"[{"id": 1, "count": null}]"#)
    #expect(try trial.export("E") { $0.writesNull = false } == #"[{"id":1,"count":null}]"#)
  }

  @Test func `writesEmpty leaves relationships out that have no members`() throws {
    let json = try trial().export("E") {
      $0.writesEmpty = false
      $0.depth = 0
    }
    #expect(
      json == #"[{"id":1,"x":{"b":null},"a":"y","c":null,"one":null,"many":[2]},"#
        + #"{"id":2,"x":{"b":"z"},"a":null,"c":null,"one":null}]"#)
  }

  @Test func `keyOrder sorts keys by their code points, nested ones too`() throws {
    let json = try trial().export("E") {
      $0.keyOrder = .sorted
      $0.depth = 0
      $0.writesNull = false
    }
    #expect(json == #"[{"a":"y","id":1,"many":[2]},{"id":2,"many":[],"x":{"b":"z"}}]"#)
  }

  @Test func `isPretty breaks lines and indents`() throws {
    let json = try trial().export("E") {
      $0.isPretty = true
      $0.depth = 0
      $0.writesNull = false
    }
    #expect(
      json == """
        [
          {
            "id": 1,
            "a": "y",
            "many": [
              2
            ]
          },
          {
            "id": 2,
            "x": {
              "b": "z"
            },
            "many": []
          }
        ]

        """)
  }

  @Test func `isNDJSON writes one object a line, pretty or not`() throws {
    let trial = try trial()
    let text = try trial.export("E") {
      $0.isNDJSON = true
      $0.isPretty = true
      $0.depth = 0
      $0.writesNull = false
    }
    #expect(
      text == """
        {"id":1,"a":"y","many":[2]}
        {"id":2,"x":{"b":"z"},"many":[]}

        """)
    let graph = try trial.store.graph.reimported(text, [ImportRoot("E")], format: .ndjson)
    #expect(graph.content == trial.store.graph.content)
  }

  @Test func `isNDJSON keeps the entity of each object of a whole graph`() throws {
    let trial = try ImportTrial([.make("A", [], [.make("b", to: "B")]), .make("B"), .make("C")])
    try trial.load(#"[{"id": 1, "b": {"id": 2}}]"#)
    let text = try trial.exportAll { $0.isNDJSON = true }
    #expect(text == "{\"B\":{\"id\":2}}\n{\"A\":{\"id\":1,\"b\":2}}\n{\"C\":[]}\n")
    let graph = try trial.store.graph.reimported(text, format: .ndjson)
    #expect(graph.content == trial.store.graph.content)
  }

  @Test(arguments: [
    (
      ["Nobody": ["a": ExportStyle.omit]],
      "a style is given for an unknown entity \"Nobody\"; known: \"E\""
    ),
    (["E": ["manny": .omit]], "unknown property \"manny\" of E, did you mean \"many\"?"),
  ])
  func `styles names what the model has`(
    styles: [String: [String: ExportStyle]], message: String
  ) throws {
    let model = try trial().store.model
    var options = ExportOptions()
    options.styles = styles
    let error = #expect(throws: ExportError.self) {
      try JSONExporter(model: model, options: options)
    }
    #expect(error?.kind == .model)
    #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
  }
}

/// Checks the destinations of an export, and its errors.
@Suite struct `An exporter` {
  private func trial(_ count: Int = 5000) throws -> ImportTrial {
    let trial = try ImportTrial([.make("E", [.make("text")])])
    let objects = (0..<count).map { #"{"id": \#($0), "text": "text number \#($0)"}"# }
    try trial.load("[\(objects.joined(separator: ","))]")
    return trial
  }

  @Test func `hands over chunks that together are the text, and are bounded`() throws {
    let trial = try trial()
    var sizes: [Int] = []
    var data = Data()
    try JSONExporter(model: trial.store.model).write(.entity("E", of: trial.store.graph)) {
      sizes.append($0.byteCount)
      $0.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    #expect(sizes.count > 2)
    #expect(sizes.allSatisfy { $0 <= 65_536 })
    #expect(try String(decoding: data, as: UTF8.self) == trial.export("E"))
  }

  @Test func `stops when its consumer does`() throws {
    struct Enough: Error {}
    let trial = try trial()
    var calls = 0
    #expect(throws: Enough.self) {
      try JSONExporter(model: trial.store.model).write(.entity("E", of: trial.store.graph)) { _ in
        calls += 1
        throw Enough()
      }
    }
    #expect(calls == 1)
  }

  @Test func `replaces a file with all of the export or leaves it as it was`() throws {
    let file = try TemporaryFile("before")
    let trial = try trial()
    let exporter = try JSONExporter(model: trial.store.model)
    #expect(throws: StoreError.self) {
      try exporter.write(.entity("Nothing", of: trial.store.graph), to: file.url)
    }
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "before")
    try exporter.write(.entity("E", of: trial.store.graph), to: file.url)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == trial.export("E"))
    let folder = file.url.deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test func `says which file it cannot write, and why`() throws {
    let file = try TemporaryFile("before")
    let trial = try trial(1)
    let exporter = try JSONExporter(model: trial.store.model)
    let folder = file.url.deletingLastPathComponent()
    for (name, code, reason) in [
      ("none/out.json", ENOENT, "No such file or directory"),
      ("document.json/out.json", ENOTDIR, "Not a directory"), ("", EISDIR, "Is a directory"),
    ] {
      let url = folder.appendingPathComponent(name)
      let error = try #require(
        throws: CocoaError.self,
        performing: {
          try exporter.write(.entity("E", of: trial.store.graph), to: url)
        })
      #expect(error.localizedDescription == "cannot write \(url.path): \(reason)")
      #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(code))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test(arguments: ["../document.json", "../new.json", "new.json"])
  func `writes where a link leads, and keeps the link`(target: String) throws {
    let file = try TemporaryFile("before")
    let trial = try trial(1)
    let folder = file.url.deletingLastPathComponent().appendingPathComponent("links")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = folder.appendingPathComponent("link.json")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    try JSONExporter(model: trial.store.model)
      .write(.entity("E", of: trial.store.graph), to: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target)
    #expect(try String(contentsOf: link, encoding: .utf8) == trial.export("E"))
  }

  @Test func `writes a text of any length in bounded chunks`() throws {
    let trial = try ImportTrial([.make("E", [.make("text")])])
    let text = String(repeating: "0123456789\\n", count: 30_000)
    try trial.load(#"[{"id": 1, "text": "\#(text)"}]"#)
    #expect(try trial.export("E") == #"[{"id":1,"text":"\#(text)"}]"#)
  }

  @Test func `writes a sequence of objects, an empty one and members`() throws {
    let trial = try trial(3)
    let objects = try trial.store.graph.objects("E")
    let few = ExportContent.objects(objects.lazy.filter { $0["id"] == .integer(1) })
    #expect(try trial.export(few) == #"[{"id":1,"text":"text number 1"}]"#)
    #expect(try trial.export(.objects([])) == "[]")
    let members = ExportContent.members([("few", few), ("none", .objects([]))])
    #expect(try trial.export(members) == #"{"few":[{"id":1,"text":"text number 1"}],"none":[]}"#)
  }

  @Test func `takes objects of an equal model, and refuses those of another`() throws {
    let (one, equal) = (try trial(1), try trial(2))
    let exporter = try JSONExporter(model: one.store.model)
    let text = try equal.export("E")
    #expect(try exporter.data(.entity("E", of: equal.store.graph)) == Data(text.utf8))
    let other = try ImportTrial([.make("E", [.make("title")])])
    let error = #expect(throws: ExportError.self) {
      try exporter.data(.graph(other.store.graph))
    }
    #expect(error?.kind == .model)
  }

  @Test(arguments: [
    (AttributeType.double, AttributeValue.double(.infinity), "JSON has no number for inf"),
    (.float, .float(.nan), "JSON has no number for nan"),
    (.decimal, .decimal(.nan), "JSON has no number for NaN"),
    (.date, .date(.distantFuture.addingTimeInterval(1e13)), "no form of date holds"),
    (.transformable, .json("{oops}"), "the value is no JSON: 1:2"),
    (.transformable, .json("\u{FEFF}1"), "the value is no JSON: 1:1"),
  ])
  func `names the object and the value that JSON cannot hold`(
    type: AttributeType, value: AttributeValue, message: String
  ) throws {
    let trial = try ImportTrial([.make("E", [.make("v", type)])])
    let transaction = trial.store.begin()
    let id = transaction.insert(0, .integer(7))
    try #require(transaction.set(id, 1, value))
    _ = try trial.store.commit(transaction)
    let error = try #require(trial.exportFailure("E"))
    #expect(error.kind == .invalidValue)
    #expect((error.entity, error.property, error.object) == ("E", "v", id))
    #expect(error.message.hasPrefix("E 7: v: \(message)"), "\(error.message)")
  }

  @Test(arguments: ["auto", "iso8601"], ["10000-01-01T09:59:59Z", "-0001-12-31T23:59:59Z"])
  func `writes a date of any year where the form has a sign`(
    format: String, text: String
  ) throws {
    let trial = try ImportTrial([.make("E", [.make("v", .date, ["JSONDateFormat": format])])])
    let json = #"[{"id":1,"v":"\#(text.hasPrefix("-") ? text : "+" + text)"}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
  }

  // 300e9 seconds after 2001 is the year 11507, and 90e9 before it the year −851.
  @Test(arguments: [
    ("unix", 300e9), ("unix-ms", 300e9), ("yyyy-MM-dd", 300e9), ("yyyy-MM-dd", -90e9),
  ])
  func `refuses a date of a year that its form does not have`(
    format: String, interval: Double
  ) throws {
    let trial = try ImportTrial([.make("E", [.make("v", .date, ["JSONDateFormat": format])])])
    try trial.store.write { graph in
      let object = try graph.findOrInsert("E", identifiedBy: ["id": .integer(7)])
      object["v"] = .date(Date(timeIntervalSinceReferenceDate: interval))
    }
    let error = try #require(trial.exportFailure("E"))
    #expect(error.message.hasPrefix("E 7: v: the attribute's format has no year for "))
  }

  @Test func `says which transformer threw for which value`() throws {
    struct Refusal: Error {}
    let stubborn = AttributeTransformer(forward: { $0 }, reverse: { _ in throw Refusal() })
    let trial = try ImportTrial(
      [.make("E", [.make("v", .string, ["JSONTransformerName": "Stubborn"])])],
      extensions: ModelExtensions(transformers: ["Stubborn": stubborn]))
    try trial.load(#"[{"id": 1, "v": "x"}]"#)
    let error = try #require(trial.exportFailure("E"))
    #expect(error.kind == .transformer)
    #expect(
      error.message == "E 1: v: the transformer \"Stubborn\" threw an error: Refusal()")
    #expect(error.underlyingError is Refusal)
  }
}
