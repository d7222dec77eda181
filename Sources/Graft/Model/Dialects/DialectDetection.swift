// Which importer a model was made for shows in its annotations' names. ZDS has no names of its own;
// there an entity's annotation is a JSON key whose value is the name of one of the entity's
// properties, and only counts if no other dialect's name occurs. `type`, which MagicalRecord reads
// on relationships without effect, is too common a word to count.

/// Finds out for which dialect a model was made.
struct DialectDetection {
  /// How many annotations of each dialect the model has.
  private var counts: [Dialect: Int] = [:]
  private var looksLikeZDS = false

  init(_ entities: [EntityDescription]) {
    for entity in entities {
      count(entity.userInfo)
      for attribute in entity.attributes { count(attribute.userInfo) }
      for relationship in entity.relationships { count(relationship.userInfo) }
    }
    looksLikeZDS = counts.isEmpty && Self.hasMap(entities)
  }

  /// The dialect for which the model was made: Graft's if one of its own names occurs, else the one
  /// with most names.
  var dialect: Dialect {
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

  /// A misspelt `identityAttributes` leads to a property too, but is no JSON key.
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
