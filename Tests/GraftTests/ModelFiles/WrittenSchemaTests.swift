import Foundation
import GraftExport
import Testing

@testable import Graft
@testable import GraftTestSupport

/// The schema file of a model made in code is read as an equal model, whatever its values and its dialect are.
@Suite struct `A written schema file` {
  private func again(_ model: GraphModel) throws -> GraphModel {
    try GraphModel(data: Data(model.schemaFile.utf8))
  }

  @Test(arguments: [[], ["my id"], ["a,b"], ["my id", "a,b"], ["a,b", "n"], ["n"]])
  func `keeps an identity of any names`(identity: [String]) throws {
    let parent = EntityDescription(
      name: "R",
      attributes: ["my id", "a,b", "n"].map { AttributeDescription(name: $0, type: .string) },
      identity: ["n"])
    let child = EntityDescription(name: "S", superentity: "R", identity: identity)
    let model = try GraphModel(entities: [parent, child], dialect: .graft)
    let copy = try again(model)
    #expect(copy == model)
    #expect(try copy.identity(of: "S") == identity.sorted())
  }

  @Test(arguments: [
    AttributeDescription(name: "a", type: .string, values: [.string("x | y"), .string("z")]),
    AttributeDescription(name: "a", type: .string, values: [.string(""), .string(" x")]),
    AttributeDescription(
      name: "a", type: .string, values: [.string("x")], unknownValue: .string(" y ")),
    AttributeDescription(
      name: "a", type: .double, defaultValue: .double(.greatestFiniteMagnitude),
      values: [.double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude)]),
    AttributeDescription(
      name: "a", type: .float, minimum: "0", values: [.float(1), .float(.greatestFiniteMagnitude)],
      unknownValue: .float(.greatestFiniteMagnitude)),
    AttributeDescription(
      name: "a", type: .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 1e13)),
      maximum: .value(.date(Date(timeIntervalSinceReferenceDate: 1e14)))),
    AttributeDescription(
      name: "a", type: .date,
      // One of these two is finer than a text in ISO 8601.
      defaultValue: .date(Date(timeIntervalSinceReferenceDate: 800_000_000.25.nextUp)),
      maximum: .value(.date(Date(timeIntervalSinceReferenceDate: 800_000_000.25.nextUp.nextUp)))),
    AttributeDescription(
      name: "a", type: .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 1e-10))),
    AttributeDescription(name: "a", type: .string, defaultValue: .string("")),
    AttributeDescription(name: "a", type: .string, defaultValue: .string(" x ")),
    AttributeDescription(name: "a", type: .date, dateFormat: " yyyy-MM-dd"),
  ])
  func `keeps the values of an attribute`(attribute: AttributeDescription) throws {
    let model = try GraphModel(
      entities: [EntityDescription(name: "R", attributes: [attribute])], dialect: .graft)
    #expect(try again(model) == model)
  }

  // No arguments, because a test that shows such a date stops the process.
  private static let unwritable: [(AttributeType, AttributeValue)] = [
    (.double, .double(.nan)), (.double, .double(-.infinity)), (.float, .float(.nan)),
    (.float, .float(.infinity)), (.decimal, .decimal(.nan)),
    (.date, .date(Date(timeIntervalSinceReferenceDate: .infinity))),
    (.date, .date(Date(timeIntervalSinceReferenceDate: .nan))), (.transformable, .json("{")),
    (.uri, .uri(URL(filePath: "a", relativeTo: URL(filePath: "/b/")))),
  ]

  @Test func `has a text for each value, or else the model is refused`() {
    for (type, value) in Self.unwritable {
      for (attribute, words) in [
        (AttributeDescription(name: "a", type: type, defaultValue: value), "the default value"),
        (AttributeDescription(name: "a", type: type, values: [value]), "the value"),
        (AttributeDescription(name: "a", type: type, unknownValue: value), "JSONUnknownValue"),
      ] {
        let error = #expect(throws: ModelError.self) {
          try GraphModel(entities: [EntityDescription(name: "R", attributes: [attribute])])
        }
        let message = "\(words) \(value.text) cannot be written in a model file; change it"
        #expect(error?.issues.first?.message == message)
      }
    }
  }

  @Test(arguments: [Double.infinity, .nan])
  func `has no bound that is no date`(_ interval: Double) {
    let bound = AttributeBound.value(.date(Date(timeIntervalSinceReferenceDate: interval)))
    let attribute = AttributeDescription(name: "a", type: .date, maximum: bound)
    #expect(throws: ModelError.self) {
      try GraphModel(entities: [EntityDescription(name: "R", attributes: [attribute])])
    }
  }

  @Test(arguments: Dialect.allCases)
  func `keeps the values of a description in each dialect`(dialect: Dialect) throws {
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Media",
          attributes: [
            AttributeDescription(name: "id", type: .integer64, paths: ["media_id", "id"]),
            AttributeDescription(
              name: "day", type: .date, paths: "meta.day", dateFormat: "yyyy-MM-dd",
              policies: Policies(onNull: .keep, onAbsent: .error, export: .omit)),
            AttributeDescription(
              name: "size", type: .string, values: [.string("s"), .string("l")],
              unknownValue: .string("l"), paths: .nowhere),
          ],
          relationships: [
            RelationshipDescription(
              name: "parts", destination: "Media", isToMany: true, paths: "content.parts",
              relatedBy: "size",
              policies: Policies(
                collection: .union, removed: .delete, reference: .defer, wrapsSingleObjects: true))
          ],
          identity: ["id"], discriminator: ["kind", "type"], discriminatorValue: " m",
          unknownEntity: "Photo", modifiedAttribute: "day",
          missingIdentity: .skip),
        EntityDescription(name: "Photo", superentity: "Media", identity: ["id", "day"]),
      ], dialect: dialect)
    #expect(try again(model) == model)
  }

  @Test func `says where a value of a description cannot be read`() throws {
    let error = #expect(throws: ModelError.self) {
      try GraphModel(
        data: Data(
          """
          {"entities": [{"name": "R", "identity": "id", "policies": {"JSONMissingIdentity": "skp"},
            "attributes": [{"name": "a", "type": "Date", "values": ["x"],
              "policies": {"JSONCollection": "union"}}]}]}
          """.utf8))
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("$.entities[0]: expected an array under \"identity\", found the string"))
    #expect(
      text.contains(
        "$.entities[0].policies: JSONMissingIdentity is \"skp\", expected error, insert or skip"))
    #expect(text.contains("$.entities[0].attributes[0]: the value \"x\" is no Date"))
    #expect(text.contains("$.entities[0].attributes[0].policies: unknown key \"JSONCollection\""))
  }
}
