/// The annotation names of all dialects together.
enum DialectNames {
  /// Graft's names include Groot's, and are counted as Graft's own only where Groot does not have
  /// them.
  private static let byDialect: [(dialect: Dialect, names: Set<String>)] = {
    let groot = Dialect.groot.rules.names.all
    return Dialect.allCases.map { dialect in
      let names = dialect.rules.names.all
      return (dialect, dialect == .graft ? names.subtracting(groot) : names)
    }
  }()

  /// The names that some dialect reads on entities.
  static let onEntities = Dialect.allCases.reduce(into: Set<String>()) { names, dialect in
    names.formUnion(dialect.rules.names.entity)
  }

  /// Whether any dialect reads a name.
  static func isKnown(_ name: String) -> Bool {
    byDialect.contains { $0.names.contains(name) }
  }

  /// The dialects to whose importers a name belongs.
  static func dialects(of name: String) -> [Dialect] {
    byDialect.filter { $0.names.contains(name) }.map(\.dialect)
  }
}
