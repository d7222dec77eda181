// Reverses a model's paths into the steps of an export plan. An entity's properties are laid into a
// tree (ExportLayout), and the steps follow the tree in the order of its keys.

import Graft

/// Compiles a model into an export plan.
final class ExportPlanBuilder {
  private(set) var literals: [UInt8] = []
  private(set) var relationships: [RelationshipStep] = []
  private(set) var places: [RelationshipPlace] = []
  private(set) var outerValues: [OuterValuePlan] = []
  private(set) var hoisted: [HoistedValue] = []
  private(set) var emptyStrings: [(object: Int, attribute: Int)] = []
  private(set) var loops: [ExportLoop] = []
  private(set) var patterns: [WrittenPattern] = []
  private(set) var transformers: [ReversedTransformer] = []
  /// The relationships of the object itself, of the entity that is being compiled.
  private var ownRelationships: [Int] = []
  private var relationshipsReadThrough: Set<Int> = []
  private var unwritten: [LostProperty] = []
  private let schema: ModelSchema
  private let options: ExportOptions
  private let styles: ExportStyles
  private let nesting: ExportNesting
  private let needs: OuterValueReaders
  /// The entities whose objects an import takes without identity.
  private let mayLackIdentity: Set<Int>

  /// Prepares to compile a model.
  ///
  /// - Throws: ``ExportError`` if the options name what the model does not have.
  init(_ schema: ModelSchema, _ options: ExportOptions) throws {
    self.schema = schema
    self.options = options
    styles = try ExportStyles(schema, options)
    needs = OuterValueReaders(schema, styles)
    mayLackIdentity = schema.entitiesThatMayLackIdentity
    nesting = ExportNesting(schema, styles, needs)
  }

