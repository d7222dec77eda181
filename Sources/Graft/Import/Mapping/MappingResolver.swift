// The names in a mapping become numbers of the model here, once for each import and before its plan is compiled.
// The mapping changes paths, formats and transformers in copies of the compiled entities. No entity and no
// property is added or moved, so all numbers keep their meaning.

/// Finds the properties that a mapping names, and collects its errors.
struct MappingResolver {
  /// The greatest number of errors that are reported; a longer list would not be read.
  static let issueLimit = 200

  /// A property by its number in its entity, which is the same in the entities below.
  enum Property: Equatable {
    case attribute(Int)
    case relationship(Int)
  }

  /// The mapping's entry for a property.
  final class Mapped {
    let property: Property
    var paths: [JSONPath] = []
    /// Whether a rule keeps the property out.
    var isKeptOut = false
    /// The date format of the rules: its text and its meaning.
    var format: (text: String, value: DateFormat)?
    /// The rule that names a transformer.
    var transformer: MappingRule?

    init(_ property: Property) { self.property = property }
  }

  let schema: ModelSchema
  private(set) var issues: [ModelIssue] = []
  /// The mapping's entries, by the numbers of the entities that it names.
  private(set) var mapped = [Int: [Mapped]]()
  /// The names of the properties, in order, of the entities in whose name an error was found.
  private var propertyNames = [Int: [String]]()
  private var unknownEntities: Set<String> = []

  init(_ schema: ModelSchema) {
    self.schema = schema
  }

  mutating func add(_ rule: MappingRule) {
    guard let entity = schema.entityNumbers[rule.entity] else {
      if unknownEntities.insert(rule.entity).inserted {
        let near = suggestion(for: rule.entity, in: schema.entities.map(\.name))
        report("the mapping names the unknown entity \"\(rule.entity)\"" + near, rule, entity: nil)
      }
      return
    }
    let path: JSONPath
    switch rule.path {
    case .success(let found): path = found
    case .failure(let error): return report("\(error)", rule)
    }
    guard let property = property(named: rule.property, of: entity) else {
      let what = rule.isKeptOut ? "the mapping keeps out" : "the path \"\(path)\" is mapped to"
      return report(
        "\(what) \"\(rule.property)\", which is no property"
          + near(rule.property, in: entity), rule)
    }
    let result = entry(of: property, entity)
    let isKeptOut = rule.isKeptOut || result.isKeptOut
    let isNew = !rule.isKeptOut && !result.paths.contains(path)
    let paths = isNew ? result.paths + [path] : result.paths
    if isKeptOut, !paths.isEmpty {
      return report(
        "mapped from \"\(paths[0])\" and kept out by \"-\"; remove one of the two", rule,
        rule.property)
    }
    if paths.count > ModelLimits.paths {
      return report("mapped from more than \(ModelLimits.paths) paths", rule, rule.property)
    }
    if !rule.isKeptOut, let fault = fault(of: path, for: property, of: entity) {
      return report(fault, rule, rule.property)
    }
    result.isKeptOut = isKeptOut
    result.paths = paths
    convert(rule, property, of: entity, result)
  }

  /// Returns the entry for a property, which is made for its first rule.
  private mutating func entry(of property: Property, _ entity: Int) -> Mapped {
    if let known = mapped[entity]?.first(where: { $0.property == property }) { return known }
    let entry = Mapped(property)
    mapped[entity, default: []].append(entry)
    return entry
  }

  private func fault(of path: JSONPath, for property: Property, of entity: Int) -> String? {
    switch property {
    case .attribute(let number):
      path.fault(ofAttribute: schema.entities[entity].attributes[number].type, schema.words)
    case .relationship(let number):
      path.fault(ofToMany: schema.entities[entity].relationships[number].isToMany)
    }
  }

  /// Adds the parts of a rule other than its place.
  private mutating func convert(
    _ rule: MappingRule, _ property: Property, of entity: Int, _ result: Mapped
  ) {
    guard rule.format != nil || rule.transformer != nil else { return }
    guard case .attribute(let number) = property else {
      return report(
        "a relationship has neither a format nor a transformer; map the attributes of "
          + "its objects", rule, rule.property)
    }
    if let text = rule.format {
      addFormat(text, rule, schema.entities[entity].attributes[number], result)
    }
    if let transformer = rule.transformer {
      if let known = result.transformer?.transformer, known.kind != transformer.kind {
        report("mapped with two transformers; give one for all its paths", rule, rule.property)
      }
      result.transformer = rule
    }
  }

