import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Checks the losses that it reports: values that an export cannot write.
@Suite struct `A report of an export` {
  /// Features under their keys, and what refers to them.
  private func features() throws -> ImportTrial {
    let trial = try ImportTrial([
      .make(
        "Feature", [.make("id", .string, ["JSONKeyPath": "@key"]), .make("title")],
        [.make("parent", to: "Feature")]),
      .make("Note", identity: "", [.make("text")], [.make("about", to: "Feature")]),
    ])
    try trial.load(#"{"a":{"title":"A"},"b":{"title":"B","parent":"a"}}"#, at: "*")
    try trial.load(#"[{"text":"x","about":"a"}]"#, as: "Note")
    return trial
  }

  @Test func `is empty where an import finds everything again`() throws {
    let trial = try features()
    #expect(try losses(trial).isEmpty)
    #expect(
      try trial.exportAll { $0.writesNull = false }
        == #"{"Feature":{"a":{"title":"A"},"b":{"title":"B","parent":"a"}},"#
        + #""Note":[{"text":"x","about":"a"}]}"#)
  }

  @Test func `is empty where an object refers to an empty identity, and no string`() throws {
    let trial = try ImportTrial([
      .make(
        "Word", [.make("id", .string)],
        [.make("next", to: "Word"), .make("others", to: "Word", many: true)])
    ])
    let json =
      #"[{"id":"","next":null,"others":[]},"#
      + #"{"id":"a","next":{"id":""},"others":[{"id":""}]}]"#
    try trial.load(json)
    let words = ExportContent.entity("Word", of: trial.store.graph)
    #expect(try trial.export(words) { $0.depth = 0 } == json)
    #expect(try losses(trial, words) { $0.depth = 0 }.isEmpty)
  }

  @Test(arguments: [(ReferencePolicy.error, ["staff"]), (.ignore, [])])
  func `names a list of later objects that an import refuses, though each names its owner`(
    policy: ReferencePolicy, properties: [String]
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Worker", [],
        [
          .make("boss", to: "Worker", inverse: "staff"),
          .make(
            "staff", to: "Worker", many: true, inverse: "boss", ["JSONReference": policy.rawValue]),
        ])
    ])
    try trial.load(#"[{"id":3},{"id":1,"boss":3}]"#)
    #expect(try losses(trial).map(\.property) == properties)
  }

  @Test func `names a link to an empty identity that only a string could refer to`() throws {
    let trial = try features()
    try trial.store.write { graph in
      let nameless = try graph.findOrInsert("Feature", identifiedBy: ["id": .string("")])
      let first = try graph.object("Feature", identifiedBy: ["id": .string("a")])
      try first?.setObject(nameless, of: "parent")
    }
    let features = try losses(trial).filter { $0.property == "parent" }
    #expect(features.map(\.count) == [1])
  }

  @Test func `is empty where objects are written under the keys that they were read from`() throws {
    let trial = try features()
    let features = try trial.store.graph.objects("Feature")
    #expect(try losses(trial, .objects(features)).isEmpty)
    #expect(
      try trial.export(.objects(Array(features) + Array(features))) { $0.writesNull = false }
        == #"{"a":{"title":"A"},"b":{"title":"B","parent":"a"}}"#)
  }

