import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// A document with its model and the places of its objects.
struct LawDocument: Sendable, CustomTestStringConvertible {
  let file: String
  let model: String
  let roots: [(entity: String, path: String)]
  /// The sizes of chunks at which the document is cut.
  let sizes: [Int]
  /// The number of links to follow when graphs are compared.
  var depth = 2

  var testDescription: String { file }

  static let fixtures = [
    LawDocument(
      file: Fixture.timeline, model: Fixture.timelineModel, roots: [("Tweet", "statuses")],
      sizes: [1, 7, 1021]),
    LawDocument(
      file: Fixture.catalog, model: Fixture.catalogModel,
      roots: [("Event", "events.*"), ("Performance", "performances")],
      sizes: [1, 2, 3, 5, 64, 1021]),
  ]

  private static let groot = [
    ("characters", "Character"), ("cards", "Card"), ("cards_update", "Card"),
    ("container", "Container"),
  ]

  private static let magicalRecord = [
    "SingleEntityRelatedToManyMappedEntitiesUsingListOfPrimaryKeys",
    "SingleEntityRelatedToManyMappedEntitiesUsingMappedPrimaryKey",
    "SingleEntityRelatedToMappedEntityUsingDefaults",
    "SingleEntityRelatedToMappedEntityUsingMappedPrimaryKey",
    "SingleEntityRelatedToMappedEntityWithNestedMappedAttributes",
    "SingleEntityRelatedToMappedEntityWithSecondaryMappings",
    "SingleEntityWithNoRelationships", "SingleRelatedEntity",
  ]

  /// The documents beside the package: the other importers' own, and real ones.
  static let shared =
    groot.map {
      LawDocument(
        file: "peers/groot/json/\($0).json", model: "peers/groot/Model.xcdatamodeld",
        roots: [($1, "$")], sizes: [1, 2, 3, 7, 64])
    }
    + magicalRecord.map {
      LawDocument(
        file: "peers/magicalrecord/\($0).json",
        model: "peers/magicalrecord/TestModel.xcdatamodeld",
        roots: [($0.replacing("ListOfPrimaryKeys", with: "MappedPrimaryKey"), "$")],
        sizes: [1, 2, 3, 7, 64])
    }
    + [
      LawDocument(
        file: "data/twitter.json", model: "peers/zds/FJImporter.xcdatamodeld",
        roots: [("Tweet", "statuses")], sizes: [4093, 65_536]),
      LawDocument(
        file: "data/citm_catalog.json", model: "citm",
        roots: [
          ("Event", "events.*"), ("Performance", "performances"),
        ], sizes: [65_536], depth: 1),
      LawDocument(
        file: "data/canada.json", model: "canada", roots: [("Feature", "features")],
        sizes: [65_536]),
    ]

  func loadModel() throws -> GraphModel {
    switch model {
    case "citm": return try GraphModel(contentsOf: Fixture.url(Fixture.catalogModel))
    case "canada":
      return try GraphModel(entities: [
        .make(
          "Feature", identity: "name",
          [
            .make("name", .string, ["JSONKeyPath": "properties.name"]),
            .make("shape", .transformable, ["JSONKeyPath": "geometry.coordinates"]),
            .make("longitude", .double, ["JSONKeyPath": "geometry.coordinates[0][0][0]"]),
          ])
      ])
    default:
      let isOurs = model.hasPrefix("Fixtures/")
      let mapper = EntityMapper(
        discriminator: JSONPath("type"), entities: ["A": "ConcreteA", "B": "ConcreteB"])
      return try GraphModel(
        contentsOf: isOurs ? Fixture.url(model) : Fixture.shared.appending(path: model),
        extensions: ModelExtensions(
          transformers: ["GrootTests.Transformer": .stringInteger],
          entityMappers: ["GrootTests.Abstract": mapper]))
    }
  }

  func loadText() throws -> String {
    let url = file.hasPrefix("Fixtures/") ? Fixture.url(file) : Fixture.shared.appending(path: file)
    // Some of the other importers' files have commas that JSON does not allow.
    let text = try String(contentsOf: url, encoding: .utf8)
    return file.hasPrefix("peers/") ? text.replacing(#/,(\s*[\]}])/#) { "\($0.output.1)" } : text
  }

  func loadRoots() throws -> [ImportRoot] {
    try roots.map { try ImportRoot($0.entity, at: $0.path) }
  }
}

/// The laws of importing, held to documents that were written by people.
@Suite struct `Laws of importing documents` {
  private func check(_ document: LawDocument) throws {
    let model = try document.loadModel()
    let text = try document.loadText()
    let roots = try document.loadRoots()
    func load(_ text: String, chunk: Int? = nil) throws -> (ImportTrial, ImportReport) {
      let trial = ImportTrial(model, entity: roots[0].entity)
      var report = try trial.load(text, roots, chunk: chunk)
      report.duration = .zero
      return (trial, report)
    }
    let (whole, report) = try load(text)
    for size in document.sizes {
      let (cut, other) = try load(text, chunk: size)
      #expect(cut.text == whole.text, "chunks of \(size)")
      #expect("\(other)" == "\(report)", "chunks of \(size)")
    }
    let content = try whole.store.graph.content(depth: document.depth)
    var random = SeededGenerator(seed: 1)
    let tree = try #require(try JSONTree.read(text))
    let (shuffled, _) = try load(tree.text(shuffledBy: &random))
    #expect(try shuffled.store.graph.content(depth: document.depth) == content)
    // Without identity each import makes objects anew.
    guard model.schema.entities.allSatisfy({ !$0.identity.isEmpty || $0.isUnused(by: whole) })
    else { return }
    let before = whole.text
    let again = try whole.load(text, roots)
    #expect(whole.text == before)
    #expect(again.insertedCount == 0)
    #expect(again.updatedCount == 0)
  }

  @Test(arguments: LawDocument.fixtures)
  func `hold for the fixtures`(document: LawDocument) throws {
    try check(document)
  }

  @Test(.enabled(if: Fixture.hasShared, PeerModels.absence), arguments: LawDocument.shared)
  func `hold for other importers' documents and for real ones`(document: LawDocument) throws {
    try check(document)
  }
}

extension EntitySchema {
  fileprivate func isUnused(by trial: ImportTrial) -> Bool {
    (try? trial.store.graph.objects(name).isEmpty) ?? true
  }
}
