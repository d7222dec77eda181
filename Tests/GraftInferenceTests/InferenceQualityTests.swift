import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

/// Compares inferred models with the models that people make of the same documents.
@Suite struct `An inferred model` {
  /// The names of the documents, in the order of the alphabet.
  private static let documents: [String] = {
    let folder = SourceTree.root.appending(path: "Fixtures/inference")
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }()

  /// The document of a name: among the fixtures, or among the large ones that are not part of the repository.
  private static func url(_ name: String) -> URL? {
    let fixtures = Fixture.url("Fixtures")
    let candidates =
      [
        "inference/\(name).json", "inference/\(name).ndjson", "documents/\(name).json",
        "documents/\(name)/document.json", "documents/\(name)/document.ndjson",
      ].map { fixtures.appending(path: $0) } + [Fixture.shared.appending(path: "data/\(name).json")]
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
  }

  private static func trial(_ name: String) throws -> InferenceTrial? {
    try url(name).map { try .whole($0, fileName: "\(name).\($0.pathExtension)") }
  }

  private static func measure(_ name: String) throws -> ModelMeasure? {
    guard let trial = try trial(name) else { return nil }
    let text = try Fixture.text("Fixtures/inference/\(name).txt")
    return ModelMeasure(trial.inferred, against: PersonalModel(text))
  }

  @Test(arguments: documents)
  func `has nine of ten things that a person found, and at most one of ten otherwise`(
    document: String
  ) throws {
    guard let measure = try Self.measure(document) else {
      print("skipped \(document): it is not beside the repository")
      return
    }
    #expect(measure.isGood, "\(document): \(measure.summary)")
  }

  @Test func `has the names that a person would give, nine of ten`() throws {
    let measures = try Self.documents.compactMap(Self.measure)
    let entities = measures.reduce(0) { $0 + $1.found.count { $0.hasPrefix("entity ") } }
    let names = measures.flatMap(\.names)
    #expect(names.count * 10 <= entities, "\(names)")
  }

  @Test(arguments: documents)
  func `imports its document and writes it again`(document: String) throws {
    guard let trial = try Self.trial(document), trial.document.count < 1 << 20 else {
      return
    }
    let known = Self.losses[document] ?? []
    let unknown = try trial.differences().filter { line in !known.contains { line.contains($0) } }
    #expect(unknown == [])
    #expect(trial.model.warnings.isEmpty)
  }

  /// The directory of documents that are no fixtures, each with a person's model: `GRAFT_FRESH=DIRECTORY`.
  private static let fresh = ProcessInfo.processInfo.environment["GRAFT_FRESH"].map {
    URL(fileURLWithPath: $0)
  }

  @Test(.enabled(if: fresh != nil, "GRAFT_FRESH names no directory of documents"))
  func `is compared with what people found in fresh documents`() throws {
    guard let fresh = Self.fresh else { return }
    let files = try FileManager.default.contentsOfDirectory(
      at: fresh, includingPropertiesForKeys: nil)
    var all = (found: 0, expected: 0, wrong: 0, claimed: 0)
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension != "txt" {
      let expectation = file.deletingPathExtension().appendingPathExtension("txt")
      guard let text = try? String(contentsOf: expectation, encoding: .utf8) else { continue }
      guard let trial = try? InferenceTrial.whole(file, fileName: file.lastPathComponent) else {
        let count = PersonalModel(text).factCount
        all.expected += count
        print("0 % \(file.lastPathComponent): no model, \(count) facts")
        continue
      }
      let measure = ModelMeasure(trial.inferred, against: PersonalModel(text))
      let count = measure.found.count + measure.missing.count
      all.found += measure.found.count
      all.expected += count
      all.wrong += measure.wrong.count
      all.claimed += measure.claimCount
      print(
        "\(measure.found.count * 100 / max(count, 1)) % \(file.lastPathComponent): \(measure.summary)"
      )
      print(
        "  names: \(measure.names), differences: \((try? trial.differences()) ?? ["not imported"])")
    }
    print("found \(all.found) of \(all.expected), wrong \(all.wrong) of \(all.claimed)")
  }

  /// Paths that an export writes otherwise: dates with an offset, and objects with fewer keys at
  /// one of their places.
  private static let losses: [String: [String]] = [
    "cyclonedx": ["$.metadata.timestamp"], "github-events": [".actor.display_login"],
    "mitre-attack": ["].modified"], "twitter-timeline": [".created_at"],
    "shopify": [".created_at"], "calendar": [".dateTime"], "playlist": [".added_by.display_name"],
    "telegram": [".reply_to_message.reply_to_message"],
    // The header of rows.
    "census": ["$: [["],
  ]
}
