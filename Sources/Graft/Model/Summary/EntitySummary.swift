// One entity as text:
//
//   Tweet : Message   identity id
//     id        Integer 64  required           ← id_str  (JSONKeyPath)
//     author    → User      inverse tweets     ← user  (JSONKeyPath)
//     hashtags  ⇉ Hashtag   ordered            ← entities.hashtags  (JSONKeyPath)

/// Writes an entity's compiled form for a person.
struct EntitySummary {
  private let entity: EntitySchema
  private let model: GraphModel
  private var schema: ModelSchema { model.schema }

  init(_ entity: EntitySchema, in model: GraphModel) {
    self.entity = entity
    self.model = model
  }

  var text: String {
    var table = TextTable()
    let origins = PropertyOrigins(of: entity, in: model)
    for attribute in entity.attributes {
      table.append([
        attribute.name, attribute.type.rawValue, traits(of: attribute),
        place(attribute.paths, origins.annotation(of: attribute.name)),
      ])
    }
    for relationship in entity.relationships {
      table.append([
        relationship.name, target(of: relationship), traits(of: relationship),
        place(
          relationship.paths + relationship.identifierPaths,
          origins.annotation(of: relationship.name)),
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
      let names = entity.identity.map { entity.attributes[$0].name }
      let shared = schema.entities[entity.identityRoot]
      notes.append(
        "identity " + names.joined(separator: " + ")
          + (shared.number == entity.number ? "" : " (shared by \(shared.name))"))
    } else if !entity.isSingleton {
      notes.append("no identity")
    }
    notes += entity.policies.words
    if let path = entity.discriminator {
      let table = entity.discriminated.sorted { $0.key < $1.key }
        .map { "\($0.key) = \(schema.entities[$0.value].name)" }
      notes.append("by \(path): \(table.joined(separator: ", "))")
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
    if let pattern = attribute.pattern { traits.append("matches \(pattern)") }
    switch attribute.dateFormat {
    case .automatic: break
    case .iso8601: traits.append("format iso8601")
    case .unix: traits.append("format unix")
    case .unixMilliseconds: traits.append("format unix-ms")
    case .pattern(let pattern): traits.append("format \"\(pattern)\"")
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
