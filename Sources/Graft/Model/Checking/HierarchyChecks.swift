/// Looks for abstract entities that can never have an object.
struct HierarchyChecks {
  private let dialect: Dialect
  private let log: IssueLog

  init(_ dialect: Dialect, log: IssueLog) {
    self.dialect = dialect
    self.log = log
  }

  /// Reports entities that are abstract down to the last sub-entity.
  func run(_ entities: [EntitySchema]) {
    guard !dialect.rules.instantiatesAbstract else { return }
    for entity in entities where entity.family.allSatisfy({ entities[$0].isAbstract }) {
      log.warning(
        "abstract, and has no concrete entity below it, so it can have no objects; add one",
        entity: entity.name)
    }
  }
}
