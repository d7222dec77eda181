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
  /// The policies of a model where no annotation says otherwise; a nil policy is Graft's default.
  package var policies: Policies { rules.policies }
  /// Whether a member is deleted when a replacing array no longer lists it, if the inverse is
  /// to-one.
  ///
  /// With a to-one inverse a member has at most one owner.
  package var deletesRemovedChildren: Bool { rules.deletesRemovedChildren }
  /// Whether abstract entities have objects.
  package var instantiatesAbstract: Bool { rules.instantiatesAbstract }
  /// Whether a to-one object of an entity without identity is written into the object that is linked
  /// already.
  package var fillsExistingTarget: Bool { rules.fillsExistingTarget }

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
