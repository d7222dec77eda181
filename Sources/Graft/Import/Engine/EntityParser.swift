// Raw memory: all types here are trivial values that live on the stacks of `EntityParserStack`. Invariant:
// `PendingValues` and the places in it are valid until the next value is pushed.

/// The state of one object that is being read.
///
/// The engine does the reading, and the object's pending values wait on the stack until it ends.
///
/// The values wait because the identity may come last. Of `{"text": "Hi", "user": {…}, "id": 7}`,
/// nothing can be written before `id` shows whether tweet 7 exists.
struct EntityParser: BitwiseCopyable {
  /// The number of the entity; -1 for the document, whose parser is at the bottom of the stack.
  var entity: Int32
  /// The `HandOff` that began the parser, and that names the receivers of the object.
  var handOff: Int32
  /// The index of the parser that handed off to this one.
  var parent: Int32
  /// The number of open containers when the object began, its own included; 0 if the object is only
  /// a scalar, and negative if it has waited for the one around it (`WaitingObject`).
  var depth: Int32
  /// The index of the first of its pending values, and of the first of their bytes.
  var firstValue: Int
  var firstByte: Int
  /// The number of objects without identity that waited for an owner when the object began.
  var firstAnonymous: Int
  /// The bits of the required attributes that have a value.
  var requiredSeen: UInt64 = 0
  /// Whether values of parsers further down are between its own.
  var sharesValues: Bool
  /// Whether the object will not be imported.
  var isSkipped = false
  /// Whether values at later paths of its relationships wait for its end (`LateValues`).
  var hasLateValues = false
  /// Whether the object waits for the one around it (`WaitingObject`).
  var isWaiting = false
}

/// A value, or the object of a relationship, that waits until the object that it belongs to ends.
struct PendingValue: BitwiseCopyable {
  enum Kind: UInt8 {
    /// An attribute's value is in `bits`.
    case word
    /// An attribute's value is `count` bytes from position `bits` on.
    case bytes
    /// An attribute has no value.
    case null
    /// An attribute takes its default.
    case `default`
    /// A to-one relationship leads to the object in `bits`, or nowhere where that is 0.
    case toOne
    /// A to-many relationship has the object in `bits`; 0 if an identifier names no object.
    case element
    /// The deferred reference of number `bits` is the object of a to-one relationship, or a member
    /// of a to-many relationship.
    case deferred
    /// A relationship leads to the waiting object of number `bits`, once that has been merged.
    case waiting
    /// A to-many relationship is present: earlier members no longer count.
    case collection
    /// The key of an attribute was present, but its value has no effect.
    case presentAttribute
    /// The key of a relationship was present, but its value has no effect.
    case presentRelationship
    /// The value at one of an attribute's several paths could not be read: `bits` is the number of
    /// the error in `EntityParserStack.remarks`.
    case failed
    /// A notice about the value that follows, which is reported if the value's path counts: `bits` is its number in
    /// `EntityParserStack.remarks`.
    case notice
  }

  var kind: Kind
  /// The index of the path, among the property's alternative paths, at which the value was found.
  var pathIndex: UInt8
  var isIdentity: Bool
  /// Whether another value counts in its place: a hook's, or one at an earlier path.
  var isSuperseded = false
  /// The number of the attribute or relationship in its entity.
  var number: Int32
  /// The index of the parser that it belongs to.
  var parser: Int32
  /// The number of bytes; of an element, whether it is an ``identifier``.
  var count: UInt32
  /// The payload of `kind`; of a collection, whether it is ``emptied``.
  var bits: UInt64

  /// The value of `count` in an element that comes from a bare identifier, such as the 3 in `"tags": [3]`.
  static let identifier = 1
  /// The `bits` of a collection that is emptied, even if its policy is union.
  static let emptied: UInt64 = 1

  /// The object that a link leads to; nil if it leads nowhere, and for other values.
  var linkedObject: ObjectID? {
    kind == .toOne || kind == .element ? ObjectID(cell: bits) : nil
  }
  /// Whether a bare identifier named the object of an element.
  var isIdentifier: Bool { Int(count) == Self.identifier }
  /// Whether a collection is emptied, even if its policy is union.
  var isEmptied: Bool { bits == Self.emptied }
}

extension PendingValue.Kind {
  /// Whether the value belongs to an attribute, and not to a relationship.
  var isAttribute: Bool {
    switch self {
    case .word, .bytes, .null, .default, .presentAttribute, .failed, .notice: true
    case .toOne, .element, .deferred, .waiting, .collection, .presentRelationship: false
    }
  }

  /// Whether it has no value, and notes the presence of a key or a notice.
  var isOnlyPresence: Bool {
    self == .presentAttribute || self == .presentRelationship || self == .notice
  }
}

/// The place of a pending value on its stack.
@safe struct PendingValuePlace {
  private let address: UnsafeMutablePointer<PendingValue>

  @unsafe @inline(__always)
  init(address: UnsafeMutablePointer<PendingValue>) {
    unsafe self.address = address
  }

  @inline(__always)
  var pointee: PendingValue {
    unsafeAddress { unsafe UnsafePointer(address) }
    nonmutating unsafeMutableAddress { unsafe address }
  }

  @inline(__always)
  fileprivate func advanced(by count: Int) -> PendingValuePlace {
    unsafe PendingValuePlace(address: address + count)
  }

  fileprivate func distance(to other: PendingValuePlace) -> Int {
    unsafe other.address - address
  }
}

