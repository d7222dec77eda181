extension ExportPlanBuilder {
  /// The step that writes what stands at the end of a path.
  mutating func step(for leaf: ExportTree.Leaf) -> ExportStep {
    let entity = schema.entities[leaf.entity]
    var step: ExportStep
    switch leaf.kind {
    case .attribute(let number):
      step = attributeStep(number, of: entity)
    case .relationship(let number, let isKeyed):
      step = relationshipStep(number, isKeyed: isKeyed, of: entity)
    case .constant(let value):
      step = ExportStep(kind: .constant, key: Self.noKey)
      step.constant = add(value)
    }
    if let fallback = leaf.fallback {
      step.onNull = .constant
      step.constant = add(fallback)
    }
    // ExportLayout makes no more than fit.
    step.slot = UInt16(leaf.slot)
    return step
  }

  private mutating func add(_ constant: [UInt8]) -> Int32 {
    constants.append(constant)
    return Int32(constants.count - 1)
  }

  /// The step that writes an attribute's value.
  mutating func attributeStep(_ number: Int, of entity: EntitySchema) -> ExportStep {
    let attribute = entity.attributes[number]
    var step = ExportStep(kind: .string, key: Self.noKey)
    step.number = Int32(number)
    step.onNull = nullForm(of: attribute, in: entity)
    if case .custom(let transformer) = attribute.transformer, transformer.reverse != nil {
      transformers.append(transformer)
      step.kind = .transformed
      step.detail = Int32(transformers.count - 1)
      return step
    }
    let isStringInteger = attribute.transformer == .stringInteger
    step.kind =
      switch attribute.type {
      case .integer16, .integer32, .integer64: isStringInteger ? .quotedInteger : .integer
      case .string: isStringInteger ? .unquotedInteger : .string
      case .uri: .string
      case .double: .double
      case .float: .float
      case .boolean: .boolean
      case .decimal: .decimal
      case .binary: .binary
      case .uuid: .uuid
      case .transformable: .json
      case .date: .isoDate
      }
    if attribute.type == .date { setDateForm(of: &step, attribute.dateFormat) }
    return step
  }

  private mutating func setDateForm(of step: inout ExportStep, _ format: DateFormat) {
    switch format {
    case .automatic, .iso8601: step.kind = .isoDate
    case .unix: step.kind = .unixDate
    case .unixMilliseconds: step.kind = .unixMillisecondsDate
    case .pattern(let text):
      let pattern = DatePattern(text)
      patterns.append(pattern)
      step.kind = pattern.fields == nil ? .foundationDate : .patternDate
      step.detail = Int32(patterns.count - 1)
    }
  }

  /// What is written where an attribute has no value: nothing where an import would refuse `null`,
  /// and `null` in any case where it would take the absence of the key for something else.
  private func nullForm(
    of attribute: AttributeSchema, in entity: EntitySchema
  ) -> ExportStep.NullForm {
    let policies = schema.policies(of: attribute.policies, in: entity)
    let isRefused =
      policies.onNull == .error
      || !attribute.isOptional && attribute.defaultValue == nil
    if isRefused { return .nothing }
    let isDemanded =
      attribute.defaultValue != nil || policies.onAbsent == .default
      || policies.onAbsent == .error
    return options.writesNull || isDemanded ? .null : .nothing
  }

  private mutating func relationshipStep(
    _ number: Int, isKeyed: Bool, of entity: EntitySchema
  ) -> ExportStep {
    let relationship = entity.relationships[number]
    let policies = schema.policies(of: relationship.policies, in: entity)
    let onAbsent = policies.onAbsent
    var export = RelationshipExport(
      number: Int32(number),
      destination: Int32(relationship.destination),
      inverse: Int32(relationship.inverse ?? -1),
      isReference: styles.style(of: number, in: entity) == .identifier,
      isImplied: !relationship.isOrdered && onAbsent == .keep,
      isDemanded: onAbsent != .keep,
      carries: styles.carries(number, of: entity),
      isAnswered: relationship.inverse.map {
        styles.writes($0, of: schema.entities[relationship.destination])
      } ?? false,
      mayLeadToAnonymous: schema.entities[relationship.destination].family.contains {
        reach.mayBeAnonymous[$0]
      },
      isOrdered: relationship.isOrdered,
      writesEmpty: options.writesEmpty || onAbsent == .error || onAbsent == .default)
    if let attribute = relationship.relatedBy {
      export.relatedBy = appendValue(
        of: attribute, in: schema.entities[relationship.destination])
    }
    relationships.append(export)
    let kind: ExportStep.Kind = isKeyed ? .keyed : relationship.isToMany ? .toMany : .toOne
    var step = ExportStep(kind: kind, key: Self.noKey)
    step.number = Int32(number)
    step.detail = Int32(relationships.count - 1)
    step.onNull =
      policies.onNull == .error || !(options.writesNull || onAbsent == .error) ? .nothing : .null
    return step
  }
}
