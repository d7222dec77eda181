import Graft

/// Finds numbers by fingerprints.
///
/// A fingerprint is a hash already, and is not hashed again as the key of a dictionary is.
struct FingerprintIndex {
  /// The fingerprints with their numbers, each at the first free slot from where its bits lead; 0 in free slots.
  private var slots: ContiguousArray<(fingerprint: UInt64, number: Int32)> = []
  private var count = 0

  /// Returns the number of a fingerprint; nil if there is none.
  @inline(__always)
  subscript(fingerprint: UInt64) -> Int? {
    guard count > 0 else { return nil }
    let slot = slot(of: fingerprint)
    return slots[slot].fingerprint == 0 ? nil : Int(slots[slot].number)
  }

  func contains(_ fingerprint: UInt64) -> Bool { self[fingerprint] != nil }

  /// Notes a fingerprint, which is not 0, with its number.
  mutating func insert(_ fingerprint: UInt64, _ number: Int = 0) {
    if 2 * (count + 1) > slots.count { grow() }
    let slot = slot(of: fingerprint)
    if slots[slot].fingerprint == 0 { count += 1 }
    slots[slot] = (fingerprint, Int32(truncatingIfNeeded: number))
  }

  /// Returns the slot of a fingerprint, or the free one for it.
  @inline(__always)
  private func slot(of fingerprint: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: fingerprint >> 32) & mask
    while slots[slot].fingerprint != fingerprint, slots[slot].fingerprint != 0 {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: (0, 0), count: max(8, 2 * old.count))
    for entry in old where entry.fingerprint != 0 {
      slots[slot(of: entry.fingerprint)] = entry
    }
  }
}
