import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Queries compare and sort values as a graph in memory does, whatever form the database keeps them in.
@Suite struct `Values that a query compares` {
  private func model(isIndexed: Bool) throws -> GraphModel {
    try GraphModel(
      entities: [
        EntityDescription(
          name: "T",
          attributes: [
            AttributeDescription(name: "id", type: .integer64),
            AttributeDescription(name: "at", type: .date, isIndexed: isIndexed),
            AttributeDescription(name: "small", type: .integer16),
            AttributeDescription(name: "medium", type: .integer32),
          ], identity: ["id"])
      ], dialect: .graft)
  }

  private func database(
    _ kind: DatabaseKind, _ values: [(name: String, value: AttributeValue)], isIndexed: Bool = false
  ) throws -> GraphDatabase {
    let database = try TrialDatabase.opened(kind, model(isIndexed: isIndexed))
    // An import makes the indexes.
    let importer = try database.makeImporter([ImportRoot("T")])
    try importer.parse(Data("[]".utf8))
    _ = try importer.finish()
    try database.write { graph in
      for (number, entry) in values.enumerated() {
        let object = try graph.insert("T")
        object["id"] = .integer(Int64(number))
        object[entry.name] = entry.value
      }
    }
    return database
  }

  private func ids(_ objects: [GraphObject]) -> [Int64] {
    objects.map { if case .integer(let id)? = $0["id"] { id } else { -1 } }
  }

  /// Dates in the order of time, with those that have no exact text in SQLite.
  private func dates(_ kind: DatabaseKind) -> [Date] {
    var intervals = [
      -1e11, -6.3114e10, -63_113_904_000 - 0.5, -1000.25, 0.5, 3e8, 800_000_000.5, 2.5e11, 3e11,
      1e12,
    ]
    if kind == .sqlite {
      // Two neighbours of dates that a text says exactly, among them one of today.
      let today = 800_000_000.25
      intervals += [1e-10, today, today.nextUp, today.nextDown, 1e20, -1e20]
    }
    return intervals.sorted().map(Date.init(timeIntervalSinceReferenceDate:))
  }

  @Test(arguments: DatabaseKind.with([true, false]))
  func `are dates of any year and fraction`(kind: DatabaseKind, isIndexed: Bool) throws {
    let dates = dates(kind)
    // Not in the order of their keys.
    let numbers = dates.indices.map { $0 * 7 % dates.count }
    try #require(Set(numbers).count == dates.count)
    let database = try database(
      kind, numbers.map { ("at", .date(dates[$0])) }, isIndexed: isIndexed)
    let expected = dates.indices.map { number in
      Int64(numbers.firstIndex(of: number) ?? -1)
    }
    #expect(try ids(database.objects("T", orderedBy: .forward("at"))) == expected)
    #expect(try ids(database.objects("T", orderedBy: .reverse("at"))) == expected.reversed())
    var paged: [GraphObject] = []
    while let next = try database.objects(
      "T", orderedBy: .forward("at"), after: paged.last, limit: 1
    ).first, paged.count <= dates.count {
      paged.append(next)
    }
    #expect(ids(paged) == expected)
    let bounds =
      dates + [-1e21, 1e21, 1e13, 5, -2e9].map(Date.init(timeIntervalSinceReferenceDate:))
    var differences: [String] = []
    for bound in bounds {
      for other in bounds where other > bound {
        let found = try database.count(of: "T", where: .attribute("at", in: bound..<other))
        if found != dates.count(where: { bound <= $0 && $0 < other }) {
          differences.append("\(bound)..<\(other): \(found)")
        }
      }
      let before = try database.count(of: "T", where: .attribute("at", in: ...bound))
      let after = try database.count(of: "T", where: .attribute("at", in: bound...))
      if before != dates.count(where: { $0 <= bound })
        || after != dates.count(where: { $0 >= bound })
      {
        differences.append("\(bound): \(before), \(after)")
      }
      let equal = try database.count(of: "T", where: .attribute("at", equals: .date(bound)))
      if equal != dates.count(where: { $0 == bound }) {
        differences.append("= \(bound): \(equal)")
      }
    }
    #expect(differences == [])
    #expect(try database._greatest("at", of: "T") == dates.last.map { .date($0) })
  }

  @Test(arguments: DatabaseKind.with(["small", "medium"]))
  func `are integers that the column does not hold`(kind: DatabaseKind, name: String) throws {
    let database = try database(kind, [1, 30_000, -7].map { (name, .integer($0)) })
    func ids(_ condition: DatabaseCondition<GraphObject>) throws -> [Int64] {
      try self.ids(database.objects("T", where: condition))
    }
    #expect(try ids(.attribute(name, in: Int64(0)...Int64.max)) == [0, 1])
    #expect(try ids(.attribute(name, in: Int64.min..<5_000_000_000)) == [0, 1, 2])
    #expect(try ids(.attribute(name, in: 5_000_000_000...)) == [])
    #expect(try ids(.attribute(name, equals: .integer(5_000_000_000))) == [])
    #expect(try ids(!.attribute(name, equals: .integer(5_000_000_000))) == [0, 1, 2])
    #expect(try ids(.attribute(name, equals: .integer(30_000))) == [1])
  }
}
