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

  /// Returns whether any dialect reads a name.
  static func isKnown(_ name: String) -> Bool { !dialects(of: name).isEmpty }

  /// Returns the dialects of the importers that use a name.
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
  /// The number of annotations of each dialect in the model, by the dialect's name.
  private var counts = [String: Int]()
  private var looksLikeZDS = false
  /// The dialect that an entity names.
  private var named: Dialect?

  package init(_ entities: [EntityDescription]) {
    let hierarchy = EntityHierarchy(entities, log: IssueLog())
    self.init(entities, PropertyTable.tables(of: entities, hierarchy, log: IssueLog()))
  }

  init(_ entities: [EntityDescription], _ tables: [PropertyTable]) {
    for entity in entities {
      count(entity.userInfo)
      named = named ?? entity.userInfo[ModelAnnotations.dialect].flatMap(Dialect.init)
      for attribute in entity.attributes { count(attribute.userInfo) }
      for relationship in entity.relationships { count(relationship.userInfo) }
    }
    looksLikeZDS = counts.isEmpty && Self.hasMap(entities, tables)
  }

  /// The dialect for which the model was made.
  ///
  /// It is the dialect that the model names, Graft's if one of Graft's own names occurs, or else
  /// the dialect with most names.
  package var dialect: Dialect {
    if let named { return named }
    if looksLikeZDS { return .zds }
    if count(of: .graft) > 0 { return .graft }
    var best = Dialect.graft
    for candidate in Dialect.allCases where count(of: candidate) > count(of: best) {
      best = candidate
    }
    return best
  }

  /// Reports annotations of other importers than the chosen one.
  func report(chosen: Dialect, log: IssueLog) {
    let others = Dialect.allCases.filter { other in
      count(of: other) > 0 && other != chosen && !(chosen == .graft && other == .groot)
    }
    guard !others.isEmpty else { return }
    let names = AnnotationReader.enumeration(of: others.map(\.rawValue))
    if count(of: chosen) > 0 || (chosen == .graft && count(of: .groot) > 0) {
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
      for dialect in DialectNames.dialects(of: name) {
        counts[dialect.rawValue, default: 0] += 1
      }
    }
  }

  private func count(of dialect: Dialect) -> Int { counts[dialect.rawValue] ?? 0 }

  /// Returns whether some entity maps a JSON key to a property.
  ///
  /// A misspelt `identityAttributes` has the name of a property as its value too, but is no JSON key.
  private static func hasMap(
    _ entities: [EntityDescription], _ tables: [PropertyTable]
  ) -> Bool {
    zip(entities, tables).contains { entity, table in
      guard !entity.userInfo.isEmpty else { return false }
      let properties = table.names
      return ZDSDialect.map(in: entity.userInfo).contains { key, value in
        properties.contains(value) && nearestName(to: key, in: DialectNames.onEntities) == nil
      }
    }
  }
}

/// Looks for annotations that the dialect does not read where they are written.
///
/// The keys of a `userInfo` are free, so an unknown name is doubtful only if it resembles an
/// annotation or begins like one.
struct UnknownAnnotations {
  private let dialect: Dialect
  private let names: AnnotationNames
  private let allNames: Set<String>
  private let log: IssueLog
  /// Names that resemble no annotation of an owner, by owner: the same ones may be on all properties.
  private var freeNames: [Set<String>] = [[], [], []]

  init(_ dialect: Dialect, log: IssueLog) {
    self.dialect = dialect
    names = dialect.rules.names
    allNames = names.all
    self.log = log
  }

  /// Reports doubtful annotations of all entities and properties.
  mutating func report(in entities: [EntityDescription], _ tables: [PropertyTable]) {
    for (entity, table) in zip(entities, tables) {
      if dialect == .zds {
        checkMap(of: entity, table)
      } else {
        check(entity.userInfo, names.entity, .entity, entity.name, nil)
      }
      for attribute in entity.attributes {
        check(attribute.userInfo, names.attribute, .attribute, entity.name, attribute.name)
      }
      for relationship in entity.relationships {
        check(
          relationship.userInfo, names.relationship, .relationship, entity.name, relationship.name)
      }
    }
  }

  private mutating func check(
    _ userInfo: [String: String], _ readable: Set<String>, _ owner: AnnotationOwner,
    _ entity: String, _ property: String?
  ) {
    for name in userInfo.keys.sorted()
    where !readable.contains(name) && !freeNames[owner.rawValue].contains(name) {
      if allNames.contains(name) {
        log.warning(
          "\(name) is not read on \(owner.article) \(owner); it belongs on \(owners(of: name))",
          entity: entity, property: property)
      } else if DialectNames.isKnown(name) || !warnIfDoubtful(name, readable, entity, property) {
        freeNames[owner.rawValue].insert(name)
      }
    }
  }

  /// Reports a name if it resembles an annotation or begins like one.
  ///
  /// - Parameters:
  ///   - name: The name, which is no annotation.
  ///   - readable: The annotations that are read on its owner.
  ///   - entity: The entity that is or has the owner.
  ///   - property: The property that is the owner; nil for the entity.
  /// - Returns: Whether it does.
  private func warnIfDoubtful(
    _ name: String, _ readable: Set<String>, _ entity: String, _ property: String?
  ) -> Bool {
    let near =
      nearestName(to: name, in: readable.sorted()) ?? nearestName(to: name, in: allNames.sorted())
    let prefixes: [String] =
      switch dialect {
      case .graft, .groot: ["JSON"]
      case .sync: ["sync.", "hyper."]
      case .dandy: ["@"]
      case .magicalrecord, .zds: []
      }
    guard near != nil || prefixes.contains(where: { name.hasPrefix($0) }) else { return false }
    let known = readable.sorted().joined(separator: ", ")
    log.warning(
      "unknown annotation \"\(name)\""
        + (near.map { ", did you mean \"\($0)\"?" } ?? "; known here: \(known)"),
      entity: entity, property: property)
    return true
  }

  private func owners(of name: String) -> String {
    var owners: [String] = []
    if names.entity.contains(name) { owners.append("an entity") }
    if names.attribute.contains(name) { owners.append("an attribute") }
    if names.relationship.contains(name) { owners.append("a relationship") }
    return AnnotationReader.enumeration(of: owners)
  }

  /// Reports values of ZDS's map that do not name a property of the entity or of an entity above.
  private func checkMap(of entity: EntityDescription, _ table: PropertyTable) {
    guard !entity.userInfo.isEmpty else { return }
    let properties = table.names
    lazy var names = properties.sorted()
    for (key, value) in ZDSDialect.map(in: entity.userInfo).sortedByKey()
    where !properties.contains(value) && !DialectNames.isKnown(key) {
      log.warning(
        "the key \"\(key)\" is mapped to \"\(value)\", which is no property"
          + suggestion(for: value, in: names), entity: entity.name)
    }
  }
}
