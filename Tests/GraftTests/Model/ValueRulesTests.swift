import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// 2^53 + 1, the least positive integer that no Double holds.
private let odd: Int64 = 9_007_199_254_740_993

@Suite struct `The bounds of an attribute` {
  struct Case: CustomTestStringConvertible, Sendable {
    var type: AttributeType
    var minimum: AttributeBound?
    var maximum: AttributeBound?
    var admitted: [String]
    var refused: [String]
    var testDescription: String {
      "\(type.rawValue): \(minimum.map(Bound.text) ?? "")…\(maximum.map(Bound.text) ?? "")"
    }
  }

  @Test(arguments: [
    Case(
      type: .integer64, maximum: "9007199254740993", admitted: ["9007199254740993"],
      refused: ["9007199254740994"]),
    Case(
      type: .integer64, minimum: .value(.integer(odd)), admitted: ["9007199254740993"],
      refused: ["9007199254740992"]),
    Case(
      type: .integer64, minimum: "-9007199254740993", admitted: ["-9007199254740993"],
      refused: ["-9007199254740994"]),
    Case(
      type: .integer64, maximum: "9223372036854775806", admitted: ["9223372036854775806"],
      refused: ["9223372036854775807"]),
    Case(
      type: .integer64, minimum: "-1e30", maximum: "1e30",
      admitted: ["9223372036854775807", "-9223372036854775808"], refused: []),
    Case(type: .integer64, minimum: "1e30", admitted: [], refused: ["9223372036854775807"]),
    Case(
      type: .integer16, minimum: "-1.5", maximum: "1.5", admitted: ["-1", "1"],
      refused: ["-2", "2"]
    ),
    Case(type: .integer16, minimum: "0.2", maximum: "0.8", admitted: [], refused: ["0", "1"]),
    Case(
      type: .decimal, minimum: "9007199254740993.1", admitted: ["9007199254740993.1"],
      refused: ["9007199254740993.05"]),
    Case(
      type: .decimal, maximum: .value(.integer(odd)), admitted: ["9007199254740993.0"],
      refused: ["9007199254740993.1"]),
    Case(type: .decimal, minimum: "+.5", admitted: ["0.50"], refused: ["0.4"]),
    Case(
      type: .double, minimum: .value(.integer(1)), maximum: .value(.double(1.5)),
      admitted: ["1.5"], refused: ["1.6", "0.9"]),
    Case(type: .float, minimum: "0.1", maximum: "0.1", admitted: ["0.1"], refused: ["0.11"]),
    Case(
      type: .float, maximum: .value(.float(0.1)), admitted: ["0.1"], refused: ["0.1000001"]),
    Case(
      type: .date, maximum: .value(.date(Date(timeIntervalSinceReferenceDate: 0.0625))),
      admitted: [#""2001-01-01T00:00:00.062Z""#], refused: [#""2001-01-01T00:00:00.063Z""#]),
    Case(
      type: .string, minimum: .value(.integer(2)), maximum: "3", admitted: [#""äö""#],
      refused: [#""ä""#, #""abcd""#]),
  ])
  func `are compared by its type`(_ given: Case) throws {
    let trial = try ImportTrial([
      EntityDescription(
        name: "E",
        attributes: [
          AttributeDescription(
            name: "a", type: given.type, minimum: given.minimum, maximum: given.maximum)
        ])
    ])
    for value in given.admitted { try trial.load(#"[{"a":\#(value)}]"#) }
    for value in given.refused {
      #expect(trial.failure(#"[{"a":\#(value)}]"#).contains("expected"), "\(value)")
    }
  }

  @Test func `are the same in an Xcode model, in a schema, in code and in a type`() throws {
    struct E: Entity {
      let n = Attribute<Int64?>(maximum: odd)
    }
    let xml = """
      <model><entity name="E"><attribute name="n" optional="YES" attributeType="Integer 64" \
      maxValueString="\(odd)"/></entity></model>
      """
    let schema = """
      {"entities": [{"name": "E", "attributes": [
        {"name": "n", "type": "Integer 64", "maximum": \(odd)}]}]}
      """
    func described(_ maximum: AttributeBound) throws -> GraphModel {
      try GraphModel(entities: [
        EntityDescription(
          name: "E",
          attributes: [AttributeDescription(name: "n", type: .integer64, maximum: maximum)])
      ])
    }
    let models = [
      try GraphModel(for: E.self), try described(.value(.integer(odd))),
      try described(.text("\(odd)")),
      try model(in: xml), try model(in: schema),
    ]
    for model in models {
      #expect(model == models[0])
      let trial = ImportTrial(model, entity: "E")
      try trial.load(#"{"n":\#(odd)}"#)
      #expect(
        trial.failure(#"{"n":\#(odd + 1)}"#)
          == "1:6: $.n: expected at most \(odd), found \(odd + 1)")
    }
  }

  private func model(in text: String) throws -> GraphModel {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try GraphModel(contentsOf: file)
  }

  @Test func `are held to in writes as well`() throws {
    struct E: Entity {
      let n = Attribute<Int64>(maximum: odd)
    }
    let store = try GraphStore(for: E.self)
    try store.write { graph in try graph.insert(E.self) { $0.n = odd } }
    #expect(throws: StoreError.self) {
      try store.write { graph in try graph.insert(E.self) { $0.n = odd + 1 } }
    }
  }

  @Test func `are equal however they are written`() {
    #expect(Bound("1e3", for: .integer64) == Bound(.value(.integer(1000)), for: .integer64))
    #expect(Bound("0.50", for: .double) == Bound(.value(.double(0.5)), for: .double))
    #expect(Bound("2", for: .string) == Bound(.value(.integer(2)), for: .string))
    #expect(Bound(.value(.double(.infinity)), for: .double) == nil)
    #expect(Bound(.value(.string("x")), for: .string) == nil)
  }
}
