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

  /// The `ContainerNode` of an array or object that begins here; -1 if it is skipped.
  @inline(__always)
  func container(isArray: Bool) -> Int32 { isArray ? array : object }
}

/// The actions inside an object or array at one position.
struct ContainerNode {
  /// The actions at the beginning of the container, before its objects begin.
  var starts: Range32
  /// The objects of the graph that begin with it.
  var handOffs: Range32
  /// The actions after its objects have begun: their to-many relationships at `*` and `[*]` are
  /// present.
  var ownStarts: Range32
  /// The properties at `@key` and `@index` of the objects that begin with it.
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

/// Reasons to examine the keys of an object one by one (`KeyWatcher`), which costs time.
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
struct ScalarAction {
  enum Kind: UInt8 {
    /// It is the value of an attribute.
    case attribute
    /// It is the identity of a to-one relationship's object.
    case toOne
    /// It is the identity of one of a to-many relationship's objects.
    case element
    /// It is where a to-many relationship's array belongs.
    case toMany
    /// It is where the container of a to-many relationship's or root's objects belongs; only `null`
    /// matters.
    case container
    /// It is the identity of an object of a root.
    case rootElement
    /// It is where a root's objects belong.
    case root
    /// It is a whole object, as each string of `["blue", "red"]` may be.
    case object
    /// The value is at a later one of a relationship's paths, and waits until it is known whether
    /// that path counts.
    case late
    /// Objects inside read it at `@parent`; `number` is its slot.
    case outer
    /// The options ask for it; `number` is that of its path.
    case captured
  }

  var kind: Kind
  /// The source of the property's value: the scalar, its key or index, or a value from elsewhere.
  var part: Part
  /// For the `part` `outer`, the number of levels up to the JSON object that has the value; for the
  /// `kind` `outer`, the number of steps that lead to the value.
  var levels: UInt8
  /// The conversion from the text to the value of the attribute or the identity.
  var conversion: Conversion
  var pathIndex: UInt8
  /// The number of parsers from the innermost up to the object that owns the value.
  var levelsUp: Int32
  /// The number of the attribute, the relationship or the root.
  var number: Int32
  /// The property in `ImportPlan.properties`.
  var property: Int32
  /// For the `kind` `object`, the `HandOff` of the object that the scalar is; for `late`, the
  /// `ValueNode` at which the scalar is read.
  var target: Int32
  /// The number of the constant or of the outer value, where `part` is one.
  var origin: Int32
  /// The bit that says that a required attribute has a value.
  var requiredBit: UInt64
  var isIdentity: Bool
  /// Whether the scalar is a member whose key is the identity of its object.
  var isNamedByKey = false
  /// Whether the scalar is a single member where an array belongs.
  var isWrapped = false
  /// Whether the scalar is a whole object and also its identity, so that an empty string is no
  /// object.
  var isIdentityOfObject = false
  /// The effect of `null`, by the policies of the property, the import and the dialect.
  var onNull: NullPolicy.Action

  enum Part: UInt8 {
    case value
    case key
    case index
    /// A value of a JSON object around the current one (`OuterValues`).
    case outer
    case constant
    /// The name of the file.
    case file
    /// The line on which the document begins.
    case line
  }
}

/// The action at the beginning of an object or array at a position.
struct StartAction {
  enum Kind: UInt8 {
    /// A to-many relationship is present, and empty so far.
    case collection
    /// A root has been found.
    case root
    /// The container is in the place of another kind of value.
    case mismatch
    /// The container is the value of an attribute that keeps JSON.
    case capture
    /// The container is at a later one of a relationship's paths, and waits until it is known whether it
    /// counts.
    case late
    /// The container is where objects inside read a value at `@parent`; `number` is its slot.
    case outer
  }

  var kind: Kind
  var pathIndex: UInt8
  var levelsUp: Int32
  var number: Int32
  var property: Int32
  /// For the `kind` `late`, the `ValueNode` at which the container is read; for `outer`, the number
  /// of steps that lead to it.
  var target: Int32 = -1
  /// The bit that says that a required attribute has a value.
  var requiredBit: UInt64
}

/// An object of the graph that begins at a position: the entity of its parser, and who gets the object
/// when it has ended.
struct HandOff {
  var entity: Int32
  /// The attribute by which the relationship finds the object; -1 if that is the object's identity.
  var relatedBy: Int32
  var handBacks: Range32
  /// The actions of an object that is only a scalar: the properties that the scalar sets.
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
struct PlanTables {
  var values: [ValueNode] = []
  var containers: [ContainerNode] = []
  /// The tables of the containers, each once: some containers share one.
  var keyTables: [KeyTable] = []
  var scalars: [ScalarAction] = []
  var starts: [StartAction] = []
  var handOffs: [HandOff] = []
  var handBacks: [HandBack] = []
  var elements: [ElementEntry] = []
  var decisions: [PlanDecision] = []
  var constants: [[UInt8]] = []
  var properties: [PropertyPlan] = []
  var hooks: [ImportHooks?] = []
  var deletionScopes: [(@Sendable (GraphObject) -> Bool)?] = []

  mutating func add(_ actions: [ScalarAction]) -> Range32 { Self.append(actions, to: &scalars) }
  mutating func add(_ actions: [StartAction]) -> Range32 { Self.append(actions, to: &starts) }
  mutating func add(_ actions: [HandOff]) -> Range32 { Self.append(actions, to: &handOffs) }
  mutating func add(_ entries: [HandBack]) -> Range32 { Self.append(entries, to: &handBacks) }
  mutating func add(_ entries: [ElementEntry]) -> Range32 { Self.append(entries, to: &elements) }

  private static func append<Element>(_ new: [Element], to buffer: inout [Element]) -> Range32 {
    let range = Range32(start: Int32(buffer.count), count: Int32(new.count))
    buffer += new
    return range
  }
}
