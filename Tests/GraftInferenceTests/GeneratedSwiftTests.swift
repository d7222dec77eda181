import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

/// Compiles the entities in Swift that are generated for the fixtures.
@Suite(.waits) struct `Generated Swift` {
  private static let documents: [String] = {
    let folder = Fixture.url("Fixtures/inference")
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return ["../documents/timeline.json", "../documents/catalog.json"]
      + (files ?? []).filter { !$0.hasSuffix(".txt") }.sorted()
  }()

  /// Compiles the entities of all documents at once, since the compiler needs longer to begin than for any of them: each
  /// document's are inside an enumeration of their own.
  @Test(.enabled(if: Compiler.isUsable, "the compiler or Graft's module is not beside the tests"))
  func `compiles without a warning`() throws {
    let types = try Self.documents.enumerated().flatMap { number, document in
      try Self.types(of: document, inside: "Document\(number)")
    }
    let code = "import Foundation\nimport Graft\n" + types.joined(separator: "\n")
    #expect(try Compiler.messages(for: code) == "")
  }

  /// Returns the lines of a document's entities and its example, inside an enumeration.
  private static func types(of document: String, inside name: String) throws -> [String] {
    let source = try trial(document).inferred.swiftSourceWithExample()
      .replacing("\nfunc example", with: "\nstatic func example")
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
    return ["enum \(name) {"] + source.map(String.init) + ["}"]
  }

  /// Some of the documents, since machine code takes far longer to make than types to check; all of them if the
  /// environment asks for it.
  private static let some = Seeds.some(20, of: documents.count).map { documents[Int($0) - 1] }

  @Test(.enabled(if: Compiler.canLink, "the compiler or Graft's objects are not beside the tests"))
  func `imports the document that it came from`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var types: [String] = []
    var calls: [String] = []
    for (number, document) in Self.some.enumerated() {
      let url = Self.url(document)
      let trial = try Self.trial(document)
      let root = try #require(trial.inferred.roots[0])
      types += try Self.types(of: document, inside: "Document\(number)")
      let path = root.path.steps.isEmpty ? "" : ", at: \"\(root.path)\""
      calls.append(
        """
        try write("\(number)", GraphStore(for: Document\(number).\(root.entity).self)) { store, options in
          _ = try store.importJSON(
            Document\(number).\(root.entity).self\(path),
            from: Data(contentsOf: URL(fileURLWithPath: "\(url.path)")), options: options)
        } format: { $0.parser.format = .\(trial.format == .ndjson ? "ndjson" : "json") }
        try JSONEncoder().encode(
          Document\(number).example(Data(contentsOf: URL(fileURLWithPath: "\(url.path)")))
        ).write(to: folder.appendingPathComponent("answers\(number)"))
        """)
    }
    let program = """
      import Foundation
      import GraftExport
      let folder = URL(fileURLWithPath: "\(folder.path)")
      \(types.joined(separator: "\n"))
      func write(
        _ name: String, _ store: GraphStore, _ fill: (GraphStore, ImportOptions) throws -> Void,
        format: (inout ImportOptions) -> Void
      ) throws {
        var options = ImportOptions()
        format(&options)
        try fill(store, options)
        var data = Data()
        store.graph.writeCanonicalJSON { chunk in
          chunk.withUnsafeBytes { data.append(contentsOf: $0) }
        }
        try data.write(to: folder.appendingPathComponent(name))
      }
      \(calls.joined(separator: "\n"))
      """
    #expect(try Compiler.errorOutput(of: program) == "")
    for (number, document) in Self.some.enumerated() {
      let written = try? Data(contentsOf: folder.appending(path: "\(number)"))
      let graph = try JSONSerialization.jsonObject(with: try #require(written)) as? NSObject
      let expected = try JSONSerialization.jsonObject(with: Self.trial(document).canonicalGraph())
      #expect(graph == expected as? NSObject, "\(document)")
      let answers = try JSONDecoder().decode(
        [String].self, from: Data(contentsOf: folder.appending(path: "answers\(number)")))
      try Self.check(
        answers, of: try #require(graph as? [String: [Any]]), in: Self.trial(document).model)
    }
  }

  /// Compares what an example says of a document with the graph: how many objects there are, and that the one with an
  /// identity is found.
  private static func check(
    _ answers: [String], of graph: [String: [Any]], in model: GraphModel
  ) throws {
    let words = try #require(answers.first).split(separator: ": ").map(String.init)
    let names = [words[0]] + model.entities.filter { $0.superentity == words[0] }.map(\.name)
    let count = names.reduce(0) { $0 + (graph[$1]?.count ?? 0) }
    #expect(words[1] == "\(count)", "\(answers)")
    for answer in answers where answer.contains(" of that ") {
      #expect(answer.hasSuffix(": 1"), "\(answer)")
    }
  }

  private static func url(_ document: String) -> URL {
    Fixture.url("Fixtures/inference/" + document).standardized
  }

  private static func trial(_ document: String) throws -> InferenceTrial {
    let url = url(document)
    return try InferenceTrial.whole(url, fileName: url.lastPathComponent)
  }
}
