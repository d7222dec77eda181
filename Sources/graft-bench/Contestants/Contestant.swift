import CommandLineSupport
import Foundation
import Graft

/// A way to read a document, which the benchmark measures.
struct Contestant: Sendable {
  /// The name by which options and figures call it.
  let name: String
  /// The name that the table shows.
  let title: String
  /// Whether the contestant takes a document in chunks; otherwise it gets the whole document at once.
  let readsChunks: Bool
  /// Makes a reader for one run.
  let makeReader: @Sendable (Subject) throws -> any DocumentReader
}

/// One run of a contestant through one document.
///
/// A reader keeps its results alive, so that no measurement includes freeing them.
protocol DocumentReader: AnyObject {
  /// Takes the next chunk, or the whole document.
  func read(_ bytes: Data) throws
  /// Ends the document.
  func finish() throws
}

/// The kind of objects in a document, for contestants with a model of their own.
enum Subject: Sendable {
  /// A timeline: `statuses` with users, hashtags and originals.
  case timeline
  /// Anything else, with the model file and root that an import needs.
  case other(model: String, entity: String, path: String?)
  /// A made document, with a made model.
  case mapped(GraphModel, entity: String, path: String?)
}

/// A document that a contestant does not accept.
struct ContestantError: Error, CustomStringConvertible {
  let description: String
}

/// All contestants, in the order of the table.
enum Field {
  static let contestants: [Contestant] = [
    yajlContestants, [.nativeParser, .nativeImporter], Contestant.slowerImporters,
    [.decoder, .serialization],
  ].flatMap(\.self)

  #if canImport(CYAJL)
  private static let yajlContestants: [Contestant] = [.yajl, .parser, .importer]
  #else
  private static let yajlContestants: [Contestant] = []
  #endif

  /// The name of YAJL alone, to which others are compared.
  static let yajl = "yajl"

  /// The names of YAJL alone, and of the import with each engine.
  static let engines = contestants.map(\.name).filter { [yajl, "import", "native"].contains($0) }

  /// Returns the contestants that take part.
  ///
  /// - Parameters:
  ///   - names: Their names; empty means all.
  ///   - subject: The content of the document; only a timeline has fields for `JSONDecoder`.
  /// - Returns: The contestants, in the order of the table.
  /// - Throws: `UsageError` for an unknown name.
  static func contestants(named names: [String], for subject: Subject) throws -> [Contestant] {
    for name in names where !contestants.contains(where: { $0.name == name }) {
      let known = contestants.map(\.name).joined(separator: ", ")
      throw UsageError("unknown contestant \"\(name)\"; there are \(known)")
    }
    return contestants.filter { contestant in
      guard names.isEmpty || names.contains(contestant.name) else { return false }
      if case .timeline = subject { return true }
      return contestant.name != Contestant.decoder.name
    }
  }
}
