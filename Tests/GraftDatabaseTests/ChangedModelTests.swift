import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `A model that has changed since its database was made` {
  private let file = TemporaryDatabase()

  private func model(_ entities: EntityDescription...) throws -> GraphModel {
    try GraphModel(entities: entities, dialect: .graft)
  }

  private func load(_ database: GraphDatabase, _ entity: String, _ text: String) throws {
    let importer = try database.makeImporter([ImportRoot(entity)])
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
  }

  @Test func `adds its entities, attributes and relationships, and keeps the objects`() throws {
    let old = try model(.make("Bird", [.make("name")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "name": "wren"}]"#)
    let new = try model(
      .make(
        "Bird", [.make("name"), .make("weight", .double)],
        [.make("nest", to: "Nest"), .make("friends", to: "Bird", many: true)]),
      .make("Nest", [.make("place")]))
    let database = try GraphDatabase(model: new, at: file.url)
    #expect(
      try database.graph().content(depth: 1) == [
        #"Bird id=1, name="wren", weight=-, stub=false, nest=[], friends=[]"#: 1
      ])
    let text = #"[{"id": 2, "weight": 0.5, "nest": {"id": 7, "place": "oak"}, "friends": [1]}]"#
    try load(database, "Bird", text)
    let store = GraphStore(model: new)
    try store.importJSON([ImportRoot("Bird")], from: Data(#"[{"id": 1, "name": "wren"}]"#.utf8))
    try store.importJSON([ImportRoot("Bird")], from: Data(text.utf8))
    #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2))
    #expect(try file.integrityFaults() == [])
    // The file has the new model from now on.
    #expect(try GraphDatabase(contentsOf: file.url).model.entities == new.entities)
  }

  @Test(arguments: [
    (
      [AttributeDescription.make("name", .integer64)], "id",
      #""Bird"."name" cannot become Integer 64: expected an integer of 64 bits, found the string "wren""#
    ),
    (
      [.make("id", .string), .make("name")], "id",
      #"has "Bird"."id" as Integer 64, and the model now says String; objects are found by it"#
    ),
    (
      [.make("id", .integer64), .make("name")], "name",
      #"has objects of "Bird" under the key "id", and the model now identifies them by "name""#
    ),
    (
      [.make("id", .integer64), .make("name")], "id, name",
      #"has objects of "Bird" under the key "id", and the model now identifies them by "id", "name""#
    ),
  ])
  func `is refused where the new form of the objects is unknown`(
    attributes: [AttributeDescription], identity: String, message: String
  ) throws {
    let old = try model(.make("Bird", [.make("name")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "name": "wren"}]"#)
    let schema = try file.rows("SELECT sql FROM sqlite_schema ORDER BY name")
    let new = try model(
      .make("Bird", identity: identity, attributes), .make("Another", [.make("x")]))
    #expect {
      try GraphDatabase(model: new, at: file.url)
    } throws: {
      "\($0)"
        == "\(file.url.path): \(message); import into a new database, or keep the model as it was"
    }
    #expect(try file.rows("SELECT sql FROM sqlite_schema ORDER BY name") == schema)
    #expect(
      try GraphDatabase(model: old, at: file.url).graph().content(depth: 0) == [
        #"Bird id=1, name="wren", stub=false"#: 1
      ])
  }

  @Test func `is refused where an entity comes above one that has a table`() throws {
    let old = try model(.make("Bird", [.make("name")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "name": "wren"}]"#)
    let new = try model(
      .make("Animal"), .make("Bird", identity: "", parent: "Animal", [.make("name")]))
    let error = #expect(throws: StoreError.self) { try GraphDatabase(model: new, at: file.url) }
    #expect(
      error?.message.contains(#"has a table "Bird" of one entity, to which the model"#) == true)
  }

  @Test(arguments: [
    (AttributeType.string, AttributeType.integer64, #"["12", "-7", "", null]"#),
    (.integer64, .string, "[12, -7, null, 9007199254740993]"),
    (.string, .date, #"["2012-09-24T03:35:21.250Z", "2012-09-24", null]"#),
    (.date, .string, #"["2012-09-24T03:35:21.250Z", "2012-09-24"]"#),
    (.decimal, .double, #"[0.5, "2.25"]"#), (.double, .decimal, "[0.5, 2.25, 1e3]"),
    (.boolean, .string, "[true, false]"), (.string, .boolean, #"["yes", "0"]"#),
    (.integer16, .integer32, "[1, -3]"), (.integer64, .double, "[1, 1234567890123]"),
    (.string, .uuid, #"["0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"]"#),
    (.string, .transformable, #"["a", "b"]"#),
  ])
  func `converts an attribute of another type as an import converts it`(
    old: AttributeType, new: AttributeType, values: String
  ) throws {
    for identity in ["id", ""] {
      let file = TemporaryDatabase()
      let first = try model(
        .make("Bird", identity: identity, [.make("value", old), .make("name")]))
      let second = try model(
        .make("Bird", identity: identity, [.make("value", new), .make("name")]))
      let elements = try #require(
        try JSONSerialization.jsonObject(with: Data(values.utf8)) as? [Any])
      let rows = (0..<1100).map { number in
        let value = try? JSONSerialization.data(
          withJSONObject: elements[number % elements.count], options: .fragmentsAllowed)
        return
          #"{"id": \#(number), "name": "n", "value": \#(String(decoding: value ?? Data(), as: UTF8.self))}"#
      }
      let text = "[\(rows.joined(separator: ", "))]"
      let database = try GraphDatabase(model: first, at: file.url, configuration: .quick)
      try load(database, "Bird", text)
      let store = GraphStore(model: second)
      let exported = try JSONExporter(model: first).data(
        .entity("Bird", of: database.graph()))
      try store.importJSON([ImportRoot("Bird")], from: exported)
      let changed = try GraphDatabase(model: second, at: file.url, configuration: .quick)
      #expect(try changed.graph().content(depth: 0) == store.graph.content(depth: 0))
      #expect(try file.integrityFaults() == [])
      #expect(
        try file.rows(
          "SELECT name FROM pragma_table_info('Bird') WHERE name LIKE '\\_graft%' ESCAPE '\\'")
          == [])
    }
  }

  /// A zoo, in which everything is called otherwise in the end.
  private static let zoo = [
    EntityDescription.make(
      "Animal",
      [AttributeDescription(name: "name", type: .string, isIndexed: true), .make("kind")],
      [.make("home", to: "Cage"), .make("friends", to: "Animal", many: true)],
      ["JSONDiscriminator": "kind"]),
    .make("Bird", identity: "", parent: "Animal", [.make("span", .double)]),
    .make("Cage", [.make("place")]),
  ]
  private static let document = #"""
    [{"id": 1, "name": "wren", "kind": "Bird", "span": 0.2, "home": {"id": 7, "place": "oak"}, "friends": [2]},
      {"id": 2, "name": "fox", "kind": "Animal", "home": 7, "friends": [1, 2]}]
    """#

  @Test func `renames what says what it was called`() throws {
    func renamed(_ name: String) -> [String: String] { ["renamingIdentifier": name] }
    let old = try GraphModel(entities: Self.zoo, dialect: .graft)
    try load(GraphDatabase(model: old, at: file.url), "Animal", Self.document)
    let new = try model(
      .make(
        "Beast",
        [
          AttributeDescription(
            name: "title", type: .string, isIndexed: true,
            userInfo: renamed("name").merging(["JSONKeyPath": "name"]) { $1 }),
          .make("kind"),
        ],
        [
          .make("den", to: "Den", renamed("home").merging(["JSONKeyPath": "home"]) { $1 }),
          .make(
            "mates", to: "Beast", many: true,
            renamed("friends").merging(["JSONKeyPath": "friends"]) { $1 }),
        ], renamed("Animal").merging(["JSONDiscriminator": "kind"]) { $1 }),
      .make(
        "Fowl", identity: "", parent: "Beast",
        [.make("wings", .double, renamed("span").merging(["JSONKeyPath": "span"]) { $1 })], [],
        renamed("Bird").merging(["JSONDiscriminatorValue": "Bird"]) { $1 }),
      .make("Den", [.make("place")], [], renamed("Cage")))
    let store = GraphStore(model: new)
    let text = Self.document.replacing(#""kind": "Animal""#, with: #""kind": "Beast""#)
    try store.importJSON([ImportRoot("Beast")], from: Data(text.utf8))
    let names = try file.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    #expect(names.contains("Animal") && names.contains("Animal_friends"))
    for _ in 0..<2 {
      let database = try GraphDatabase(model: new, at: file.url)
      // The entity's former name in the documents is a value like any other.
      let content = try database.graph().content(depth: 2)
      let names = content.keys.map { $0.replacing(#"kind="Animal""#, with: #"kind="Beast""#) }
      let expected = try store.graph.content(depth: 2).keys
      #expect(Set(names) == Set(expected))
      #expect(try file.integrityFaults() == [])
      #expect(
        try file.rows(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'graft%'"
        )
        .sorted() == ["Beast", "Beast_mates", "Den"])
    }
    let database = try GraphDatabase(model: new, at: file.url)
    try load(database, "Beast", text)
    #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2))
    #expect(
      try file.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%Animal%'")
        == [])
    #expect(
      try file.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'Beast_title_index'") == ["1"])
  }

  @Test(arguments: DatabaseKind.present)
  func `leaves out an entity below another, once it has no objects`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    let old = try GraphModel(entities: Self.zoo, dialect: .graft)
    var entities = Self.zoo
    entities.remove(at: 1)
    let next = try GraphModel(entities: entities, dialect: .graft)
    try load(place.open(old), "Animal", Self.document)
    let error = #expect(throws: StoreError.self) { try place.open(next) }
    #expect(
      error?.message.hasSuffix(
        #"has 1 objects of "Bird", which the model no longer has; delete them before, or keep the entity in the model"#
      )
        == true)
    try place.open(old).write { try $0.delete($0.objects("Bird")) }
    let database = try place.open(next)
    try load(database, "Animal", #"[{"id": 3, "name": "cat", "kind": "Animal", "friends": [2]}]"#)
    #expect(try database.objects("Animal").map { $0["name"] } == [.string("fox"), .string("cat")])
    #expect(try place.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `takes again what an earlier model had, without links to what is gone`(
    kind: DatabaseKind
  ) throws {
    let place = try TrialDatabase(kind)
    let tag = EntityDescription.make("Tag", [.make("text")])
    let whole = try model(
      .make(
        "Bird", [.make("name"), .make("weight", .double)],
        [
          .make("mate", to: "Bird"), .make("kind", to: "Tag"),
          .make("tags", to: "Tag", many: true),
        ]), tag)
    let part = try model(.make("Bird", [.make("name")]), tag)
    let text = #"""
      [{"id": 1, "name": "wren", "weight": 0.5, "mate": 2, "kind": 7, "tags": [7, 8]},
       {"id": 2, "name": "tit", "mate": 3, "kind": 8, "tags": [8]}, {"id": 3, "name": "owl"}]
      """#
    try load(place.open(whole), "Bird", text)
    // The smaller model does not know of the links, and they do not get in its way.
    let database = try place.open(part)
    try database.write { graph in
      try graph.delete(graph.objects("Bird").filter { $0["id"] == .integer(3) })
      try graph.delete(graph.objects("Tag").filter { $0["id"] == .integer(8) })
    }
    try load(database, "Bird", #"[{"id": 1, "name": "Wren"}]"#)
    let again = try place.open(whole).graph()
    let first = try #require(try again.object("Bird", identifiedBy: ["id": .integer(1)]))
    let second = try #require(try again.object("Bird", identifiedBy: ["id": .integer(2)]))
    #expect(first["name"] == .string("Wren") && first["weight"] == .double(0.5))
    #expect(first.object("mate")?.id == second.id)
    #expect(first.objects("tags").map { $0["id"] } == [.integer(7)])
    #expect(second.object("mate") == nil && second.object("kind") == nil)
    #expect(second.objects("tags").isEmpty)
    #expect(try place.faults() == [])
    // A name that something else takes starts empty, and what had it makes room.
    let other = try model(.make("Bird", [.make("name"), .make("weight")]), tag)
    #expect(try place.open(part).model.entities == part.entities)
    #expect(try place.open(other).objects("Bird").allSatisfy { $0["weight"] == nil })
    #expect(try place.open(other).connect().columnNames(of: "Bird").contains("weight_former"))
  }

  @Test(arguments: DatabaseKind.present)
  func `stops who writes by the former one, also in the middle of an import`(
    kind: DatabaseKind
  ) throws {
    let place = try TrialDatabase(kind)
    let old = try model(.make("Bird", [.make("name")]))
    var severity = AttributeDescription.make("rank", .integer64)
    (severity.isOptional, severity.defaultValue) = (false, .integer(3))
    let next = try model(.make("Bird", [.make("name"), severity]))
    let database = try place.open(old)
    let options = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.savePolicy.objects = 1
    }
    let importer = try database.makeImporter([ImportRoot("Bird")], options: options)
    try importer.parse(Data("{\"id\": 1}\n{\"id\": 2}\n".utf8))
    _ = try place.open(next)
    let failure = "its model was changed by another process or connection; open it again"
    let stopped = #expect(throws: (any Error).self) {
      try importer.parse(Data("{\"id\": 3}\n{\"id\": 4}\n".utf8))
      _ = try importer.finish()
    }
    #expect(stopped.map { "\($0)" }?.contains(failure) == true)
    let refused = #expect(throws: StoreError.self) {
      try database.write { _ = try $0.insert("Bird", ["id": .integer(5)]) }
    }
    #expect(refused?.message.hasSuffix(failure) == true)
    #expect(try place.open(next).objects("Bird").allSatisfy { $0["rank"] == .integer(3) })
    try load(place.open(next), "Bird", #"[{"id": 3}]"#)
  }

  @Test func `leaves what is still called so where it is`() throws {
    let old = try model(.make("Bird", [.make("a"), .make("b")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "a": "x", "b": "y"}]"#)
    let next = try model(
      .make(
        "Bird",
        [
          .make("a", .string, ["renamingIdentifier": "b"]), .make("b"),
          .make("c", .string, ["renamingIdentifier": "a"]),
        ]))
    let content = try GraphDatabase(model: next, at: file.url).graph().content(depth: 0)
    #expect(content == [#"Bird id=1, a="x", b="y", c=-, stub=false"#: 1])
  }

  /// Names of attributes with their former ones, and what they have where `a` was "x" and `b` was "y".
  @Test(arguments: [
    (["b": "a", "c": "b"], ["b": "x", "c": "y"]),
    (["a": "b", "b": "a"], ["a": "y", "b": "x"]),
    (["b": "a"], ["b": "x"]),
    (["c": "a", "a": "", "b": ""], ["a": "x", "b": "y"]),
    (["a": "", "b": "a"], ["a": "x", "b": "y"]),
    (["b": "gone", "c": "a"], ["b": "y", "c": "x"]),
  ])
  func `moves names along, unless one of them stays`(
    names: [String: String], values: [String: String]
  ) throws {
    func attributes(_ names: [String: String]) -> [AttributeDescription] {
      names.sorted { $0.key < $1.key }.map { name, former in
        .make(name, .string, former.isEmpty ? [:] : ["renamingIdentifier": former])
      }
    }
    let old = try model(.make("Bird", [.make("a"), .make("b")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "a": "x", "b": "y"}]"#)
    let next = try model(.make("Bird", attributes(names)))
    // What it says of former names is done, and has no effect later.
    let later = try model(.make("Bird", attributes(names) + [.make("other")]))
    for model in [next, later] {
      let bird = try #require(
        try GraphDatabase(model: model, at: file.url).objects("Bird").first)
      for name in names.keys {
        #expect(bird[name] == values[name].map { .string($0) }, "\(name)")
      }
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `keeps links by keys whose parts have other names, in another order`(
    kind: DatabaseKind
  ) throws {
    func model(_ names: [String], formerly former: [String]) throws -> GraphModel {
      let parts = ["k", "l"].indices.map { number in
        AttributeDescription.make(
          names[number], .string,
          ["JSONKeyPath": ["k", "l"][number], "renamingIdentifier": former[number]])
      }
      return try self.model(
        .make(
          "Node", identity: names.joined(separator: ", "), parts,
          [
            .make("links", to: "Node", many: true, inverse: "back"),
            .make("back", to: "Node", many: true, inverse: "links"), .make("next", to: "Node"),
          ]))
    }
    let place = try TrialDatabase(kind)
    let nodes = (1...40).map { number in
      let key = { (number: Int) in #"{"k": "\#(number % 7)", "l": "\#(number)"}"# }
      return
        #"{"k": "\#(number % 7)", "l": "\#(number)", "links": [\#(key(number / 2 + 1)), \#(key(3))], "#
        + #""next": \#(key(number / 3 + 1))}"#
    }
    let document = "[\(nodes.joined(separator: ", "))]"
    var former = ["k", "l"]
    try load(place.open(model(former, formerly: former)), "Node", document)
    for names in [["z", "a"], ["k", "b"], ["b", "k"], ["x", "y"]] {
      let next = try model(names, formerly: former)
      former = names
      let database = try place.open(next)
      let store = GraphStore(model: next)
      try store.importJSON([ImportRoot("Node")], from: Data(document.utf8))
      #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2))
      try load(database, "Node", document)
      #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2))
      #expect(try place.faults() == [])
    }
  }

  /// Keys that are others' in the reverse, where links might lead to the wrong object.
  @Test(arguments: DatabaseKind.present, [false, true])
  func `keeps links to objects whose keys are each other's in reverse`(
    kind: DatabaseKind, isOrdered: Bool
  ) throws {
    func model(
      _ names: [String], _ change: (inout RelationshipDescription) -> Void
    ) throws
      -> GraphModel
    {
      let parts = ["k", "l"].indices.map { number in
        AttributeDescription.make(
          names[number], .string,
          ["JSONKeyPath": ["k", "l"][number], "renamingIdentifier": ["k", "l"][number]])
      }
      var links = RelationshipDescription.make("links", to: "Node", many: true)
      change(&links)
      return try self.model(
        .make(
          "Node", identity: names.joined(separator: ", "), parts,
          [links, .make("next", to: "Node")]))
    }
    let document = """
      [{"k": "1", "l": "2", "links": [{"k": "1", "l": "2"}, {"k": "5", "l": "8"}]},
       {"k": "2", "l": "1", "next": {"k": "2", "l": "1"}, "links": [{"k": "5", "l": "8"}]},
       {"k": "5", "l": "8", "next": {"k": "1", "l": "2"}, "links": [{"k": "5", "l": "8"}]}]
      """
    let place = try TrialDatabase(kind)
    try load(place.open(model(["k", "l"]) { _ in }), "Node", document)
    let next = try model(["z", "a"]) { $0.isOrdered = isOrdered }
    let store = GraphStore(model: next)
    try store.importJSON([ImportRoot("Node")], from: Data(document.utf8))
    #expect(try place.open(next).graph().content(depth: 2) == store.graph.content(depth: 2))
    #expect(try place.faults() == [])
  }

  @Test func `follows a first name through several versions`() throws {
    func bird(_ name: String, formerly former: String?) throws -> GraphModel {
      try model(
        .make("Bird", [.make(name, .string, former.map { ["renamingIdentifier": $0] } ?? [:])]))
    }
    try load(
      GraphDatabase(model: bird("a", formerly: nil), at: file.url), "Bird",
      #"[{"id": 1, "a": "x"}]"#)
    for name in ["b", "c", "d"] {
      let database = try GraphDatabase(model: bird(name, formerly: "a"), at: file.url)
      #expect(try database.objects("Bird").map { $0[name] } == [.string("x")])
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `may call an entity as its list of itself is called`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    func links(_ name: String) -> [RelationshipDescription] {
      [.make("person", to: name, many: true)]
    }
    let old = try model(.make("Node", [], links("Node")))
    try load(place.open(old), "Node", #"[{"id": 1, "person": [2]}]"#)
    let next = try model(.make("Person", [], links("Person"), ["renamingIdentifier": "Node"]))
    let first = try #require(try place.open(next).objects("Person").first)
    #expect(first.objects("person").map { $0["id"]?.text } == ["2"])
  }

  @Test func `takes former names from types and from Xcode's renaming ID`() throws {
    struct Beast: Entity {
      let id = Attribute<Int>()
      let title = Attribute<String?>()
      static let identity = [\Self.id]
      static let options = EntityOptions<Self>(
        renamingIdentifier: "Animal", renamingIdentifiers: ["title": "name"])
    }
    let old = try model(.make("Animal", [.make("name")]))
    try load(GraphDatabase(model: old, at: file.url), "Animal", #"[{"id": 1, "name": "wren"}]"#)
    let database = try GraphDatabase(for: Beast.self, at: file.url)
    #expect(try database.objects(Beast.self).map(\.title) == ["wren"])
    let xml = """
      <model><entity name="Being" elementID="Beast"><attribute name="id" attributeType="Integer 64"/>
        <attribute name="label" optional="YES" attributeType="String" elementID="title"/>
        <userInfo><entry key="identityAttributes" value="id"/></userInfo></entity></model>
      """
    let url = file.url.appendingPathExtension("xml")
    try Data(xml.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let next = try GraphDatabase(model: GraphModel(contentsOf: url), at: file.url)
    #expect(try next.objects("Being").map { $0["label"] } == [.string("wren")])
    let unknown = #expect(throws: ModelError.self) {
      struct Wrong: Entity {
        let id = Attribute<Int>()
        static let options = EntityOptions<Self>(renamingIdentifiers: ["nothing": "id"])
      }
      _ = try GraphModel(for: Wrong.self)
    }
    let message = "\(try #require(unknown))"
    #expect(message.contains("`renamingIdentifiers` names nothing"))
  }

  /// Types between which a value would change, and that value.
  @Test(arguments: [
    (AttributeType.date, AttributeType.string, #""2020-01-01T00:00:00.123456Z""#),
    (.integer64, .double, "9007199254740993"), (.integer64, .float, "16777217"),
    (.double, .float, "0.1234567890123"),
  ])
  func `is refused where another type would change a value`(
    old: AttributeType, new: AttributeType, value: String
  ) throws {
    for kind in DatabaseKind.present {
      let place = try TrialDatabase(kind)
      let first = try model(.make("Bird", [.make("value", old)]))
      try load(place.open(first), "Bird", #"[{"id": 1}, {"id": 2, "value": \#(value)}]"#)
      let error = #expect(throws: StoreError.self) {
        try place.open(model(.make("Bird", [.make("value", new)])))
      }
      let words = [#""Bird"."value" cannot become \#(new.rawValue): "#, " would become "]
      for word in words { #expect(error?.message.contains(word) == true, "\(error as Any)") }
      #expect(try place.openAgain().model.entities == first.entities)
    }
  }

  @Test(
    arguments: DatabaseKind.with([
      (AttributeType.integer64, "-2147483648"), (.integer64, "1048576000"),
      (.double, "9007199254740992"), (.double, "0.1"),
    ]))
  func `may make a number a Float, where that is the number or has its text`(
    kind: DatabaseKind, number: (type: AttributeType, text: String)
  ) throws {
    let place = try TrialDatabase(kind)
    let model = { try self.model(.make("Bird", [.make("value", $0)])) }
    try load(place.open(model(number.type)), "Bird", #"[{"id": 1, "value": \#(number.text)}]"#)
    let graph = try place.open(model(.float)).graph()
    let value = try #require(graph.objects("Bird").first)["value"]
    #expect(value == .float(try #require(Float(number.text))))
  }

  @Test(arguments: DatabaseKind.present, ["id", "", "name"])
  func `is refused with another identity, also where objects may lack it`(
    kind: DatabaseKind, identity: String
  ) throws {
    func bird(_ identity: String) throws -> GraphModel {
      try model(
        .make(
          "Bird", identity: identity, [.make("id", .integer64), .make("name"), .make("x")], [],
          ["JSONMissingIdentity": "insert"]))
    }
    for next in ["id", "", "name", "id, name"] where next != identity {
      let place = try TrialDatabase(kind)
      try load(
        place.open(bird(identity)), "Bird", #"[{"id": 1, "name": "a"}, {"id": 2, "name": "a"}]"#)
      let error = #expect(throws: StoreError.self) { try place.open(bird(next)) }
      #expect(error?.message.contains(#"has objects of "Bird""#) == true)
      #expect(error?.message.hasSuffix("keep the model as it was") == true)
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `is refused where relationships that become inverses contradict each other`(
    kind: DatabaseKind
  ) throws {
    func pair(
      _ many: Bool, ordered: Bool, inverse: Bool
    ) throws -> GraphModel {
      let tweets = RelationshipDescription(
        name: "tweets", destination: "Tweet", inverse: inverse ? "author" : nil, isToMany: many,
        isOrdered: ordered)
      return try model(
        .make("User", [], [tweets]),
        .make(
          "Tweet", [.make("text")], [.make("author", to: "User", inverse: inverse ? "tweets" : nil)]
        ))
    }
    for (many, ordered) in [(true, false), (true, true), (false, false)] {
      let place = try TrialDatabase(kind)
      let old = try pair(many, ordered: ordered, inverse: false)
      let database = try place.open(old)
      try load(
        database, "User",
        many
          ? #"[{"id": 1, "tweets": [5, 6]}]"# : #"[{"id": 1, "tweets": 5}, {"id": 2, "tweets": 6}]"#
      )
      try load(database, "Tweet", #"[{"id": 5, "author": 2}, {"id": 6, "author": null}]"#)
      let before = try database.graph().content(depth: 1)
      let error = #expect(throws: StoreError.self) {
        try place.open(pair(many, ordered: ordered, inverse: true))
      }
      let message = error?.message ?? ""
      #expect(message.contains(#"has 1 objects of ""#), "\(message)")
      #expect(message.hasSuffix("remove the others before, or keep the model as it was"))
      #expect(try place.openAgain().graph().content(depth: 1) == before)
      // Links that one of them lacks are no contradiction.
      try load(place.openAgain(), "Tweet", #"[{"id": 5, "author": 1}]"#)
      let changed = try place.open(pair(many, ordered: ordered, inverse: true))
      let fifth = try #require(try changed.object("Tweet", identifiedBy: ["id": .integer(5)]))
      let sixth = try #require(try changed.object("Tweet", identifiedBy: ["id": .integer(6)]))
      #expect(fifth.object("author")?["id"] == .integer(1))
      #expect(sixth.object("author")?["id"] == .integer(many ? 1 : 2))
      #expect(try place.faults() == [])
    }
  }

  /// Whether the inverses are to-one or ordered, and which of them the model lacks for a while.
  @Test(arguments: DatabaseKind.present, [false, true])
  func `takes inverses back that agree`(kind: DatabaseKind, isOrdered: Bool) throws {
    func pair(_ isA: Bool, _ isB: Bool) throws -> GraphModel {
      try model(
        .make(
          "A", [],
          isA
            ? [
              RelationshipDescription(
                name: "b", destination: "B", inverse: isB ? "a" : nil, isToMany: isOrdered,
                isOrdered: isOrdered)
            ] : []),
        .make("B", [], isB ? [.make("a", to: "A", inverse: isA ? "b" : nil)] : []))
    }
    /// The links, each from its owner, as either end has them.
    func links(_ database: GraphDatabase) throws -> [[String]] {
      func key(_ object: GraphObject) -> String { object["id"]?.text ?? "" }
      return [
        try database.objects("A").flatMap { object in
          let targets =
            isOrdered ? Array(object.objects("b")) : object.object("b").map { [$0] } ?? []
          return targets.map { "\(key(object)) \(key($0))" }
        }.sorted(),
        try database.objects("B").compactMap { object in
          object.object("a").map { "\(key($0)) \(key(object))" }
        }.sorted(),
      ]
    }
    for first in [(false, false), (true, false), (false, true)] {
      for second in [(false, false), (true, false), (false, true)] {
        let place = try TrialDatabase(kind)
        let whole = try place.open(pair(true, true))
        try load(whole, "B", #"[{"id": 1, "a": 1}, {"id": 2, "a": 2}, {"id": 3, "a": 3}]"#)
        for step in [first, second] {
          let database = try place.open(pair(step.0, step.1))
          if step.0 {
            try load(
              database, "A",
              isOrdered
                ? #"[{"id": 1, "b": [2]}, {"id": 2, "b": [1]}]"#
                : #"[{"id": 1, "b": 2}, {"id": 2, "b": 1}]"#)
          }
          if step.1 { try load(database, "B", #"[{"id": 1, "a": 2}, {"id": 2, "a": 1}]"#) }
          try database.write { graph in
            try graph.delete(graph.objects("A").filter { $0["id"] == .integer(3) })
          }
          try load(database, "A", #"[{"id": 3}]"#)
        }
        let found = try links(place.open(pair(true, true)))
        #expect(found[0] == found[1] && !found[0].isEmpty, "\(first), \(second)")
        #expect(try place.faults() == [])
      }
    }
  }

  @Test func `keeps indexes, triggers and views of the user`() throws {
    let old = try model(.make("Bird", [.make("name"), .make("gone")], [.make("mate", to: "Bird")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "name": "wren"}]"#)
    try file.run(
      """
      CREATE TABLE log (name TEXT);
      CREATE INDEX mine ON "Bird" (name) WHERE name IS NOT NULL;
      CREATE VIEW names (name) AS SELECT name FROM "Bird";
      CREATE VIEW twice AS SELECT name FROM names UNION ALL SELECT name FROM names;
      CREATE TRIGGER logs AFTER INSERT ON "Bird" BEGIN INSERT INTO log VALUES (new.name); END;
      CREATE TRIGGER adds INSTEAD OF INSERT ON names BEGIN INSERT INTO log VALUES (new.name); END;
      """)
    let query = """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE name IN ('mine', 'names', 'twice', 'logs', 'adds') ORDER BY name
      """
    let before = try file.rows(query)
    #expect(before.count == 5)
    let next = try model(
      .make(
        "Bird", [.make("name"), .make("weight", .double)],
        [.make("nest", to: "Nest"), .make("mate", to: "Bird")]),
      .make("Nest"))
    let database = try GraphDatabase(model: next, at: file.url)
    #expect(try file.rows(query) == before)
    try load(database, "Bird", #"[{"id": 2, "name": "tit", "nest": 7}]"#)
    #expect(try file.rows("SELECT name FROM log") == ["tit"])
    #expect(try file.rows("SELECT name FROM twice ORDER BY 1") == ["tit", "tit", "wren", "wren"])
    // They follow new names, and go with what they are about.
    let renamed = try model(
      .make(
        "Fowl", [.make("title", .string, ["renamingIdentifier": "name"])],
        [.make("nest", to: "Nest")], ["renamingIdentifier": "Bird"]),
      .make("Nest"))
    let last = try GraphDatabase(model: renamed, at: file.url)
    try load(last, "Fowl", #"[{"id": 3, "title": "owl"}]"#)
    #expect(try file.rows("SELECT count(*) FROM twice") == ["6"])
    #expect(try file.rows("SELECT name FROM log") == ["tit", "owl"])
    #expect(try file.integrityFaults() == [])
  }

  @Test func `keeps a trigger of the user that spells its table in another case`() throws {
    let old = try model(.make("Bird", [.make("name")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1}]"#)
    try file.run(
      """
      CREATE TABLE log (name TEXT);
      CREATE TRIGGER logs AFTER INSERT ON bird BEGIN INSERT INTO log VALUES (new.name); END;
      """)
    let next = try model(.make("Bird", [.make("name"), .make("weight", .double)]))
    try load(GraphDatabase(model: next, at: file.url), "Bird", #"[{"id": 2, "name": "tit"}]"#)
    #expect(try file.rows("SELECT name FROM log") == ["tit"])
  }

  @Test func `keeps an index of the user on an attribute that gets another type`() throws {
    let old = try model(.make("Bird", [.make("name"), .make("ring")]))
    try load(
      GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "name": "a", "ring": "12"}]"#)
    try file.run(#"CREATE INDEX mine ON "Bird" (name, ring)"#)
    let next = try model(.make("Bird", [.make("name"), .make("ring", .integer64)]))
    let database = try GraphDatabase(model: next, at: file.url)
    #expect(try database.objects("Bird").map { $0["ring"] } == [.integer(12)])
    #expect(try file.rows("SELECT tbl_name FROM sqlite_schema WHERE name = 'mine'") == ["Bird"])
    #expect(try file.integrityFaults() == [])
  }

  @Test func `names an index of the user that cannot be made again`() throws {
    let old = try model(
      .make("Bird", [], [.make("nests", to: "Nest", many: true, inverse: "bird")]),
      .make("Nest", [], [.make("bird", to: "Bird", inverse: "nests")]))
    try load(GraphDatabase(model: old, at: file.url), "Bird", #"[{"id": 1, "nests": [1]}]"#)
    try file.run(#"CREATE INDEX mine ON "Nest" (bird, "_stub")"#)
    let next = try model(
      .make("Bird", [], [.make("nests", to: "Nest", many: true)]), .make("Nest"))
    let error = #expect(throws: StoreError.self) { try GraphDatabase(model: next, at: file.url) }
    #expect(error?.message.contains(#"has the index "mine", which"#) == true, "\(error as Any)")
    #expect(try GraphDatabase(contentsOf: file.url).model.entities == old.entities)
  }

  /// The same names, of which one spells its accents as letters of their own.
  @Test(arguments: DatabaseKind.present)
  func `may spell its names by other bytes`(kind: DatabaseKind) throws {
    func size(_ form: (String) -> String) throws -> GraphModel {
      try model(
        .make(
          form("Größe"), [.make(form("größe é"))],
          [
            .make(form("ähnlich"), to: form("Größe"), many: true),
            .make(form("nächste"), to: form("Größe")),
          ]),
        .make(form("Übergröße"), identity: "", parent: form("Größe"), [.make("x")]))
    }
    let forms = [
      \String.precomposedStringWithCanonicalMapping, \.decomposedStringWithCanonicalMapping,
    ]
    for (first, second) in [(forms[0], forms[1]), (forms[1], forms[0])] {
      let place = try TrialDatabase(kind)
      let before = try size { $0[keyPath: first] }
      let importer = try place.open(before).makeImporter([
        ImportRoot("Übergröße"[keyPath: first])
      ])
      try importer.parse(
        Data(
          #"[{"id": 1, "größe é": "x", "ähnlich": [2], "nächste": 1}]"#[keyPath: first].utf8))
      _ = try importer.finish()
      let database = try place.open(size { $0[keyPath: second] })
      let object = try #require(
        try database.object("Übergröße"[keyPath: second], identifiedBy: ["id": .integer(1)]))
      #expect(object["größe é"[keyPath: second]] == .string("x"))
      #expect(object.objects("ähnlich"[keyPath: second]).map { $0["id"] } == [.integer(2)])
      #expect(object.object("nächste"[keyPath: second])?.id == object.id)
      #expect(try database.objects("Größe"[keyPath: second]).count == 2)
      #expect(try place.faults() == [])
    }
  }
}
