import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// After each change of the model and each import, a database equals a fresh import of everything
/// that documents have said, by the last model.
///
/// Otherwise the change was refused with a reason.
@Suite struct `Laws of a model that changes` {
  @Test(arguments: DatabaseKind.sharing(Seeds.some(12, of: 400)))
  func `each generation finds what documents have said before`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var generations = RandomGenerations(&random)
    let place = try TrialDatabase(kind)
    var history: [String] = []
    var database = try place.open(generations.model(&random))
    for generation in 0..<10 {
      if generation > 0 {
        let before = generations
        history.append(generations.change(&random))
        let model = try generations.model(&random)
        let expected = Result { try generations.store(for: model).graph }
        let found = Result { try place.open(model) }
        let comment = Comment(rawValue: "seed \(seed), \(generation): \(history)")
        switch (expected, found) {
        case (.success(let graph), .success(let opened)):
          database = opened
          try generations.compare(opened.graph(), graph, comment)
        case (.failure, .failure(let error as StoreError)):
          // A refusal says what and why, and changes nothing.
          try #require(error.message.contains("\"p") || error.message.contains("\"E"), comment)
          generations = before
          history.append("refused: \(error.message.suffix(150))")
          database = try place.openAgain()
          try before.compare(database.graph(), before.store(for: database.model).graph, comment)
        case (.success, .failure(let error)):
          Issue.record("refused: \(error); \(comment.rawValue); \(generations.everything)")
          return
        case (.failure(let error), .success):
          Issue.record("not refused: \(error); \(comment.rawValue); \(generations.everything)")
          return
        case (.failure, .failure(let error)):
          Issue.record("\(error); \(comment.rawValue)")
          return
        }
      }
      // The same document, into the database and into a fresh import of all before.
      let text = generations.document(&random)
      history.append(text)
      let comment = Comment(rawValue: "seed \(seed), \(generation): \(history)")
      let store = try generations.store(for: database.model)
      let expected = Result {
        try store.importJSON(generations.roots, from: Data(text.utf8))
      }
      let found = Result {
        let importer = try database.makeSourceImporter(
          generations.roots, options: .with { $0.savePolicy.objects = 2 })
        try importer.parse(Data(text.utf8))
        _ = try importer.finish()
      }
      switch (expected, found) {
      case (.success, .success): break
      case (.failure, .failure): break
      case (.success, .failure(let error)), (.failure(let error), .success):
        Issue.record("\(error); \(comment.rawValue)")
        return
      }
      try generations.compare(database.graph(), store.graph, comment)
      try #require(try place.faults() == [], comment)
      try generations.read(store.graph)
    }
  }
}

extension RandomGenerations {
  /// Requires that two graphs have the same objects.
  fileprivate func compare(_ found: Graph, _ expected: Graph, _ comment: Comment) throws {
    let (found, expected) = (try describe(found), try describe(expected))
    let difference =
      "found \(found.filter { !expected.contains($0) }), expected \(expected.filter { !found.contains($0) })"
    try #require(found == expected, "\(difference); \(comment.rawValue)")
  }
}
