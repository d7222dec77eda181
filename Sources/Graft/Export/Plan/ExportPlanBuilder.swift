// Reverses a model's paths into the steps of an export plan: an entity's properties are laid into a
// tree (ExportLayout), and the tree is walked in the order in which keys are to be written.

/// Compiles a model into an export plan.
struct ExportPlanBuilder {
  private(set) var literals: [UInt8] = []
  private(set) var relationships: [RelationshipStep] = []
  private(set) var loops: [ExportLoop] = []
  private(set) var patterns: [DatePattern] = []
  private(set) var transformers: [CustomTransformer] = []
  /// The relationships of the object itself, of the entity that is being compiled.
  private var ownRelationships: [Int] = []
  private let schema: ModelSchema
  private let options: ExportOptions
  private let spellings: Spellings
  private let styles: ExportStyles
  private let nesting: ExportNesting

  /// Prepares to compile a model.
  ///
  /// - Throws: ``ExportError`` where the options name what the model does not have.
  init(
    _ schema: ModelSchema, _ options: ExportOptions, _ spellings: Spellings
  ) throws {
    self.schema = schema
    self.options = options
    self.spellings = spellings
    styles = try ExportStyles(schema, options)
    nesting = ExportNesting(schema, styles)
  }

  /// Compiles an entity.
  ///
  /// - Throws: ``ExportError`` where too many objects share one JSON object.
  mutating func export(of entity: EntitySchema) throws -> EntityExport {
    let layout = try ExportLayout(of: entity, in: schema, styles)
    var export = EntityExport()
    export.isSingleton = entity.isSingleton
    export.hasIdentity = nesting.hasIdentity[entity.number]
    export.mayBeAnonymous = nesting.mayBeAnonymous[entity.number]
    export.isRecursive = nesting.isRecursive[entity.number]
    export.mayHoldAnonymous = nesting.mayHoldAnonymous[entity.number]
    export.isDiscriminated = layout.isDiscriminated
    export.sharedObjects = layout.sharedObjects
    ownRelationships = []
    export.isArray = layout.ownArray != nil || !layout.tree.nodes[0].elements.isEmpty
    appendContent(of: layout.tree, to: &export.steps) { _ in true }
    export.outsideAttributes = entity.attributes.indices.filter { number in
      !layout.isPlaced(number)
        && entity.attributes[number].paths.contains { $0.steps.first == .parent }
    }
    if let number = layout.ownArray {
      let relationship = relationshipStep(number, isKeyed: false, of: entity)
      export.ownArray = Int32(add(relationship, object: 0))
    }
    if let number = layout.spread {
      let relationship = add(relationshipStep(number, isKeyed: true, of: entity), object: 0)
      export.steps.append(ExportStep(.spread(Int32(relationship))))
      export.ownKeys = layout.tree.nodes[0].members.map(\.name)
    }
    export.relationships = ownRelationships
    if export.hasIdentity || entity.isSingleton {
      appendContent(of: layout.tree, to: &export.reference) {
        layout.isNeededForReference($0)
      }
    }
    if export.hasIdentity, entity.identity.count == 1 {
      export.identity = referenceStep(entity.identity[0], of: entity)
    }
    export.key = layout.keyAttribute.map { attributeStep($0, of: entity) } ?? export.identity
    export.importsKey = layout.keyAttribute != nil
    export.isNamedByKeyOnly = layout.keyAttribute.map { !layout.isPlaced($0) } ?? false
    export.isKeyIdentity = layout.keyAttribute.map { entity.identity == [$0] } ?? false
    export.holdsIdentity = entity.identity.allSatisfy { layout.isFound($0, of: entity) }
    export.holdsIdentityWithKey = entity.identity.allSatisfy {
      layout.isFound($0, of: entity) || $0 == layout.keyAttribute
    }
    export.position = layout.indexAttribute
    export.isPlacedByPositionOnly = layout.indexAttribute.map { !layout.isPlaced($0) } ?? false
    export.unwritten = layout.unwritten.map { unwrittenStep($0) }
    export.value = layout.valueAttribute
    export.isWholeAsScalar = layout.isWholeAsScalar(entity, isKeyed: false)
    export.isWholeAsScalarUnderKey = layout.isWholeAsScalar(entity, isKeyed: true)
    export.isChangedByReference = entity.relationships.indices.contains { number in
      styles.isRead(number, of: entity)
        && schema.policies(of: entity.relationships[number].policies, in: entity).onAbsent != .keep
    }
    export.hasOthersThanScalar = layout.hasOthersThanScalar
    export.isWatched =
      !export.unwritten.isEmpty || export.isNamedByKeyOnly || export.isPlacedByPositionOnly
      || export.hasIdentity && !export.holdsIdentity
    export.scalar = layout.scalarAttribute.map { attributeStep($0, of: entity) }
    return export
  }
}

