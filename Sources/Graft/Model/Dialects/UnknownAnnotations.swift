/// Looks for annotations that the dialect does not read where they are written.
///
/// The keys of a `userInfo` are free, so an unknown name is doubtful only if it resembles an
/// annotation or begins like one.
struct UnknownAnnotations {
  private let dialect: Dialect
  private let names: AnnotationNames
  private let log: IssueLog

  init(_ dialect: Dialect, log: IssueLog) {
    self.dialect = dialect
    names = dialect.rules.names
    self.log = log
  }

  /// Reports doubtful annotations of all entities and properties.
  func report(in entities: [EntityDescription]) {
    let properties = PropertyNames(entities)
    for entity in entities {
      if dialect == .zds {
        checkMap(of: entity, properties)
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

  private func check(
    _ userInfo: [String: String], _ readable: Set<String>, _ owner: AnnotationOwner,
    _ entity: String, _ property: String?
  ) {
    for name in userInfo.keys.sorted() where !readable.contains(name) {
      if names.all.contains(name) {
        log.warning(
          "\(name) is not read on \(owner.article) \(owner); it belongs on \(owners(of: name))",
          entity: entity, property: property)
      } else if !DialectNames.isKnown(name) {
        warnIfDoubtful(name, readable, entity, property)
      }
    }
  }

  private func warnIfDoubtful(
    _ name: String, _ readable: Set<String>, _ entity: String, _ property: String?
  ) {
    let near =
      nearestName(to: name, in: readable.sorted()) ?? nearestName(to: name, in: names.all.sorted())
    let prefixes: [String] =
      switch dialect {
      case .graft, .groot: ["JSON"]
      case .sync: ["sync.", "hyper."]
      case .dandy: ["@"]
      case .magicalrecord, .zds: []
      }
    guard near != nil || prefixes.contains(where: { name.hasPrefix($0) }) else { return }
    let known = readable.sorted().joined(separator: ", ")
    log.warning(
      "unknown annotation \"\(name)\""
        + (near.map { ", did you mean \"\($0)\"?" } ?? "; known here: \(known)"),
      entity: entity, property: property)
  }

  private func owners(of name: String) -> String {
    var owners: [String] = []
    if names.entity.contains(name) { owners.append("an entity") }
    if names.attribute.contains(name) { owners.append("an attribute") }
    if names.relationship.contains(name) { owners.append("a relationship") }
    return AnnotationReader.enumeration(of: owners)
  }

  /// In ZDS's map each value names a property of the entity or of an entity above.
  private func checkMap(of entity: EntityDescription, _ properties: PropertyNames) {
    guard !entity.userInfo.isEmpty else { return }
    let properties = properties.names(of: entity)
    lazy var names = properties.sorted()
    for (key, value) in entity.userInfo.sortedByKey()
    where !properties.contains(value) && !DialectNames.isKnown(key) {
      log.warning(
        "the key \"\(key)\" is mapped to \"\(value)\", which is no property"
          + suggestion(for: value, in: names), entity: entity.name)
    }
  }
}