  /// Compiles an entity.
  ///
  /// - Throws: ``ExportError`` if too many objects share one JSON object.
  func export(of entity: EntitySchema) throws -> EntityExportPlan {
    let layout = try ExportLayout(of: entity, in: schema, styles, needs)
    var export = EntityExportPlan()
    export.isSingleton = entity.isSingleton
    export.hasIdentity = nesting.hasIdentity[entity.number]
    export.mayBeAnonymous = nesting.mayBeAnonymous[entity.number]
    export.needsIdentity =
      export.mayBeAnonymous && !entity.identity.isEmpty
      && !mayLackIdentity.contains(entity.number)
      && schema.missingIdentity(of: entity) != .insert
    export.isRecursive = nesting.isRecursive[entity.number]
    export.mayHoldAnonymous = nesting.mayHoldAnonymous[entity.number]
    export.isDiscriminated = layout.isDiscriminated
    export.keyName = layout.keyName
    export.sharedObjects = layout.sharedObjects
    ownRelationships = []
    relationshipsReadThrough = layout.relationshipsReadThrough
    unwritten = layout.unwritten
    let firstRelationship = relationships.count
    export.isArray = layout.ownArray != nil || !layout.tree.nodes[0].elements.isEmpty
    appendContent(of: layout.tree, to: &export.steps) { _ in true }
    if let number = layout.ownArray {
      let relationship = relationshipStep(number, isKeyed: false, of: entity)
      export.ownArray = Int32(add(relationship, at: JSONPath([.eachElement]), object: 0))
    }
    if let number = layout.spread {
      let relationship = add(
        relationshipStep(number, isKeyed: true, of: entity), at: JSONPath([.eachMember]), object: 0)
      export.steps.append(ExportStep(.spread(Int32(relationship))))
      export.ownKeys = layout.tree.nodes[0].members.keys.map { String(decoding: $0, as: UTF8.self) }
    }
    export.relationships = ownRelationships
    var outerValues = OuterValuePlan()
    outerValues.outer = outerSteps(of: entity, layout)
    export.readsOuterValues = nesting.readsOuterValues[entity.number]
    for path in layout.readInside {
      outerValues.readInside[path] = outerValue(at: path, in: layout)
    }
    outerValues.relationships = firstRelationship..<relationships.count
    for index in outerValues.relationships {
      relationships[index].canHoldReaders = canHoldReaders(index, outerValues)
    }
    self.outerValues.append(outerValues)
    if export.hasIdentity || entity.isSingleton {
      appendContent(of: layout.tree, to: &export.reference) {
        layout.isNeededForReference($0)
      }
    }
    if export.hasIdentity, entity.identity.count == 1 {
      export.identity = attributeStep(entity.identity[0], of: entity)
    }
    export.key = layout.keyAttribute.map { attributeStep($0, of: entity) } ?? export.identity
    export.importsKey = layout.keyAttribute != nil
    export.isNamedByKeyOnly = layout.keyAttribute.map { !layout.isPlaced($0) } ?? false
    export.isNamedByKeyFirst =
      layout.keyAttribute.map { layout.isReadFirst(.key, $0, of: entity) } ?? false
    export.isIdentifiedByKeyFirst =
      export.isNamedByKeyFirst && entity.identity.contains { $0 == layout.keyAttribute }
    export.isKeyIdentity = layout.keyAttribute.map { entity.identity == [$0] } ?? false
    export.holdsIdentity = entity.identity.allSatisfy { layout.isFound($0, of: entity) }
    export.holdsIdentityWithKey = entity.identity.allSatisfy {
      layout.isFound($0, of: entity) || $0 == layout.keyAttribute
    }
    export.holdsIdentityWithPosition = entity.identity.allSatisfy {
      layout.isFound($0, of: entity) || $0 == layout.indexAttribute
    }
    export.isPositionIdentity = layout.indexAttribute.map { entity.identity == [$0] } ?? false
    export.position = layout.indexAttribute
    export.isPlacedByPositionOnly = layout.indexAttribute.map { !layout.isPlaced($0) } ?? false
    export.isPlacedByPositionFirst =
      layout.indexAttribute.map { layout.isReadFirst(.index, $0, of: entity) } ?? false
    export.unwritten = layout.unwritten.map { unwrittenStep($0) }
    export.irreversible = entity.attributes.indices.compactMap { number in
      guard case .custom(let transformer) = entity.attributes[number].transformer,
        transformer.reverse == nil, layout.isPlaced(number)
      else { return nil }
      return (number, transformer)
    }
    export.untransformed = entity.attributes.indices.filter { number in
      entity.attributes[number].lacksTransformer && !entity.attributes[number].paths.isEmpty
    }
    export.value = layout.valueAttribute
    export.isWholeAsScalar = layout.isWholeAsScalar(entity, isKeyed: false)
    export.isWholeAsScalarUnderKey = layout.isWholeAsScalar(entity, isKeyed: true)
    export.isChangedByReference = entity.relationships.indices.contains { number in
      styles.isRead(number, of: entity)
        && schema.policies(of: entity.relationships[number].policies).onAbsent != .keep
    }
    export.hasOthersThanScalar = layout.hasOthersThanScalar
    export.mayHaveLosses =
      !export.unwritten.isEmpty || export.isNamedByKeyFirst || export.keyName != nil
      || export.isPlacedByPositionFirst || !export.untransformed.isEmpty
      || !export.irreversible.isEmpty
      || export.hasIdentity && !export.holdsIdentity
    export.scalar = layout.scalarAttribute.map { attributeStep($0, of: entity) }
    return export
  }
}

// MARK: - Steps

extension ExportPlanBuilder {
  /// Appends the steps for the content of an object, which may be an array in JSON.
  private func appendContent(
    of tree: ExportTree, to steps: inout [ExportStep], _ isNeeded: (ExportLeaf) -> Bool
  ) {
    if tree.nodes[0].elements.isEmpty {
      appendMembers(of: 0, in: tree, to: &steps, isNeeded)
    } else {
      appendElements(of: tree.nodes[0], in: tree, to: &steps, isNeeded)
    }
  }

  /// Appends the steps for the members of a node that lead to needed leaves.
  private func appendMembers(
    of node: Int, in tree: ExportTree, to steps: inout [ExportStep],
    _ isNeeded: (ExportLeaf) -> Bool
  ) {
    let isByName = options.keyOrder == .sorted
    let members = tree.nodes[node].members.map { key, value in
      (key: key, value: value, order: tree[value].order)
    }.inOrder {
      isByName
        ? $0.key.lexicographicallyPrecedes($1.key)
        : ($0.order, $0.value) < ($1.order, $1.value)
    }
    for member in members {
      append(
        member.value, name: String(decoding: member.key, as: UTF8.self), in: tree, to: &steps,
        isNeeded)
    }
  }

