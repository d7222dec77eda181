/// The annotation names of all dialects together.
enum DialectNames {
  /// Graft's names include Groot's, so only names that Groot lacks count as Graft's.
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

  /// The dialects of the importers that use a name.
  static func dialects(of name: String) -> [Dialect] {
    byDialect.filter { $0.names.contains(name) }.map(\.dialect)
  }
}

/// Finds out for which dialect a model was made, by the names of its annotations.
///
/// ZDS has no annotation names of its own: an entity's annotation there has a JSON key as its name
/// and one of the entity's properties as its value. Such annotations count only if the model has
/// none of another dialect. `type`, which MagicalRecord reads on relationships without effect, is
/// too common a word to count.
package struct DialectDetection {
  /// The number of annotations of each dialect in the model.
  private var counts: [Dialect: Int] = [:]
  private var looksLikeZDS = false
  /// The dialect that an entity names.
  private var named: Dialect?

  package init(_ entities: [EntityDescription]) {
    for entity in entities {
      count(entity.userInfo)
      named = named ?? entity.userInfo[ModelAnnotations.dialect].flatMap(Dialect.init)
      for attribute in entity.attributes { count(attribute.userInfo) }
      for relationship in entity.relationships { count(relationship.userInfo) }
    }
    looksLikeZDS = counts.isEmpty && Self.hasMap(entities)
  }

  /// The dialect for which the model was made.
  ///
  /// It is the dialect that the model names, Graft's if one of Graft's own names occurs, or else
  /// the dialect with most names.
  package var dialect: Dialect {
    if let named { return named }
    if looksLikeZDS { return .zds }
    if counts[.graft] != nil { return .graft }
    var best = Dialect.graft
    var most = 0
    for candidate in Dialect.allCases where counts[candidate, default: 0] > most {
      (best, most) = (candidate, counts[candidate, default: 0])
    }
    return best
  }

  /// Reports annotations of other importers than the chosen one.
  func report(chosen: Dialect, log: IssueLog) {
    let others = Dialect.allCases.filter { other in
      counts[other] != nil && other != chosen && !(chosen == .graft && other == .groot)
    }
    guard !others.isEmpty else { return }
    let names = AnnotationReader.enumeration(of: others.map(\.rawValue))
    if counts[chosen] != nil || (chosen == .graft && counts[.groot] != nil) {
      log.warning(
        "the model mixes annotations of several importers: dialect \(chosen.rawValue) is used, "
          + "and those of \(names) are not read; "
          + "name another dialect or annotate anew")
    } else {
      log.warning(
        "the model has annotations of \(names), which dialect \(chosen.rawValue) does not read; "
          + "name that dialect"
      )
    }
  }

  private mutating func count(_ userInfo: [String: String]) {
    for name in userInfo.keys where name != "type" {
      for dialect in DialectNames.dialects(of: name) { counts[dialect, default: 0] += 1 }
    }
  }

  /// Whether some entity maps a JSON key to a property.
  ///
  /// A misspelt `identityAttributes` has the name of a property as its value too, but is no JSON key.
  private static func hasMap(_ entities: [EntityDescription]) -> Bool {
    let names = PropertyNames(entities)
    return entities.contains { entity in
      guard !entity.userInfo.isEmpty else { return false }
      let properties = names.names(of: entity)
      return entity.userInfo.contains { key, value in
        properties.contains(value) && nearestName(to: key, in: DialectNames.onEntities) == nil
      }
    }
  }
}

/// The names of entities' properties before a model is compiled.
struct PropertyNames {
  private let entities: [String: EntityDescription]

  init(_ entities: [EntityDescription]) {
    self.entities = Dictionary(
      entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The names of an entity's properties, inherited ones included.
  func names(of entity: EntityDescription) -> Set<String> {
    var names: Set<String> = []
    var next: EntityDescription? = entity
    // The limit also ends a cycle, which EntityHierarchy reports.
    for _ in 0..<ModelLimits.depth {
      guard let entity = next else { break }
      names.formUnion(entity.attributes.lazy.map(\.name))
      names.formUnion(entity.relationships.lazy.map(\.name))
      next = entity.superentity.flatMap { entities[$0] }
    }
    return names
  }
}