// MARK: - Steps

extension ExportPlanBuilder {
  /// Appends the steps for what is in an object, be it an array in JSON or not.
  private mutating func appendContent(
    of tree: ExportTree, to steps: inout [ExportStep], _ isNeeded: (ExportTree.Leaf) -> Bool
  ) {
    if tree.nodes[0].elements.isEmpty {
      appendMembers(of: 0, in: tree, to: &steps, isNeeded)
    } else {
      appendElements(of: tree.nodes[0], in: tree, to: &steps, isNeeded)
    }
  }

  /// Appends the steps for those members of a node that lead to what is needed.
  private mutating func appendMembers(
    of node: Int, in tree: ExportTree, to steps: inout [ExportStep],
    _ isNeeded: (ExportTree.Leaf) -> Bool
  ) {
    var members = tree.nodes[node].members
    switch options.keyOrder {
    case .model: members.sort { tree.nodes[$0.node].order < tree.nodes[$1.node].order }
    case .sorted: members.sort { $0.name.precedesByCodePoints($1.name) }
    }
    for member in members {
      append(member.node, name: member.name, in: tree, to: &steps, isNeeded)
    }
  }

  private mutating func append(
    _ number: Int, name: String?, in tree: ExportTree, to steps: inout [ExportStep],
    _ isNeeded: (ExportTree.Leaf) -> Bool
  ) {
    let node = tree.nodes[number]
    var content: [ExportStep] = []
    if let leaf = node.leaf {
      if isNeeded(leaf) { content = [step(for: leaf)] }
    } else if !node.members.isEmpty {
      appendMembers(of: number, in: tree, to: &content, isNeeded)
      content = content.isEmpty ? [] : [.init(.beginObject)] + content + [.init(.endObject)]
    } else if let each = node.each {
      content = loop(over: each, isKeyed: node.isEachMember, in: tree, isNeeded)
    } else {
      appendElements(of: node, in: tree, to: &content, isNeeded)
      content = content.isEmpty ? [] : [.init(.beginArray)] + content + [.init(.endArray)]
    }
    guard !content.isEmpty else { return }
    content[0].key = name.map { add(JSONWriter.prepared(key: $0)) }
    steps += content
  }

  /// The step for an array or object whose elements are written alike; none where nothing is needed.
  private mutating func loop(
    over each: Int, isKeyed: Bool, in tree: ExportTree, _ isNeeded: (ExportTree.Leaf) -> Bool
  ) -> [ExportStep] {
    var steps: [ExportStep] = []
    append(each, name: nil, in: tree, to: &steps, isNeeded)
    guard !steps.isEmpty else { return [] }
    var members: [Int] = []
    var hasFirst = false
    var objects: Set<Int32> = []
    for step in steps {
      switch step.content {
      case .member(let relationship): members.append(Int(relationship))
      case .relationship, .each: hasFirst = true
      default: continue
      }
      objects.insert(step.object)
    }
    loops.append(
      ExportLoop(steps: steps, relationships: members, hasFirst: hasFirst, isKeyed: isKeyed))
    var step = ExportStep(.each(Int32(loops.count - 1)))
    step.object = objects.first ?? 0
    return [step]
  }

