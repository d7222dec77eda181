import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A database keeps its model as text, and reads an equal model from it.
@Suite struct `The model that a database keeps` {
  private func entity(
    _ name: String, _ attributes: [AttributeDescription], identity: [String]? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name,
      attributes: [AttributeDescription(name: "id", type: .integer64)] + attributes,
      identity: identity ?? ["id"])
  }

  @Test(arguments: DatabaseKind.present)
  func `is read again, whatever its values are`(kind: DatabaseKind) throws {
    let far = Date(timeIntervalSinceReferenceDate: 1e13)
    let model = try GraphModel(
      entities: [
        entity("A", [.make("my id"), .make("a,b")], identity: ["my id", "a,b"]),
        entity("B", [], identity: []),
        entity(
          "C",
          [
            AttributeDescription(name: "d", type: .double, defaultValue: .double(1e300)),
            AttributeDescription(name: "t", type: .date, defaultValue: .date(far)),
            AttributeDescription(name: "v", type: .string, values: [.string("x|y"), .string("")]),
          ]),
      ], dialect: .graft)
    let database = try TrialDatabase(kind)
    _ = try database.open(model)
    #expect(try database.openAgain().model == model)
    _ = try database.open(model)
  }

  @Test(arguments: DatabaseKind.present)
  func `is read again without its code`(kind: DatabaseKind) throws {
    let code = AttributeTransformer { _ in .integer(1) }
    let model = try GraphModel(
      entities: [
        entity(
          "Root",
          [
            AttributeDescription(
              name: "n", type: .integer64, paths: ["n", "'none'"], transformer: code),
            AttributeDescription(
              name: "url", type: .uri, defaultValue: .uri(URL(filePath: "/a b"))),
            AttributeDescription(
              name: "since", type: .date,
              defaultValue: .date(Date(timeIntervalSinceReferenceDate: 800_000_000.25.nextUp))),
          ]
        ).mapped(by: EntityMapper(discriminator: "kind", entities: ["l": "Leaf"])),
        EntityDescription(name: "Leaf", superentity: "Root"),
      ], dialect: kind == .sqlite ? .graft : .sync)
    let database = try TrialDatabase(kind)
    _ = try database.open(model)
    #expect(try database.openAgain().model.entities.map(\.name) == ["Root", "Leaf"])
    _ = try database.open(model)
  }

  @Test(arguments: DatabaseKind.present)
  func `is refused at once where it could not be read again`(kind: DatabaseKind) throws {
    let good = try GraphModel(entities: [entity("A", [])], dialect: .graft)
    // The text of a model has at most 4 MB.
    let long = AttributeValue.string(String(repeating: "a", count: 5 << 20))
    let bad = try GraphModel(
      entities: [
        entity("A", [AttributeDescription(name: "d", type: .string, defaultValue: long)])
      ], dialect: .graft)
    let empty = try TrialDatabase(kind)
    let database = try TrialDatabase(kind)
    _ = try database.open(good)
    for place in [empty, database] {
      let error = #expect(throws: StoreError.self) { try place.open(bad) }
      #expect(error?.message.contains("cannot keep the model, since its text could not") == true)
    }
    #expect(try database.openAgain().model == good)
    #expect(throws: StoreError.self) { try empty.openAgain() }
  }
}

extension EntityDescription {
  fileprivate func mapped(by mapper: EntityMapper) -> EntityDescription {
    var copy = self
    copy.mapper = mapper
    return copy
  }
}
