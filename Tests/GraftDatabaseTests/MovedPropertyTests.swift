import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A property that a changed model declares for the entity above or below, or for two entities that had it apart.
@Suite struct `A property that moves between an entity and those below it` {
  /// `S` with `A` and `B` below it, and `T`; each with its own properties.
  private func model(
    _ properties: [String: ([AttributeDescription], [RelationshipDescription])]
  ) throws -> GraphModel {
    func entity(_ name: String, parent: String?) -> EntityDescription {
      let (attributes, relationships) = properties[name] ?? ([], [])
      return .make(
        name, identity: parent == nil ? "id" : "", parent: parent, attributes, relationships,
        name == "S" ? ["JSONDiscriminator": "kind"] : [:])
    }
    return try GraphModel(
      entities: [
        entity("S", parent: nil), entity("A", parent: "S"), entity("B", parent: "S"),
        entity("T", parent: nil),
      ], dialect: .graft)
  }

  /// The model in which some entities have the same relationship.
  private func model(
    _ relationship: RelationshipDescription, of entities: [String],
    back: RelationshipDescription? = nil
  ) throws -> GraphModel {
    var properties: [String: ([AttributeDescription], [RelationshipDescription])] = [:]
    for entity in entities { properties[entity] = ([], [relationship]) }
    if let back { properties["T"] = ([], [back]) }
    return try model(properties)
  }

  private func attribute(
    _ type: AttributeType, default value: AttributeValue? = nil, isOptional: Bool = true
  ) -> AttributeDescription {
    AttributeDescription(name: "x", type: type, isOptional: isOptional, defaultValue: value)
  }

  private func load(_ text: String, _ database: GraphDatabase) throws {
    let importer = try database.makeImporter([ImportRoot("S")])
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
  }

  /// The objects of a graph but `T`, of which links may be the only ones that tell.
  private func content(_ graph: Graph) throws -> [String] {
    try graph.content(depth: 2).keys.filter { !$0.hasPrefix("T ") }.sorted()
  }

  /// Imports a document, changes the model, and requires what an import by the new model would give.
  @discardableResult
  private func change(
    _ kind: DatabaseKind, _ old: GraphModel, to new: GraphModel, _ document: String
  ) throws -> TrialDatabase {
    let place = try TrialDatabase(kind)
    try load(document, place.open(old))
    let database = try place.open(new)
    let store = GraphStore(model: new)
    try store.importJSON([ImportRoot("S")], from: Data(document.utf8))
    let (found, expected) = (try content(database.graph()), try content(store.graph))
    #expect(found == expected)
    #expect(try place.faults() == [])
    try load(document, database)
    #expect(try content(database.graph()) == expected)
    return place
  }