  private mutating func appendElements(
    of node: ExportTree.Node, in tree: ExportTree, to steps: inout [ExportStep],
    _ isNeeded: (ExportTree.Leaf) -> Bool
  ) {
    var next = 0
    for (position, child) in node.elements.sorted(by: { $0.key < $1.key }) {
      var content: [ExportStep] = []
      append(child, name: nil, in: tree, to: &content, isNeeded)
      guard !content.isEmpty else { continue }
      for _ in next..<position { steps.append(ExportStep(.emptyElement)) }
      steps += content
      next = position + 1
    }
  }

  /// How to tell whether a property that has no place is found all the same.
  private mutating func unwrittenStep(_ unwritten: UnwrittenProperty) -> UnwrittenStep {
    let entity = schema.entities[unwritten.entity]
    var step = UnwrittenStep(property: unwritten.property, object: unwritten.object)
    switch unwritten.property {
    case .attribute(let number):
      step.step = attributeStep(number, of: entity)
      step.defaultValue = entity.attributes[number].defaultValue
    case .relationship(let number):
      let relationship = entity.relationships[number]
      let destination = schema.entities[relationship.destination]
      step.isInverseWritten =
        relationship.inverse.map { styles.writes($0, of: destination) } ?? false
      if !relationship.isToMany, let identity = destination.singleIdentity {
        step.step = referenceStep(identity, of: destination)
      }
    }
    guard let (kind, rest) = unwritten.substitute else { return step }
    step.substitute = substitute(for: unwritten.property, kind, rest, of: entity)
    return step
  }

  private mutating func substitute(
    for property: UnwrittenProperty.Property, _ kind: ExportTree.Leaf.Kind, _ rest: JSONPath,
    of entity: EntitySchema
  ) -> UnwrittenStep.Substitute? {
    switch (property, kind) {
    case (_, .attribute(let number)) where rest.steps.isEmpty:
      return .attribute(attributeStep(number, of: entity))
    case (.attribute, .attribute(let number)) where entity.attributes[number].type == .transformable:
      return .json(attribute: number)
    case (.relationship, .relationship(let number, _, _, _)) where rest.steps.isEmpty:
      return .relationship(number)
    case (.attribute, .relationship(let number, _, isEach: false, _)):
      let destination = schema.entities[entity.relationships[number].destination]
      guard !entity.relationships[number].isToMany,
        let attribute = destination.attributes.firstIndex(where: { $0.paths.first == rest }),
        let relationship = ownRelationships.first(where: { relationships[$0].number == number })
      else { return nil }
      return .related(relationship: relationship, attributeStep(attribute, of: destination))
    default: return nil
    }
  }

  /// The step for what is at the end of a path, without its key.
  private mutating func step(for leaf: ExportTree.Leaf) -> ExportStep {
    let entity = schema.entities[leaf.entity]
    var step: ExportStep
    switch leaf.kind {
    case .attribute(let number):
      let attribute = entity.attributes[number]
      step = ExportStep(
        .attribute(attributeStep(number, of: entity)),
        ifNull: nullForm(of: attribute, in: entity))
    case .relationship(let number, let isKeyed, let isEach, let skipped):
      var written = relationshipStep(number, isKeyed: isKeyed, of: entity)
      written.skippedElements = skipped
      let relationship = Int32(add(written, object: leaf.object))
      step = ExportStep(
        isEach ? .member(relationship) : .relationship(relationship),
        ifNull: nullForm(of: entity.relationships[number], in: entity))
    case .constant(let value):
      step = ExportStep(.constant(add(value)))
    }
    if let fallback = leaf.fallback { step.ifNull = .constant(add(fallback)) }
    step.object = Int32(leaf.object)
    return step
  }

  private mutating func add(_ relationship: RelationshipStep, object: Int) -> Int {
    relationships.append(relationship)
    if object == 0 { ownRelationships.append(relationships.count - 1) }
    return relationships.count - 1
  }

  private mutating func add(_ literal: [UInt8]) -> ExportStep.Literal {
    literals += literal
    return ExportStep.Literal(literals.count - literal.count..<literals.count)
  }

  /// How the value of an attribute is written.
  private mutating func attributeStep(_ number: Int, of entity: EntitySchema) -> AttributeStep {
    AttributeStep(number: number, form: form(of: entity.attributes[number]))
      .spelled(spellings[SpelledAttribute(number, of: entity, in: schema)])
  }

