import Foundation
import Synchronization
import Testing

@testable import Graft

/// A document of the fixtures, with its model, its roots and its graph.
struct FixtureTrial {
  let model: GraphModel
  let document: Data
  let roots: [ImportRoot]
  let graph: String
  /// The properties that an export cannot write, as `Entity.property`, sorted.
  let lost: [String]
  var options = ImportOptions()

  init(_ folder: String) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Fixture.url(folder).path)
    let file = try #require(files.first { $0.hasPrefix("document.") })
    let modelFile = try #require(files.first { $0.hasPrefix("model.") })
    model = try GraphModel(contentsOf: Fixture.url("\(folder)/\(modelFile)"))
    document = try Data(contentsOf: Fixture.url("\(folder)/\(file)"))
    graph = try Fixture.text("\(folder)/graph.json")
    roots = try Self.words("\(folder)/roots.txt").map {
      let parts = $0.split(separator: "@", maxSplits: 1)
      return try ImportRoot(String(parts[0]), at: parts.count > 1 ? String(parts[1]) : nil)
    }
    lost = files.contains("lost.txt") ? try Self.words("\(folder)/lost.txt") : []
    options.fileName = file
    if file.hasSuffix(".ndjson") { options.parser.format = .ndjson }
  }

  private static let known = Mutex<[String: FixtureTrial]>([:])
  private static let contents = Mutex<[String: [String: Int]]>([:])

  /// The fixture of a folder, which is read once, since many tests look at the same.
  static func of(_ folder: String) throws -> FixtureTrial {
    if let trial = known.withLock({ $0[folder] }) { return trial }
    let trial = try FixtureTrial(folder)
    known.withLock { $0[folder] = trial }
    return trial
  }

  /// Returns the content of the graph of a folder's document, which is imported once.
  static func content(of folder: String) throws -> [String: Int] {
    if let content = contents.withLock({ $0[folder] }) { return content }
    let content = try of(folder).store().graph.content(depth: 2)
    contents.withLock { $0[folder] = content }
    return content
  }

  private static func words(_ file: String) throws -> [String] {
    try Fixture.text(file).split { $0 == "," || $0.isNewline }.map(String.init)
  }

  func store() throws -> GraphStore {
    let store = GraphStore(model: model)
    try load(into: store, chunk: 1000)
    return store
  }

  @discardableResult
  func load(into store: GraphStore, chunk: Int) throws -> ImportReport {
    let importer = try store.makeImporter(roots, options: options)
    for start in stride(from: 0, to: document.count, by: chunk) {
      try importer.parse(document[start..<min(start + chunk, document.count)])
    }
    return try importer.finish()
  }

  static let shapes = folders(of: "Fixtures/shapes")
  static let documents = folders(of: "Fixtures/documents")

  private static func folders(of folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: Fixture.url(folder).path)
    return (names ?? []).filter { !$0.contains(".") }.sorted().map { "\(folder)/\($0)" }
  }
}
