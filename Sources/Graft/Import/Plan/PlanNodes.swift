// The parts of an import plan. They are plain numbers, so that the parser's callbacks count no
// reference. See ImportPlan.swift.

/// The actions for a value at one position.
struct ValueNode {
  /// The actions for a scalar or `null`.
  var scalars: Range32
  /// The `ContainerNode` of an object that begins here; -1 if objects are skipped.
  var object: Int32
  /// The `ContainerNode` of an array that begins here; -1 if arrays are skipped.
  var array: Int32

  /// Returns the `ContainerNode` of an array or object that begins here; -1 if it is skipped.
  @inline(__always)
  func container(isArray: Bool) -> Int32 { isArray ? array : object }
}

/// The actions inside an object or array at one position.
struct ContainerNode {
  /// The actions at the beginning of the container, before its objects begin.
  var starts: Range32
  /// The objects of the graph that begin with the container.
  var handOffs: Range32
  /// The actions after its objects have begun: their to-many relationships at `*` and `[*]` are
  /// present.
  var ownStarts: Range32
  /// The properties at `@key` and `@index` of the objects that begin with it, in `ImportPlan.objectActions`.
  var ownActions: Range32
  /// The `ValueNode`s of the members with known keys, which `ImportPlan` owns; an object only.
  var keys: KeyTable
  /// The `ValueNode`s of the elements at known indexes; an array only.
  var elements: Range32
  /// The `ValueNode` of every other member or element; -1 if they are skipped.
  var otherwise: Int32
  /// The index, in `ImportPlan.decisions`, of the values that decide the object's entity; -1 if the
  /// entity is certain.
  var decision: Int32
  /// The reasons to examine the keys found here one by one.
  var watch: KeyWatch
  /// The number of the node; -1 outside the document.
  var number: Int32 = -1
}

/// The reasons to check the keys of an object one by one (`KeyWatcher`), which costs time.
struct KeyWatch: OptionSet {
  let rawValue: UInt8
  /// A root may be below: the keys help to explain why it was not found.
  static let leadsToRoot = KeyWatch(rawValue: 1)
  /// Keys that no property reads are reported or refused.
  static let unknown = KeyWatch(rawValue: 2)
  /// Keys that occur twice are refused.
  static let duplicate = KeyWatch(rawValue: 4)
}

/// A range of indexes in one of the plan's buffers.
struct Range32: Hashable {
  var start: Int32 = 0
  var count: Int32 = 0

  @inline(__always)
  var indices: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// The action for a scalar or `null` at a position.
enum ScalarAction {
  /// The scalar belongs to a property.
  case property(PropertyAction)
  /// Objects inside read the scalar at `@parent`: the number of the value, and of the steps that lead to it.
  case outer(slot: Int32, steps: Int32)
  /// The options ask for the scalar: the number of their path.
  case captured(Int32)
  /// The scalar is where only objects or arrays are read; the number of the relationship that reads them in
  /// `ImportPlan.properties`, or -1.
  case unread(property: Int32)
  /// The scalar is in a container that is not read (`StartAction.unread`).
  case inUnread

  /// Whether the scalar stands in place of the container behind a wildcard.
  var isOfContainer: Bool {
    if case .property(let action) = self, case .container = action.effect { true } else { false }
  }
}

/// The action for a scalar or `null` that belongs to a property.
struct PropertyAction {
  enum Effect {
    /// The scalar is the value of an attribute.
    case attribute
    /// The scalar is the identity of a to-one relationship's object.
    case toOne
    /// The scalar is the identity of one of a to-many relationship's objects.
    case element
    /// The scalar is in the place of a to-many relationship's array.
    case toMany
    /// The scalar is in the place of the container of a to-many relationship's or root's objects; only `null` matters.
    case container
    /// The scalar is the identity of an object of a root.
    case rootElement
    /// The scalar is in the place of a root's objects.
    case root
    /// The scalar is a whole object, like each string of `["blue", "red"]`; `handOff` is the number of its `HandOff`.
    ///
    /// It may be the object's identity too, so that an empty string is no object.
    case object(handOff: Int32, isIdentity: Bool)
    /// The scalar is at a later one of a relationship's paths, and waits until it is known whether that path
    /// counts: the `ValueNode` at which it is read then.
    case late(node: Int32)
  }

  /// The source of the property's value.
  enum Origin {
    /// The scalar.
    case value
    /// The scalar's key.
    case key
    /// The scalar's index.
    case index
    /// A value of a JSON object around the current one (`OuterValues`): its number, and the number of
    /// levels up to that object.
    case outer(slot: Int32, levels: Int32)
    /// A constant, by its number.
    case constant(Int32)
    /// The name of the file.
    case file
    /// The line on which the document begins.
    case line
  }

  var effect: Effect
  var origin: Origin
  /// The conversion from the text to the value of the attribute or the identity.
  var conversion: Conversion
  var pathIndex: UInt8
  /// The number of parsers from the innermost up to the object that owns the value.
  var levelsUp: Int32
  /// The number of the attribute, the relationship or the root.
  var number: Int32
  /// The property in `ImportPlan.properties`.
  var property: Int32
  /// The bit that says that a required attribute has a value.
  var requiredBit: UInt64 = 0
  var isIdentity = false
  /// Whether the scalar is a member whose key is the identity of its object.
  var isNamedByKey = false
  /// Whether the scalar is a single member where an array belongs.
  var isWrapped = false
  /// The effect of `null`, by the policies of the property, the import and the dialect.
  var onNull: NullPolicy.Action

