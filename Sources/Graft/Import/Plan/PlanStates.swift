// The numbers that an import plan is made of: see ImportPlan.swift.

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

extension ContainerState {
  /// A container in which nothing is known.
  static var empty: ContainerState {
    ContainerState(
      starts: Range32(), opens: Range32(), names: Range32(), keys: KeyTable([]),
      elements: Range32(), otherwise: -1, decision: -1, watch: [])
  }
}
