import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Deletions spare what the document mentions, or may have mentioned.
@Suite struct `An object that a document mentions` {
  /// Documents that are imported one after the other, the last one with an option or policy that deletes.
  struct Trial: CustomTestStringConvertible {
    var rule: String
    var entities: [EntityDescription]
    var documents: [String]
    var root = "$"
    var deletesMissing = true
    /// The entities and identities that are left.
    var left: [String]

    var testDescription: String { rule }
  }

  private static let playlists: [EntityDescription] = [
    .make(
      "Playlist", [],
      [
        RelationshipDescription(
          name: "tracks", destination: "Track", isToMany: true, deleteRule: .cascade)
      ]), .make("Track", [.make("title")]),
  ]
  private static let shelves: [EntityDescription] =
    [
      .make("Shelf", [], [.make("lists", to: "Playlist", many: true, ["JSONRemoved": "delete"])])
    ] + playlists
  private static let nodes: [EntityDescription] = [
    .make(
      "Node", [],
      [
        RelationshipDescription(
          name: "r", destination: "Node", isToMany: true, deleteRule: .cascade),
        .make("next", to: "Node"),
      ])
  ]

  static let trials = DatabaseKind.with([
    Trial(
      rule: "is not deleted with one that is missing", entities: playlists,
      documents: [
        #"[{"id":1,"tracks":[2,3]}]"#, #"[{"id":9,"tracks":[{"id":2,"title":"new"}]},{"id":8}]"#,
      ], left: ["Playlist 8", "Playlist 9 2", "Track 2"]),
    Trial(
      rule: "is not deleted with one of its own entity", entities: nodes,
      documents: [#"[{"id":1,"r":[2]},{"id":2},{"id":3}]"#, #"[{"id":2},{"id":4,"r":[5]}]"#],
      left: ["Node 2", "Node 4 5", "Node 5"]),
    Trial(
      rule: "is not deleted with a member that a list has lost", entities: shelves,
      documents: [
        #"{"id":1,"lists":[{"id":1,"tracks":[2,3]},{"id":4,"tracks":[5]}]}"#,
        #"{"id":1,"lists":[{"id":9,"tracks":[{"id":2,"title":"new"}]}]}"#,
      ], deletesMissing: false, left: ["Playlist 9 2", "Shelf 1 9", "Track 2"]),
    Trial(
      rule: "may stand in an identifier that cannot be read", entities: nodes,
      documents: ["[1,2,3]", #"["x-1",{"id":2}]"#], left: ["Node 1", "Node 2", "Node 3"]),
    Trial(
      rule: "may stand in the only member of a dictionary, which cannot be read", entities: nodes,
      documents: [#"{"a":{"id":1},"b":{"id":2}}"#, #"{"error":"quota exceeded"}"#], root: "$.*",
      left: ["Node 1", "Node 2"]),
    Trial(
      rule: "may stand in a value that is skipped", entities: nodes,
      documents: [#"[{"id":1,"next":3},{"id":3}]"#, #"[{"id":1,"next":[{"id":3}]}]"#],
      left: ["Node 1", "Node 3"]),
    Trial(
      rule: "may stand in an element that is skipped", entities: shelves,
      documents: [#"{"id":1,"lists":[5,6]}"#, #"{"id":1,"lists":["x",6]}"#], deletesMissing: false,
      left: ["Playlist 5", "Playlist 6", "Shelf 1 6"]),
    Trial(
      rule: "does not stand in a value that names none", entities: nodes,
      documents: [#"[{"id":1,"next":3},{"id":3}]"#, #"[{"id":1,"next":null}]"#], left: ["Node 1"]),
  ])

  @Test(arguments: trials, [1, 1000])
  func `is left where others are deleted`(
    trial: (kind: DatabaseKind, trial: Trial), saveInterval: Int
  ) throws {
    let (kind, trial) = trial
    let model = try GraphModel(entities: trial.entities, dialect: .graft)
    let store = GraphStore(model: model)
    let place = try TrialDatabase(kind)
    let database = try place.open(model)
    var options = ImportOptions()
    options.savePolicy.objects = saveInterval
    options.errorPolicy = .skipValue
    let root = try ImportRoot(
      trial.entities[0].name, at: trial.root == "$" ? nil : String(trial.root.dropFirst(2)))
    for (number, document) in trial.documents.enumerated() {
      options.deletesMissing = trial.deletesMissing && number > 0
      for importer in [
        try store.makeImporter([root], options: options),
        try database.makeImporter([root], options: options),
      ] {
        try importer.parse(Data(document.utf8))
        _ = try importer.finish()
      }
    }
    #expect(Self.content(store.graph) == trial.left, "in memory")
    #expect(try Self.content(database.graph()) == trial.left)
    #expect(try place.faults() == [])
  }

  /// The objects by their identities, with those that their first relationship leads to.
  private static func content(_ graph: Graph) -> [String] {
    graph.schema.entities.flatMap { entity in
      graph.rows(entity.number).compactMap { graph.object($0) }.map { object in
        let members =
          entity.relationships.filter(\.isToMany).flatMap { object.objects($0.name) }
        let ids = ([object] + members).map { $0["id"].map(\.text) ?? "-" }
        return "\(entity.name) \(ids.joined(separator: " "))"
      }
    }.sorted()
  }

  /// An import of a group deletes at the group's end.
  @Test(arguments: DatabaseKind.present)
  func `is left at the end of a group`(kind: DatabaseKind) throws {
    let model = try GraphModel(entities: Self.playlists, dialect: .graft)
    let store = GraphStore(model: model)
    let place = try TrialDatabase(kind)
    let database = try place.open(model)
    let root = [ImportRoot("Playlist")]
    for target in [store, database] as [any ImportTarget] {
      let importer = try target.makeImporter(root, options: ImportOptions())
      try importer.parse(Data(#"[{"id":1,"tracks":[2,3]}]"#.utf8))
      _ = try importer.finish()
    }
    let groups: [(any ImportTarget, ImportGroup)] = [
      (store, ImportGroup(store)), (database, try ImportGroup(database)),
    ]
    for (target, group) in groups {
      var options = ImportOptions()
      options.group = group
      options.deletesMissing = true
      for document in [
        #"[{"id":9,"tracks":[{"id":2,"title":"new"}]}]"#, #"[{"id":8,"tracks":[7]}]"#,
      ] {
        let importer = try target.makeImporter(root, options: options)
        try importer.parse(Data(document.utf8))
        _ = try importer.finish()
      }
      _ = try group.finish()
    }
    let left = ["Playlist 8 7", "Playlist 9 2", "Track 2", "Track 7"]
    #expect(Self.content(store.graph) == left, "in memory")
    #expect(try Self.content(database.graph()) == left)
  }
}
