// A model file may come from a stranger, and inheritance multiplies what it holds: each entity
// carries all properties of those above. These limits lie far beyond any model that people keep,
// and bound the work and the memory of compiling one.

/// Checks that a model is of a sensible size.
enum SizeChecks {
  /// The most annotations of one entity or property.
  static let annotationLimit = 1000
  /// The most properties of all entities together, inherited ones counted for each entity that has
  /// them.
  static let propertyLimit = 200_000
  /// The most fallback paths of one property.
  static let pathLimit = 32

  /// Reports what is too large to go on with.
  ///
  /// - Returns: Whether the model may be compiled.
  static func run(_ entities: [EntityDescription], log: IssueLog) -> Bool {
    let known = log.errors.count
    for entity in entities {
      check(entity.userInfo, entity.name, nil, log)
      for attribute in entity.attributes {
        check(attribute.userInfo, entity.name, attribute.name, log)
      }
      for relationship in entity.relationships {
        check(relationship.userInfo, entity.name, relationship.name, log)
      }
    }
    let hierarchy = EntityHierarchy(entities, log: IssueLog())
    var counts = entities.map { $0.attributes.count + $0.relationships.count }
    var total = 0
    for number in hierarchy.order {
      counts[number] += hierarchy.superentities[number].map { counts[$0] } ?? 0
      total += counts[number]
    }
    if total > propertyLimit {
      log.error(
        "\(total) properties, inherited ones counted for each entity, expected at most "
          + "\(propertyLimit); split the model")
    }
    return log.errors.count == known
  }

  private static func check(
    _ userInfo: [String: String], _ entity: String, _ property: String?, _ log: IssueLog
  ) {
    if userInfo.count > annotationLimit {
      log.error(
        "\(userInfo.count) annotations, expected at most \(annotationLimit)", entity: entity,
        property: property)
    }
  }
}
