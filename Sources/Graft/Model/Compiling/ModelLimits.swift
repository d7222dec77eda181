// A model file may come from a stranger, and inheritance multiplies its content: each entity has
// all properties of those above. These limits are far beyond any model that people write, and bound
// the time and the memory that compiling one takes.

/// The limits on a model's size.
enum ModelLimits {
  /// The most annotations of one entity or property.
  static let annotations = 1000
  /// The most properties of all entities together, inherited ones counted for each entity that has
  /// them.
  static let properties = 200_000
  /// The most entities that an ``ObjectID`` has room for.
  static let entities = 65_535
  /// The most fallback paths of one property.
  static let paths = 32
  /// The most entities that inherit from one another.
  static let depth = 64

  /// Reports the parts of a model that are too large to be compiled, and the faults of its hierarchy.
  ///
  /// - Returns: The hierarchy; nil if the model may not be compiled.
  static func admit(_ entities: [EntityDescription], log: IssueLog) -> EntityHierarchy? {
    let known = log.errors.count
    if entities.count > Self.entities {
      log.error("\(entities.count) entities, expected at most \(Self.entities); split the model")
      return nil
    }
    for entity in entities {
      check(entity.userInfo, entity.name, nil, log)
      for attribute in entity.attributes {
        check(attribute.userInfo, entity.name, attribute.name, log)
      }
      for relationship in entity.relationships {
        check(relationship.userInfo, entity.name, relationship.name, log)
      }
    }
    let isAdmitted = log.errors.count == known
    let hierarchy = EntityHierarchy(entities, log: log)
    var counts = entities.map { $0.attributes.count + $0.relationships.count }
    var total = 0
    for number in hierarchy.order {
      counts[number] += hierarchy.superentities[number].map { counts[$0] } ?? 0
      total += counts[number]
    }
    if total > properties {
      log.error(
        "\(total) properties, inherited ones counted for each entity, expected at most "
          + "\(properties); split the model")
    }
    return isAdmitted && total <= properties ? hierarchy : nil
  }

  private static func check(
    _ userInfo: [String: String], _ entity: String, _ property: String?, _ log: IssueLog
  ) {
    if userInfo.count > annotations {
      log.error(
        "\(userInfo.count) annotations, expected at most \(annotations)", entity: entity,
        property: property)
    }
  }
}
