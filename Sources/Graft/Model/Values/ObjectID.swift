/// The identifier of an object: its entity and its place there, stable for the life of the store.
///
/// Identifiers order objects by entity, and within an entity by insertion. Using one in another
/// store is a programming error, which stops the program with a message.
///
/// The check tells 65,536 stores apart, and then their numbers begin again. Calls that read or write a
/// database take numbers too. So a program that makes many stores must not keep the identifiers of
/// a former one: a later store may take them for its own.
public struct ObjectID: Sendable, Hashable, Comparable, BitwiseCopyable {
  // The entity comes first, so that comparing words compares by entity and insertion. The store is
  // part of the identifier so that using it in another store is found, and does not read some other
  // object.

  /// From the highest bit: the entity's number plus one in 16 bits, the store in 16, the row in 32; 0
  /// stands for no object.
  @usableFromInline let rawValue: UInt64

  /// Creates the identifier of the first row of an entity.
  init(entity: Int, store: UInt16) {
    rawValue = UInt64(truncatingIfNeeded: entity &+ 1) &<< 48 | UInt64(store) &<< 32
  }

  /// Creates the identifier of another row of the same entity.
  init(_ first: ObjectID, row: Int) {
    rawValue = first.rawValue | UInt64(truncatingIfNeeded: row)
  }

  /// Creates the identifier that a cell holds; nil if it holds none.
  package init?(cell: UInt64) {
    guard cell != 0 else { return nil }
    rawValue = cell
  }

  /// The number of the concrete entity.
  @inlinable package var entity: Int { Int(truncatingIfNeeded: rawValue &>> 48) &- 1 }

  /// The store's number; see `StoreLayout.number`.
  var store: UInt16 { UInt16(truncatingIfNeeded: rawValue &>> 32) }

  /// The row in the entity's table.
  @inlinable package var row: Int { Int(truncatingIfNeeded: rawValue & 0xffff_ffff) }

  /// Returns whether an object comes before another by entity and insertion.
  ///
  /// - Parameters:
  ///   - lhs: An identifier.
  ///   - rhs: Another one of the same store.
  /// - Returns: Whether `lhs` comes first.
  @inlinable public static func < (lhs: ObjectID, rhs: ObjectID) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

extension ObjectID: CustomStringConvertible {
  /// The numbers of the entity and of the object there, counted from 1.
  public var description: String { "object \(row + 1) of entity \(entity + 1)" }
}

extension Sequence<ObjectID> {
  /// Returns the identifiers in ascending order; used within the library instead of the generic method.
  func sorted() -> [ObjectID] {
    var identifiers = Array(self)
    sort(&identifiers)
    return identifiers
  }
}

// Never inlined, so that lists and sets share one copy of the library's sort (SharedSort.swift).
@inline(never)
private func sort(_ identifiers: inout [ObjectID]) { identifiers.sort() }

extension [ObjectID] {
  /// Returns the identifiers that are not among others.
  @inline(never)
  func without(_ others: Set<ObjectID>) -> [ObjectID] { filter { !others.contains($0) } }
}

extension [ObjectID: ObjectID] {
  /// Returns the last of the objects that replace one another, beginning with an object; the object itself if
  /// nothing replaces it.
  func end(of object: ObjectID) -> ObjectID {
    var current = object
    while let replacement = self[current] { current = replacement }
    return current
  }
}