  @Test func `names an identity that is a key, and the object that has none where it is written`()
    throws
  {
    let trial = try features()
    let feature = try #require(try trial.store.graph.objects("Feature").first)
    let loss = try #require(try losses(trial, .object(feature)).first)
    #expect((loss.entity, loss.property) == ("Feature", "id"))
    #expect((loss.object, loss.count) == (feature.id, 1))
    #expect(
      loss.message.hasPrefix("Feature.id: not written, because an import reads it from the key"))
    #expect(loss.message.hasSuffix(#"(Feature "a")"#))
  }

  /// Books that lead to languages, which are found under their keys or by codes in them.
  private func books(identity: String, _ books: String) throws -> ImportTrial {
    let trial = try ImportTrial([
      .make(
        "Book", [],
        [.make("language", to: "Language"), .make("others", to: "Language", many: true)]),
      .make(
        "Language", identity: identity,
        [.make("code", .string, ["JSONKeyPath": "@key | code"]), .make("name")]),
    ])
    let languages = #"{"en":{"name":"English"},"language":{"name":"Any"},"de":{"name":"German"}}"#
    try trial.load(
      #"{"languages":\#(languages),"books":\#(books)}"#,
      [ImportRoot("Language", at: "languages.*"), ImportRoot("Book", at: "books")])
    return trial
  }

  @Test(arguments: [
    (AttributeType.decimal, "2.50", true), (.decimal, "2.5", false), (.string, "2.50", false),
    (.date, "20", true),
  ])
  func `names a value that is read from the key as another one writes it`(
    type: AttributeType, key: String, isLost: Bool
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Part", identity: "code",
        [
          .make("code", type, ["JSONKeyPath": "@key"]),
          .make("text", .string, ["JSONKeyPath": "@key"]),
        ])
    ])
    try trial.load(#"{"\#(key)": {}}"#, at: "*")
    #expect(try losses(trial).map(\.property) == (isLost ? ["text"] : []))
  }

  @Test func `names objects of which only the identity is written, since their place is their key`()
    throws
  {
    let trial = try books(
      identity: "code",
      #"[{"id":1,"language":"en","others":["en"]},{"id":2,"language":"language"},{"id":3,"language":"de"}]"#
    )
    let brief: (inout ExportOptions) -> Void = {
      $0.writesNull = false
      $0.writesEmpty = false
    }
    let json = try trial.export("Book", brief)
    #expect(
      json == #"[{"id":1,"language":"en","others":[{"code":"en","name":"English"}]},"#
        + #"{"id":2,"language":{"code":"language","name":"Any"}},{"id":3,"language":"de"}]"#)
    let found = try losses(trial, .entity("Book", of: trial.store.graph))
    #expect(found.map(\.property) == ["code"])
    #expect(found.first?.message.hasSuffix(#"(Language "de")"#) == true)
    #expect(try losses(trial, .entity("Book", of: trial.store.graph)) { $0.depth = 0 }.isEmpty)
    #expect(try losses(trial).isEmpty)
    let again = ImportTrial(trial.store.model, entity: "Book")
    try again.load(json)
    #expect(
      again.lines == [
        "Book/1 id: 1, language: Language/1, others: [Language/1]",
        "Book/2 id: 2, language: Language/2", "Book/3 id: 3, language: Language/3",
        #"Language/1 code: "en", name: "English""#, #"Language/2 code: "language", name: "Any""#,
        #"Language/3 code: "de""#,
      ])
  }

  @Test(arguments: [("code,name", "language", "no identity"), ("name", "code", "the name of")])
  func `names what takes the name of its place for its key`(
    identity: String, property: String, reason: String
  ) throws {
    let trial = try books(identity: identity, "[]")
    try trial.store.write { graph in
      let language = try graph.insert(
        "Language", ["code": .string("fr"), "name": .string("French")])
      let book = try graph.insert("Book", ["id": .integer(1)])
      try book.setObject(language, of: "language")
    }
    let found = try losses(trial, .entity("Book", of: trial.store.graph))
    #expect(found.map(\.property) == [property])
    #expect(found.first?.message.contains(reason) == true)
    #expect(try losses(trial).isEmpty == (identity == "name"))
  }

  @Test func `names objects that are written by their identity alone`() throws {
    let trial = try features()
    let note = try trial.store.graph.objects("Note")
    #expect(try trial.export(.objects(note)) == #"[{"text":"x","about":"a"}]"#)
    let found = try losses(trial, .objects(note))
    #expect(found.map(\.entity) == ["Feature"])
    #expect(found[0].message.hasPrefix("Feature.id: only the identity is written"))
  }

  @Test func `counts the objects of a property that has no place`() throws {
    let trial = try ImportTrial([
      .make("User", [.make("name")]),
      .make(
        "Tweet", [.make("author", .string, ["JSONKeyPath": "user.name"])],
        [.make("user", to: "User")]),
    ])
    try trial.load(
      #"[{"id":1,"user":{"id":1,"name":"A"}},{"id":2,"user":{"id":1,"name":"B"}},{"id":3}]"#,
      as: "Tweet")
    // The first tweet's author has been renamed since.
    let nested = try losses(trial, .entity("Tweet", of: trial.store.graph))
    #expect(nested.map(\.property) == ["author"])
    #expect(nested.map(\.count) == [1])
    let whole = try losses(trial)
    #expect(whole.map(\.property) == ["author"])
    #expect(whole.map(\.count) == [2])
    #expect(whole[0].message.hasSuffix("(Tweet 1 and 1 more)"))
  }

  @Test(arguments: [
    // The user and the tags are written in full.
    ("user.name", #"{"id":1,"user":{"name":"A"}}"#, [0, 0]),
    ("tags[0]", #"{"id":1,"tags":["a","b"]}"#, [0, 0]),
    ("tags[1]", #"{"id":1,"tags":["a","b"]}"#, [0, 0]),
    ("parts[0].name", #"{"id":1,"parts":[{"id":1,"name":"A"}]}"#, [0, 1]),
    ("others[0].name", #"{"id":1,"others":[{"name":"A"},{"name":"B"}]}"#, [0, 0]),
  ])
  func `counts no property whose path leads through what says the same`(
    path: String, json: String, counts: [Int]
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Tweet", [.make("copy", .string, ["JSONKeyPath": path])],
        [
          .make("user", to: "User"), .make("tags", to: "Tag", many: true),
          .make("parts", to: "Part", many: true), .make("others", to: "User", many: true),
        ]),
      .make("User", identity: "", [.make("name")]),
      .make("Tag", identity: "name", [.make("name", .string, ["JSONKeyPath": "@value"])]),
      .make("Part", [.make("name")]),
    ])
    try trial.load("[\(json)]", as: "Tweet")
    let contents: [ExportContent] = [
      .entity("Tweet", of: trial.store.graph), .graph(trial.store.graph),
    ]
    for (content, count) in zip(contents, counts) {
      #expect(try losses(trial, content).count { $0.property == "copy" } == count)
    }
    try trial.store.write { graph in
      try graph.object("Tweet", identifiedBy: ["id": .integer(1)])?["copy"] = .string("other")
    }
    for content in [
      ExportContent.entity("Tweet", of: trial.store.graph), .graph(trial.store.graph),
    ] {
      #expect(try losses(trial, content).count { $0.property == "copy" } == 1)
    }
  }

  @Test func `names a link to an object that has no identity and is open`() throws {
    let trial = try ImportTrial([
      .make("A", identity: "", [.make("n")], [.make("next", to: "A")])
    ])
    try trial.store.write { graph in
      let a = try graph.insert("A")
      a["n"] = .string("a")
      try a.setObject(a, of: "next")
    }
    #expect(try trial.export("A") == #"[{"n":"a"}]"#)
    #expect(try losses(trial, .entity("A", of: trial.store.graph)).map(\.property) == ["next"])
  }

  @Test func `is empty where properties are left out on purpose`() throws {
    let trial = try ImportTrial([
      .make(
        "E",
        [
          .make("hidden", .string, ["JSONKeyPath": "-"]),
          .make("omitted", .string, ["JSONExport": "omit"]),
          .make("other"),
        ])
    ])
    try trial.store.write { graph in
      let object = try graph.findOrInsert("E", identifiedBy: ["id": .integer(1)])
      for name in ["hidden", "omitted", "other"] { object[name] = .string("x") }
    }
    #expect(try losses(trial) { $0.styles = ["E": ["other": .omit]] }.isEmpty)
  }

  @Test(arguments: NullPolicy.allCases, ["v", "x.v", "list[0]"])
  func `names a missing value exactly where an import refuses or replaces it`(
    null: NullPolicy, path: String
  ) throws {
    for (absent, isLink, number) in AbsentPolicy.allCases.flatMap({ absent in
      [(absent, true, nil), (absent, false, nil), (absent, false, AttributeValue.integer(5))]
    }) {
      if isLink, null == .default || absent == .default { continue }
      let info = ["JSONKeyPath": path, "JSONNull": null.rawValue, "JSONAbsent": absent.rawValue]
      var value = AttributeDescription.make("v", .integer64, info)
      value.defaultValue = number
      let trial = try ImportTrial([
        isLink
          ? .make("Thing", [], [.make("v", to: "Thing", info)]) : .make("Thing", [value])
      ])
      try trial.store.write { graph in
        let thing = try graph.insert("Thing", ["id": .integer(1)])
        if !isLink { thing["v"] = nil }
      }
      for writesNull in [true, false] {
        let found = try losses(trial) { $0.writesNull = writesNull }
        let json = try trial.exportAll { $0.writesNull = writesNull }
        let again = try? trial.store.graph.reimported(json)
        let isSame = again?.canonicalJSON() == trial.store.graph.canonicalJSON()
        #expect(found.map(\.property) == (isSame ? [] : ["v"]), "\(absent), \(isLink), \(json)")
      }
    }
  }

  @Test(arguments: [(AbsentPolicy.error, ["next"]), (.clear, []), (.keep, [])])
  func `names a reference that an import refuses, since it lacks a relationship`(
    policy: AbsentPolicy, properties: [String]
  ) throws {
    let trial = try ImportTrial([
      .make("Note", [], [.make("card", to: "Card")]),
      .make(
        "Card", identity: "suit,value", [.make("suit"), .make("value", .integer64)],
        [.make("next", to: "Card", ["JSONAbsent": policy.rawValue])]),
    ])
    try trial.load(#"[{"id":1,"card":{"suit":"H","value":1,"next":null}}]"#)
    #expect(try losses(trial).map(\.property) == properties)
    let again = try? trial.afterExport()
    #expect((again?.content == trial.store.graph.content) == properties.isEmpty)
    #expect(try losses(trial, .entity("Note", of: trial.store.graph)).isEmpty)
  }

  @Test func `names a number that is read from the position before the object`() throws {
    let trial = try ImportTrial([
      .make("Step", [.make("number", .integer64, ["JSONKeyPath": "@index | number"])])
    ])
    try trial.load(#"[{"id":1},{"id":2},{"id":3}]"#)
    #expect(try losses(trial).isEmpty)
    let steps = try Array(trial.store.graph.objects("Step"))
    let found = try losses(trial, .objects([steps[0], steps[2], steps[1]]))
    #expect(found.map(\.property) == ["number"])
    #expect(found.map(\.count) == [2])
  }

  @Test func `names a reference that an import skips, since its object comes later`() throws {
    let trial = try ImportTrial([
      .make("A", [], [.make("b", to: "B", ["JSONReference": "ignore"])]),
      .make("B", [], [.make("a", to: "A", ["JSONReference": "ignore"])]),
    ])
    try trial.load(#"[{"id":1,"b":{"id":2,"a":{"id":1}}}]"#)
    #expect(try losses(trial).map(\.property) == ["b"])
    #expect(try losses(trial, .entity("A", of: trial.store.graph)).isEmpty)
  }

  @Test(arguments: [
    (#"[{"id":3},{"id":9,"friend":4},{"id":3,"staff":[4]}]"#, ["staff"]),
    (#"[4,{"id":3,"staff":[4]}]"#, []),
    (#"[{"id":3,"staff":[{"id":4}]}]"#, []),
  ])
  func `names a list of stubs that an import skips, since they come later`(
    json: String, properties: [String]
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Worker", [],
        [
          .make("boss", to: "Worker", inverse: "staff"), .make("friend", to: "Worker"),
          .make(
            "staff", to: "Worker", many: true, inverse: "boss", ["JSONReference": "ignore"]),
        ])
    ])
    try trial.load(json)
    #expect(try losses(trial).map(\.property) == properties)
    let isSame = try trial.afterExport().content == trial.store.graph.content
    #expect(isSame == properties.isEmpty)
  }

  @Test(arguments: [
    (#"[{"id":1,"nodes":[7,8,7]},{"id":2,"nodes":[]},{"id":3}]"#, true, [] as [String]),
    (#"[{"id":1,"nodes":["7",8]}]"#, true, []),
    (#"[{"id":1,"nodes":[8,7]}]"#, false, []),
    (#"[{"id":1,"nodes":[{"id":7},8]}]"#, true, ["links"]),
  ])
  func `names no list that an attribute keeps too`(
    json: String, isOrdered: Bool, properties: [String]
  ) throws {
    var links = RelationshipDescription.make(
      "links", to: "Node", many: true, ["JSONKeyPath": "nodes"])
    links.isOrdered = isOrdered
    let trial = try ImportTrial([
      .make("Way", [.make("nodes", .transformable)], [links]), .make("Node"),
    ])
    try trial.load(json)
    #expect(try losses(trial).map(\.property) == properties)
  }
}

/// Relationships whose paths lead through wildcards.
@Suite struct `An export through a wildcard` {
  private func trial(_ paths: String...) throws -> ImportTrial {
    try ImportTrial([
      .make(
        "E", [],
        paths.enumerated().map { index, path in
          .make("r\(index)", to: "Part", many: true, ["JSONKeyPath": path])
        }),
      .make("Part", identity: "n", [.make("n")]),
    ])
  }

  @Test(arguments: [
    ("list[*].part", #"[{"id":1,"list":[{"part":{"n":"a"}},{"part":{"n":"b"}}]}]"#),
    ("list[*].in.part", #"[{"id":1,"list":[{"in":{"part":{"n":"a"}}}]}]"#),
    ("list[*].part", #"[{"id":1,"list":[]}]"#),
    ("map.*.part", #"[{"id":1,"map":{"0":{"part":{"n":"a"}},"1":{"part":{"n":"b"}}}}]"#),
    ("list[*].parts[*]", #"[{"id":1,"list":[{"parts":[{"n":"a"},{"n":"b"}]}]}]"#),
    ("list[*].parts.*", #"[{"id":1,"list":[{"parts":{"a":{"n":"a"},"b":{"n":"b"}}}]}]"#),
    ("*", #"[{"id":1,"a":{"n":"a"},"b":{"n":"b"}}]"#),
  ])
  func `writes what an import reads`(path: String, json: String) throws {
    let trial = try trial(path)
    try trial.store.write { graph in
      let object = try graph.findOrInsert("E", identifiedBy: ["id": .integer(1)])
      let parts = try ["a", "b"].filter { json.contains(#""n":"\#($0)""#) }.map {
        try graph.findOrInsert("Part", identifiedBy: ["n": .string($0)])
      }
      try object.setObjects(parts, of: "r0")
    }
    #expect(try trial.export("E") == json)
  }

  @Test func `writes two relationships into the same elements`() throws {
    let trial = try trial("list[*].a", "list[*].b")
    let json =
      #"[{"id":1,"list":[{"a":{"n":"1"},"b":{"n":"2"}},{"a":{"n":"3"}}]}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
  }
}