  private mutating func addFormat(
    _ text: String, _ rule: MappingRule, _ attribute: AttributeSchema, _ result: Mapped
  ) {
    guard attribute.type == .date else {
      return report(
        "the format \"\(text)\" is for dates, but this is \(attribute.type.withArticle)", rule,
        rule.property)
    }
    if let known = result.format, known.text != text {
      return report(
        "mapped with the formats \"\(known.text)\" and \"\(text)\"; give one for all its paths",
        rule, rule.property)
    }
    switch DateFormat.named(text) {
    case .success(let format): result.format = (text, format)
    case .failure(let fault): report("\(fault)", rule, rule.property)
    }
  }

  /// Returns the suggestion for a property that an entity lacks.
  private mutating func near(_ name: String, in entity: Int) -> String {
    guard issues.count < Self.issueLimit else { return "" }
    let schema = schema.entities[entity]
    let names =
      propertyNames[entity]
      ?? (schema.attributes.map(\.name) + schema.relationships.map(\.name)).sorted()
    propertyNames[entity] = names
    return suggestion(for: name, in: names)
  }

  private func property(named name: String, of entity: Int) -> Property? {
    let entity = schema.entities[entity]
    return entity.attributeNumber(named: name).map { .attribute($0) }
      ?? entity.relationshipNumber(named: name).map { .relationship($0) }
  }

  private mutating func report(_ message: String, _ rule: MappingRule, _ property: String? = nil) {
    report(message, rule, entity: rule.entity, property)
  }

  private mutating func report(
    _ message: String, _ rule: MappingRule, entity: String?, _ property: String? = nil
  ) {
    guard issues.count < Self.issueLimit else { return }
    issues.append(
      ModelIssue(entity: entity, property: property, message: message, location: rule.location))
  }
}

extension ModelSchema {
  /// Returns the same model, read from where a mapping says; the numbers of entities and properties stay.
  ///
  /// - Parameter mapping: The mapping; nil changes nothing.
  /// - Returns: A model for the plan of one import.
  /// - Throws: ``ModelError`` with all that the mapping names and the model lacks.
  package func applying(_ mapping: JSONMapping?) throws(ModelError) -> ModelSchema {
    guard let mapping, !mapping.rules.isEmpty else { return self }
    var resolver = MappingResolver(self)
    for rule in mapping.rules { resolver.add(rule) }
    guard resolver.issues.isEmpty else { throw ModelError(resolver.issues, kind: .mapping) }
    var mapped = entities.map(\.fields)
    // A family is larger than the families within it, so an entity comes after the entities above
    // it.
    let named = resolver.mapped.inOrder {
      entities[$0.key].family.count > entities[$1.key].family.count
    }
    for (number, properties) in named {
      for member in entities[number].family {
        for property in properties { mapped[member].take(property, from: entities[member]) }
      }
    }
    return ModelSchema(entities: mapped.map { EntitySchema($0) }, dialect: dialect)
  }
}

extension EntitySchema.Fields {
  /// Reads a property by the mapping's paths, and otherwise by the model.
  fileprivate mutating func take(
    _ mapped: MappingResolver.Mapped, from original: EntitySchema
  ) {
    switch mapped.property {
    case .attribute(let number):
      attributes[number] = original.attributes[number].with { $0.read(as: mapped) }
    case .relationship(let number):
      relationships[number] = relationships[number].with {
        $0.paths = mapped.paths
        $0.identifierPaths = []
      }
    }
  }
}

extension AttributeSchema.Fields {
  fileprivate mutating func read(as mapped: MappingResolver.Mapped) {
    paths = mapped.paths
    if let format = mapped.format { dateFormat = format.value }
    if let rule = mapped.transformer {
      transformer = rule.transformer?.kind
      transformerName = rule.transformerName
    }
  }
}
