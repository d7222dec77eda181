// The actions of an import at each position in a document, compiled before the first byte is read.
//
// A position is the set of all steps (`PlanItem`) that the open objects expect next, and no path from the
// root. The inside of a tweet's `retweeted_status` is the same position at every depth. So a recursive
// model has few positions. They are numbered nodes. The parser's callbacks touch only plain numbers in
// frozen buffers, so no reference is counted.
//
// Raw memory: see FrozenBuffer.swift and KeyTable.swift. The import engine holds the plan for as long
// as it reads from it.

/// The actions of an import at each position in a document.
final class ImportPlan {
  let values: FrozenBuffer<ValueNode>
  private let containers: FrozenBuffer<ContainerNode>
  /// The tables to which the containers refer.
  private let keyTables: [KeyTable]
  let scalars: FrozenBuffer<ScalarAction>
  /// The actions for values that an object reads of itself.
  let objectActions: FrozenBuffer<PropertyAction>
  let starts: FrozenBuffer<StartAction>
  let handOffs: FrozenBuffer<HandOff>
  let handBacks: FrozenBuffer<HandBack>
  private let elements: FrozenBuffer<ElementEntry>
  /// The node of the document itself.
  let root: Int32
  /// The innermost container outside the document: one in which nothing is known.
  private let outermost: FrozenBuffer<ContainerNode>
  let decisions: [PlanDecision]
  /// The awaited keys of each decision; nil if whole objects must be known.
  let awaitedKeys: [[PlanDecision.AwaitedKey]?]
  /// The constants that properties have in place of a path.
  let constants: [[UInt8]]
  /// The name of the file that is imported.
  let fileName: [UInt8]?
  /// The paths of values that nested objects read, by slot.
  let outerPaths: [JSONPath]
  let properties: [PropertyPlan]
  /// The date patterns of the properties.
  let patterns: [DatePattern?]
  /// The treatment of the properties' values besides the conversion.
  let customs: [CustomConversion?]
  let entities: [EntityPlan]
  let roots: [ImportRoot]
  /// The numbers of the roots' entities.
  let entitiesOfRoots: [Int]

  /// The hooks by entity; empty without any.
  private let hooks: [ImportHooks?]
  /// Whether any hooks validate whole objects.
  let hasValidators: Bool
  /// The deletion scopes, by entity; empty if all objects may be deleted.
  let deletionScopes: [(@Sendable (GraphObject) -> Bool)?]
  /// The relationships of each entity that delete lost objects; empty if no object of the document has any.
  let deletingRelationships: [(entity: Int, number: Int)]
  let hasLookups: Bool
  /// The attributes, other than the identity, by which relationships find the objects of an entity; by entity.
  let lookups: [[AttributeLookup]]

  /// Compiles a plan.
  ///
  /// - Throws: ``ImportError`` if a root names no entity of the model, or the model cannot be
  ///   compiled.
  static func compile(
    schema: ModelSchema, roots: [ImportRoot], options: ImportOptions
  ) throws -> ImportPlan {
    let builder = PlanBuilder(schema: schema, roots: roots, options: options)
    let root = try builder.compileRoots()
    for handOff in builder.tables.handOffs {
      try builder.entities[Int(handOff.entity)].schema.requireCode()
    }
    return ImportPlan(
      builder.tables, root: root, entities: builder.entities, roots: roots,
      entitiesOfRoots: builder.entitiesOfRoots, outerPaths: builder.outerValues.paths,
      validates: options.validates,
      fileName: options.fileName)
  }

  private init(
    _ builder: PlanTables, root: Int32, entities: [EntityPlan], roots: [ImportRoot],
    entitiesOfRoots: [Int], outerPaths: [JSONPath], validates: Bool, fileName: String?
  ) {
    values = FrozenBuffer(builder.values)
    containers = FrozenBuffer(builder.containers)
    keyTables = builder.takeKeyTables()
    scalars = FrozenBuffer(builder.scalars)
    objectActions = FrozenBuffer(builder.objectActions)
    starts = FrozenBuffer(builder.starts)
    handOffs = FrozenBuffer(builder.handOffs)
    handBacks = FrozenBuffer(builder.handBacks)
    elements = FrozenBuffer(builder.elements)
    outermost = FrozenBuffer([.empty])
    decisions = builder.decisions
    awaitedKeys = decisions.map(\.awaitedKeys)
    constants = builder.constants
    self.fileName = fileName.map { Array($0.utf8) }
    self.outerPaths = outerPaths
    properties = builder.properties
    patterns = properties.map(\.pattern)
    customs = properties.map(\.custom)
    self.root = root
    self.entities = entities
    self.roots = roots
    self.entitiesOfRoots = entitiesOfRoots
    hooks = builder.hooks
    hasValidators = validates && hooks.contains { $0?.validate != nil }
    deletionScopes = builder.deletionScopes
    deletingRelationships = Self.deletingRelationships(of: entities, builder.handOffs)
    lookups = AttributeLookup.all(in: entities.map(\.schema))
    hasLookups = lookups.contains { !$0.isEmpty }
  }

