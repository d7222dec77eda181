import Foundation
import GraftPostgres
import GraftSQLite

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A kind of database, for which the laws of databases hold.
enum DatabaseKind: String, CaseIterable, Sendable {
  case sqlite
  case postgres
  /// Tables that are distributed over the machines of a cluster of Citus.
  case citus

  /// The kinds that are installed on this machine; a cluster, which takes minutes, only if the
  /// environment asks for it.
  static var present: [DatabaseKind] {
    #if canImport(CPQ)
    isClusterWanted && PostgresServer.hasCitus
      ? allCases : PostgresServer.isPresent ? [.sqlite, .postgres] : [.sqlite]
    #else
    [.sqlite]
    #endif
  }

  private static let isClusterWanted =
    ProcessInfo.processInfo.environment["GRAFT_CITUS"] == "1"

  /// Whether it is on a server.
  var isOnServer: Bool { self != .sqlite }

  /// Each seed with one of the kinds in turn, so that each has its share; with every kind if all seeds are tried.
  static func sharing(_ seeds: [UInt64]) -> [(kind: DatabaseKind, seed: UInt64)] {
    Seeds.areAllTried
      ? seeds.flatMap { seed in present.map { ($0, seed) } }
      : seeds.enumerated().map { (present[$0 % present.count], $1) }
  }

  /// Each kind with each value.
  static func with<Value>(_ values: [Value]) -> [(DatabaseKind, Value)] {
    present.flatMap { kind in values.map { (kind, $0) } }
  }
}

/// An empty database of some kind, which goes with this object or with the tests.
final class TrialDatabase: Sendable {
  private let file = TemporaryDatabase()
  private let kind: DatabaseKind
  private let address: String

  init(_ kind: DatabaseKind) throws {
    self.kind = kind
    #if canImport(CPQ)
    address =
      switch kind {
      case .sqlite: ""
      case .postgres: try PostgresServer.shared.get().emptySchema()
      case .citus: try PostgresServer.cluster.get().emptySchema()
      }
    #else
    address = ""
    #endif
  }

  /// The address for `graft import --into`.
  var commandLineAddress: String {
    if kind == .sqlite { return file.url.path }
    // Words such as `host=/tmp/x options='-csearch_path=y'` as those of a URL.
    let words = address.split(separator: " ").map { word in
      let parts = word.replacing("'", with: "").split(separator: "=", maxSplits: 1)
      let value = parts.last?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
      return "\(parts.first ?? "")=\(value ?? "")"
    }
    return "postgres:///?" + words.joined(separator: "&")
  }

  /// Opens an empty database, which goes with the object that it returns.
  static func opened(_ kind: DatabaseKind, _ model: GraphModel) throws -> GraphDatabase {
    let place = try TrialDatabase(kind)
    let database = try place.open(model)
    return try GraphDatabase(model: model) { () throws(StoreError) in
      _ = place
      return try database.connect()
    }
  }

  /// Opens it.
  func open(_ model: GraphModel) throws -> GraphDatabase {
    switch kind {
    case .sqlite: try GraphDatabase(model: model, at: file.url, configuration: .quick)
    case .postgres: try GraphDatabase(model: model, onPostgres: address)
    case .citus: try GraphDatabase(model: model, onPostgres: address, distributed: true)
    }
  }

  /// Opens it with the model that it was made for.
  func openAgain() throws -> GraphDatabase {
    switch kind {
    case .sqlite: try GraphDatabase(contentsOf: file.url, configuration: .quick)
    case .postgres, .citus: try GraphDatabase(contentsOfPostgres: address)
    }
  }

  /// Returns the faults that the database finds; Postgres refuses them when they are written.
  func faults() throws -> [String] {
    kind == .sqlite ? try file.integrityFaults() : []
  }
}
