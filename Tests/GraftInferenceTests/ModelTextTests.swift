import Foundation
import GraftExport
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

/// The forms in which a model is written, held against the models of the fixtures.
@Suite struct `A model written` {
  static let models: [String] = {
    let folder = SourceTree.root.appending(path: "Fixtures")
    let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return (paths ?? []).filter {
      $0.hasSuffix("/model.json") || $0.hasPrefix("schemas/") && $0.hasSuffix(".xcdatamodeld")
    }.sorted()
  }()

  private func model(_ file: String) throws -> GraphModel {
    try GraphModel(contentsOf: Fixture.url("Fixtures/\(file)"))
  }

  @Test(arguments: models)
  func `as a schema file reads back as the same`(file: String) throws {
    let model = try model(file)
    let copy = try TemporaryFile(model.schemaFile, name: "model.json")
    #expect(try GraphModel(contentsOf: copy.url) == model)
  }

  @Test(arguments: models)
  func `as Xcode's XML reads back as the same`(file: String) throws {
    let model = try model(file)
    let copy = try TemporaryFile(model.xcodeModelFile, name: "contents")
    let read = try GraphModel(contentsOf: copy.url)
    #expect(read == model)
    #expect(read.warnings.map(\.message) == model.warnings.map(\.message))
  }

  @Test func `as a drawing has a table for each entity and one line for two ends`() throws {
    let text = try model("schemas/Timeline.xcdatamodeld").graphvizSource
    #expect(text.contains("\"Tweet\" [label=<"))
    #expect(text.contains("<u>identifier</u>: Integer 64"))
    let lines = text.matches(of: #""Tweet" -> "User""#) + text.matches(of: #""User" -> "Tweet""#)
    #expect(lines.count == 1)
  }

  @Test func `as Swift names the types that entities take away`() throws {
    let entity = EntityDescription(
      name: "URL",
      attributes: [
        AttributeDescription(name: "url", type: .uri),
        AttributeDescription(name: "default", type: .string),
      ],
      relationships: [RelationshipDescription(name: "next", destination: "URL")])
    let text = try GraphModel(entities: [entity], dialect: .graft).swiftSource
    #expect(text.contains("let url = Attribute<Foundation.URL?>()"))
    #expect(text.contains("let `default` = Attribute<String?>()"))
    #expect(text.contains("let next = ToOne<URL>()"))
  }

  /// A model with names, counts and values that Swift writes in its own way.
  private static func oddModel() throws -> GraphModel {
    try GraphModel(
      entities: [
        EntityDescription(
          name: "Any",
          attributes: [
            .make("1st", .integer64), .make("Type"), .make("a-b"), .make("with space"),
            AttributeDescription(
              name: "rate", type: .decimal,
              defaultValue: .decimal(Decimal(string: "0.12345678901234567") ?? 0),
              maximum: .value(.decimal(Decimal(string: "123456789012345678901234567890") ?? 0))),
            AttributeDescription(name: "code", type: .string, minimum: .value(.integer(2))),
            AttributeDescription(name: "note", type: .string, isTransient: true),
            AttributeDescription(
              name: "cache", type: .integer64, defaultValue: .integer(5), isTransient: true),
            AttributeDescription(name: "raw", type: .transformable, isOptional: false),
          ],
          relationships: [
            RelationshipDescription(
              name: "all", destination: "Any", isToMany: true, isOptional: false),
            RelationshipDescription(
              name: "some", destination: "Any", isToMany: true, minimumCount: 2, maximumCount: 9),
            RelationshipDescription(
              name: "many", destination: "Any", isToMany: true, isOptional: false,
              minimumCount: 2),
          ], identity: ["1st"])
      ], dialect: .graft)
  }

  @Test func `as Swift keeps counts, values and names, and says what it cannot keep`() throws {
    let model = try Self.oddModel()
    let lines = Set(model.swiftSource.split(separator: "\n").map { $0.drop { $0 == " " } })
    for line in [
      "struct `Any`: Entity {", "let `1st` = Attribute<Int?>()",
      "let `Type` = Attribute<String?>()",
      "let `a-b` = Attribute<String?>()", "let code = Attribute<String?>(length: 2...(.max))",
      "let note = Attribute<String?>(.nowhere)",
      "let cache = Attribute<Int?>(.nowhere, default: 5)",
      "let all = ToMany<`Any`>(count: 1...(.max))",
      "let some = ToMany<`Any`>(count: 0...9)", "let many = ToMany<`Any`>(count: 2...(.max))",
      "static let identity = [\\Self.`1st`]", #"default: Decimal(string: "0.12345678901234567"),"#,
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
    #expect(
      model.swiftSourceOmissions == [
        "Any.note: transient", "Any.cache: transient", "Any.raw: required",
        "Any.some: 2 or more, or none; it may have fewer",
      ])
  }

  @Test(
    .enabled(if: Compiler.isUsable, "the compiler or the module Graft is not beside the tests"))
  func `as Swift compiles without a warning`() throws {
    let inferred = try ["documents/timeline.json", "documents/catalog.json"].map { file in
      try InferenceTrial(Data(contentsOf: Fixture.url("Fixtures/\(file)"))).model
    }
    let models = inferred + [try model("schemas/Timeline.xcdatamodeld"), try Self.oddModel()]
    #expect(
      try Compiler.messages(forEach: models.map(\.swiftSource)) == ["", "", "", ""])
  }
}
