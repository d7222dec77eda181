import Graft

/// The identities that a database has: says of most others that they are not there, without asking it.
///
/// A Bloom filter (Bloom 1970) with two bits of one word for each key (Putze, Sanders and Singler 2009). It never
/// says of a key that is there that it is not. Keys that no longer fit a level go to the next one (Almeida et
/// al. 2007): the first takes 1 MiB and fits the processor's cache, the second 8 MiB, and there is no third, so
/// that memory does not grow with the data. With a million keys 1 of 600 others seems to be there, with ten million
/// 1 of 10.
struct BloomFilter {
  private static let sizes = [17, 20]
  /// How many keys the first level takes.
  private static let firstCount = 1 << 17

  private var first = [UInt64](repeating: 0, count: 1 << sizes[0])
  private var second: [UInt64] = []
  private var count = 0

  /// Adds an identity by its hash.
  mutating func insert(_ hash: UInt32) {
    count += 1
    if count <= Self.firstCount {
      let (index, bits) = Self.place(hash, Self.sizes[0])
      first[index] |= bits
      return
    }
    if second.isEmpty { second = Array(repeating: 0, count: 1 << Self.sizes[1]) }
    let (index, bits) = Self.place(hash, Self.sizes[1])
    second[index] |= bits
  }

  /// Whether an identity may have been added; false where it surely was not.
  func mayContain(_ hash: UInt32) -> Bool {
    let (index, bits) = Self.place(hash, Self.sizes[0])
    if first[index] & bits == bits { return true }
    guard !second.isEmpty else { return false }
    let (other, otherBits) = Self.place(hash, Self.sizes[1])
    return second[other] & otherBits == otherBits
  }

  private static func place(_ hash: UInt32, _ size: Int) -> (index: Int, bits: UInt64) {
    let mixed = UInt64(hash) &* 0x9E37_79B9_7F4A_7C15
    return (Int(mixed >> UInt64(64 - size)), 1 << (mixed & 63) | 1 << (mixed >> 6 & 63))
  }
}
