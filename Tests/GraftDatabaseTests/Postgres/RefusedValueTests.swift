import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A value of a document that the type of its column does not hold.
@Suite struct `A value that Postgres cannot hold` {
  private static let lines = [
    #"{"id": 1, "name": "a"}"#, #"{"id": 2, "name": "b\u0000", "on": 5}"#,
    #"{"id": 3, "name": "c", "on": -300000000000}"#, #"{"id": 4, "name": "d", "next": "e\u0000"}"#,
  ]

  private static let faults = [
    #"2:19: $[1].name: the string "b\u0000" has the character U+0000, which Postgres does not hold; remove it, or let"#
      + " the attribute be Binary",
    "3:30: $[2].on: the date -300000000000.0 (seconds since 1970) is not one of Postgres, which has those from 4713 BC"
      + " to 294276; leave it out, or let the attribute be Double",
    #"4:32: $[3].next: the string "e\u0000" has the character U+0000, which Postgres does not hold; remove it, or let"#
      + " the attribute be Binary",
  ]

  private func load(
    _ kind: DatabaseKind, _ policy: ImportOptions.ErrorPolicy
  ) throws -> (report: ImportReport, objects: [GraphObject]) {
    let place = try TrialDatabase(kind)
    let model = try GraphModel(
      entities: [
        .make("Item", [.make("name"), .make("on", .date)], [.make("next", to: "Name")]),
        .make("Name", [.make("id", .string)]),
      ], dialect: .graft)
    let database = try place.open(model)
    var options = ImportOptions()
    options.errorPolicy = policy
    let importer = try database.makeImporter([ImportRoot("Item")], options: options)
    try importer.parse(Data("[\(Self.lines.joined(separator: ",\n"))]".utf8))
    return (try importer.finish(), try database.objects("Item"))
  }

  private static let servers = DatabaseKind.present.filter(\.isOnServer)

  @Test(arguments: servers) func `ends an import at its place`(kind: DatabaseKind) {
    let error = #expect(throws: ImportError.self) { try load(kind, .fail) }
    #expect(error?.description == Self.faults[0])
  }

  @Test(arguments: servers) func `is skipped as any other invalid value`(kind: DatabaseKind) throws
  {
    let (report, objects) = try load(kind, .skipValue)
    #expect(report.issues.map(\.description) == Self.faults)
    #expect(objects.map { $0["id"] } == (1...4).map { .integer($0) })
    #expect(objects.map { $0["name"] } == [.string("a"), nil, .string("c"), .string("d")])
    #expect(objects.allSatisfy { $0.object("next") == nil })
  }

  @Test(arguments: servers) func `takes its object along`(kind: DatabaseKind) throws {
    let (report, objects) = try load(kind, .skipObject)
    #expect(report.issues.map(\.description) == Self.faults)
    #expect(objects.map { $0["id"] } == [.integer(1)])
  }
}