  private func append(
    _ number: Int, name: String?, in tree: ExportTree, to steps: inout [ExportStep],
    _ isNeeded: (ExportLeaf) -> Bool
  ) {
    let node = tree.nodes[number]
    var content: [ExportStep] = []
    if let leaf = node.content.leaf {
      if isNeeded(leaf) { content = [step(for: leaf, isElement: name == nil)] }
    } else if !node.members.isEmpty {
      appendMembers(of: number, in: tree, to: &content, isNeeded)
      content = content.isEmpty ? [] : [.init(.beginObject)] + content + [.init(.endObject)]
    } else if let each = node.eachMember ?? node.eachElement {
      content = loop(over: each, isKeyed: node.eachMember != nil, in: tree, isNeeded)
    } else {
      appendElements(of: node, in: tree, to: &content, isNeeded)
      content = content.isEmpty ? [] : [.init(.beginArray)] + content + [.init(.endArray)]
    }
    guard !content.isEmpty else { return }
    content[0].key = name.map { add(JSONWriter.prepared(key: $0)) }
    steps += content
  }

  /// Returns the step for an array or object whose elements are written alike; nothing if no step
  /// is needed.
  private func loop(
    over each: Int, isKeyed: Bool, in tree: ExportTree, _ isNeeded: (ExportLeaf) -> Bool
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
    let all = steps.compactMap { step in
      switch step.content {
      case .member(let relationship), .relationship(let relationship): Int(relationship)
      default: nil
      }
    }
    // If one relationship decides the keys, so must all others that share its elements.
    let isGrouped = isKeyed && !all.isEmpty && all.allSatisfy { places[$0].groupedBy != nil }
    loops.append(
      ExportLoop(
        steps: steps, relationships: members, hasFirst: hasFirst, isKeyed: isKeyed,
        grouped: isGrouped ? all : []))
    var step = ExportStep(.each(Int32(loops.count - 1)))
    step.object = objects.first ?? 0
    return [step]
  }

  private func appendElements(
    of node: ExportTree.Node, in tree: ExportTree, to steps: inout [ExportStep],
    _ isNeeded: (ExportLeaf) -> Bool
  ) {
    var next = 0
    for (position, child) in node.elements.sortedByKey() {
      var content: [ExportStep] = []
      append(child, name: nil, in: tree, to: &content, isNeeded)
      guard !content.isEmpty else { continue }
      for _ in next..<position { steps.append(ExportStep(.emptyElement)) }
      steps += content
      next = position + 1
    }
  }

  /// Returns the check whether an unwritten property can be recovered from another one.
  private func unwrittenStep(_ unwritten: LostProperty) -> LossCheck {
    let entity = schema.entities[unwritten.entity]
    var step = LossCheck(property: unwritten.property, object: unwritten.object)
    switch unwritten.property {
    case .attribute(let number):
      step.step = attributeStep(number, of: entity)
      step.defaultValue = entity.attributes[number].defaultValue
      if unwritten.isWritten {
        step.reason = .shadowed
      } else if entity.attributes[number].paths.contains(where: \.steps.isEmpty) {
        step.reason = .keptObject
      }
    case .relationship(let number):
      let relationship = entity.relationships[number]
      let destination = schema.entities[relationship.destination]
      step.isInverseWritten =
        relationship.inverse.map { styles.writes($0, of: destination) } ?? false
      let reference = relationship.relatedBy ?? destination.singleIdentity
      if let reference {
        step.step = attributeStep(reference, of: destination)
      }
    }
    guard let (leaf, rest) = unwritten.substitute else { return step }
    step.substitute = substitute(for: unwritten.property, of: entity, leaf, rest)
    step.substituteObject = leaf.object
    if unwritten.isWritten, case .attribute(let number) = leaf.kind {
      let owner = schema.entities[leaf.entity]
      if case .nothing = nullForm(of: owner.attributes[number]) {
        step.isFoundWithoutSubstitute = true
      }
    }
    return step
  }