  @inline(__always)
  var isAttribute: Bool { if case .attribute = effect { true } else { false } }

  var isToOne: Bool { if case .toOne = effect { true } else { false } }

  var isRootElement: Bool { if case .rootElement = effect { true } else { false } }

  /// Whether the value is the scalar itself.
  @inline(__always)
  var isOwnValue: Bool { if case .value = origin { true } else { false } }
}

/// The action at the beginning of an object or array at a position.
enum StartAction {
  /// The container belongs to a property.
  case property(PropertyStart)
  /// Objects inside read a value of the container at `@parent`: its number, and the number of steps that lead to it.
  case outer(slot: Int32, steps: Int32)
  /// The options ask for a scalar here, by its number.
  case captured(Int32)
  /// The container is an array where only objects are read, or the reverse; the number of the relationship that reads
  /// these in `ImportPlan.properties`, or -1.
  case unread(property: Int32)
  /// The container is in another that is not read.
  case inUnread

  /// Whether an attribute keeps the container as JSON.
  var isCapture: Bool {
    if case .property(let action) = self, case .capture = action.effect { true } else { false }
  }
}

/// The action at the beginning of an object or array that belongs to a property.
struct PropertyStart {
  enum Effect {
    /// A to-many relationship is present, and empty so far.
    case collection
    /// A root has been found.
    case root
    /// The container is in the place of another kind of value.
    case mismatch
    /// The container is the value of an attribute that keeps JSON.
    case capture(PropertyAction)
    /// The container is at a later one of a relationship's paths, and waits until it is known whether it
    /// counts: the `ValueNode` at which it is read then.
    case late(node: Int32)
  }

  var effect: Effect
  var pathIndex: UInt8
  var levelsUp: Int32
  var number: Int32
  var property: Int32
}

/// An object that begins at a position: its entity, and the relationships and roots that get it.
struct HandOff {
  var entity: Int32
  /// The attribute by which the relationship finds the object; -1 for its identity.
  var relatedBy: Int32
  /// Whether an object without identity is written into the one that a to-one relationship leads to already.
  var fillsTarget: Bool
  var handBacks: Range32
  /// The actions of an object that is only a scalar, in `ImportPlan.objectActions`: the properties that the scalar sets.
  var scalars = Range32()
}

/// The receiver of an object that has ended: a relationship of an enclosing object, or a root.
struct HandBack {
  enum Kind: UInt8 {
    case toOne
    case element
    case root
  }

  var kind: Kind
  var pathIndex: UInt8
  var levelsUp: Int32
  var number: Int32
  var property: Int32
}

/// The `ValueNode` of an array's element at a known index.
struct ElementEntry {
  var position: Int32
  var value: Int32
}

extension ContainerNode {
  /// A container in which nothing is known.
  static var empty: ContainerNode {
    ContainerNode(
      starts: Range32(), handOffs: Range32(), ownStarts: Range32(), ownActions: Range32(),
      keys: KeyTable([]), elements: Range32(), otherwise: -1, decision: -1, watch: [])
  }
}

/// The parts of a plan while it is compiled.
final class PlanTables {
  var values: [ValueNode] = []
  var containers: [ContainerNode] = []
  /// The tables of the containers, each once, because some share one; freed with this object.
  var keyTables: [KeyTable] = []
  var scalars: [ScalarAction] = []
  /// The actions for values that an object reads of itself: its key, its index, the scalar that it is.
  var objectActions: [PropertyAction] = []
  var starts: [StartAction] = []
  var handOffs: [HandOff] = []
  var handBacks: [HandBack] = []
  var elements: [ElementEntry] = []
  var decisions: [PlanDecision] = []
  var constants: [[UInt8]] = []
  var properties: [PropertyPlan] = []
  var hooks: [ImportHooks?] = []
  var deletionScopes: [(@Sendable (GraphObject) -> Bool)?] = []

  deinit {
    for table in keyTables { unsafe table.deallocate() }
  }

  /// Hands the key tables over to a plan, which frees them.
  func takeKeyTables() -> [KeyTable] {
    defer { keyTables = [] }
    return keyTables
  }

  func add(_ actions: [ScalarAction]) -> Range32 { Self.append(actions, to: &scalars) }
  func add(_ actions: [PropertyAction]) -> Range32 {
    Self.append(actions, to: &objectActions)
  }
  func add(_ actions: [StartAction]) -> Range32 { Self.append(actions, to: &starts) }
  func add(_ actions: [HandOff]) -> Range32 { Self.append(actions, to: &handOffs) }
  func add(_ entries: [HandBack]) -> Range32 { Self.append(entries, to: &handBacks) }
  func add(_ entries: [ElementEntry]) -> Range32 { Self.append(entries, to: &elements) }

  private static func append<Element>(_ new: [Element], to buffer: inout [Element]) -> Range32 {
    let range = Range32(start: Int32(buffer.count), count: Int32(new.count))
    buffer += new
    return range
  }
}
