/// The identifier of an object: its entity and its place there, stable for the life of the store.
///
/// Identifiers order objects by entity, and within an entity by insertion.
public struct ObjectID: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The entity's number plus one in the high half, the row in the low half; 0 stands for no
  /// object.
  let rawValue: UInt64

  init(entity: Int, row: Int) {
    rawValue = UInt64(truncatingIfNeeded: entity &+ 1) &<< 32 | UInt64(truncatingIfNeeded: row)
  }

  /// The identifier in a cell; nil for a cell that holds none.
  init?(cell: UInt64) {
    guard cell != 0 else { return nil }
    rawValue = cell
  }

  /// The number of the concrete entity.
  var entity: Int { Int(truncatingIfNeeded: rawValue &>> 32) &- 1 }

  /// The row in the entity's table.
  var row: Int { Int(truncatingIfNeeded: rawValue & 0xffff_ffff) }

  /// Returns whether an object comes before another by entity and insertion.
  ///
  /// - Parameters:
  ///   - lhs: An identifier.
  ///   - rhs: Another one of the same store.
  /// - Returns: Whether `lhs` comes first.
  public static func < (lhs: ObjectID, rhs: ObjectID) -> Bool { lhs.rawValue < rhs.rawValue }
}