  /// How an attribute is written in place of the object that it identifies: as it was found there,
  /// unless that would be rounded where it was a string elsewhere, or else as it was found elsewhere.
  private mutating func referenceStep(_ number: Int, of entity: EntitySchema) -> AttributeStep {
    let values = spellings[SpelledAttribute(number, of: entity, in: schema)]
    let references = spellings[
      SpelledAttribute(number, of: entity, in: schema, isReference: true)]
    let step = AttributeStep(number: number, form: form(of: entity.attributes[number]))
    return step.spelled(
      references.contains(.plain) || references.isEmpty ? references.union(values) : references)
  }

  private mutating func form(of attribute: AttributeSchema) -> AttributeStep.Form {
    if case .custom(let transformer) = attribute.transformer, transformer.reverse != nil {
      transformers.append(transformer)
      return .transformed(Int32(transformers.count - 1))
    }
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      if attribute.transformer == .stringInteger { return .quoted(attribute.type) }
    case .string:
      if attribute.transformer == .stringInteger { return .stringAsInteger }
    case .date:
      return form(of: attribute.dateFormat)
    default: break
    }
    return .plain(attribute.type)
  }

  private mutating func form(of format: DateFormat) -> AttributeStep.Form {
    switch format {
    case .automatic, .iso8601: return .plain(.date)
    case .unix: return .secondsSince1970(isQuoted: false)
    case .unixMilliseconds: return .millisecondsSince1970(isQuoted: false)
    case .pattern(let text):
      let pattern = DatePattern(text)
      patterns.append(pattern)
      let index = Int32(patterns.count - 1)
      return pattern.fields == nil ? .foundationPattern(index) : .pattern(index)
    }
  }

  /// What is written where an attribute has no value: nothing where an import would refuse `null`,
  /// and `null` in any case where it would take the absence of the key for something else.
  private func nullForm(
    of attribute: AttributeSchema, in entity: EntitySchema
  ) -> ExportStep.NullForm {
    let policies = schema.policies(of: attribute.policies, in: entity)
    let isRequired = !attribute.isOptional && attribute.defaultValue == nil
    if isRequired || policies.onNull == .error { return .nothing }
    let mustBeThere =
      attribute.defaultValue != nil || policies.onAbsent == .default || policies.onAbsent == .error
    return options.writesNull || mustBeThere ? .null : .nothing
  }

  private func nullForm(
    of relationship: RelationshipSchema, in entity: EntitySchema
  ) -> ExportStep.NullForm {
    let policies = schema.policies(of: relationship.policies, in: entity)
    if policies.onNull == .error { return .nothing }
    return options.writesNull || policies.onAbsent == .error ? .null : .nothing
  }

  private mutating func relationshipStep(
    _ number: Int, isKeyed: Bool, of entity: EntitySchema
  ) -> RelationshipStep {
    let relationship = entity.relationships[number]
    let destination = schema.entities[relationship.destination]
    let onAbsent = schema.policies(of: relationship.policies, in: entity).onAbsent
    let reference = relationship.policies.over(entity.policies).reference
    return RelationshipStep(
      number: number,
      destination: destination.number,
      inverse: relationship.inverse,
      isOrdered: relationship.isOrdered,
      isKeyed: isKeyed,
      writesReferences: styles.style(of: number, in: entity) == .identifier,
      writesEmpty: options.writesEmpty || onAbsent == .error || onAbsent == .default,
      isImpliedByOwner: !relationship.isOrdered && onAbsent == .keep,
      isRequired: onAbsent != .keep,
      isInverseWritten: relationship.inverse.map { styles.writes($0, of: destination) } ?? false,
      needsEarlierObjects: reference == .ignore || reference == .error,
      mayLeadToAnonymous: destination.family.contains { nesting.mayBeAnonymous[$0] },
      nestsAnonymous: styles.nestsAnonymous(number, of: entity),
      relatedBy: relationship.relatedBy.map { referenceStep($0, of: destination) })
  }
}
