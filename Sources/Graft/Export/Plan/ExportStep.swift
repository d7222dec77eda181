// The numbers and addresses that an export plan is made of: see ExportPlan.swift. All of them are
// trivial, so that nothing is counted when they are read.

/// One thing that is written for each object of an entity.
struct ExportStep {
  enum Kind: UInt8 {
    // Attributes, by the form of their values.
    case integer
    /// An integer between quotes.
    case quotedInteger
    /// A text without its quotes, where it is an integer.
    case unquotedInteger
    case double
    case float
    case boolean
    case decimal
    case string
    case json
    case isoDate
    case patternDate
    /// A date in a pattern that only Foundation knows.
    case foundationDate
    case unixDate
    case unixMillisecondsDate
    case binary
    case uuid
    /// What a program's transformer makes of the value.
    case transformed
    // Relationships.
    case toOne
    case toMany
    /// A to-many relationship whose objects stand under names.
    case keyed
    // The rest.
    case constant
    case openObject
    case closeObject
    case openArray
    case closeArray
    /// An element that no property stands at.
    case gap
  }

  /// What is written where there is no value.
  enum NullForm: UInt8 {
    case null
    case nothing
    case constant
  }

  var kind: Kind
  var onNull = NullForm.null
  /// Whether it stands in an array, where a place cannot be left out.
  var isElement = false
  /// The object it is read from.
  var slot: UInt16 = 0
  /// The name with its quotes and colon.
  var key: UnsafePointer<UInt8>
  var keyCount: Int32 = 0
  /// The number of the attribute or relationship.
  var number: Int32 = 0
  /// The pattern, transformer, relationship or constant in the plan's tables.
  var detail: Int32 = 0
  /// The constant that stands in for a value.
  var constant: Int32 = 0

  var isRelationship: Bool { kind == .toOne || kind == .toMany || kind == .keyed }
}

/// A range of an export plan's steps or slots.
struct ExportRange {
  var start: Int32 = 0
  var count: Int32 = 0

  @inline(__always)
  var indices: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// An object that is read out of the same JSON object as its owner, or the object itself.
struct ExportSlot {
  /// The slot of the owner.
  var owner: Int32
  /// The number of the owner's relationship.
  var relationship: Int32
}

/// How the objects of one entity are written.
struct EntityExport {
  /// All there is of an object.
  var steps = ExportRange()
  /// What names an object, and what an import needs to make it, where a bare identity does not do.
  var reference = ExportRange()
  /// The objects that share the JSON object, the object itself not counted.
  var slots = ExportRange()
  /// The step that writes the single attribute of the identity; -1 where it has none or several.
  var identity: Int32 = -1
  /// The step that writes the name under which objects stand in a keyed collection; -1 if it is
  /// their position.
  var name: Int32 = -1
  /// Whether an import takes an attribute from that name.
  var isTakenFromName = false
  /// Whether that name is all that tells it.
  var isNamedOutside = false
  /// The step that writes all there is of an element; -1 where elements are objects.
  var scalar: Int32 = -1
  /// The attribute that is an element's position; -1 if there is none.
  var position: Int32 = -1
  /// Whether objects can be named by their identity.
  var hasIdentity = false
  /// Whether some may lack it all the same.
  var mayBeAnonymous = false
  /// Whether all objects of the entity are one.
  var isSingleton = false
  /// Whether an object can be met inside itself.
  var isRecursive = false
  /// Whether nested objects without identity may be part of it.
  var holdsAnonymous = false
  /// Whether a discriminator tells the entity from others of its family.
  var isDiscriminated = false
}

/// How a relationship of an entity is written.
struct RelationshipExport {
  var number: Int32
  var destination: Int32
  /// The number of the inverse at the destination; -1 if there is none.
  var inverse: Int32
  /// Whether objects stand as their identities.
  var isReference: Bool
  /// Whether the owner says all there is to know of this link, so that the object that is reached
  /// need not.
  var isImplied: Bool
  /// Whether even nothing must be said.
  var isDemanded: Bool
  /// Whether objects without identity are written inside this relationship's owner when the whole
  /// graph is; otherwise they stand there inside those of its inverse.
  var carries: Bool
  /// Whether the inverse is written too, so that one of the two is enough.
  var isAnswered: Bool
  /// Whether an object that it leads to may lack an identity.
  var mayLeadToAnonymous: Bool
  var isOrdered: Bool
  /// Whether a relationship without members is written.
  var writesEmpty: Bool
  /// The step that writes the attribute by which the destination's objects are named here, where
  /// that is not their identity; -1 otherwise.
  var relatedBy: Int32 = -1
}
