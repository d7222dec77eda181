import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Checks exports of properties that an import may find at several paths.
@Suite struct `An export of alternatives` {
  private func trial(
    _ attributes: [AttributeDescription], _ json: String
  ) throws -> ImportTrial {
    let trial = try ImportTrial([.make("Thing", attributes)])
    try trial.load(json, as: "Thing")
    return trial
  }

  /// Attributes whose earlier path is the place of another attribute, and whether that one has another value.
  @Test(arguments: [
    (#"{"id":1,"name":"ada"}"#, true),
    (#"{"id":1,"display_name":"Ada","name":"ada"}"#, false),
    (#"{"id":1,"display_name":null}"#, false),
  ])
  func `names a value that an import finds at the place of another`(
    json: String, isLost: Bool
  ) throws {
    let attributes: [AttributeDescription] = [
      .make("displayName", .string, ["JSONKeyPath": "display_name"]),
      .make("name", .string, ["JSONKeyPath": "display_name | name"]),
    ]
    let trial = try trial(attributes, json)
    #expect(try trial.losses("Thing").map(\.property) == (isLost ? ["name"] : []))
    let same = try trial.afterExport().content == trial.store.graph.content
    #expect(same != isLost)
  }

  @Test(arguments: ["b | 'c'", "@value | b", "b | @key"], [("no", true), ("true", false)])
  func `names a value whose place is another's, though it might be found elsewhere`(
    path: String, value: (text: String, isLost: Bool)
  ) throws {
    let trial = try trial(
      [.make("b", .boolean), .make("s", .string, ["JSONKeyPath": path])],
      #"{"id":1,"b":"\#(value.text)"}"#)
    #expect(try trial.losses("Thing").map(\.property) == (value.isLost ? ["s"] : []))
    let same = try trial.afterExport().content == trial.store.graph.content
    #expect(same != value.isLost)
  }

  @Test(arguments: ["id | @key", "@key | id", "id"], ["id", "id, place"])
  func `writes objects under the key that one attribute alone reads`(
    path: String, identity: String
  ) throws {
    let trial = try ImportTrial([
      .make("List", [], [.make("things", to: "Thing", many: true, ["JSONKeyPath": "things.*"])]),
      .make(
        "Thing", identity: identity,
        [
          .make("id", .string, ["JSONKeyPath": path]),
          .make("place", .string, ["JSONKeyPath": "@key"]),
        ]),
    ])
    try trial.load(#"[{"id":1,"things":{"x":{"id":"a"},"y":{"id":"b"}}}]"#)
    #expect(trial.lines.contains(#"Thing/1 id: "\#(path.first == "@" ? "x" : "a")", place: "x""#))
    #expect(try trial.afterExport().content == trial.store.graph.content)
    #expect(try trial.losses(.graph(trial.store.graph)).isEmpty)
  }

  @Test func `names a value that the line of the document replaces`() throws {
    let attributes: [AttributeDescription] = [
      .make("number", .integer64, ["JSONKeyPath": "@line | number"])
    ]
    let trial = try trial(attributes, #"{"id":1,"number":7}"#)
    #expect(try trial.losses("Thing").map(\.property) == ["number"])
  }

  @Test func `writes null where an import would go on to another path`() throws {
    let trial = try trial(
      [
        .make("a", .string, ["JSONKeyPath": "a | b"]), .make("b"),
        .make("c", .string, ["JSONKeyPath": "c | 'none'"]), .make("d"),
      ], #"{"id":1,"a":null,"b":"x","c":null}"#)
    let json = try trial.exportAll { $0.writesNull = false }
    #expect(json == #"{"Thing":[{"id":1,"a":null,"b":"x","c":null}]}"#)
    #expect(try trial.store.graph.reimported(json).content == trial.store.graph.content)
  }

  @Test func `writes every discriminator that an import may ask`() throws {
    let trial = try ImportTrial([
      .make("A", [], [], ["JSONDiscriminator": "type"]),
      .make("B", parent: "A", [.make("b")], [], ["JSONDiscriminator": "kind"]),
      .make("C", parent: "B", [.make("c")]),
      .make("Note", [], [.make("b", to: "B")]),
    ])
    try trial.load(
      #"[{"id":1,"type":"B","b":"x"},{"id":3,"type":"C","kind":"C","c":"z"}]"#, as: "A")
    try trial.load(#"[{"id":1,"b":{"id":4,"kind":"C","c":"z"}}]"#, as: "Note")
    #expect(
      try trial.export("A") { $0.writesNull = false }
        == #"[{"type":"B","id":1,"b":"x"},{"kind":"C","type":"C","id":3,"c":"z"},{"kind":"C","type":"C","id":4,"c":"z"}]"#
    )
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  /// Objects of a sub-entity with an attribute at the place of the discriminator, and inside of it.
  @Test(arguments: [
    (#"{"id":1,"kind":"Dog"}"#, [String]()), (#"{"id":1}"#, ["kind"]),
    (#"{"id":1,"kind":"Dog","lang":"de"}"#, []),
  ])
  func `names an attribute at the place of a discriminator`(json: String, lost: [String]) throws {
    let trial = try ImportTrial([
      .make(
        "Animal", [.make("kind")], [], ["JSONDiscriminator": "kind"]),
      .make(
        "Dog", parent: "Animal", [.make("language", .string, ["JSONKeyPath": "kind.lang | lang"])]),
    ])
    try trial.load("[\(json)]", as: "Dog")
    #expect(try trial.losses("Dog").map(\.property) == lost)
    let again = try trial.afterExport()
    #expect(try again.count(of: "Dog") == 1)
    #expect((again.content == trial.store.graph.content) == lost.isEmpty)
  }

  @Test func `places a discriminator before a value that would be inside of it`() throws {
    let trial = try ImportTrial([
      .make(
        "Page", [.make("language", .string, ["JSONKeyPath": "type.lang"])], [],
        ["JSONDiscriminator": "type"]),
      .make("Article", parent: "Page"),
    ])
    try trial.store.write { graph in
      let article = try graph.insert("Article")
      try article.setValue(.integer(1), of: "id")
      try article.setValue(.string("de"), of: "language")
    }
    #expect(try trial.losses("Page").map(\.property) == ["language"])
    #expect(try trial.afterExport().count(of: "Article") == 1)
  }

  @Test
  func `of a whole graph writes objects without identity, though their own list implies the links`()
    throws
  {
    let trial = try ImportTrial([
      .make("Album", [], [.make("notes", to: "Note", many: true, inverse: "owners")]),
      EntityDescription(
        name: "Note", attributes: [.make("text")],
        relationships: [
          RelationshipDescription(
            name: "owners", destination: "Album", inverse: "notes", isToMany: true, isOrdered: true,
            userInfo: ["JSONCollection": "union"])
        ]),
    ])
    try trial.load(#"[{"id":1,"notes":[{"text":"x"}]},{"id":2}]"#)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }
}

/// Checks values that an import of an export would change.
@Suite struct `An export names` {
  @Test func `a value that the object around replaces`() throws {
    let trial = try ImportTrial([
      .make("Order", [.make("currency")], [.make("items", to: "Item", many: true)]),
      .make("Item", [.make("currency", .string, ["JSONKeyPath": "@parent.currency | currency"])]),
    ])
    try trial.load(
      #"[{"id":1,"currency":"EUR","items":[{"id":1},{"id":2}]},{"id":2,"items":[{"id":3,"currency":"USD"}]}]"#
    )
    #expect(try trial.losses("Order").isEmpty)
    try trial.load(#"[{"id":2,"currency":"USD"}]"#, as: "Item")
    let losses = try trial.losses("Order")
    #expect(losses.map(\.property) == ["currency"] && losses.map(\.count) == [1])
  }

  @Test func `the links of a stub`() throws {
    let trial = try ImportTrial([
      .make("Owner", [.make("name")], [.make("thing", to: "Thing", inverse: "owner")]),
      .make("Thing", [], [.make("owner", to: "Owner", inverse: "thing")]),
    ])
    try trial.load(#"[{"id":2,"owner":3}]"#, as: "Thing")
    #expect(try trial.export("Owner") == "[3]")
    #expect(try trial.losses("Owner").map(\.property) == ["thing"])
    #expect(try trial.losses(.graph(trial.store.graph)).isEmpty)
  }

  @Test func `a link to a stub of a list that its other members replace`() throws {
    let trial = try ImportTrial([
      .make("Album", [], [.make("songs", to: "Song", many: true, inverse: "albums")]),
      .make(
        "Song", [.make("title")], [.make("albums", to: "Album", many: true, inverse: "songs")],
        ["JSONMissingIdentity": "insert"]),
    ])
    try trial.load(#"[{"id":3,"songs":[2,{"title":"x","albums":[4]}]},{"id":4}]"#)
    #expect(try trial.losses(.graph(trial.store.graph)).map(\.property) == ["songs"])
  }

  @Test(arguments: [(2, ["fee"]), (0, [])])
  func `a value that its transformer would change again`(value: Int, lost: [String]) throws {
    let trial = try ImportTrial(
      [.make("Thing", [.make("fee", .integer64, ["JSONTransformerName": "tenfold"])])],
      extensions: ModelExtensions(transformers: [
        "tenfold": AttributeTransformer { value in
          guard case .integer(let number)? = value else { return value }
          return .integer(number * 10)
        }
      ]))
    try trial.load(#"[{"id":1,"fee":\#(value)}]"#)
    #expect(try trial.losses("Thing").map(\.property) == lost)
  }

  @Test(arguments: [("yyyyMd", ["day"]), ("yyyyMMdd", []), ("yMMdd", ["day"]), ("d.M.yyyy", [])])
  func `a date whose pattern does not say where its numbers end`(
    pattern: String, lost: [String]
  ) throws {
    let trial = try ImportTrial([.make("Thing", [.make("day", .date, ["JSONDateFormat": pattern])])]
    )
    try trial.store.write { graph in
      let thing = try graph.insert("Thing")
      try thing.setValue(.integer(1), of: "id")
      try thing.setValue(.date(Date(timeIntervalSince1970: 1_735_516_800)), of: "day")
    }
    #expect(try trial.losses("Thing").map(\.property) == lost)
  }
}
