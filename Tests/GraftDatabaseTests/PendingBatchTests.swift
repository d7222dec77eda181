import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

extension GraphDatabase {
  /// Makes an importer as one of a source has it, which reads a batch while it writes the one before.
  func makeSourceImporter(
    _ roots: [ImportRoot], options: ImportOptions = ImportOptions()
  ) throws -> JSONImporter {
    let importer = try _prepareImport(roots, of: .data(Data()), options: options)
    try importer.begin()
    return importer
  }
}

/// Commits take so long here that look-ups of a batch come while the one before is on its way.
@Suite struct `A batch that is written while the next is read` {
  private static let options = ImportOptions.with {
    $0.parser.format = .ndjson
    $0.savePolicy.objects = 1
  }

  /// Imports a document, and returns what the report counts, or the error.
  private func outcome(_ importer: JSONImporter, _ text: String) -> String {
    do {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        try importer.parse(Data("\(line)\n".utf8))
      }
      return "\(try importer.finish().entities)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: Seeds.some(12, of: 60))
  func `is found by the next as if it had been written`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random, removes: false)
    let (file, otherFile) = (TemporaryDatabase(), TemporaryDatabase())
    let other = try GraphDatabase(model: family.model, at: otherFile.url, configuration: .quick)
    let database = try SlowCommits(taking: 0.002).open(family.model, file)
    for round in 0..<4 {
      let text = family.document(&random)
      var options = Self.options
      options.errorPolicy = .skipObject
      options.savePolicy.objects = Int.random(in: 1...3, using: &random)
      options.mode =
        [.upsert, .upsert, .insertOnly, .updateOnly].randomElement(using: &random) ?? .upsert
      options.relationships.reference = ReferencePolicy.allCases.randomElement(using: &random)
      let expected = outcome(
        try other.makeImporter([family.root], options: options), text)
      let found = outcome(
        try database.makeSourceImporter([family.root], options: options), text)
      let place = Comment(rawValue: "seed \(seed), round \(round): \(text)")
      try #require(found == expected, place)
      try #require(
        try database.graph().content(depth: 2) == (try other.graph().content(depth: 2)), place)
      try #require(try file.integrityFaults() == [], place)
    }
  }

  private static func line(_ number: Int) -> String {
    #"{"id": \#(number), "text": "t\#(number)", "author": {"id": \#(number % 3), "name": "n\#(number)"}}"#
  }

  @Test(arguments: 1...5, [nil, 2, 4, 5])
  func `fails before any later error, with the same error, and leaves the same`(
    failing: Int, mistake: Int?
  ) throws {
    let lines = (0..<6).map { $0 == mistake ? "{\"id\": oops" : Self.line($0) }
    func load(behind: Bool) throws -> (outcome: String, content: [String: Int]) {
      let file = TemporaryDatabase()
      let database = try SlowCommits(taking: 0.01, failing: failing).open(.posts(), file)
      var options = Self.options
      options.writesBehind = behind
      let importer = try database.makeSourceImporter([ImportRoot("Post")], options: options)
      let outcome = outcome(importer, lines.joined(separator: "\n"))
      #expect(try file.integrityFaults() == [])
      return (outcome, try database.graph().content(depth: 2))
    }
    let (expected, found) = (try load(behind: false), try load(behind: true))
    #expect(found.outcome == expected.outcome)
    #expect(found.content == expected.content)
    let failsFirst = mistake.map { failing <= $0 } ?? true
    #expect(found.outcome.contains(failsFirst ? "commit \(failing) fails" : "found 'o'"))
  }

  @Test func `is saved, when the import is given up`() throws {
    let database = try SlowCommits(taking: 0.05).open(.posts(), TemporaryDatabase())
    let importer = try database.makeSourceImporter([ImportRoot("Post")], options: Self.options)
    for number in 0..<3 { try importer.parse(Data("\(Self.line(number))\n".utf8)) }
    importer.cancel()
    #expect(try database.count(of: "Post") == 3)
  }

  @Test(arguments: [(objects: 1, connections: 2), (objects: 100, connections: 1)])
  func `takes a second connection from the first save on`(
    objects: Int, connections: Int
  ) throws {
    let commits = SlowCommits(taking: 0)
    let file = TemporaryDatabase()
    let database = try commits.open(.posts(), file)
    var options = Self.options
    options.savePolicy.objects = objects
    let importer = try database.makeSourceImporter([ImportRoot("Post")], options: options)
    _ = outcome(importer, (0..<10).map(Self.line).joined(separator: "\n"))
    #expect(commits.connectionCount == connections)
  }

  @Test func `is in the database when a chunk that was handed over has been read`() throws {
    let commits = SlowCommits(taking: 0.01)
    let file = TemporaryDatabase()
    let database = try commits.open(.posts(), file)
    let importer = try database.makeImporter([ImportRoot("Post")], options: Self.options)
    for number in 0..<5 {
      try importer.parse(Data("\(Self.line(number))\n".utf8))
      #expect(try database.count(of: "Post") == number + 1)
    }
    _ = try importer.finish()
  }

  @Test func `is in the database when a sequence is asked for more`() async throws {
    let database = try SlowCommits(taking: 0.01).open(.posts(), TemporaryDatabase())
    let lines = (0..<5).lazy.map { number -> Data in
      #expect((try? database.count(of: "Post")) == number)
      return Data("\(Self.line(number))\n".utf8)
    }
    try await database.importJSON(
      [ImportRoot("Post")], from: .chunks(lines), options: Self.options)
    #expect(try await database.count(of: "Post") == 5)
  }
}
