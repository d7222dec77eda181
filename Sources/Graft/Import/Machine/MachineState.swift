/// An entity parser: an object of the graph that is being read.
struct Frame: BitwiseCopyable {
  /// The number of the entity; -1 for the document.
  var entity: Int32
  /// The `OpenAction` that began it, which says who gets the object.
  var open: Int32
  /// The frame that was innermost before it.
  var outer: Int32
  /// The containers that were open when it began, its own included; 0 where the object is a mere
  /// scalar.
  var depth: Int32
  /// The first of its entries, and where their bytes begin.
  var entryStart: Int
  var byteStart: Int
  /// The objects without identity that were inserted before it.
  var anonymousStart: Int
  /// The required attributes that have a value.
  var seen: UInt64 = 0
  /// Whether entries of frames below lie among its own.
  var hasForeignEntries: Bool
  /// Whether the object is to be passed over.
  var isDropped = false
}

/// Something that is known of an object before it is finished.
struct Entry: BitwiseCopyable {
  enum Kind: UInt8 {
    /// An attribute's value in `bits`.
    case word
    /// An attribute's value in the bytes at `bits`.
    case bytes
    /// An attribute has no value.
    case null
    /// An attribute takes its default.
    case `default`
    /// A to-one relationship leads to the object in `bits`, or nowhere where that is 0.
    case toOne
    /// A to-many relationship has the object in `bits`; none where an identifier leads nowhere.
    case element
    /// A to-one relationship leads to, or a to-many relationship has, the object that the reference
    /// numbered `bits` names, once the document has ended.
    case deferred
    /// A to-many relationship is present; what was known of it before no longer counts. It is
    /// emptied where `bits` is 1, even if its policy is to unite.
    case collection
    /// The key of an attribute was there, and nothing comes of it.
    case idleAttribute
    /// The key of a relationship was there, and nothing comes of it.
    case idleRelationship
  }

  var kind: Kind
  var rank: UInt8
  var isIdentity: Bool
  /// Whether something that counts for more has been found.
  var isSuperseded = false
  /// The number of the attribute or relationship.
  var number: Int32
  /// The frame that it belongs to.
  var frame: Int32
  /// The number of bytes; of an element, 1 where a bare identifier named the object.
  var count: UInt32
  var bits: UInt64
}

/// An open object or array of the document.
struct OpenContainer: BitwiseCopyable {
  var container: Int32
  /// The position of the last element of an array; -1 before the first.
  var index: Int32
  var isArray: Bool
}

/// A value of a document as it comes.
struct ScalarEvent {
  enum Kind: UInt8 {
    case null
    case boolean
    case number
    case string
  }

  var kind: Kind
  /// The text; `true` and `false` for booleans.
  var text: UnsafeBufferPointer<UInt8>

  static func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> ScalarEvent {
    ScalarEvent(kind: .number, text: UnsafeBufferPointer(start: text, count: count))
  }

  static func string(_ text: UnsafePointer<UInt8>, _ count: Int) -> ScalarEvent {
    ScalarEvent(kind: .string, text: UnsafeBufferPointer(start: text, count: count))
  }

  static func boolean(_ value: Bool) -> ScalarEvent {
    let word: StaticString = value ? "true" : "false"
    return ScalarEvent(
      kind: .boolean,
      text: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  static var null: ScalarEvent {
    ScalarEvent(kind: .null, text: UnsafeBufferPointer(start: nil, count: 0))
  }
}

/// All that changes from event to event, in one piece of memory: see `ImportMachine`.
struct MachineState {
  enum Mode: UInt8 {
    /// Events are read.
    case reading
    /// Events are passed over until the present container ends.
    case skipping
    /// Events are recorded until it is known what the object is that they belong to.
    case taping
    /// The text of what comes is kept, whether it is read or passed over.
    case capturing
  }

  var mode = Mode.reading
  /// Whether the innermost container is an array.
  var isInArray = false
  /// The state of the value that comes next, where the innermost container is an object.
  var next: Int32
  /// The innermost container.
  var container: UnsafePointer<ContainerState>
  /// The containers that are open within one that is passed over, itself included.
  var skipDepth = 0
  /// The open containers with an object of which only the mention counts, it included; 0 where there
  /// is none.
  var mentionDepth = 0
  /// Whether objects have taken the place of others, to which links may lead still.
  var hasSuccessors = false
  var frames = RawStack<Frame>()
  var entries = RawStack<Entry>(capacity: 256)
  var bytes = RawStack<UInt8>(capacity: 4096)
  var levels = RawStack<OpenContainer>()
  /// Identities and lists on their way into the store.
  var identity = RawStack<RawValue>()
  var members = RawStack<ObjectID>(capacity: 64)
  /// Bytes that a conversion has made, until the next one.
  var converted = RawStack<UInt8>(capacity: 64)
  /// The objects without identity inside the open objects: they go if what holds them is passed
  /// over.
  var anonymous = RawStack<ObjectID>()

  func deallocate() {
    frames.deallocate()
    entries.deallocate()
    bytes.deallocate()
    levels.deallocate()
    identity.deallocate()
    members.deallocate()
    converted.deallocate()
    anonymous.deallocate()
  }
}
