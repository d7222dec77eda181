// Reverses a model's paths into the steps of an export plan: for each entity its paths are laid
// into a tree, and the tree is walked in the order in which keys are to be written.

/// Compiles a model into an export plan.
struct ExportPlanBuilder {
  /// A step whose key has no address yet.
  struct Draft {
    var step: ExportStep
    /// Where the key begins in `keys`.
    var key: Int
  }

  let schema: ModelSchema
  let options: ExportOptions
  let styles: ExportStyles
  let reach: ExportReach
  var steps: [Draft] = []
  /// The steps that write a value alone.
  var values: [ExportStep] = []
  var slots: [ExportSlot] = []
  var entities: [EntityExport] = []
  var relationships: [RelationshipExport] = []
  var patterns: [DatePattern] = []
  var transformers: [CustomTransformer] = []
  var constants: [[UInt8]] = []
  /// One byte at least, so that every step has a key to point to.
  var keys: [UInt8] = [0]

  init(_ schema: ModelSchema, _ options: ExportOptions) throws {
    self.schema = schema
    self.options = options
    styles = try ExportStyles(schema, options)
    reach = ExportReach(schema, styles)
  }

  mutating func compile() throws {
    for entity in schema.entities { entities.append(try compile(entity)) }
  }

  private mutating func compile(_ entity: EntitySchema) throws -> EntityExport {
    var export = EntityExport()
    export.hasIdentity = reach.hasIdentity[entity.number]
    export.isSingleton = entity.isSingleton
    export.mayBeAnonymous = reach.mayBeAnonymous[entity.number]
    export.isRecursive = reach.isRecursive[entity.number]
    export.holdsAnonymous = reach.holdsAnonymous[entity.number]
    var layout = ExportLayout(schema, styles)
    try layout.lay(entity)
    let firstSlot = slots.count
    slots += layout.slots
    export.slots = ExportRange(start: Int32(firstSlot), count: Int32(slots.count - firstSlot))
    export.isDiscriminated = layout.isDiscriminated
    export.steps = append { $0.emitMembers(of: 0, in: layout.tree) { _ in true } }
    if export.hasIdentity || entity.isSingleton {
      export.reference = append {
        $0.emitMembers(of: 0, in: layout.tree) { layout.isNeededForReference($0) }
      }
    }
    if export.hasIdentity, entity.identity.count == 1 {
      export.identity = appendValue(of: entity.identity[0], in: entity)
    }
    nameElements(of: entity, layout, &export)
    return export
  }

  /// Settles how objects stand in arrays and under names.
  private mutating func nameElements(
    of entity: EntitySchema, _ layout: ExportLayout, _ export: inout EntityExport
  ) {
    if let attribute = layout.keyAttribute ?? (export.identity >= 0 ? entity.identity[0] : nil) {
      export.name = appendValue(of: attribute, in: entity)
    }
    export.isTakenFromName = layout.keyAttribute != nil
    export.isNamedOutside =
      layout.keyAttribute.map { !layout.isPlaced($0) } ?? false
    export.position = Int32(layout.indexAttribute ?? -1)
    if let attribute = layout.scalarAttribute {
      export.scalar = appendValue(of: attribute, in: entity)
    }
  }

  private mutating func append(_ emit: (inout Self) -> Void) -> ExportRange {
    let start = steps.count
    emit(&self)
    return ExportRange(start: Int32(start), count: Int32(steps.count - start))
  }

  /// Adds a step that writes an attribute's value alone.
  mutating func appendValue(of attribute: Int, in entity: EntitySchema) -> Int32 {
    values.append(attributeStep(attribute, of: entity))
    return Int32(values.count - 1)
  }

  /// Adds the members of a node that lead to what is needed.
  mutating func emitMembers(
    of node: Int, in tree: ExportTree, _ isNeeded: (ExportTree.Leaf) -> Bool
  ) {
    var members = tree.nodes[node].members
    switch options.keyOrder {
    case .model: members.sort { tree.nodes[$0.node].order < tree.nodes[$1.node].order }
    case .sorted: members.sort { $0.name.precedesByCodePoints($1.name) }
    }
    for member in members {
      emit(member.node, name: member.name, in: tree, isNeeded)
    }
  }

  private mutating func emit(
    _ number: Int, name: String?, in tree: ExportTree, _ isNeeded: (ExportTree.Leaf) -> Bool
  ) {
    let node = tree.nodes[number]
    let start = steps.count
    if let leaf = node.leaf {
      guard isNeeded(leaf) else { return }
      append(step(for: leaf), name)
    } else if !node.members.isEmpty {
      append(ExportStep(kind: .openObject, key: Self.noKey), name)
      emitMembers(of: number, in: tree, isNeeded)
      drop(since: start, orAppend: .closeObject)
    } else {
      append(ExportStep(kind: .openArray, key: Self.noKey), name)
      var next = 0
      for (position, child) in node.elements.sorted(by: { $0.key < $1.key }) {
        let before = steps.count
        for _ in next..<position { append(ExportStep(kind: .gap, key: Self.noKey), nil) }
        let first = steps.count
        emit(child, name: nil, in: tree, isNeeded)
        if steps.count == first {
          steps.removeSubrange(before...)
        } else {
          next = position + 1
        }
      }
      drop(since: start, orAppend: .closeArray)
    }
  }

  /// Closes a container, or takes it away if nothing was needed in it.
  private mutating func drop(since start: Int, orAppend kind: ExportStep.Kind) {
    if steps.count == start + 1 {
      steps.removeLast()
    } else {
      steps.append(Draft(step: ExportStep(kind: kind, key: Self.noKey), key: 0))
    }
  }

  /// Stands for an address until there is one.
  static var noKey: UnsafePointer<UInt8> {
    UnsafePointer<UInt8>(bitPattern: 1).unsafelyUnwrapped
  }

  private mutating func append(_ step: ExportStep, _ name: String?) {
    var draft = Draft(step: step, key: keys.count)
    if let name {
      keys += CanonicalEntity.quoted(name) + [0x3A]
      if options.isPretty, !options.isNDJSON { keys.append(0x20) }
      draft.step.keyCount = Int32(keys.count - draft.key)
    } else {
      draft.step.isElement = true
      draft.key = 0
    }
    steps.append(draft)
  }
}
