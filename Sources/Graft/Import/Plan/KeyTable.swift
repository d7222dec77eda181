// Keys are the most frequent events, and most of them are unknown: a table must reject an unknown key as fast as
// it finds a known one.
//
// A key of up to 16 bytes is two overlapping loads and a length, which are compared as numbers; a
// longer one is compared by its ends first and then in full. Eight bytes can be read at every key
// (`InputSlice.keyPadding`), so that no branch depends on its size. The numbers are hashed with one
// multiplication into an open-addressed table that is at most half full, behind a filter of 64 bits
// that most unknown keys do not pass. The set of known keys is fixed by the model, not by the
// document: there is nothing for a hostile document to fill.
//
// Raw memory: `slots` has `mask + 1` elements, and `names` the bytes that they refer to. Both live as long as
// their owner, which is `PlanTables` at first, and then the plan. Eight bytes can be read at every key, in
// `names` and wherever a key is looked up.

/// The known keys of an object at one position, and the number that each stands for.
@safe struct KeyTable: BitwiseCopyable {
  private struct Slot: BitwiseCopyable {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    var name = BorrowedBuffer<UInt8>()
    var value = KeyTable.unknown
  }

  /// The value of a key that is not in the table.
  static let unknown: Int32 = -1

  /// One bit for each known key, by its hash; most unknown keys are rejected by their bit, without
  /// a look at the slots.
  private let filter: UInt64
  private let slots: BorrowedBuffer<Slot>
  private let names: BorrowedBuffer<UInt8>
  private let mask: Int

  /// Makes a table of keys.
  ///
  /// - Parameter keys: The keys' bytes, each once, with the value for each, which is not negative.
  init(_ keys: [(name: [UInt8], value: Int32)]) {
    var capacity = 2
    while capacity < keys.count * 2 { capacity *= 2 }
    mask = capacity - 1
    let padding = [UInt8](repeating: 0, count: InputSlice.keyPadding)
    names = .allocate(keys.flatMap(\.name) + padding)
    var slots = [Slot](repeating: Slot(), count: capacity)
    var end = 0
    var filter: UInt64 = 0
    for key in keys {
      let name = names[end..<end + key.name.count]
      let (head, tail) = unsafe Self.ends(name)
      let hash = Self.hash(head, tail, name.count)
      filter |= 1 &<< (hash & 63)
      var index = Int(truncatingIfNeeded: hash &>> 8) & mask
      while slots[index].value != Self.unknown { index = (index + 1) & mask }
      slots[index] = Slot(head: head, tail: tail, name: name, value: key.value)
      end += name.count
    }
    self.slots = .allocate(slots)
    self.filter = filter
  }

  /// Frees the table's memory.
  @unsafe func deallocate() {
    unsafe slots.deallocate()
    unsafe names.deallocate()
  }

  /// The keys, in no particular order.
  var keys: [String] {
    (0...mask).lazy.map { slots[$0] }.filter { $0.value != Self.unknown }.map { slot in
      String(decoding: slot.name, as: UTF8.self)
    }
  }

  /// Finds the value of a key.
  ///
  /// - Parameter key: The key, at whose address ``InputSlice/keyPadding`` bytes can be read.
  /// - Returns: The value; ``unknown`` if the table does not have the key.
  /// - Complexity: O(1) for keys of up to 16 bytes, O(*n*) in the length of longer ones.
  @unsafe @inline(__always)
  func value(of key: BorrowedBuffer<UInt8>) -> Int32 {
    let (head, tail) = unsafe Self.ends(key)
    let hash = Self.hash(head, tail, key.count)
    guard filter &>> (hash & 63) & 1 != 0 else { return Self.unknown }
    var index = Int(truncatingIfNeeded: hash &>> 8) & mask
    while true {
      if slots[index].value == Self.unknown { return Self.unknown }
      if slots[index].head == head, slots[index].tail == tail, slots[index].name.count == key.count,
        key.count <= 16 || slots[index].name.elementsEqual(key)
      {
        return slots[index].value
      }
      index = (index + 1) & mask
    }
  }

  @inline(__always)
  private static func hash(_ head: UInt64, _ tail: UInt64, _ count: Int) -> UInt64 {
    let mixed = (head ^ (tail &<< 29 | tail &>> 35) ^ UInt64(truncatingIfNeeded: count))
    return (mixed &* 0x9E37_79B9_7F4A_7C15) &>> 32
  }

  /// Returns the first and the last bytes of a key: all of it, up to 16 bytes.
  @unsafe @inline(__always)
  private static func ends(_ key: BorrowedBuffer<UInt8>) -> (UInt64, UInt64) {
    let count = key.count
    let beyond = max(count &- 8, 0)
    let mask = UInt64.max &>> UInt64(truncatingIfNeeded: max(64 &- count &* 8, 0) & 63)
    let used = count == 0 ? 0 : mask
    return unsafe key.withUnsafePointer { start in
      let raw = unsafe UnsafeRawPointer(start)
      return unsafe (
        raw.loadUnaligned(as: UInt64.self) & used,
        (raw + beyond).loadUnaligned(as: UInt64.self) & used
      )
    }
  }
}