  private static func deletingRelationships(
    of entities: [EntityPlan], _ handOffs: [HandOff]
  ) -> [(entity: Int, number: Int)] {
    let deletes = handOffs.contains { handOff in
      entities[Int(handOff.entity)].schema.family.contains {
        entities[$0].relationships.contains(where: \.deletes)
      }
    }
    guard deletes else { return [] }
    return entities.enumerated().flatMap { entity, plan in
      plan.relationships.indices.filter { plan.relationships[$0].deletes }.map { (entity, $0) }
    }
  }

  deinit {
    for table in keyTables { unsafe table.deallocate() }
    unsafe outermost[0].keys.deallocate()
  }
}

extension EntitySchema {
  /// Throws if code that the entity mentions is missing, as it may be in a model that was read for inspection.
  fileprivate func requireCode() throws(ImportError) {
    if let attribute = attributes.first(where: { $0.lacksTransformer && !$0.paths.isEmpty }) {
      throw missing("transformer", attribute.transformerName, attribute.name)
    }
    if dictionaryTransformer == nil, let name = dictionaryTransformerName {
      throw missing("dictionary transformer", name)
    }
    if mapper == nil, discriminators.isEmpty, let name = entityMapperName {
      throw missing("entity mapper", name)
    }
  }

  private func missing(
    _ kind: String, _ code: String?, _ property: String? = nil
  ) -> ImportError {
    ImportError(
      kind: .model, entity: name, property: property,
      message:
        "\(name)\(property.map { "." + $0 } ?? "") needs the \(kind) \"\(code ?? "")\", which is not"
        + " registered; import with a model that has it")
  }
}

extension ImportPlan {
  /// Returns a container.
  @inline(__always)
  func container(_ number: Int32) -> FrozenPlace<ContainerNode> {
    containers.place(of: Int(number))
  }

  /// Returns the hooks for the objects of an entity; nil if there are none.
  @inline(__always)
  func hooks(of entity: Int) -> ImportHooks? { hooks.isEmpty ? nil : hooks[entity] }

  /// The numbers of the roots' entities, and of those below them.
  var rootEntities: Set<Int> {
    Set(entitiesOfRoots.flatMap { entities[$0].schema.family })
  }

  /// The numbers of the entities whose objects are deleted when a relationship loses them, and of those below them.
  var losableEntities: Set<Int> {
    deletingRelationships.reduce(into: []) { numbers, key in
      let destination = entities[key.entity].schema.relationships[key.number].destination
      numbers.formUnion(entities[destination].schema.family)
    }
  }

  /// The number of containers in the plan.
  var containerCount: Int { containers.count }

  /// The innermost container outside the document: one in which nothing is known.
  var documentContainer: FrozenPlace<ContainerNode> { outermost.place(of: 0) }

  /// Returns the `ValueNode` of an array's element.
  func elementNode(of container: ContainerNode, at position: Int32) -> Int32 {
    // Most elements come after the elements with known indexes, which are in order.
    let last = elements[Int(container.elements.start + container.elements.count) - 1]
    if position > last.position { return container.otherwise }
    for index in container.elements.indices where elements[index].position == position {
      return elements[index].value
    }
    return container.otherwise
  }
}

extension ImportPlan {
  /// Returns the policies that hold again if other writers commit before the import does.
  func rebaseRules(in mode: ImportOptions.Mode) -> RebaseRules {
    var rules = RebaseRules()
    rules.insertsObjects = mode != .updateOnly
    rules.updatesObjects = mode != .insertOnly
    rules.modifiedAttributes = entities.map(\.modifiedAttribute)
    return rules
  }
}
