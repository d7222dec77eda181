/// Tells identities that are surely not in a database, without asking it.
///
/// A Bloom filter (Bloom 1970) of one word for each key (Putze, Sanders and Singler 2009): two bits in one of a
/// million words. With a million keys 1 of 600 others seems to be there, with ten million 1 of 10; it never says
/// of a key that is there that it is not. It takes 8 MiB, however many keys there are.
struct KeyFilter {
  private var words: [UInt64]

  init() {
    words = Array(repeating: 0, count: 1 << 20)
  }

  mutating func insert(_ hash: UInt32) {
    let (index, bits) = Self.place(hash)
    words[index] |= bits
  }

  func mayContain(_ hash: UInt32) -> Bool {
    let (index, bits) = Self.place(hash)
    return words[index] & bits == bits
  }

  private static func place(_ hash: UInt32) -> (index: Int, bits: UInt64) {
    let mixed = UInt64(hash) &* 0x9E37_79B9_7F4A_7C15
    return (Int(mixed >> 44), 1 << (mixed & 63) | 1 << (mixed >> 6 & 63))
  }
}
