import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

/// A query reads the same as the whole graph has, or throws an error that names the relationship to
/// follow.
@Suite struct `Laws of partial graphs` {
  /// Something of an object that can be asked for.
  private enum Question {
    case attribute(String)
    case relationship(RelationshipSchema)
    case isStub
  }

  private static func questions(_ object: GraphObject) -> [Question] {
    object.schema.attributes.map { .attribute($0.name) }
      + object.schema.relationships.map { .relationship($0) } + [.isStub]
  }

  private static func answer(_ question: Question, _ object: GraphObject) -> String {
    switch question {
    case .attribute(let name): return "\(String(describing: object[name]))"
    case .isStub: return "\(object.isStub)"
    case .relationship(let relationship):
      let targets =
        relationship.isToMany
        ? object.objects(relationship.name)
        : object.object(relationship.name).map { [$0] } ?? []
      // The identity is known of any object.
      let names = targets.map { "\($0.entityName) \(String(describing: $0["id"]))" }
      return "\(relationship.isOrdered ? names : names.sorted())"
    }
  }

  /// The answer of a partial graph, or why there is none.
  private static func partialAnswer(
    _ question: Question, _ object: GraphObject
  ) -> Result<String, StoreError> {
    UnreadNotes.catching { notes in
      let answer = answer(question, object)
      return notes.error.map { .failure($0) } ?? .success(answer)
    }
  }

  /// A database of a random model, with what two documents have brought.
  private struct Trial {
    let place: TrialDatabase
    let family: RandomFamily
    let database: GraphDatabase
    let documents: [String]
    let whole: Graph

    init(_ kind: DatabaseKind, _ random: inout SeededGenerator) throws {
      family = try RandomFamily(&random)
      place = try TrialDatabase(kind)
      database = try place.open(family.model)
      documents = [family.document(&random), family.document(&random)]
      for text in documents {
        let importer = try database.makeImporter([family.root], options: Self.options)
        try importer.parse(Data(text.utf8))
        _ = try importer.finish()
      }
      whole = try database.graph()
    }

    static var options: ImportOptions {
      var options = ImportOptions()
      options.parser.format = .ndjson
      options.errorPolicy = .skipObject
      return options
    }

    func counterpart(_ object: GraphObject, in graph: Graph) throws -> GraphObject? {
      try graph.object(object.entityName, identifiedBy: ["id": object["id"] ?? .integer(-1)])
    }

    /// Paths that the model allows, some of them through sub-entities.
    func paths(_ entity: String, _ random: inout SeededGenerator) throws -> [String] {
      var paths: [String] = []
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        var names: [String] = []
        var entity = try family.model.schema.entity(entity)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let relationships = entity.family.flatMap {
            family.model.schema.entities[$0].relationships
          }
          guard let next = relationships.randomElement(using: &random) else { break }
          names.append(next.name)
          entity = family.model.schema.entities[next.destination]
        }
        if !names.isEmpty { paths.append(names.joined(separator: ".")) }
      }
      return paths
    }
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(20, of: 80)))
  func `an answer is that of the whole graph, or names what gives it`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let trial = try Trial(kind, &random)
    let entities = trial.family.model.schema.entities.filter { $0.superentity == nil }.map(\.name)
    for entity in entities {
      let paths = try trial.paths(entity, &random)
      let limit = Int.random(in: 1...3, using: &random)
      let found = try trial.database.objects(entity, limit: limit, following: paths)
      guard let graph = found.first?.graph else { continue }
      let roots = Set(found.map(\.id))
      var remedies: [String: Graph] = [:]
      let objects = try entities.flatMap { try Array(graph.objects($0)) }
      for object in objects {
        let original = try #require(try trial.counterpart(object, in: trial.whole))
        for question in Self.questions(object) {
          let place = "seed \(seed): \(object), \(question), following \(paths) of \(entity)"
          let expected = Self.answer(question, original)
          switch Self.partialAnswer(question, object) {
          case .success(let answer): try #require(answer == expected, "\(place)")
          case .failure(let error):
            try #require(error.kind == .notRead, "\(place): \(error)")
            let path = try #require(error.following, "\(place): \(error)")
            if roots.contains(object.id) {
              guard case .relationship(let relationship) = question, relationship.isToMany,
                path == relationship.name
              else {
                Testing.Issue.record("\(place): \(error)")
                continue
              }
            }
            if remedies[path] == nil {
              remedies[path] =
                try trial.database.objects(entity, limit: limit, following: paths + [path])
                .first?.graph
            }
            let more = try #require(
              try remedies[path].flatMap { try trial.counterpart(object, in: $0) }, "\(place)")
            guard case .success(let answer) = Self.partialAnswer(question, more) else {
              Testing.Issue.record("\(place): following \(path) does not read it")
              continue
            }
            try #require(answer == expected, "\(place)")
          }
        }
      }
    }
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(16, of: 60)))
  func `an export that succeeds changes nothing where it is imported`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let trial = try Trial(kind, &random)
    let store = GraphStore(model: trial.family.model)
    for text in trial.documents {
      let importer = try store.makeImporter([trial.family.root], options: Trial.options)
      try importer.parse(Data(text.utf8))
      _ = try importer.finish()
    }
    let before = try store.graph.content(depth: 2)
    try #require(try trial.whole.content(depth: 2) == before)
    let exporter = try JSONExporter(model: trial.family.model)
    var paths = try trial.paths("E0", &random)
    var found = try trial.database.objects("E0", limit: 3, following: paths)
    var text: Data?
    // Each error names what reads at least one object more.
    for _ in 0...trial.whole.count(ofAll: trial.family.model) * 8 where text == nil {
      do {
        text = try exporter.data(.objects(found))
      } catch let error as ExportError {
        try #require(error.kind == .notRead, "seed \(seed): \(error)")
        let path = try #require((error.underlyingError as? StoreError)?.following)
        try #require(!paths.contains(path), "seed \(seed): \(path)")
        paths.append(path)
        found = try trial.database.objects("E0", limit: 3, following: paths)
      }
    }
    let exported = try #require(text, "seed \(seed)")
    try store.importJSON([ImportRoot("E0")], from: Array(exported))
    let place = "seed \(seed): \(String(decoding: exported, as: UTF8.self)), following \(paths)"
    try #require(try store.graph.content(depth: 2) == before, "\(place)")
  }
}

extension Graph {
  /// The number of all objects.
  fileprivate func count(ofAll model: GraphModel) -> Int {
    model.schema.entities.reduce(0) { $0 + liveCount($1.number) }
  }
}
