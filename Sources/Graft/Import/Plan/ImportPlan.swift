// What an import does at each position in a document, compiled before the first byte is read.
//
// A position is not a path from the root: it is the set of what the open objects still have to read
// there. "Inside a tweet's `retweeted_status`" is the same position at every depth, so a recursive
// model has few. Positions are numbered, and everything that the parser's callbacks touch is plain
// numbers in memory of its own: no reference is counted and no bound is checked twice.
//
// Raw memory: the buffers are filled once in `init`, never written afterwards, and freed with the
// plan. The import machine holds the plan for as long as it reads from them.

/// What happens to a value at one position.
struct ValueState {
  /// The actions for a scalar or `null`.
  var scalars: Range32
  /// The `ContainerState` of an object that begins here, or -1 where objects are passed over.
  var object: Int32
  /// The `ContainerState` of an array that begins here, or -1 where arrays are passed over.
  var array: Int32
}

/// What happens inside an object or array at one position.
struct ContainerState {
  /// What is done when it begins, before its objects are opened.
  var starts: Range32
  /// The objects of the graph that begin with it.
  var opens: Range32
  /// What its own name and position give to objects that begin with it.
  var names: Range32
  /// The states of the members with known names; an object only.
  var keys: KeyTable
  /// The states of the elements at known positions; an array only.
  var elements: Range32
  /// The state of every other member or element, or -1 where they are passed over.
  var otherwise: Int32
  /// What must be known of the object before its entity is, in `ImportPlan.decisions`; -1 where the
  /// entity is certain.
  var decision: Int32
  /// Why the names found here are looked at one by one.
  var watch: KeyWatch
}

/// Why the names found in an object are looked at one by one, which costs time.
struct KeyWatch: OptionSet {
  let rawValue: UInt8
  /// A root may lie below: the names help to say why it was not found.
  static let leadsToRoot = KeyWatch(rawValue: 1)
  /// Names that no property reads are reported or refused.
  static let unknown = KeyWatch(rawValue: 2)
  /// Names that stand twice are refused.
  static let duplicate = KeyWatch(rawValue: 4)
}

/// A range of positions in one of the plan's buffers.
struct Range32: Hashable {
  var start: Int32 = 0
  var count: Int32 = 0

  @inline(__always)
  var indices: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// What a scalar or `null` does at a position.
struct ScalarAction {
  enum Kind: UInt8 {
    /// It is the value of an attribute.
    case attribute
    /// It is the identity of a to-one relationship's object.
    case toOne
    /// It is the identity of one of a to-many relationship's objects.
    case element
    /// It stands where a to-many relationship's array belongs.
    case toMany
    /// It stands where the container of a to-many relationship's or root's objects belongs, and
    /// only `null` matters.
    case container
    /// It is the identity of an object of a root.
    case rootElement
    /// It stands where a root's objects belong.
    case root
    /// It is all there is of an object.
    case object
  }

  var kind: Kind
  /// What is given to the property: the scalar, or the name or position under which it stands.
  var part: Part
  /// How the text becomes the attribute's value, or the identity's.
  var conversion: Conversion
  var rank: UInt8
  /// How many of the open objects stand between the innermost and the one that the value belongs
  /// to.
  var up: Int32
  /// The number of the attribute, the relationship or the root.
  var number: Int32
  /// The property in `ImportPlan.properties`.
  var property: Int32
  /// The objects that begin and end with the scalar, where `kind` is `object`: an `OpenAction`.
  var open: Int32
  /// The bit that says that a required attribute has a value.
  var requiredBit: UInt64
  var isIdentity: Bool
  /// What `null` does, the model's and the import's policies being settled.
  var onNull: NullPolicy.Action

  enum Part: UInt8 {
    case value
    case key
    case index
  }
}

/// What is done when an object or array begins at a position.
struct StartAction {
  enum Kind: UInt8 {
    /// A to-many relationship is present, and empty so far.
    case collection
    /// A root has been found.
    case root
    /// The container stands where something else belongs.
    case mismatch
    /// The container is the value of an attribute that keeps JSON.
    case capture
  }

  var kind: Kind
  var rank: UInt8
  var up: Int32
  var number: Int32
  var property: Int32
  /// The bit that says that a required attribute has a value.
  var requiredBit: UInt64
}

/// An object of the graph that begins at a position, and who gets it when it is finished.
struct OpenAction {
  var entity: Int32
  /// The attribute by which the relationship finds the object, where that is not its identity; -1
  /// otherwise.
  var relatedBy: Int32
  var deliveries: Range32
}

/// Who gets a finished object.
struct Delivery {
  enum Kind: UInt8 {
    case toOne
    case element
    case root
  }

  var kind: Kind
  var rank: UInt8
  var up: Int32
  var number: Int32
  var property: Int32
}

/// The state of an array's element at a known position.
struct ElementEntry {
  var position: Int32
  var state: Int32
}

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
    return ImportPlan(builder.tables, root: root, entities: builder.entities, roots: roots)
  }

  private init(_ builder: PlanTables, root: Int32, entities: [EntityPlan], roots: [ImportRoot]) {
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

extension ContainerState {
  /// A container in which nothing is known.
  static var empty: ContainerState {
    ContainerState(
      starts: Range32(), opens: Range32(), names: Range32(), keys: KeyTable([]),
      elements: Range32(), otherwise: -1, decision: -1, watch: [])
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
