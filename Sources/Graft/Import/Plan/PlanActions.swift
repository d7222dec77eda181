extension PlanBuilder {
  /// What a scalar at a position does for a target.
  mutating func scalar(
    _ kind: ScalarAction.Kind, _ item: PlanItem, _ trie: Int, _ target: PathTarget
  ) -> ScalarAction {
    let property = property(trie, target.kind)
    let part: ScalarAction.Part =
      switch target.part {
      case .value, .scalar: .value
      case .key: .key
      case .index: .index
      }
    var action = ScalarAction(
      kind: kind, part: part, conversion: .string, rank: UInt8(clamping: target.rank),
      up: Int32(item.up), number: target.number, property: property, handOff: -1, requiredBit: 0,
      isIdentity: false, onNull: .clear)
    let plan = tables.properties[Int(property)]
    action.onNull = plan.onNull.action(
      isOptional: plan.isOptional || plan.destination >= 0, hasDefault: plan.hasDefault)
    switch target.kind {
    case .attribute(let number):
      action.conversion = plan.conversion(schema.entities[trie].attributes[number])
      action.requiredBit = entities[trie].required.first { $0.attribute == number }?.bit ?? 0
      action.isIdentity = schema.entities[trie].identity.contains(number)
      // An identity is settled when the object ends: without it there is no object to keep or clear
      // anything of.
      if action.isIdentity { action.onNull = .clear }
    case .relationship, .identifiers, .root:
      if plan.attribute >= 0 {
        let destination = schema.entities[plan.destination]
        action.conversion = plan.conversion(destination.attributes[plan.attribute])
      }
    }
    return action
  }

  /// What the beginning of a container at a position does for a target.
  mutating func start(
    _ kind: StartAction.Kind, _ item: PlanItem, _ trie: Int, _ target: PathTarget
  ) -> StartAction {
    var requiredBit: UInt64 = 0
    if case .attribute(let number) = target.kind {
      requiredBit = entities[trie].required.first { $0.attribute == number }?.bit ?? 0
    }
    return StartAction(
      kind: target.isRoot && kind == .collection ? .root : kind, rank: UInt8(clamping: target.rank),
      up: Int32(item.up), number: target.number, property: property(trie, target.kind),
      requiredBit: requiredBit)
  }

  /// Who gets the object that a target's value is.
  mutating func handBack(
    _ kind: HandBack.Kind, _ item: PlanItem, _ trie: Int, _ target: PathTarget
  ) -> HandBack {
    HandBack(
      kind: kind, rank: UInt8(clamping: target.rank), up: Int32(item.up), number: target.number,
      property: property(trie, target.kind))
  }
}

extension PropertyPlan {
  /// Describes the property that a target names.
  init(_ trie: Int, _ kind: PathTarget.Kind, in builder: PlanBuilder) {
    let schema = builder.schema
    switch kind {
    case .attribute(let number):
      let entity = schema.entities[trie]
      let attribute = entity.attributes[number]
      let policies = schema.policies(
        of: attribute.policies, in: entity, options: builder.options.attributes)
      self.init(
        entity: entity.number, entityName: entity.name, name: attribute.name,
        expectation: attribute.expectation, attribute: number, destination: -1,
        isOptional: attribute.isOptional, hasDefault: attribute.defaultValue != nil,
        onNull: policies.onNull, pattern: attribute.compiledPattern)
      custom = CustomConversion(attribute, builder.options)
    case .relationship(let number), .identifiers(let number):
      let entity = schema.entities[trie]
      let relationship = entity.relationships[number]
      let destination = schema.entities[relationship.destination]
      let policies = builder.entities[trie].relationships[number].policies
      self.init(
        entity: trie, entityName: entity.name, name: relationship.name,
        expectation: relationship.isToMany
          ? "an array of \(destination.name)" : "an object of \(destination.name)",
        attribute: relationship.relatedBy ?? destination.singleIdentity ?? -1,
        isIdentity: relationship.relatedBy == nil, destination: destination.number,
        isOptional: relationship.isOptional, hasDefault: false,
        onNull: policies.onNull, pattern: nil, reference: policies.reference)
      adoptIdentity(of: destination, builder.options)
    case .root(let number):
      let root = builder.roots[number]
      let destination = schema.entities[schema.entityNumbers[root.entity] ?? 0]
      self.init(
        entity: -1, entityName: destination.name, name: "",
        expectation: "an object or an array of \(destination.name)",
        attribute: destination.singleIdentity ?? -1, destination: destination.number,
        isOptional: true, hasDefault: false, onNull: .clear, pattern: nil,
        reference: schema.policies(
          of: Policies(), in: destination, options: builder.options.relationships
        ).reference)
      adoptIdentity(of: destination, builder.options)
    }
  }

  /// How a scalar becomes the property's value, or the identity of its object.
  func conversion(_ attribute: AttributeSchema) -> Conversion {
    custom == nil ? Conversion(attribute) : .custom
  }

  private mutating func adoptIdentity(of destination: EntitySchema, _ options: ImportOptions) {
    guard attribute >= 0 else { return }
    pattern = destination.attributes[attribute].compiledPattern
    identityExpectation = destination.attributes[attribute].expectation
    custom = CustomConversion(destination.attributes[attribute], options, isIdentity: true)
  }
}

extension EntitySchema {
  /// The attribute that is the whole identity.
  var singleIdentity: Int? { identity.count == 1 ? identity[0] : nil }
}

extension AttributeSchema {
  /// The compiled date pattern, where the attribute has one.
  var compiledPattern: DatePattern? {
    if type == .date, case .pattern(let text) = dateFormat { DatePattern(text) } else { nil }
  }

  /// What belongs here, in words.
  var expectation: String {
    switch type {
    case .integer16: "an integer of 16 bits"
    case .integer32: "an integer of 32 bits"
    case .integer64: "an integer of 64 bits"
    case .decimal: "a decimal number of up to 38 digits"
    case .double: "a number"
    case .float: "a number of single precision"
    case .string: "a text"
    case .boolean: "a boolean"
    case .binary: "a base64 text"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .transformable: "a JSON value"
    case .date:
      switch dateFormat {
      case .automatic: "a date"
      case .iso8601: "an ISO 8601 date"
      case .unix: "a number of seconds since 1970"
      case .unixMilliseconds: "a number of milliseconds since 1970"
      case .pattern(let text): "a date (\"\(text)\")"
      }
    }
  }
}