  private func substitute(
    for property: LostProperty.Property, of entity: EntitySchema, _ leaf: ExportLeaf,
    _ rest: JSONPath
  ) -> LossCheck.Substitute? {
    let owner = schema.entities[leaf.entity]
    switch (property, leaf.kind) {
    case (_, .attribute(let number)) where rest.steps.isEmpty:
      return .attribute(attributeStep(number, of: owner))
    case (.attribute, .attribute(let number)) where owner.attributes[number].type == .transformable:
      return .json(attribute: number)
    case (.relationship(let own), .relationship(let number, _, _, _)) where rest.steps.isEmpty:
      return owner.relationships[number].destination == entity.relationships[own].destination
        ? .relationship(number) : nil
    case (.attribute, .relationship(let number, _, isEach: false, _)):
      guard !owner.relationships[number].isToMany else {
        return member(of: number, in: owner, leaf, at: rest)
      }
      if rest.steps.isEmpty {
        return identityStep(of: owner.relationships[number]).map {
          .identity(relationship: number, $0)
        }
      }
      let destination = schema.entities[owner.relationships[number].destination]
      guard leaf.object == 0,
        let attribute = destination.attributes.firstIndex(where: { $0.paths.first == rest }),
        let relationship = ownRelationships.first(where: { relationships[$0].number == number })
      else { return nil }
      return .related(relationship: relationship, attributeStep(attribute, of: destination))
    default: return nil
    }
  }

  /// Returns the attribute that is found at a path like `[0].name` in the array of a to-many relationship.
  private func member(
    of number: Int, in owner: EntitySchema, _ leaf: ExportLeaf, at path: JSONPath
  ) -> LossCheck.Substitute? {
    guard leaf.object == 0, case .element(let element)? = path.steps.first,
      case .relationship(_, isKeyed: false, isEach: false, let skipped) = leaf.kind,
      element >= skipped,
      let relationship = ownRelationships.first(where: { relationships[$0].number == number })
    else { return nil }
    let destination = schema.entities[owner.relationships[number].destination]
    let rest = JSONPath(Array(path.steps.dropFirst()))
    let place = rest.steps.isEmpty ? JSONPath([.value]) : rest
    let attribute = destination.attributes.firstIndex { $0.paths.contains(place) }
    let isPlaced = destination.attributes.contains { $0.paths.contains(JSONPath([.index])) }
    guard !isPlaced, let attribute else { return nil }
    return .member(
      relationship: relationship, position: element - skipped,
      attributeStep(attribute, of: destination), isScalar: rest.steps.isEmpty)
  }

  /// Returns the step for the leaf at the end of a path, without its key.
  ///
  /// - Parameters:
  ///   - leaf: The leaf.
  ///   - isElement: Whether it is an element of an array; such a leaf cannot be left out.
  /// - Returns: The step.
  private func step(for leaf: ExportLeaf, isElement: Bool) -> ExportStep {
    let entity = schema.entities[leaf.entity]
    var step: ExportStep
    switch leaf.kind {
    case .attribute(let number):
      let attribute = entity.attributes[number]
      step = ExportStep(
        .attribute(attributeStep(number, of: entity)),
        ifNull: nullForm(of: attribute))
    case .relationship(let number, let isKeyed, let isEach, let skipped):
      var written = relationshipStep(number, isKeyed: isKeyed, of: entity)
      written.skippedElements = skipped
      let grouping = groupingAttribute(
        at: leaf.pathOfObjects, of: entity.relationships[number])
      let relationship = Int32(
        add(written, at: leaf.pathOfObjects, object: leaf.object, groupedBy: grouping))
      step = ExportStep(
        isEach ? .member(relationship) : .relationship(relationship),
        ifNull: nullForm(of: entity.relationships[number]))
      if let other = stringAttribute(atPlaceOf: leaf) {
        emptyStrings.append(other)
        step.ifNull = .emptyString(Int32(emptyStrings.count - 1))
      }
    case .constant(let value):
      step = ExportStep(.constant(add(value)))
    case .hoisted(let number, let attribute):
      step = ExportStep(.hoisted(Int32(hoist(number, attribute, leaf))), ifNull: .nothing)
    }
    if let fallback = leaf.fallback { step.ifNull = .constant(add(fallback)) }
    step.lossIfNull = lossIfNull(leaf, step.ifNull, isElement: isElement)
    step.object = Int32(leaf.object)
    return step
  }

  /// Returns a string attribute that is read from where a to-one relationship is written.
  private func stringAttribute(
    atPlaceOf leaf: ExportLeaf
  ) -> (object: Int, attribute: Int)? {
    guard leaf.object == 0, case .relationship(let number, _, _, _) = leaf.kind,
      !schema.entities[leaf.entity].relationships[number].isToMany
    else { return nil }
    for unwritten in unwritten {
      guard case .attribute(let attribute) = unwritten.property,
        let (other, rest) = unwritten.substitute, rest.steps.isEmpty, other.object == 0,
        other.kind == leaf.kind,
        schema.entities[unwritten.entity].attributes[attribute].type == .string
      else { continue }
      return (unwritten.object, attribute)
    }
    return nil
  }