/// The pending values of one parser, possibly with values of other parsers in between.
///
/// A sequence of the places of the values, valid until the next value is pushed.
struct PendingValues: Sequence {
  let first: PendingValuePlace
  /// The number of values on the stack from the parser's first one on, with values of other
  /// parsers.
  let count: Int
  let parser: Int32

  struct Iterator: IteratorProtocol {
    fileprivate var position: PendingValuePlace
    fileprivate var rest: Int
    fileprivate let parser: Int32

    @inline(__always)
    mutating func next() -> PendingValuePlace? {
      while rest > 0 {
        let value = position
        position = position.advanced(by: 1)
        rest &-= 1
        if value.pointee.parser == parser { return value }
      }
      return nil
    }
  }

  @inline(__always)
  func makeIterator() -> Iterator { Iterator(position: first, rest: count, parser: parser) }

  /// Returns the values that follow one of them.
  func following(_ value: PendingValuePlace) -> PendingValues {
    let next = value.advanced(by: 1)
    return PendingValues(first: next, count: count - first.distance(to: next), parser: parser)
  }

  /// Returns the value of an attribute that counts: the last one.
  func last(forAttribute number: Int) -> PendingValue? {
    for position in (0..<count).reversed() {
      let value = first.advanced(by: position).pointee
      if value.parser == parser, value.kind.isAttribute, Int(value.number) == number,
        !value.isSuperseded, !value.kind.isOnlyPresence, value.kind != .failed
      {
        return value
      }
    }
    return nil
  }

  /// Returns whether a later value of the same relationship counts in place of one of them.
  func hasReplacement(of value: PendingValuePlace, isToMany: Bool) -> Bool {
    following(value).contains { other in
      guard other.pointee.number == value.pointee.number, !other.pointee.isSuperseded else {
        return false
      }
      switch other.pointee.kind {
      case .collection: return true
      case .toOne, .deferred, .waiting: return !isToMany
      default: return false
      }
    }
  }

  /// Returns whether an attribute has a value that is not null.
  func hasValue(forAttribute number: Int) -> Bool {
    for value in self where Int(value.pointee.number) == number && !value.pointee.isSuperseded {
      if value.pointee.kind == .word || value.pointee.kind == .bytes { return true }
    }
    return false
  }

  /// Returns whether the key of a property was present, even with `null`.
  func mentions(_ number: Int, isAttribute: Bool) -> Bool {
    for value in self where Int(value.pointee.number) == number {
      if value.pointee.kind.isAttribute == isAttribute { return true }
    }
    return false
  }

  /// The values of a relationship.
  enum Link {
    case absent
    /// Its key was present, and its value has no effect.
    case skipped
    case empty
    /// An object, or an identifier that waits for one.
    case object
  }

  /// Returns what the values say of a relationship.
  func link(_ number: Int, isUnion: Bool) -> Link {
    var link = Link.absent
    for value in self where Int(value.pointee.number) == number && !value.pointee.isSuperseded {
      switch value.pointee.kind {
      case .toOne: link = value.pointee.linkedObject == nil ? .empty : .object
      case .collection: link = isUnion && !value.pointee.isEmptied ? .skipped : .empty
      case .element: if value.pointee.linkedObject != nil { link = .object }
      case .deferred, .waiting: link = .object
      case .presentRelationship: if link == .absent { link = .skipped }
      default: break
      }
    }
    return link
  }

  /// Marks values as superseded.
  func supersede(where isMeant: (PendingValue) -> Bool) {
    for value in self where isMeant(value.pointee) { value.pointee.isSuperseded = true }
  }

  /// Cancels values at a later path than another value of the same property.
  ///
  /// With the paths `id | legacy_id`, the value of `legacy_id` is cancelled if both are present.
  ///
  /// - Parameter skipsFailures: Whether what was found at a path counts only if it could be read.
  /// - Complexity: O(*n*) in the values and in the properties of the entity.
  func supersedeLaterPaths(skipsFailures: Bool) {
    supersede(laterThanThose: { !skipsFailures || $0.kind != .failed }, where: { _ in true })
    // If no value could be read, the first failure gives the error.
    if skipsFailures {
      supersede(laterThanThose: { $0.kind == .failed }, where: { $0.kind == .failed })
    }
  }

  /// Cancels values at a later path than another value of the same property.
  ///
  /// - Parameters:
  ///   - counts: Returns whether a value cancels others.
  ///   - isMeant: Returns whether a value may be cancelled.
  private func supersede(
    laterThanThose counts: (PendingValue) -> Bool, where isMeant: (PendingValue) -> Bool
  ) {
    var slotCount = 0
    for value in self { slotCount = Swift.max(slotCount, value.pointee.slot + 1) }
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slotCount) { memory in
      // No path index is greater than this one, so it supersedes no value.
      unsafe memory.initialize(repeating: .max)
      var pathIndexes = unsafe memory.mutableSpan
      for value in self where counts(value.pointee) {
        let slot = value.pointee.slot
        pathIndexes[slot] = Swift.min(pathIndexes[slot], value.pointee.pathIndex)
      }
      for value in self
      where isMeant(value.pointee) && pathIndexes[value.pointee.slot] < value.pointee.pathIndex {
        value.pointee.isSuperseded = true
      }
    }
  }
}

extension PendingValue {
  /// A number for the value's property that no other property of its entity has.
  fileprivate var slot: Int { Int(number) * 2 + (kind.isAttribute ? 1 : 0) }
}
