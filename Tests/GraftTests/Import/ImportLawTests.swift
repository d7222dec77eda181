import Foundation
import Testing

@testable import Graft

/// What holds for every model and every document.
@Suite struct `Laws of importing` {
  private static let seeds: ClosedRange<UInt64> = 1...60

  /// A model and a document of a seed, written in its first order.
  private func make(_ seed: UInt64) -> (RandomImport, RandomImport.Value, SeededGenerator) {
    var random = SeededGenerator(seed: seed)
    let sample = RandomImport(&random)
    return (sample, sample.document(&random), random)
  }

  /// The objects with their values and what they lead to: what does not depend on the order in which
  /// objects were inserted.
  private func content(_ graph: Graph) throws -> Set<String> {
    var result: Set<String> = []
    for entity in graph.schema.entities {
      for object in try graph.objects(entity.name) {
        result.insert(Self.describe(object, depth: 3))
      }
    }
    return result
  }

  private static func describe(_ object: GraphObject, depth: Int) -> String {
    let entity = object.schema
    var parts = entity.attributes.map { "\($0.name)=\(String(describing: object[$0.name]))" }
    parts.append("stub=\(object.isStub)")
    for relationship in entity.relationships where depth > 0 {
      let targets =
        relationship.isToMany
        ? object.objects(relationship.name)
        : object.object(relationship.name).map { [$0] } ?? []
      let texts = targets.map { describe($0, depth: depth - 1) }
      parts.append("\(relationship.name)=\(relationship.isOrdered ? texts : texts.sorted())")
    }
    return entity.name + parts.description
  }

  @Test(arguments: seeds)
  func `a document may be cut anywhere`(seed: UInt64) throws {
    var (sample, document, random) = make(seed)
    let text = document.text(shuffledBy: &random)
    let whole = try ImportTrial(sample.entities)
    var report = try whole.load(text)
    report.duration = .zero
    for size in [1, 2, 3, 7, 64] {
      let cut = try ImportTrial(sample.entities)
      var other = try cut.load(text, chunk: size)
      other.duration = .zero
      try #require(cut.text == whole.text, "seed \(seed), chunks of \(size): \(text)")
      try #require(other == report)
    }
  }

  @Test(arguments: seeds)
  func `the keys of an object may stand in any order`(seed: UInt64) throws {
    var (sample, document, random) = make(seed)
    // Where an object stands twice the later values win, and the order of keys may say which is later.
    var next = 100
    document = document.withDistinctIdentities(&next)
    let first = try ImportTrial(sample.entities)
    try first.load(document.text(shuffledBy: &random, false))
    let expected = try content(first.store.graph)
    for _ in 0..<4 {
      let text = document.text(shuffledBy: &random)
      let other = try ImportTrial(sample.entities)
      try other.load(text)
      try #require(try content(other.store.graph) == expected, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: seeds)
  func `importing twice changes nothing`(seed: UInt64) throws {
    var (sample, document, random) = make(seed)
    guard sample.isIdentified else { return }
    // An object that stands twice with different values is changed there and back each time.
    var next = 100
    document = document.withDistinctIdentities(&next)
    let text = document.text(shuffledBy: &random)
    let trial = try ImportTrial(sample.entities)
    let first = try trial.load(text)
    let before = trial.text
    let second = try trial.load(text)
    #expect(trial.text == before, "seed \(seed): \(text)")
    #expect(second.insertedCount == 0 && second.updatedCount == 0, "seed \(seed): \(text)")
    #expect(second.unchangedCount == first.insertedCount, "seed \(seed): \(text)")
  }

  @Test(arguments: seeds)
  func `importing a document of repeated objects twice gives the same graph`(seed: UInt64) throws {
    var (sample, document, random) = make(seed)
    guard sample.isIdentified else { return }
    let text = document.text(shuffledBy: &random)
    let trial = try ImportTrial(sample.entities)
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
    var (sample, document, random) = make(seed)
    let bytes = Array(document.text(shuffledBy: &random).utf8)
    let trial = try ImportTrial(sample.entities)
    var before = trial.text
    for _ in 0..<40 {
      let damaged = RandomDocument.damage(bytes, &random)
      let importer = try trial.store.makeImporter(entity: "E0")
      do {
        try importer.parse(Data(damaged))
        _ = try importer.finish()
        before = trial.text
      } catch is ImportError {
        try #require(
          trial.text == before, "seed \(seed): \(String(decoding: damaged, as: UTF8.self))")
      }
    }
  }
}
