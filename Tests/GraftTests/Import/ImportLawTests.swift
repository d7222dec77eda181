import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Laws that hold for every model and every document.
@Suite struct `Laws of importing` {
  private static let seeds = Seeds.some(16, of: 40)

  /// The policy for bare identifiers under which a seed is tried.
  private static func policy(_ seed: UInt64, of policies: [ReferencePolicy]) -> ReferencePolicy {
    policies[Int(seed) % policies.count]
  }

  /// A model and a document of a seed, and the generator that goes on from there.
  private func make(
    _ seed: UInt64, namesAny: Bool = false
  ) throws -> (RandomImport, RandomValue, SeededGenerator) {
    var random = SeededGenerator(seed: seed)
    let sample = try RandomImport(&random)
    return (sample, sample.document(&random, namesAny: namesAny), random)
  }

  /// Returns the graph and the report of an import, or its error.
  private func outcome(
    _ sample: RandomImport, _ text: String, _ options: ImportOptions, chunk: Int?
  ) throws -> String {
    let trial = sample.trial()
    do {
      var report = try trial.load(text, options, chunk: chunk)
      report.duration = .zero
      return "\(trial.text)\(report)"
    } catch let error as ImportError {
      return error.description
    }
  }

  @Test(arguments: seeds)
  func `a document may be cut anywhere, whatever becomes of bare identifiers`(seed: UInt64) throws {
    var (sample, document, random) = try make(seed, namesAny: true)
    let text = document.text(shuffledBy: &random)
    let policy = Self.policy(seed, of: ReferencePolicy.allCases)
    let options = ImportOptions.with { $0.relationships.reference = policy }
    let whole = try outcome(sample, text, options, chunk: nil)
    for size in [1, 2, 3, 7, 64] {
      let cut = try outcome(sample, text, options, chunk: size)
      try #require(cut == whole, "seed \(seed), \(policy), chunks of \(size): \(text)")
    }
  }

  @Test(arguments: seeds)
  func `the keys of an object may stand in any order`(seed: UInt64) throws {
    let policy = Self.policy(seed, of: [.stub, .defer])
    // Identifiers of objects whose entity is open can wait for the end, but make no stub.
    var (sample, document, random) = try make(seed, namesAny: policy == .defer)
    let options = ImportOptions.with { $0.relationships.reference = policy }
    // For an object with two places the later values win, and the order of keys may decide which is
    // later.
    document = document.withDistinctIdentities(&random)
    let first = sample.trial()
    try first.load(document.text(shuffledBy: &random, false), options)
    let expected = try first.store.graph.content(depth: 2)
    for _ in 0..<3 {
      let text = document.text(shuffledBy: &random)
      let other = sample.trial()
      try other.load(text, options)
      try #require(
        try other.store.graph.content(depth: 2) == expected, "seed \(seed), \(policy): \(text)")
    }
  }

  @Test(arguments: seeds)
  func `several roots may be cut anywhere and stand in any order`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sample = try RandomImport(&random)
    let (repeated, roots) = try sample.documentOfRoots(&random)
    let document = repeated.withDistinctIdentities(&random)
    var expected: [String: Int]?
    for chunk in [nil, 1, 33] {
      let text = document.text(shuffledBy: &random)
      let trial = sample.trial()
      let report = try trial.load(text, roots, chunk: chunk)
      let content = try trial.store.graph.content(depth: 2)
      try #require(content == expected ?? content, "seed \(seed): \(text)")
      expected = content
      #expect(report.roots.map(\.root) == roots)
      guard sample.isIdentified else { continue }
      let before = trial.text
      let second = try trial.load(text, roots)
      try #require(trial.text == before, "seed \(seed): \(text)")
      try #require(second.insertedCount + second.updatedCount == 0, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: seeds)
  func `importing twice changes nothing`(seed: UInt64) throws {
    let policy = Self.policy(seed, of: [.stub, .defer])
    var (sample, document, random) = try make(seed, namesAny: policy == .defer)
    guard sample.isIdentified else { return }
    // An object that stands twice with different values is changed there and back each time.
    document = document.withDistinctIdentities(&random)
    let text = document.text(shuffledBy: &random)
    let options = ImportOptions.with { $0.relationships.reference = policy }
    let trial = sample.trial()
    let first = try trial.load(text, options)
    let before = trial.text
    let second = try trial.load(text, options)
    #expect(trial.text == before, "seed \(seed): \(text)")
    #expect(second.insertedCount == 0 && second.updatedCount == 0, "seed \(seed): \(text)")
    #expect(second.unchangedCount == first.insertedCount, "seed \(seed): \(text)")
  }

  @Test(arguments: seeds)
  func `importing a document of repeated objects twice gives the same graph`(seed: UInt64) throws {
    var (sample, document, random) = try make(seed)
    guard sample.isIdentified else { return }
    let text = document.text(shuffledBy: &random)
    let trial = sample.trial()
    try trial.load(text)
    // Members that a later object took out may have been known first: the second pass settles them.
    try trial.load(text)
    let before = trial.text
    let third = try trial.load(text)
    #expect(trial.text == before, "seed \(seed): \(text)")
    #expect(third.insertedCount == 0)
  }

  @Test(arguments: seeds)
  func `a document that is refused leaves the store as it was`(seed: UInt64) throws {
    var (sample, document, random) = try make(seed)
    let bytes = Array(document.text(shuffledBy: &random).utf8)
    let trial = sample.trial()
    for _ in 0..<20 {
      let before = trial.store.graph.storage
      let damaged = RandomDocument.damage(bytes, &random)
      let importer = try trial.store.makeImporter(entity: "E0")
      do {
        try importer.parse(Data(damaged))
        _ = try importer.finish()
      } catch is ImportError {
        try #require(
          trial.store.graph.storage === before,
          "seed \(seed): \(String(decoding: damaged, as: UTF8.self))")
      }
    }
  }
}