  private func add(
    _ relationship: RelationshipStep, at path: JSONPath, object: Int,
    groupedBy: AttributeStep? = nil
  ) -> Int {
    relationships.append(relationship)
    places.append(RelationshipPlace(path, groupedBy: groupedBy))
    if object == 0 { ownRelationships.append(relationships.count - 1) }
    return relationships.count - 1
  }

  private func add(_ literal: [UInt8]) -> ExportStep.Literal {
    literals += literal
    return ExportStep.Literal(literals.count - literal.count..<literals.count)
  }

  /// Returns the step that writes an attribute.
  private func attributeStep(_ number: Int, of entity: EntitySchema) -> AttributeStep {
    let attribute = entity.attributes[number]
    var step = AttributeStep(number: number, form: form(of: attribute))
    let isQuoted = (attribute.policies.writtenAs ?? attribute.usualWrittenForm) == .string
    if isQuoted { step = step.asString }
    if case .custom(let transformer) = attribute.transformer, transformer.reverse != nil {
      transformers.append(
        ReversedTransformer(code: transformer, form: step.form, isQuoted: isQuoted))
      step.form = .transformed(Int32(transformers.count - 1))
    }
    return step
  }

  private func form(of attribute: AttributeSchema) -> AttributeStep.Form {
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

  private func form(of format: DateFormat) -> AttributeStep.Form {
    switch format {
    case .automatic, .iso8601: return .plain(.date)
    case .unix: return .secondsSince1970(isQuoted: false)
    case .unixMilliseconds: return .millisecondsSince1970(isQuoted: false)
    case .pattern(let text):
      let pattern = DatePattern(text)
      patterns.append(WrittenPattern(pattern))
      let index = Int32(patterns.count - 1)
      return pattern.isPlain ? .pattern(index) : .escapedPattern(index)
    }
  }

  /// Returns the output for an attribute without a value.
  ///
  /// It is nothing if an import would refuse `null`, keep the old value or take the default, where an absent key
  /// clears. It is `null` if an import would take the absence of the key for a change.
  private func nullForm(of attribute: AttributeSchema) -> ExportStep.NullForm {
    let policies = schema.policies(of: attribute.policies)
    let isRequired = !attribute.isOptional && attribute.defaultValue == nil
    if isRequired || policies.onNull == .error { return .nothing }
    if policies.onNull != .clear, policies.onAbsent == .clear { return .nothing }
    // Without the key, an import goes on to the next path.
    let mustBeThere =
      attribute.paths.count > 1 || attribute.defaultValue != nil || policies.onAbsent == .default
      || policies.onAbsent == .error
    return options.writesNull || mustBeThere ? .null : .nothing
  }

  private func nullForm(of relationship: RelationshipSchema) -> ExportStep.NullForm {
    let policies = schema.policies(of: relationship.policies)
    if policies.onNull == .error { return .nothing }
    return options.writesNull || relationship.paths.count > 1 || policies.onAbsent == .error
      ? .null : .nothing
  }

  /// Returns the loss of a missing value; nil if an import of the output gives no value too.
  private func lossIfNull(
    _ leaf: ExportLeaf, _ form: ExportStep.NullForm, isElement: Bool
  ) -> LossReason? {
    let entity = schema.entities[leaf.entity]
    let policies: SettledPolicies
    var takesDefault = false
    switch leaf.kind {
    case .constant, .hoisted: return nil
    case .relationship(let number, _, _, _):
      policies = schema.policies(of: entity.relationships[number].policies)
    case .attribute(let number):
      let attribute = entity.attributes[number]
      // A required attribute lacks a value in stubs only.
      guard attribute.isOptional else { return nil }
      policies = schema.policies(of: attribute.policies)
      takesDefault = attribute.defaultValue != nil
    }
    switch form {
    case .constant: return .namesSubentity
    case .nothing where !isElement:
      if policies.onAbsent == .error { return .refusedNull }
      return takesDefault && policies.onAbsent != .clear ? .defaultValue : nil
    case .nothing, .null, .emptyString:
      if policies.onNull == .error { return .refusedNull }
      return takesDefault && policies.onNull != .clear ? .defaultValue : nil
    }
  }

  private func relationshipStep(
    _ number: Int, isKeyed: Bool, of entity: EntitySchema
  ) -> RelationshipStep {
    let relationship = entity.relationships[number]
    let destination = schema.entities[relationship.destination]
    let settled = schema.policies(of: relationship.policies)
    let onAbsent = settled.onAbsent
    let reference = relationship.policies.reference
    return RelationshipStep(
      number: number,
      destination: destination.number,
      inverse: relationship.inverse,
      isOrdered: relationship.isOrdered,
      isKeyed: isKeyed,
      writesReferences: styles.style(of: number, in: entity) == .identifier,
      writesEmpty: options.writesEmpty || relationship.paths.count > 1 || onAbsent == .error
        || onAbsent == .default,
      isImpliedByOwner: !relationship.isOrdered && onAbsent == .keep,
      isRequired: onAbsent != .keep,
      isRefusedIfAbsent: onAbsent == .error,
      isInverseWritten: relationship.inverse.map { styles.writes($0, of: destination) } ?? false,
      isImpliedByInverse: isImpliedByInverse(relationship),
      isAddedTo: isAddedTo(relationship),
      isReplaced: relationship.isToMany && settled.collection == .replace,
      needsEarlierObjects: reference == .ignore || reference == .error,
      refusesLaterObjects: reference == .error,
      mayLeadToAnonymous: destination.family.contains {
        nesting.mayBeAnonymous[$0] || nesting.readsOuterValues[$0]
      },
      nestsAnonymous: styles.nestsAnonymous(number, of: entity),
      relatedBy: relationship.relatedBy.map { attributeStep($0, of: destination) },
      refersByIdentityAlone: relationship.isRelatedByIdentity,
      refersByObject: relationshipsReadThrough.contains(number))
  }

  /// Returns whether the inverse is an ordered list to which an import adds, so that
  /// writing the relationship too would change the list's order.
  private func isImpliedByInverse(_ relationship: RelationshipSchema) -> Bool {
    let destination = schema.entities[relationship.destination]
    guard let inverse = relationship.inverse, !relationship.isOrdered,
      styles.writes(inverse, of: destination)
    else { return false }
    let back = destination.relationships[inverse]
    let policies = schema.policies(of: back.policies)
    return back.isToMany && back.isOrdered && policies.collection == .union
      && schema.policies(of: relationship.policies).onAbsent == .keep
  }

  /// Returns whether a relationship is an ordered list to which an import adds, and its inverse is
  /// ordered as well.
  private func isAddedTo(_ relationship: RelationshipSchema) -> Bool {
    let destination = schema.entities[relationship.destination]
    guard relationship.isOrdered, let inverse = relationship.inverse else { return false }
    let policies = schema.policies(of: relationship.policies)
    return policies.collection == .union && destination.relationships[inverse].isOrdered
      && styles.writes(inverse, of: destination)
  }
}

// MARK: - Outer values

extension ExportPlanBuilder {
  /// Returns the values that an entity's objects, and the objects that share their JSON, read of
  /// enclosing objects.
  private func outerSteps(of entity: EntitySchema, _ layout: ExportLayout) -> [OuterStep] {
    var steps: [OuterStep] = []
    var entities = [entity]
    for shared in layout.sharedObjects {
      let owner = entities[shared.owner]
      entities.append(schema.entities[owner.relationships[shared.relationship].destination])
    }
    for (object, entity) in entities.enumerated() {
      for (number, attribute) in entity.attributes.enumerated() {
        let isWritten = !styles.isOuterValue(attribute, of: entity)
        let paths = isWritten && object == 0 ? layout.paths(before: number, of: entity) : []
        guard !isWritten || paths.contains(where: \.isOuter) else { continue }
        steps.append(
          OuterStep(
            property: .attribute(number), object: object, step: attributeStep(number, of: entity),
            sources: Self.sources(isWritten ? Array(paths) : attribute.paths), isWritten: isWritten)
        )
      }
      for (number, relationship) in entity.relationships.enumerated()
      where styles.isOuterValue(relationship, number, of: entity) {
        steps.append(
          OuterStep(
            property: .relationship(number), object: object,
            step: identityStep(of: relationship), sources: Self.sources(relationship.paths)))
      }
    }
    return steps
  }

