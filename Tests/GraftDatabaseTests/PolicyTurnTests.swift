import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// An import that is under way while another one begins and ends, or objects are deleted.
struct PolicyTurns: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var mode: ImportOptions.Mode
  /// The document that is imported before, whatever the mode.
  var before: String
  /// The document of the other import.
  var early: String
  /// The identities of objects that are deleted after that.
  var deleted: [Int64]
  /// The document of the import that begins before the other writers, and ends after them.
  var late: String

  init(
    _ name: String, _ mode: ImportOptions.Mode = .upsert, before: String = "", early: String = "",
    deleted: [Int64] = [], late: String
  ) {
    testDescription = name
    self.mode = mode
    self.before = before
    self.early = early
    self.deleted = deleted
    self.late = late
  }

  static let all = [
    PolicyTurns(
      "an older state of an object",
      before: #"{"id": 1, "m": 1, "v": "base", "next": 2, "list": [{"id": 1}]}"#,
      early: #"{"id": 1, "m": 9, "v": "newest"}"#,
      late:
        #"{"id": 1, "m": 5, "v": "older", "w": "x", "next": 3, "list": [{"id": 2}]} {"id": 4, "next": 1}"#
    ),
    PolicyTurns(
      "a newer state of an object", before: #"{"id": 1, "m": 1, "v": "base"}"#,
      early: #"{"id": 1, "m": 5, "v": "older", "w": "x"}"#,
      late: #"{"id": 1, "m": 9, "v": "newest", "next": 3, "list": [{"id": 2}]}"#),
    PolicyTurns(
      "a state without a time", before: #"{"id": 1, "m": 1, "v": "base"}"#,
      early: #"{"id": 1, "m": 9, "v": "newest"}"#, late: #"{"id": 1, "v": "some time"}"#),
    PolicyTurns(
      "an older state of an object that both insert",
      early: #"{"id": 1, "m": 9, "v": "newest", "list": [{"id": 1}]}"#,
      late: #"{"id": 1, "m": 5, "v": "older", "w": "x", "next": 3, "list": [{"id": 2}]}"#),
    PolicyTurns(
      "a newer state of an object that both insert", early: #"{"id": 1, "m": 5, "v": "older"}"#,
      late: #"{"id": 1, "m": 9, "v": "newest", "next": 3}"#),
    PolicyTurns(
      "an older state of a stub that both fill", before: #"{"id": 7, "next": 1}"#,
      early: #"{"id": 1, "m": 9, "v": "newest"}"#, late: #"{"id": 1, "m": 5, "v": "older"}"#),
    PolicyTurns(
      "an insertion of what is there by now", .insertOnly, early: #"{"id": 1, "v": "first"}"#,
      late:
        #"{"id": 1, "v": "second", "w": "x", "next": 3, "list": [{"id": 2}]} {"id": 4, "next": 1}"#),
    PolicyTurns(
      "an insertion of what is a stub by now", .insertOnly, early: #"{"id": 7, "next": 1}"#,
      late: #"{"id": 1, "v": "second", "list": [{"id": 2}]}"#),
    PolicyTurns(
      "an insertion in the place of a stub that is filled by now", .insertOnly,
      before: #"{"id": 7, "next": 1}"#, early: #"{"id": 1, "v": "first"}"#,
      late: #"{"id": 1, "v": "second", "next": 7}"#),
    PolicyTurns(
      "an update of what is deleted by now", .updateOnly,
      before: #"{"id": 1, "v": "a", "list": [{"id": 1}]} {"id": 2, "v": "b"}"#, deleted: [1],
      late: #"{"id": 1, "v": "update"} {"id": 2, "v": "update"}"#),
    PolicyTurns(
      "an insertion of what is deleted by now", before: #"{"id": 1, "m": 9, "v": "a"}"#,
      early: #"{"id": 1, "m": 10}"#, deleted: [1], late: #"{"id": 1, "m": 11, "v": "again"}"#),
  ]
}

/// The policies of an import hold for what other writers have committed meanwhile.
@Suite struct `Policies of one of two imports` {
  private let model: GraphModel

  init() throws {
    model = try GraphModel(
      entities: [
        .make(
          "A", [.make("m", .integer64), .make("v"), .make("w")],
          [
            .make("next", to: "A"), .make("list", to: "B", many: true, inverse: "owner"),
          ], ["JSONModified": "m"]),
        .make("B", [], [.make("owner", to: "A", inverse: "list", ["JSONKeyPath": "-"])]),
      ], dialect: .graft)
  }

  private func importer(
    _ target: some ImportTarget, _ text: String, _ mode: ImportOptions.Mode = .upsert
  ) throws -> JSONImporter {
    let options = ImportOptions.with {
      $0.parser.format = .ndjson
      $0.savePolicy.objects = 1000
      $0.mode = mode
    }
    let importer = try target.makeImporter([ImportRoot("A")], options: options)
    try importer.parse(Data("\(text)\n".utf8))
    return importer
  }

  /// Imports the documents, the late one before or after the others have begun.
  private func run(
    _ turns: PolicyTurns, _ target: some ImportTarget, interleaved: Bool,
    write: ((MutableGraph) throws -> Void) throws -> Void
  ) throws -> ImportReport {
    _ = try importer(target, turns.before).finish()
    let begun = interleaved ? try importer(target, turns.late, turns.mode) : nil
    _ = try importer(target, turns.early, turns.mode).finish()
    try write { graph in
      for id in turns.deleted {
        try graph.object("A", identifiedBy: ["id": .integer(id)])?.delete()
      }
    }
    return try (begun ?? importer(target, turns.late, turns.mode)).finish()
  }

  @Test(arguments: DatabaseKind.with(PolicyTurns.all))
  func `hold as if it had begun after the other has ended`(
    kind: DatabaseKind, turns: PolicyTurns
  ) throws {
    let inOrder = GraphStore(model: model)
    let expected = try run(turns, inOrder, interleaved: false) { try inOrder.write($0) }
    let store = GraphStore(model: model)
    let found = try run(turns, store, interleaved: true) { try store.write($0) }
    #expect(try store.graph.content(depth: 2) == inOrder.graph.content(depth: 2))
    #expect(found.entities == expected.entities)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    let saved = try run(turns, database, interleaved: true) { try database.write($0) }
    #expect(try database.graph().content(depth: 2) == inOrder.graph.content(depth: 2))
    #expect(saved.entities == expected.entities)
    #expect(try trial.faults() == [])
  }
}
