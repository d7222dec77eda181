import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// An import that publishes after each object, while another writer comes in between.
@Suite struct `Between two saves` {
  private static func hero(hasInverse: Bool) throws -> ImportTrial {
    try ImportTrial([
      .make(
        "Hero", [],
        [
          .make("boss", to: "Hero", inverse: hasInverse ? "team" : nil, ["JSONKeyPath": "-"]),
          .make("team", to: "Hero", many: true, inverse: hasInverse ? "boss" : nil),
        ])
    ])
  }

  private func object(_ id: Int64, in trial: ImportTrial) throws -> GraphObject {
    try #require(try trial.store.graph.object("Hero", identifiedBy: ["id": .integer(id)]))
  }

  /// Imports a document in pieces, with something between the first and the others.
  private func load(
    _ pieces: [String], into trial: ImportTrial, as entity: String = "Hero",
    _ change: (inout ImportOptions) -> Void = { _ in }, between: () throws -> Void
  ) throws -> ImportReport {
    var options = ImportOptions.with(change)
    options.savePolicy.objects = 1
    let importer = try trial.store.makeImporter(entity: entity, options: options)
    for (number, piece) in pieces.enumerated() {
      if number == 1 { try between() }
      try importer.parse(Data(piece.utf8))
    }
    return try importer.finish()
  }

  @Test func `what another has inserted is found by any attribute`() throws {
    let trial = try ImportTrial(
      [
        EntityDescription(
          name: "Person", attributes: [.make("personID", .integer64)],
          relationships: [.make("pet", to: "Pet", ["relatedByAttribute": "chip"])]),
        EntityDescription(
          name: "Pet", attributes: [.make("petID", .integer64), .make("chip")]),
      ], dialect: .magicalrecord)
    _ = try load(
      [#"[{"personID":1,"pet":"x"}"#, #",{"personID":2}"#, #",{"personID":3,"pet":"y"}]"#],
      into: trial, as: "Person"
    ) {
      try trial.load(#"{"petID":7,"chip":"y"}"#, as: "Pet")
    }
    let people = try trial.store.graph.objects("Person")
    #expect(people.count == 3)
    #expect(try trial.store.graph.count(of: "Pet") == 2)
    let owner = people.first { $0["personID"] == .integer(3) }
    #expect(owner?.object("pet")?["petID"] == .integer(7))
  }

  @Test(arguments: [true, false])
  func `what another has deleted is no member of a link that waits`(hasInverse: Bool) throws {
    let trial = try Self.hero(hasInverse: hasInverse)
    _ = try load(
      [#"[{"id":1,"team":[{"id":2},{"id":3},9]}"#, #",{"id":4}"#, #",{"id":9}]"#], into: trial,
      { $0.relationships.reference = .defer },
      between: {
        let writer = trial.store.begin()
        try writer.delete([object(2, in: trial).id])
        _ = try trial.store.commit(writer)
      })
    let team = try object(1, in: trial).objects("team").map { $0["id"] }
    #expect(team == [.integer(3), .integer(9)])
    #expect(try trial.store.graph.count(of: "Hero") == 4)
  }

  @Test(arguments: [
    (0..<200).map { #"{"id":1,"boss":\#(1000 + $0)}"# },
    (0..<200).map { #"{"id":"bad","boss":\#(1000 + $0)}"# },
  ])
  func `identifiers that no link waits for take no memory`(objects: [String]) throws {
    let trial = try ImportTrial([.make("Hero", [], [.make("boss", to: "Hero")])])
    let report = try trial.load(
      "[\(objects.joined(separator: ","))]",
      .with {
        $0.relationships.reference = .defer
        $0.errorPolicy = .skipObject
        $0.bufferLimit = 2000
      })
    #expect(report.noticeCount <= 1)
    #expect(throws: ImportError.self) {
      try trial.load(
        "[\((0..<200).map { #"{"id":\#($0),"boss":\#(1000 + $0)}"# }.joined(separator: ","))]",
        .with {
          $0.relationships.reference = .defer
          $0.bufferLimit = 2000
        })
    }
  }

  @Test func `a value that is kept as JSON takes no more than the limit`() throws {
    let trial = try ImportTrial([.make("Hero", [.make("raw", .transformable)])])
    let numbers = (0..<200).map { "\($0)" }.joined(separator: ",")
    try trial.load(#"{"id":1,"raw":[\#(numbers)]}"#, .with { $0.bufferLimit = 2000 })
    let error = #expect(throws: ImportError.self) {
      try trial.load(
        #"{"id":1,"raw":{"a":[\#(numbers)],"b":[\#(numbers)],"c":[\#(numbers)]}}"#,
        .with { $0.bufferLimit = 2000 })
    }
    #expect(error?.kind == .limit)
  }

  @Test func `what another has inserted is not missing`() throws {
    let trial = try Self.hero(hasInverse: true)
    try trial.load(#"[{"id":1},{"id":2}]"#)
    let report = try load(
      [#"[{"id":1}"#, #",{"id":5}"#, #",{"id":6}]"#], into: trial, { $0.deletesMissing = true },
      between: { try trial.load(#"[{"id":8}]"#) })
    let ids = try trial.store.graph.objects("Hero").map { $0["id"] }
    #expect(Set(ids) == [.integer(1), .integer(5), .integer(6), .integer(8)])
    #expect(report.count(of: "Hero").deleted == 1)
  }

  @Test func `a link that comes later is missing, and the message says what helps`() throws {
    var customer = RelationshipDescription.make("customer", to: "Customer", inverse: "orders")
    customer.isOptional = false
    let trial = try ImportTrial([
      .make("Order", [], [customer]),
      .make("Customer", [], [.make("orders", to: "Order", many: true, inverse: "customer")]),
    ])
    let roots = [ImportRoot("Order", at: "orders"), ImportRoot("Customer", at: "customers")]
    let document = Data(
      #"{"orders":[{"id":1},{"id":2}],"customers":[{"id":1,"orders":[1,2]}]}"#.utf8)
    var options = ImportOptions()
    options.savePolicy = .every(objects: 1)
    let error = #expect(throws: ImportError.self) {
      try trial.store.importJSON(roots, from: document, options: options)
    }
    #expect(error?.message.hasSuffix("save at the end (SavePolicy.atEnd)") == true)
    options.savePolicy = .atEnd
    try trial.store.importJSON(roots, from: document, options: options)
    #expect(try trial.store.graph.count(of: "Order") == 2)
  }
}
