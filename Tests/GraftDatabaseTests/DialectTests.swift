import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A model of another importer gives a database the graph that it gives memory.
@Suite struct `A dialect's rules in a database` {
  /// A model, a root and the documents that are imported one after the other.
  struct Trial: CustomTestStringConvertible {
    var rule: String
    var dialect: Dialect
    var entities: [EntityDescription]
    var documents: [String]

    var testDescription: String { rule }
  }

  static let trials = DatabaseKind.with([
    Trial(
      rule: "graft: a value that several objects have leads to the first of them",
      dialect: .graft,
      entities: [
        .make(
          "Message", [],
          [.make("from", to: "Member", ["JSONRelatedBy": "login"]), .make("by", to: "Member")]),
        .make("Member", [.make("login")]),
      ],
      documents: [
        #"[{"id": 1, "by": {"id": 1, "login": "x"}}, {"id": 2, "by": {"id": 2, "login": "x"}}]"#,
        #"[{"id": 3, "by": {"id": 2}, "from": "x"}]"#,
        #"[{"id": 4, "from": "x", "by": {"id": 2}}]"#,
      ]),
    Trial(
      rule: "graft: an object that was not read is not found by the default of its attribute",
      dialect: .graft,
      entities: [
        .make(
          "Message", [.make("size", .integer64)],
          [.make("note", to: "Note"), .make("by", to: "Note", ["JSONRelatedBy": "text"])]),
        .make(
          "Note", identity: "",
          [AttributeDescription(name: "text", type: .string, defaultValue: .string("none"))]),
      ],
      documents: [
        #"[{"id": 1, "note": {"text": "kept"}}]"#,
        #"[{"id": 1, "size": 2}, {"id": 2, "note": {}}]"#,
        #"[{"id": 1, "size": 3}, {"id": 3, "by": "none"}, {"id": 4, "by": "kept"}]"#,
        #"[{"id": 2, "size": 3}, {"id": 5, "by": "none"}, {"id": 5, "by": "kept"}]"#,
      ]),
    Trial(
      rule: "graft: one part of an identity names an object of its kind, which may come later",
      dialect: .graft,
      entities: [
        .make(
          "Item", identity: "model pk", isAbstract: true,
          [.make("model"), .make("pk", .integer64)], [], ["JSONDiscriminator": "model"]),
        .make("Author", identity: "", parent: "Item", [.make("name")]),
        .make(
          "Book", identity: "", parent: "Item", [.make("title")],
          [.make("author", to: "Author", ["JSONRelatedBy": "pk"])]),
      ],
      documents: [
        #"[{"model": "Book", "pk": 1, "author": 1}, {"model": "Book", "pk": 2, "author": 7}, {"model": "Author", "pk": 1, "name": "Ann"}]"#,
        #"[{"model": "Book", "pk": 7, "author": 8}, {"model": "Author", "pk": 7, "name": "Ben"}]"#,
        #"[{"model": "Book", "pk": 1, "author": 7}]"#,
      ]),
    Trial(
      rule: "sync: an object without identity fills the present target, or makes one",
      dialect: .sync,
      entities: [
        .make("User", identity: "", [.make("id", .integer64)], [.make("company", to: "Company")]),
        .make("Company", identity: "", [.make("id", .integer64), .make("name")]),
      ],
      documents: [
        #"[{"id": 1, "company": {"id": 9, "name": "x"}}, {"id": 2, "company": {"name": "new"}}]"#,
        #"[{"id": 1, "company": {"name": "y"}}, {"id": 2, "company": {"name": "newer"}}]"#,
      ]),
    Trial(
      rule: "sync: the present target keeps what the document does not mention",
      dialect: .sync,
      entities: [
        .make(
          "User", identity: "", [.make("id", .integer64)],
          [.make("profile", to: "Profile", inverse: "user")]),
        .make(
          "Profile", identity: "",
          [
            .make("bio"), .make("code"),
            AttributeDescription(
              name: "level", type: .integer32, isOptional: false, defaultValue: .integer(1)),
            AttributeDescription(name: "key", type: .string, isOptional: false),
          ],
          [
            .make("user", to: "User", inverse: "profile"), .make("badge", to: "Badge"),
            .make("tags", to: "Tag", many: true),
          ]),
        .make("Badge", identity: "", [.make("color"), .make("size", .integer64)]),
        .make("Tag", identity: "", [.make("id", .integer64)]),
      ],
      documents: [
        #"""
        [{"id": 1, "profile": {"bio": "x", "key": "k", "level": 5, "code": "c",
         "tags": [{"id": 1}], "badge": {"color": "red"}}}, {"id": 2}]
        """#,
        #"[{"profile": {"bio": null, "badge": {"size": 2}}, "id": 1}, {"id": 2, "profile": {"key": "l"}}]"#,
        #"[{"id": 1, "profile": {"code": "d", "tags": []}}, {"profile": {"level": 3}, "id": 2}]"#,
      ]),
    Trial(
      rule: "dandy: a singleton that a stored member leads to is updated",
      dialect: .dandy,
      entities: [
        .make(
          "Hat", identity: "", [.make("id", .integer64)],
          [.make("owner", to: "Man", inverse: "hats")], ["@primaryKey": "id"]),
        .make(
          "Man", identity: "", [.make("name")],
          [.make("hats", to: "Hat", many: true, inverse: "owner")],
          ["@primaryKey": "@singleton"]),
      ],
      documents: [
        #"[{"id": 1, "owner": {"name": "Bob"}}]"#,
        #"[{"id": 2, "owner": {"hats": [{"id": 1}], "name": "Tim"}}]"#,
      ]),
    Trial(
      rule: "magicalrecord: an object without identity is inserted",
      dialect: .magicalrecord,
      entities: [
        .make(
          "Badge", identity: "", [.make("id", .integer64), .make("name")], [],
          ["relatedByAttribute": "id"])
      ],
      documents: [
        #"[{"id": 1, "name": "a"}, {"name": "b"}]"#, #"[{"id": 1, "name": "c"}, {"name": "b"}]"#,
      ]),
    Trial(
      rule: "graft: a removed member of an object's list of itself leaves both ends",
      dialect: .graft,
      entities: [
        .make(
          "Node", [],
          [
            RelationshipDescription.make(
              "links", to: "Node", many: true, inverse: "backlinks", ["JSONRemoved": "delete"]),
            .make("backlinks", to: "Node", many: true, inverse: "links"),
          ])
      ],
      documents: [#"[{"id": 1, "links": [1]}]"#, #"[{"id": 1, "links": []}]"#]),
  ])

  @Test(arguments: trials, [1, 1000])
  func `give the graph that they give in memory`(
    trial: (kind: DatabaseKind, trial: Trial), saveInterval: Int
  ) throws {
    let (kind, trial) = trial
    let model = try GraphModel(entities: trial.entities, dialect: trial.dialect)
    let store = GraphStore(model: model)
    let place = try TrialDatabase(kind)
    let database = try place.open(model)
    var options = ImportOptions()
    options.savePolicy.objects = saveInterval
    for document in trial.documents {
      var reports: [ImportReport] = []
      let roots = [ImportRoot(trial.entities[0].name)]
      for importer in [
        try store.makeImporter(roots, options: options),
        try database.makeImporter(roots, options: options),
      ] {
        try importer.parse(Data(document.utf8))
        reports.append(try importer.finish())
      }
      #expect(reports[0].insertedCount == reports[1].insertedCount)
      #expect(reports[0].updatedCount == reports[1].updatedCount)
    }
    let expected = try store.graph.content(depth: 2)
    #expect(try database.graph().content(depth: 2) == expected)
    #expect(try place.openAgain().graph().content(depth: 2) == expected)
    #expect(try place.faults() == [])
  }
}

extension `A dialect's rules in a database` {
  @Test func `make an object without identity an error in Groot's`() throws {
    let path = ["JSONKeyPath": "id"]
    let model = try GraphModel(
      entities: [.make("Badge", [.make("id", .integer64, path)])], dialect: .groot)
    let database = try GraphDatabase(model: model, at: TemporaryDatabase().url)
    let importer = try database.makeImporter([ImportRoot("Badge")])
    let error = #expect(throws: ImportError.self) {
      try importer.parse(Data("[{}]".utf8))
      _ = try importer.finish()
    }
    #expect(error?.kind == .missingIdentity)
  }
}
