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

  @Test(
    .enabled(if: Compiler.isUsable, "the compiler or the module Graft is not beside the tests"))
  func `as Swift compiles without a warning`() throws {
    let inferred = try ["documents/timeline.json", "documents/catalog.json"].map { file in
      try InferenceTrial(Data(contentsOf: Fixture.url("Fixtures/\(file)"))).model
    }
    let models = inferred + [try model("schemas/Timeline.xcdatamodeld")]
    #expect(
      try Compiler.messages(forEach: models.map(\.swiftSource)) == ["", "", ""])
  }
}
