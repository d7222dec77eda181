// Keys are the most frequent events, and most of them are unknown: a table must say "unknown" as
// fast as it says which.
//
// A key of up to 16 bytes is two overlapping loads and a length, which are compared as numbers; a
// longer one is compared by its ends first and then in full. Eight bytes can be read at every key
// (`EventSink.keyPadding`), so that no branch depends on its size. The numbers are hashed with one
// multiplication into an open-addressed table that is at most half full, behind a filter of 64 bits
// that most unknown keys do not pass. The set of known keys is fixed by the model, not by the
// document: there is nothing for a hostile document to fill.
//
// Raw memory: `slots` has `mask + 1` elements, `names` owns the bytes that the slots point to; both
// live as long as the plan that owns the table, and are never written after `init`.

/// The known keys of an object at one position, and the number that each stands for.
struct KeyTable: BitwiseCopyable {
  private struct Slot {
    var head: UInt64
    var tail: UInt64
    var count: Int
    var name: UnsafePointer<UInt8>
    var value: Int32
  }

  /// The value of a key that is not in the table.
  static let unknown: Int32 = -1

  /// One bit for each known key, by its hash: most unknown keys are told from it, without a look at
  /// the slots.
  private let filter: UInt64
  private let slots: UnsafeMutablePointer<Slot>
  private let names: UnsafeMutablePointer<UInt8>
  private let mask: Int

  /// Makes a table of keys.
  ///
  /// - Parameter keys: The keys' bytes, each once, with the value for each, which is not negative.
  init(_ keys: [(name: [UInt8], value: Int32)]) {
    var capacity = 2
    while capacity < keys.count * 2 { capacity *= 2 }
    mask = capacity - 1
    let byteCount = keys.reduce(EventSink.keyPadding) { $0 + $1.name.count }
    names = .allocate(capacity: byteCount)
    names.initialize(repeating: 0, count: byteCount)
    slots = .allocate(capacity: capacity)
    slots.initialize(
      repeating: Slot(head: 0, tail: 0, count: 0, name: names, value: Self.unknown),
      count: capacity)
    var end = names
    var filter: UInt64 = 0
    for key in keys {
      for (index, byte) in key.name.enumerated() { end[index] = byte }
      let (head, tail) = Self.ends(end, key.name.count)
      let hash = Self.hash(head, tail, key.name.count)
      filter |= 1 &<< (hash & 63)
      var index = Int(truncatingIfNeeded: hash &>> 8) & mask
      while slots[index].value != Self.unknown { index = (index + 1) & mask }
      slots[index] = Slot(
        head: head, tail: tail, count: key.name.count, name: end, value: key.value)
      end += key.name.count
    }
    self.filter = filter
  }

  /// Frees the table's memory.
  func deallocate() {
    slots.deallocate()
    names.deallocate()
  }

  /// Finds the value of a key.
  ///
  /// - Complexity: O(1) for keys of up to 16 bytes, O(*n*) in the length of longer ones.
  @inline(__always)
  func value(of key: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let (head, tail) = Self.ends(key, count)
    let hash = Self.hash(head, tail, count)
    guard filter &>> (hash & 63) & 1 != 0 else { return Self.unknown }
    var index = Int(truncatingIfNeeded: hash &>> 8) & mask
    while true {
      let slot = slots + index
      if slot.pointee.value == Self.unknown { return Self.unknown }
      if slot.pointee.head == head, slot.pointee.tail == tail, slot.pointee.count == count,
        count <= 16 || Self.isEqual(slot.pointee.name, key, count)
      {
        return slot.pointee.value
      }
      index = (index + 1) & mask
    }
  }

  @inline(__always)
  private static func hash(_ head: UInt64, _ tail: UInt64, _ count: Int) -> UInt64 {
    let mixed = (head ^ (tail &<< 29 | tail &>> 35) ^ UInt64(truncatingIfNeeded: count))
    return (mixed &* 0x9E37_79B9_7F4A_7C15) &>> 32
  }

  /// The first and the last bytes of a key: all of it, up to 16 bytes.
  @inline(__always)
  private static func ends(_ key: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
    let raw = UnsafeRawPointer(key)
    let beyond = max(count &- 8, 0)
    let mask = UInt64.max &>> UInt64(truncatingIfNeeded: max(64 &- count &* 8, 0) & 63)
    let used = count == 0 ? 0 : mask
    return (
      raw.loadUnaligned(as: UInt64.self) & used,
      (raw + beyond).loadUnaligned(as: UInt64.self) & used
    )
  }

  private static func isEqual(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    for index in 0..<count where left[index] != right[index] { return false }
    return true
  }
}