  private static let links = #"""
    [{"id": 1, "kind": "A", "tags": [8, 7]}, {"id": 2, "kind": "B", "tags": [7, 9]},
     {"id": 3, "kind": "S", "tags": [9]}, {"id": 4, "kind": "A", "tags": []}]
    """#
  private static let references = #"""
    [{"id": 1, "kind": "A", "tags": 8}, {"id": 2, "kind": "B", "tags": 7},
     {"id": 3, "kind": "S", "tags": 9}, {"id": 4, "kind": "A", "tags": null}]
    """#

  private static func tags(
    _ destination: String = "T", many: Bool, ordered: Bool = false, inverse: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: "tags", destination: destination, inverse: inverse, isToMany: many, isOrdered: ordered)
  }

  @Test(arguments: DatabaseKind.present, [["A"], ["A", "B"]])
  func `keeps its links when it moves up`(kind: DatabaseKind, entities: [String]) throws {
    for ordered in [false, true] {
      let tags = Self.tags(many: true, ordered: ordered)
      // An object that had none of the links before has none now.
      let document = Self.links.replacing(#""S", "tags": [9]"#, with: #""S""#)
        .replacing(entities.count == 1 ? #""B", "tags": [7, 9]"# : "-", with: #""B""#)
      try change(kind, model(tags, of: entities), to: model(tags, of: ["S"]), document)
    }
    let document = Self.references.replacing(#""S", "tags": 9"#, with: #""S""#)
      .replacing(entities.count == 1 ? #""B", "tags": 7"# : "-", with: #""B""#)
    let tag = Self.tags(many: false)
    try change(kind, model(tag, of: entities), to: model(tag, of: ["S"]), document)
  }

  @Test(arguments: DatabaseKind.present)
  func `keeps its links when it moves up and is its own inverse`(kind: DatabaseKind) throws {
    let document =
      #"[{"id": 1, "kind": "A", "tags": [4, 5]}, {"id": 4, "kind": "A"}, {"id": 5, "kind": "A"}]"#
    let old = try model(Self.tags("A", many: true, inverse: "tags"), of: ["A"])
    let new = try model(Self.tags("S", many: true, inverse: "tags"), of: ["S"])
    let place = try TrialDatabase(kind)
    try load(document.replacing("[4, 5]", with: "[]"), place.open(old))
    try load(document, place.open(old))
    let database = try place.open(new)
    for number in [4, 5] as [Int64] {
      let object = try #require(
        try database.object("A", identifiedBy: ["id": .integer(number)]))
      #expect(object.objects("tags").map { $0["id"]?.text } == ["1"])
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `keeps its links when it moves up with an inverse`(kind: DatabaseKind) throws {
    for (many, ordered) in [(true, false), (true, true), (false, false)] {
      for back in [true, false] {
        let tags = Self.tags(many: many, ordered: ordered, inverse: "owner")
        func owner(_ entity: String) -> RelationshipDescription {
          .make("owner", to: entity, many: back, inverse: "tags")
        }
        let document =
          many
          ? #"[{"id": 1, "kind": "A", "tags": [8, 7]}, {"id": 2, "kind": "B"}]"#
          : #"[{"id": 1, "kind": "A", "tags": 8}, {"id": 2, "kind": "B"}]"#
        try change(
          kind, model(tags, of: ["A"], back: owner("A")),
          to: model(tags, of: ["S"], back: owner("S")), document)
      }
    }
  }

  @Test(arguments: DatabaseKind.present, [["A"], ["A", "B"]])
  func `loses the links of other objects when it moves down`(
    kind: DatabaseKind, entities: [String]
  ) throws {
    for ordered in [false, true] {
      let tags = Self.tags(many: true, ordered: ordered)
      let place = try change(
        kind, model(tags, of: ["S"]), to: model(tags, of: entities), Self.links)
      // Nothing refers to it but objects that no longer have the relationship.
      try place.openAgain().write { graph in
        try graph.delete(graph.objects("T").filter { $0["id"] == .integer(9) })
      }
    }
    let tag = Self.tags(many: false)
    let place = try change(
      kind, model(tag, of: ["S"]), to: model(tag, of: entities), Self.references)
    let database = try place.openAgain()
    try database.write { graph in
      try graph.delete(graph.objects("T").filter { $0["id"] == .integer(9) })
    }
    #expect(try database.objects("T").count == 2)
    #expect(try place.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `has one target when it moves down, whatever other objects had`(kind: DatabaseKind) throws {
    let document = #"[{"id": 1, "kind": "A", "tags": [8]}, {"id": 2, "kind": "B", "tags": [7, 9]}]"#
    let place = try TrialDatabase(kind)
    try load(document, place.open(model(Self.tags(many: true), of: ["S"])))
    let database = try place.open(model(Self.tags(many: false), of: ["A"]))
    #expect(
      try database.object("A", identifiedBy: ["id": .integer(1)])?.object("tags")?["id"]
        == .integer(8))
  }

  @Test(arguments: DatabaseKind.present)
  func `loses links to an entity that is no longer below its destination`(
    kind: DatabaseKind
  ) throws {
    func model(above parent: String) throws -> GraphModel {
      func list(_ name: String, many: Bool) -> RelationshipDescription {
        RelationshipDescription(
          name: name, destination: "A", isToMany: many, isOrdered: many,
          userInfo: ["JSONCollection": many ? "union" : "replace"])
      }
      return try GraphModel(
        entities: [
          .make("S"), .make("A", identity: "", parent: "S"),
          .make("B", identity: "", parent: parent),
          .make("Owner", [], [list("list", many: true), list("one", many: false)]),
        ], dialect: .graft)
    }
    let place = try TrialDatabase(kind)
    let database = try place.open(model(above: "A"))
    for (entity, text) in [
      ("A", #"[{"id": 8}, {"id": 9}, {"id": 3}]"#), ("B", #"[{"id": 5}]"#),
      ("Owner", #"[{"id": 1, "list": [9, 5, 8], "one": 5}, {"id": 2, "one": 9}]"#),
    ] {
      let importer = try database.makeImporter([ImportRoot(entity)])
      try importer.parse(Data(text.utf8))
      _ = try importer.finish()
    }
    let changed = try place.open(model(above: "S"))
    // A further member comes last.
    let importer = try changed.makeImporter([ImportRoot("Owner")])
    try importer.parse(Data(#"[{"id": 1, "list": [3]}]"#.utf8))
    _ = try importer.finish()
    let owners = try changed.objects("Owner")
    #expect(owners[0].objects("list").map { $0["id"]?.text } == ["9", "8", "3"])
    #expect(owners.map { $0.object("one")?["id"]?.text } == [nil, "9"])
    #expect(try changed.graph().objects("Owner").map { $0.objects("list").count } == [3, 0])
    #expect(try place.faults() == [])
  }

  // MARK: Attributes

  /// Types of `A.x` and `B.x`, their type by the new model, and values of both.
  private static let types: [(AttributeType, AttributeType, AttributeType, String, String)] = [
    (.date, .integer64, .date, #""2020-01-01""#, "1577836800"),
    (.integer64, .string, .integer64, "12", #""13""#),
    (.boolean, .string, .boolean, "true", #""yes""#),
    (.boolean, .string, .string, "true", #""yes""#),
    (.date, .string, .string, #""2020-01-01T00:00:00Z""#, #""x""#),
  ]

  @Test(arguments: DatabaseKind.with(types.indices.map { $0 }))
  func `is converted in each entity that had another type`(
    kind: DatabaseKind, number: Int
  ) throws {
    let (first, second, next, value, other) = Self.types[number]
    for (a, b, x, y) in [(first, second, value, other), (second, first, other, value)] {
      let document =
        #"[{"id": 1, "kind": "A", "x": \#(x)}, {"id": 2, "kind": "B", "x": \#(y)}, {"id": 3, "kind": "A"}]"#
      let old = try model(["A": ([attribute(a)], []), "B": ([attribute(b)], [])])
      try change(
        kind, old, to: model(["A": ([attribute(next)], []), "B": ([attribute(next)], [])]),
        document)
      try change(kind, old, to: model(["S": ([attribute(next)], [])]), document)
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `is refused where a value of one of them cannot be converted`(kind: DatabaseKind) throws {
    let old = try model(["A": ([attribute(.integer64)], []), "B": ([attribute(.double)], [])])
    let new = try model(["S": ([attribute(.integer64)], [])])
    let place = try TrialDatabase(kind)
    try load(
      #"[{"id": 1, "kind": "A", "x": 1}, {"id": 2, "kind": "B", "x": 2.75}]"#, place.open(old))
    let before = try place.openAgain().graph().content(depth: 0)
    let error = #expect(throws: StoreError.self) { try place.open(new) }
    #expect(error?.message.contains("cannot become Integer 64: expected") == true)
    #expect(try place.openAgain().graph().content(depth: 0) == before)
  }

  @Test(arguments: DatabaseKind.present)
  func `has the date format of each entity`(kind: DatabaseKind) throws {
    func date(_ format: String) -> AttributeDescription {
      AttributeDescription(name: "x", type: .date, dateFormat: format)
    }
    let strings = try model(["A": ([attribute(.string)], []), "B": ([attribute(.string)], [])])
    let dates = try model(["A": ([date("dd/MM/yyyy")], []), "B": ([date("MM/dd/yyyy")], [])])
    try change(
      kind, strings, to: dates,
      #"[{"id": 1, "kind": "A", "x": "01/02/2020"}, {"id": 2, "kind": "B", "x": "01/02/2020"}]"#)
  }

  @Test(arguments: DatabaseKind.present)
  func `has its default in the objects to which it is new`(kind: DatabaseKind) throws {
    let document =
      #"[{"id": 1, "kind": "A", "x": 1}, {"id": 2, "kind": "B"}, {"id": 3, "kind": "A", "x": null}]"#
    let old = try model(["A": ([attribute(.integer64)], [])])
    for isOptional in [true, false] {
      let x = attribute(.integer64, default: .integer(7), isOptional: isOptional)
      let other = isOptional ? attribute(.integer64) : x
      try change(kind, old, to: model(["A": ([other], []), "B": ([x], [])]), document)
    }
    try change(
      kind, old,
      to: model(["S": ([attribute(.integer64, default: .integer(7), isOptional: false)], [])]),
      document)
    let required = try model(["S": ([attribute(.integer64, isOptional: false)], [])])
    let place = try TrialDatabase(kind)
    try load(document, place.open(old))
    let error = #expect(throws: StoreError.self) { try place.open(required) }
    #expect(error?.message.contains(#"has 2 objects of "S" without "x""#) == true)
  }

  @Test(arguments: DatabaseKind.present)
  func `has its default in objects that were made while the model did not have it`(
    kind: DatabaseKind
  ) throws {
    let place = try TrialDatabase(kind)
    let x = attribute(.integer64, default: .integer(7))
    try load(#"[{"id": 1, "kind": "A", "x": 1}]"#, place.open(model(["S": ([x], [])])))
    try load(#"[{"id": 2, "kind": "A"}]"#, place.open(model([:])))
    let database = try place.open(model(["S": ([x], [])]))
    #expect(try database.objects("S").map { $0["x"] } == [.integer(1), .integer(7)])
  }

  @Test(arguments: DatabaseKind.present)
  func `is not held up by values of objects that no longer have it`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    try load(
      #"[{"id": 1, "kind": "A", "x": "12"}, {"id": 2, "kind": "B", "x": "word"}]"#,
      place.open(model(["S": ([attribute(.string)], [])])))
    let database = try place.open(model(["A": ([attribute(.integer64)], [])]))
    #expect(try database.objects("A").map { $0["x"] } == [.integer(12)])
  }
}
