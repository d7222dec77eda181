import Graft

extension GraphModel {
  /// A description of the compiled model for people: entities, properties, places in JSON, identity, policies and
  /// warnings.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  package var summary: String {
    let sections = schema.entities.map { EntitySummary(entity: $0, schema: schema).text }
    let count = schema.entities.count
    let head = "\(count) \(count == 1 ? "entity" : "entities"), dialect \(dialect.rawValue)"
    let policies = dialect.differences
    let rules = policies.isEmpty ? "" : "\nunless annotated: " + policies.joined(separator: "; ")
    let tail = warnings.map { "warning: \($0)" }.joined(separator: "\n")
    return ([head + rules] + sections + (tail.isEmpty ? [] : [tail])).joined(separator: "\n\n")
  }
}

extension Dialect {
  /// The differences from Graft's own dialect, for a summary.
  fileprivate var differences: [String] {
    var words = policies.words
    if deletesRemovedChildren { words.append("removed children: delete") }
    if instantiatesAbstract { words.append("abstract entities have objects") }
    if fillsExistingTarget {
      words.append("an object without identity fills the one that is linked")
    }
    return words
  }
}

extension Policies {
  /// The policies as text, such as `null: keep`, in the order of the annotations.
  var words: [String] {
    PolicyAnnotation.all.compactMap { policy in
      policy.value(in: self).map { "\(policy.label): \($0)" }
    }
  }
}

extension PolicyAnnotation {
  /// The policy's name: `written as`.
  fileprivate var label: String {
    name.dropFirst("JSON".count).reduce(into: "") { label, letter in
      if letter.isUppercase, !label.isEmpty { label.append(" ") }
      label += letter.lowercased()
    }
  }
}

// One entity looks like this:
//
//   Tweet : Message   identity id
//     id        Integer 64  required           ← id_str  (JSONKeyPath)
//     author    → User      inverse tweets     ← user  (JSONKeyPath)
//     hashtags  ⇉ Hashtag   ordered            ← entities.hashtags  (JSONKeyPath)

/// Describes a compiled entity to a person.
private struct EntitySummary {
  let entity: EntitySchema
  let schema: ModelSchema

  var text: String {
    var table = TextTable()
    for attribute in entity.attributes {
      table.append([
        attribute.name, attribute.type.rawValue, traits(of: attribute),
        place(attribute.paths, attribute.annotation),
      ])
    }
    for relationship in entity.relationships {
      table.append([
        relationship.name, target(of: relationship), traits(of: relationship),
        place(
          relationship.paths + relationship.identifierPaths, relationship.annotation),
      ])
    }
    return ([head] + table.lines.map { "  " + $0 }).joined(separator: "\n")
  }

  private var head: String {
    var head = entity.name
    if let parent = entity.superentity { head += " : " + schema.entities[parent].name }
    var notes: [String] = []
    if entity.isAbstract { notes.append("abstract") }
    if entity.isSingleton { notes.append("singleton") }
    if !entity.identity.isEmpty {
      let names = entity.declaredIdentity.map { entity.attributes[$0].name }
      let shared = schema.entities[entity.identityRoot]
      notes.append(
        "identity " + names.joined(separator: " + ")
          + (shared.number == entity.number ? "" : " (shared by \(shared.name))"))
    } else if !entity.isSingleton {
      notes.append("no identity")
    }
    notes += Policies(missingIdentity: entity.missingIdentity).words
    if !entity.discriminators.isEmpty {
      let paths = entity.discriminators.map(\.description).joined(separator: " | ")
      let table = entity.discriminated.sortedByKey()
        .map { "\($0.key) = \(schema.entities[$0.value].name)" }
      notes.append("by \(paths): \(table.joined(separator: ", "))")
    }
    if let number = entity.unknownEntity {
      notes.append("unknown: \(schema.entities[number].name)")
    }
    if let number = entity.modifiedAttribute {
      notes.append("updated if \(entity.attributes[number].name) has grown")
    }
    if let name = entity.entityMapperName { notes.append("mapper \(name)") }
    if let name = entity.dictionaryTransformerName { notes.append("rewritten by \(name)") }
    return notes.isEmpty ? head : head + "  (" + notes.joined(separator: "; ") + ")"
  }

  private func traits(of attribute: AttributeSchema) -> String {
    var traits = [attribute.isOptional ? "optional" : "required"]
    if let value = attribute.defaultValue { traits.append("default \(value.text)") }
    switch (attribute.minimum?.text, attribute.maximum?.text) {
    case (let least?, let most?): traits.append("\(least)…\(most)")
    case (let least?, nil): traits.append("≥ \(least)")
    case (nil, let most?): traits.append("≤ \(most)")
    case (nil, nil): break
    }
    if !attribute.values.isEmpty {
      traits.append("one of \(attribute.values.map(\.shortText).joined(separator: " | "))")
    }
    if let value = attribute.unknownValue { traits.append("unknown: \(value.shortText)") }
    if let pattern = attribute.pattern { traits.append("matches \(pattern)") }
    switch attribute.dateFormat {
    case .automatic: break
    case .pattern(let pattern): traits.append("format \"\(pattern)\"")
    case .iso8601, .unix, .unixMilliseconds: traits.append("format \(attribute.dateFormat.name)")
    }
    if let name = attribute.transformerName { traits.append("transformer \(name)") }
    if attribute.transformerName == nil, attribute.transformer == .hexColor {
      traits.append("colour")
    }
    if attribute.isStrict { traits.append("strict") }
    traits += attribute.policies.words
    return traits.joined(separator: ", ")
  }

  private func target(of relationship: RelationshipSchema) -> String {
    (relationship.isToMany ? "⇉ " : "→ ") + schema.entities[relationship.destination].name
  }

  private func traits(of relationship: RelationshipSchema) -> String {
    let destination = schema.entities[relationship.destination]
    var traits = [relationship.isOptional ? "optional" : "required"]
    if relationship.isOrdered { traits.append("ordered") }
    if relationship.isToMany, relationship.minimumCount > 0 || relationship.maximumCount > 0 {
      let most = relationship.maximumCount > 0 ? "\(relationship.maximumCount)" : ""
      traits.append("\(relationship.minimumCount)…\(most) members")
    }
    if let inverse = relationship.inverse {
      traits.append("inverse \(destination.relationships[inverse].name)")
    }
    if relationship.deleteRule != .nullify {
      traits.append("delete: \(relationship.deleteRule.rawValue.lowercased())")
    }
    if let number = relationship.relatedBy {
      traits.append("found by \(destination.attributes[number].name)")
    } else if relationship.isRelatedByIdentity {
      traits.append("written as the identity alone")
    }
    traits += relationship.policies.words
    return traits.joined(separator: ", ")
  }

  private func place(_ paths: [JSONPath], _ annotation: String?) -> String {
    let text =
      paths.isEmpty ? "not in JSON" : "← " + paths.map(\.description).joined(separator: " | ")
    return text + (annotation.map { "  (\($0))" } ?? "")
  }
}
