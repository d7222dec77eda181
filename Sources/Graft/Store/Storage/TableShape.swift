// The layout of one entity's rows in memory.
//
// A table is cut into row groups of a power-of-two number of rows. A group is one allocation, the
// same shape for all groups of a table:
//
//   GroupHeader │ live bits │ stub bits │ validity bits per attribute │ one contiguous column per
//
// Bitmaps have one bit per row in 64-bit words (a group has at least 64 rows). Zeroed memory is a
// group without rows: no row is live, every attribute is null, every relationship empty. Columns
// are contiguous within a group so that they can be scanned.

/// The storage of an attribute's cell.
enum CellKind: UInt8 {
  /// A word of 8 bytes: an `Int64`, a `Double`, or a date's seconds since 2001.
  case word
  /// 1 byte: 0 or 1.
  case flag
  /// The 16 bytes of a UUID.
  case uuid
  /// A ``BytesCell``.
  case bytes

  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64, .double, .float, .date: .word
      case .boolean: .flag
      case .uuid: .uuid
      case .decimal, .string, .binary, .uri, .transformable: .bytes
      }
  }

  var byteCount: Int {
    switch self {
    case .word: 8
    case .flag: 1
    case .uuid, .bytes: 16
    }
  }
}

/// The position and kind of an attribute's column in a group.
package struct AttributeColumn: BitwiseCopyable {
  var kind: CellKind
  var isRequired: Bool
  var isIdentity: Bool
  /// Whether the word is a floating-point number; then 0 and -0 are one identity.
  var isFloating: Bool
  /// Offset of the first cell.
  var cells: Int
  /// Offset of the validity bits: 1 if there is a value.
  var validity: Int

  /// Returns the bits by which a word is compared as an identity: 0 and -0 are the same number.
  func canonical(_ bits: UInt64) -> UInt64 {
    isFloating && bits == 1 &<< 63 ? 0 : bits
  }
}

/// The position of a relationship's column in a group, and the relationship's inverse.
package struct RelationshipColumn: BitwiseCopyable {
  package var isToMany: Bool
  package var isOrdered: Bool
  /// Offset of the first cell: an `ObjectID` or 0 for a to-one, a ``ListCell`` for a to-many.
  var cells: Int
  /// The number of the inverse at the destination; -1 if there is none.
  var inverse: Int
  var destination: Int

  var byteCount: Int { isToMany ? 16 : 8 }
}

/// The shape of all groups of one entity's table.
///
/// Raw memory: the columns belong to the ``StoreLayout``, which frees them and outlives every shape
/// that is in use.
package struct TableShape: BitwiseCopyable {
  static let liveBits = MemoryLayout<GroupHeader>.stride
  static let groupByteGoal = 64 * 1024

  /// The identifier of the first row.
  let firstObject: ObjectID
  let shift: Int
  let byteCount: Int
  let stubBits: Int
  package let attributes: BorrowedBuffer<AttributeColumn>
  package let relationships: BorrowedBuffer<RelationshipColumn>

  /// The rows of a group.
  var capacity: Int { 1 &<< shift }
  var mask: Int { capacity &- 1 }
  var wordCount: Int { capacity &>> 6 }

  /// Returns the identifier of the object in a row of the table.
  func objectID(_ row: Int) -> ObjectID { ObjectID(firstObject, row: row) }

  /// Chooses the number of rows and the offset of each column.
  init(_ entity: EntitySchema, store: UInt16) {
    firstObject = ObjectID(entity: entity.number, store: store)
    var attributes = entity.attributes.enumerated().map { number, attribute in
      AttributeColumn(
        kind: CellKind(attribute.type),
        isRequired: !attribute.isOptional,
        isIdentity: entity.identity.contains(number),
        isFloating: [.double, .float, .date].contains(attribute.type),
        cells: 0,
        validity: 0)
    }
    var relationships = entity.relationships.map { relationship in
      RelationshipColumn(
        isToMany: relationship.isToMany,
        isOrdered: relationship.isOrdered,
        cells: 0,
        inverse: relationship.inverse ?? -1,
        destination: relationship.destination)
    }
    let bitmaps = 2 + attributes.count
    var cellBytes = 0
    for attribute in attributes { cellBytes += attribute.kind.byteCount }
    for relationship in relationships { cellBytes += relationship.byteCount }
    let bitsPerRow = cellBytes * 8 + bitmaps
    var shift = 6
    while shift < 10, (bitsPerRow << (shift + 1)) / 8 <= Self.groupByteGoal { shift += 1 }

    let bitmapBytes = (1 << shift) / 8
    stubBits = Self.liveBits + bitmapBytes
    var next = stubBits + bitmapBytes
    for number in attributes.indices {
      attributes[number].validity = next
      next += bitmapBytes
    }
    next = (next + 15) & ~15
    for number in attributes.indices {
      attributes[number].cells = next
      next += attributes[number].kind.byteCount << shift
    }
    for number in relationships.indices {
      relationships[number].cells = next
      next += relationships[number].byteCount << shift
    }
    self.shift = shift
    byteCount = next
    self.attributes = .allocate(attributes)
    self.relationships = .allocate(relationships)
  }

  /// Frees the columns.
  @unsafe func deallocate() {
    unsafe attributes.deallocate()
    unsafe relationships.deallocate()
  }
}
