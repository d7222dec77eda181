// What an import does at each position in a document, compiled before the first byte is read.
//
// A position is not a path from the root: it is the set of what the open objects still have to read
// there. "Inside a tweet's `retweeted_status`" is the same position at every depth, so a recursive
// model has few. Positions are numbered, and everything that the parser's callbacks touch is plain
// numbers in memory of its own: no reference is counted and no bound is checked twice.
//
// Raw memory: the buffers are filled once in `init`, never written afterwards, and freed with the
// plan. The import machine holds the plan for as long as it reads from them.

/// What an import does at each position in a document.
final class ImportPlan {
  let states: UnsafeMutableBufferPointer<ValueState>
  let containers: UnsafeMutableBufferPointer<ContainerState>
  let scalars: UnsafeMutableBufferPointer<ScalarAction>
  let starts: UnsafeMutableBufferPointer<StartAction>
  let opens: UnsafeMutableBufferPointer<OpenAction>
  let deliveries: UnsafeMutableBufferPointer<Delivery>
  let elements: UnsafeMutableBufferPointer<ElementEntry>
  /// The position of the document itself.
  let root: Int32
  /// What stands in for the innermost container outside the document.
  let documentContainer: UnsafeMutablePointer<ContainerState>
  let decisions: [PlanDecision]
  /// The keys whose values alone decide, by decision.
  let decidingKeys: [[UInt8]?]
  let properties: [PropertyPlan]
  /// The date patterns of the properties.
  let patterns: [DatePattern?]
  /// What is to be done with the values of the properties besides converting them.
  let customs: [CustomConversion?]
  let entities: [EntityPlan]
  /// What a scalar gives to an object that it is all of, by entity.
  private let objectScalars: [Int32: Range32]
  let roots: [ImportRoot]

  // What is asked of an entity for each of its objects, by number.
  let hasAlternatives: [Bool]
  let identityCounts: [Int]
  let requiredMasks: [UInt64]
  let requiredCounts: [Int]
  let isSingleton: [Bool]
  /// The program's hooks, by entity; empty without any.
  let hooks: [ImportHooks?]
  /// Whether any hooks validate whole objects.
  let hasValidators: Bool
  /// Which objects may be deleted, by entity; empty where all may.
  let deletionScopes: [(@Sendable (GraphObject) -> Bool)?]
  let fillsPresentTarget: Bool
  let hasLookups: Bool
  /// The attributes by which relationships find objects though they are not their identity, by
  /// entity.
  let lookedUp: [Set<Int>]

  /// Compiles a plan.
  ///
  /// - Throws: ``ImportError`` where a root names no entity of the model, or the model cannot be
  ///   compiled.
  static func compile(
    schema: ModelSchema, roots: [ImportRoot], options: ImportOptions
  ) throws -> ImportPlan {
    var builder = PlanBuilder(schema: schema, roots: roots, options: options)
    let root = try builder.compileRoots()
    return ImportPlan(
      builder.tables, root: root, entities: builder.entities, roots: roots,
      validates: options.validates)
  }

  private init(
    _ builder: PlanTables, root: Int32, entities: [EntityPlan], roots: [ImportRoot],
    validates: Bool
  ) {
    states = Self.copy(builder.states)
    containers = Self.copy(builder.containers)
    scalars = Self.copy(builder.scalars)
    starts = Self.copy(builder.starts)
    opens = Self.copy(builder.opens)
    deliveries = Self.copy(builder.deliveries)
    elements = Self.copy(builder.elements)
    documentContainer = .allocate(capacity: 1)
    documentContainer.initialize(to: .empty)
    decisions = builder.decisions
    decidingKeys = decisions.map(\.decidingKey)
    properties = builder.properties
    patterns = properties.map(\.pattern)
    customs = properties.map(\.custom)
    objectScalars = builder.objectScalars
    self.root = root
    self.entities = entities
    self.roots = roots
    hasAlternatives = entities.map(\.hasAlternatives)
    identityCounts = entities.map(\.schema.identity.count)
    requiredMasks = entities.map(\.requiredMask)
    requiredCounts = entities.map(\.required.count)
    hooks = builder.hooks
    hasValidators = validates && hooks.contains { $0?.validate != nil }
    deletionScopes = builder.deletionScopes
    isSingleton = entities.map(\.schema.isSingleton)
    fillsPresentTarget = entities.contains { $0.fillsPresentTarget }
    hasLookups = !builder.lookedUp.isEmpty
    lookedUp = builder.lookedUp.isEmpty ? entities.map { _ in [] } : builder.lookedUp
  }

  deinit {
    for container in containers { container.keys.deallocate() }
    documentContainer.pointee.keys.deallocate()
    documentContainer.deallocate()
    states.deallocate()
    containers.deallocate()
    scalars.deallocate()
    starts.deallocate()
    opens.deallocate()
    deliveries.deallocate()
    elements.deallocate()
  }

  private static func copy<Element>(_ source: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: source.count)
    _ = buffer.initialize(fromContentsOf: source)
    return buffer
  }
}

extension ImportPlan {
  /// What a scalar gives to an object of an entity that it is all of.
  func objectScalars(of entity: Int32) -> Range32 { objectScalars[entity] ?? Range32() }

  /// The state of an array's element.
  func elementState(of container: ContainerState, at position: Int32) -> Int32 {
    for index in container.elements.indices where elements[index].position == position {
      return elements[index].state
    }
    return container.otherwise
  }
}
