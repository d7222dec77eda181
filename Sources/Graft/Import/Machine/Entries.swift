/// The entries of one frame, among which those of others may lie.
struct Entries {
  let base: UnsafeMutablePointer<Entry>
  let count: Int
  let frame: Int32

  /// Marks the entries of a property for which a path that comes first has been found too.
  ///
  /// - Complexity: O(*n*) in the entries and in the properties of the entity.
  func supersede() {
    var slots = 0
    for position in 0..<count where base[position].frame == frame {
      slots = max(slots, base[position].slot + 1)
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slots) { ranks in
      // No rank is greater than this one, so it supersedes nothing.
      ranks.initialize(repeating: .max)
      for position in 0..<count where base[position].frame == frame {
        let entry = base[position]
        if !entry.kind.isIdle { ranks[entry.slot] = min(ranks[entry.slot], entry.rank) }
      }
      for position in 0..<count where base[position].frame == frame {
        let entry = base + position
        if ranks[entry.pointee.slot] < entry.pointee.rank { entry.pointee.isSuperseded = true }
      }
    }
  }
}

extension Entry {
  /// A number for the entry's property that no other property of its entity has.
  fileprivate var slot: Int { Int(number) * 2 + (kind.isAttribute ? 1 : 0) }
}

extension Entries {
  /// The entry of an attribute that counts: the last one.
  func last(forAttribute number: Int) -> Entry? {
    for position in (0..<count).reversed() {
      let entry = base[position]
      if entry.frame == frame, entry.kind.isAttribute, Int(entry.number) == number,
        !entry.isSuperseded, !entry.kind.isIdle
      {
        return entry
      }
    }
    return nil
  }
}

extension Entry.Kind {
  /// Whether the entry concerns an attribute, and not a relationship.
  var isAttribute: Bool {
    switch self {
    case .word, .bytes, .null, .default, .idleAttribute: true
    case .toOne, .element, .deferred, .collection, .idleRelationship: false
    }
  }

  /// Whether the entry only says that a key was there.
  var isIdle: Bool { self == .idleAttribute || self == .idleRelationship }
}

extension AttributeType {
  /// Whether a value of this type has grown.
  ///
  /// The module's `RawValue` is meant, and not the enumeration's own.
  func isIncreasing(from old: Graft.RawValue, to new: Graft.RawValue) -> Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: new.integer > old.integer
    case .double, .float, .date: new.double > old.double
    case .decimal: DecimalText.isIncreasing(from: old.bytes, to: new.bytes)
    case .string, .uri, .uuid, .binary, .transformable:
      old.bytes.lexicographicallyPrecedes(new.bytes)
    }
  }
}