  /// Returns the step that writes the identity of a to-one relationship's object; nil if the
  /// identity is not one attribute.
  private func identityStep(of relationship: RelationshipSchema) -> AttributeStep? {
    let destination = schema.entities[relationship.destination]
    guard !relationship.isToMany else { return nil }
    let identity = relationship.relatedBy.map { [$0] } ?? destination.identity
    return identity.count == 1 ? attributeStep(identity[0], of: destination) : nil
  }

  private static func sources(_ paths: [JSONPath]) -> [OuterStep.Source] {
    paths.compactMap { path in
      switch path.steps.first {
      case .parent: .outer(OuterPlace(path))
      case .constant(let text): .constant(Array(JSONWriter.quoted(text).dropFirst().dropLast()))
      default: nil
      }
    }
  }

  private func hoist(
    _ relationship: Int, _ attribute: Int, _ leaf: ExportLeaf
  ) -> Int {
    let owner = schema.entities[leaf.entity]
    let destination = schema.entities[owner.relationships[relationship].destination]
    let known = hoisted.firstIndex {
      $0.entity == leaf.entity && $0.object == leaf.object && $0.relationship == relationship
        && $0.attribute.number == attribute
    }
    if let known { return known }
    hoisted.append(
      HoistedValue(
        entity: leaf.entity, object: leaf.object, relationship: relationship,
        attribute: attributeStep(attribute, of: destination)))
    return hoisted.count - 1
  }

