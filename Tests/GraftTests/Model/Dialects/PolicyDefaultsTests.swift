import Testing

@testable import Graft

/// The rows of the design's table of semantics, by dialect.
@Suite struct PolicyDefaultsTests {
  @Test(
    arguments: [
      (.graft, .error), (.groot, .insert), (.magicalrecord, .insert), (.sync, .skip),
      (.dandy, .skip), (.zds, .insert),
    ] as [(Dialect, MissingIdentityPolicy)])
  func `identity missing or null`(dialect: Dialect, policy: MissingIdentityPolicy) {
    #expect(dialect.defaults.missingIdentity == policy)
  }

  @Test(arguments: Dialect.allCases)
  func `to-many array`(dialect: Dialect) {
    let expected: CollectionPolicy =
      [.magicalrecord, .zds].contains(dialect) ? .union : .replace
    #expect(dialect.defaults.collection == expected)
  }

  @Test(arguments: Dialect.allCases)
  func `removed members, of one owner and of several`(dialect: Dialect) {
    let owned = dialect.defaults.removed(inverseIsToMany: false)
    #expect(owned == (dialect == .sync ? .delete : .unlink))
    #expect(dialect.defaults.removed(inverseIsToMany: true) == .unlink)
    #expect(dialect.defaults.removed(inverseIsToMany: nil) == .unlink)
  }

  @Test(arguments: Dialect.allCases)
  func `bare identifier for an object`(dialect: Dialect) {
    #expect(dialect.defaults.reference == (dialect == .sync ? .ignore : .stub))
  }

  @Test(arguments: Dialect.allCases)
  func `object for to-many`(dialect: Dialect) {
    #expect(dialect.defaults.wrapsSingleObjects == [.magicalrecord, .zds].contains(dialect))
  }

  @Test(arguments: Dialect.allCases)
  func `abstract entities and objects without identity`(dialect: Dialect) {
    #expect(dialect.defaults.instantiatesAbstract == (dialect == .magicalrecord))
    #expect(dialect.defaults.fillsPresentTarget == (dialect == .sync))
  }

  @Test(arguments: Dialect.allCases)
  func `absent keeps and null clears`(dialect: Dialect) {
    #expect(dialect.defaults.onAbsentAttribute == .keep)
    #expect(dialect.defaults.onAbsentRelationship == .keep)
    #expect(dialect.defaults.onNullAttribute == .clear)
    #expect(dialect.defaults.onNullRelationship == .clear)
  }
}
