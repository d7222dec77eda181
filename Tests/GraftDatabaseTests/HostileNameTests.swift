import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Names of a model and values of a document become SQL only in quotation marks or as parameters.
@Suite struct `Names and values that try to be SQL` {
  private static let texts = [
    "\"", "\"\"", "'", "`x`", "[x]", #"x"; DROP TABLE "Safe"; --"#, "'); DELETE FROM Safe; --",
    "x\" (a); ATTACH 'y' AS z; --", "select", "SELECT", "Select", "table", "order", "null", "_id",
    "_ID", "_stub", "_entity", "position", "rowid", "oid", "sqlite_schema", "SQLITE_x",
    "graft_model",
    "graft", "model", "import", "$1", "?1", ":a", "@a", "$a::b(c)", "a b", " ", "%", "\\", "\n",
    "-- ",
    "/*", "é", "É", "ß", "👩‍👩‍👧", "\u{202E}", String(repeating: "n", count: 500),
    String(repeating: "n", count: 499) + "m", String(repeating: "👍", count: 130),
  ]
  /// Values may hold what no name can.
  private static let values =
    texts + ["", "\u{0}", "a\u{0}b", "\u{0}'); DROP TABLE Safe; --", "\u{FFFF}"]

  /// The values that a database of a kind can hold.
  private static func values(_ kind: DatabaseKind) -> [String] {
    kind.isOnServer ? values.filter { !$0.contains("\u{0}") } : values
  }

  /// Imports the same into memory and a database, twice, and compares.
  private func compare(
    _ kind: DatabaseKind, _ model: GraphModel, _ entities: [String],
    _ objects: (String) -> [[String: Any]]
  ) throws {
    // One document has the objects of all entities, each at a key of its own.
    let roots = try entities.enumerated().map { try ImportRoot($1, at: "e\($0)") }
    let data = try JSONSerialization.data(
      withJSONObject: Dictionary(
        uniqueKeysWithValues: entities.enumerated().map { ("e\($0)", objects($1)) }),
      options: .sortedKeys)
    let store = GraphStore(model: model)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    for _ in 0..<2 {
      try store.importJSON(roots, from: data)
      let importer = try database.makeImporter(roots, options: .with { $0.savePolicy.objects = 1 })
      try importer.parse(data)
      _ = try importer.finish()
    }
    let expected = try store.graph.content(depth: 1)
    #expect(try database.graph().content(depth: 1) == expected)
    #expect(try trial.faults() == [])
    // The model too comes back as it was.
    let reopened = try trial.openAgain()
    #expect(try reopened.graph().content(depth: 1) == expected)
    #expect(try database.count(of: "Safe") == 1)
  }

  private static let safe = EntityDescription.make("Safe", [.make("name")])

  @Test(arguments: DatabaseKind.present)
  func `are names of entities`(kind: DatabaseKind) throws {
    let names = Self.texts
    let model = try GraphModel(
      entities: names.map { name in
        .make(
          name, [.make("name")],
          [
            .make("one", to: name), .make("many", to: name, many: true),
            .make("model", to: "Safe", many: true),
          ])
      } + [Self.safe], dialect: .graft)
    try compare(kind, model, ["Safe"] + names) { name in
      name == "Safe"
        ? [["id": 1, "name": "a"]]
        : [
          ["id": 1, "name": name, "one": 2, "many": [1, 2], "model": [1]],
          ["id": 2, "name": name, "one": ["id": 1], "many": [2]],
        ]
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `are names of attributes, relationships and values`(kind: DatabaseKind) throws {
    let (names, values) = (Self.texts, Self.values(kind))
    let model = try GraphModel(
      entities: [
        .make(
          "Odd", names.filter { $0 != "id" }.map { AttributeDescription.make($0) },
          names.flatMap { name -> [RelationshipDescription] in
            [
              .make("1" + name, to: "Safe"), .make("2" + name, to: "Odd", many: true),
              RelationshipDescription(
                name: "3" + name, destination: "Odd", isToMany: true, isOrdered: true),
            ]
          }), Self.safe,
      ], dialect: .graft)
    try compare(kind, model, ["Safe", "Odd"]) { entity in
      guard entity == "Odd" else { return [["id": 1, "name": "a"]] }
      return values.indices.map { number -> [String: Any] in
        var object: [String: Any] = ["id": number]
        for (offset, name) in names.enumerated() {
          object[name] = values[(number + offset) % values.count]
        }
        let name = names[number % names.count]
        object["1" + name] = 1
        object["2" + name] = [number, 1]
        object["3" + name] = [number, 0]
        return object
      }
    }
  }

  @Test(
    arguments: DatabaseKind.present, ["\"", "select", "'x'", "x\"y", "rowid", "_id", "Ä", "$1"])
  func `are names of identities, and identities`(kind: DatabaseKind, name: String) throws {
    let values = Self.values(kind)
    let model = try GraphModel(
      entities: [
        .make(
          "Thing", identity: name, [.make(name), .make("value")],
          [.make("next", to: "Thing"), .make("others", to: "Thing", many: true)]), Self.safe,
      ], dialect: .graft)
    try compare(kind, model, ["Safe", "Thing"]) { entity in
      guard entity == "Thing" else { return [["id": 1, "name": "a"]] }
      return values.enumerated().map { number, value -> [String: Any] in
        [
          name: value, "value": values[values.count - 1 - number],
          "next": [name: values[(number + 7) % values.count]],
          "others": [[name: value], [name: values[(number + 3) % values.count]]],
        ]
      }
    }
  }
}
