/// An identifier that is looked up again when the document has ended.
struct DeferredReference {
  /// The number of the property in the plan.
  var property: Int
  var value: OwnedValue
  /// Where it stands, and what it is in words, to say so if it names nothing then.
  var location: SourceLocation
  var path: String
  var found: String

  /// The bytes that it takes.
  var byteCount: Int {
    MemoryLayout<Self>.stride + value.byteCount + path.utf8.count + found.utf8.count
  }
}

/// The members of a relationship of which some are known only when the document has ended.
struct DeferredLink {
  /// A member: an object, or a deferred reference.
  enum Member {
    case object(ObjectID)
    case reference(Int)
  }

  var owner: ObjectID
  var relationship: Int
  var members: [Member]
  /// Whether any of the members was listed itself, and not by its identifier alone.
  var isNested: Bool
  /// Whether the relationship has got another value since.
  var isCancelled = false

  /// The deferred references among the members.
  var references: [Int] {
    members.compactMap { if case .reference(let number) = $0 { number } else { nil } }
  }

  /// The bytes that its members take.
  var byteCount: Int { members.count * MemoryLayout<Member>.stride }
}

/// Objects that an array no longer names, in a relationship that deletes such objects.
struct RemovedMembers {
  var ownerEntity: Int
  var relationship: Int
  var objects: [ObjectID]
}

/// A value of a column that owns its bytes.
struct OwnedValue: Hashable {
  private let bits: UInt64
  private let bytes: [UInt8]?

  /// The bytes that it holds besides itself.
  var byteCount: Int { bytes?.count ?? 0 }

  init(_ value: RawValue) {
    bits = value.bits
    bytes = value.start.map { Array(UnsafeBufferPointer(start: $0, count: value.count)) }
  }

  /// Lends the value as columns take it.
  func withRawValue<Result>(_ body: (RawValue) throws -> Result) rethrows -> Result {
    guard let bytes else {
      return try body(RawValue(bits: bits, start: nil, count: 0, isNull: false))
    }
    return try bytes.withUnsafeBufferPointer { buffer in
      // An empty array may have no address; a value needs one.
      var none: UInt8 = 0
      return try withUnsafePointer(to: &none) {
        try body(.bytes(buffer.baseAddress ?? $0, count: buffer.count))
      }
    }
  }
}
