// A new dialect also needs the files that CONTRIBUTING.md lists under "a dialect": its rules in
// `Dialects`, its row in the tests of semantics, and a page for users of that importer.

/// A set of annotation names, together with the policies of a model without annotations.
public enum Dialect: String, Sendable, Hashable, CaseIterable {
  /// Graft's own annotations, which include Groot's names.
  case graft
  /// The annotations and policies of Groot.
  case groot
  /// The annotations and policies of MagicalRecord's import.
  case magicalrecord
  /// The annotations and policies of Sync, also known as SwiftSync.
  case sync
  /// The annotations and policies of CoreDataDandy.
  case dandy
  /// The annotations and policies of ZDSStreamJSONParser.
  case zds
}

extension Dialect {
  /// What the dialect does where no annotation says otherwise.
  package var traits: any DialectTraits { rules }

  /// The rules for reading the dialect's annotations.
  var rules: any DialectRules {
    switch self {
    case .graft: GraftDialect()
    case .groot: GrootDialect()
    case .magicalrecord: MagicalRecordDialect()
    case .sync: SyncDialect()
    case .dandy: DandyDialect()
    case .zds: ZDSDialect()
    }
  }
}