  /// Returns the value at a path that nested objects read; nil if there is none.
  private func outerValue(at path: JSONPath, in layout: ExportLayout) -> OuterValue? {
    guard let (leaf, rest) = layout.tree.leaf(on: path) else { return nil }
    let entity = schema.entities[leaf.entity]
    switch leaf.kind {
    case .attribute(let number) where rest.steps.isEmpty:
      return .attribute(attributeStep(number, of: entity), object: leaf.object)
    case .constant(let value) where rest.steps.isEmpty:
      return .constant(Array(value.dropFirst().dropLast()))
    case .hoisted(let number, let attribute):
      return .hoisted(hoist(number, attribute, leaf))
    case .relationship(let number, _, isEach: false, _)
    where leaf.object == 0 && !entity.relationships[number].isToMany:
      let destination = schema.entities[entity.relationships[number].destination]
      if rest.steps.isEmpty {
        return identityStep(of: entity.relationships[number]).map {
          .identity(relationship: number, $0)
        }
      }
      guard
        let relationship = ownRelationships.first(where: { relationships[$0].number == number }),
        let attribute = destination.attributes.firstIndex(where: { $0.paths.first == rest })
      else { return nil }
      return .related(
        relationship: relationship, attributeStep(attribute, of: destination),
        isIdentity: destination.identity.contains(attribute))
    default: return nil
    }
  }

  /// Returns whether a relationship's owner has the values that the objects of the relationship
  /// read of it.
  private func canHoldReaders(_ relationship: Int, _ owner: OuterValuePlan) -> Bool {
    let path = JSONPath(places[relationship].steps)
    let destination = schema.entities[relationships[relationship].destination]
    return needs.read(by: destination).allSatisfy { place in
      if place.isKey(onTheWay: path) { return true }
      return place.path(in: path).map { owner.readInside[$0] != nil } ?? true
    }
  }

  /// Returns the attribute of a relationship's objects that is the key of an object on the way to
  /// them, which differs from object to object.
  private func groupingAttribute(
    at path: JSONPath, of relationship: RelationshipSchema
  ) -> AttributeStep? {
    guard let wildcard = path.steps.firstIndex(of: .eachMember),
      let level = path.objectsOnTheWay.firstIndex(of: wildcard + 1)
    else { return nil }
    let destination = schema.entities[relationship.destination]
    let attribute = destination.attributes.firstIndex { attribute in
      styles.isOuterValue(attribute, of: destination)
        && attribute.paths.contains { path in
          let place = OuterPlace(path)
          return path.isOuter && place.levels == level + 1 && place.path.steps == [.key]
        }
    }
    return attribute.map { attributeStep($0, of: destination) }
  }
}

extension AttributeSchema {
  /// The form of numbers for which the model states none: integers are strings under a key such as Twitter's
  /// `id_str`.
  fileprivate var usualWrittenForm: WrittenForm {
    guard type.integerRange != nil, case .member(let key)? = paths.first?.steps.last,
      key.hasSuffix("_str")
    else { return .value }
    return .string
  }
}
