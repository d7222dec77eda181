import Graft

/// Knows most absent identities without a query: it remembers the identities of a database's rows as hashes.
///
/// A Bloom filter (Bloom 1970) with four bits in each of two words for a key (Putze, Sanders and
/// Singler 2009). It never denies a key that was inserted, and looks at the second word only if the
/// first has the key's bits. When a level is full, further keys go to the next one, which is eight
/// times as large (Almeida et al. 2007). A filter thus takes 64 bits for each key, and nothing
/// without keys. The last level takes 8 MiB and any number of keys. With a million keys, 1 of 4,000
/// absent keys is reported as present, since hashes have 32 bits; with ten million, 1 of 18.
struct BloomFilter {
  /// The memory that all filters of an import share.
  struct Memory {
    /// The number of words that may still be allocated.
    fileprivate(set) var wordCount: Int

    /// Creates the memory of an import.
    ///
    /// - Parameter byteCount: The most bytes that the filters take together.
    init(byteCount: Int = 64 << 20) { wordCount = byteCount / 8 }
  }

  private struct Level {
    /// The binary logarithm of its number of words.
    var size: Int
    /// Its first word.
    var start: Int
  }

  private static let levels = {
    var levels: [Level] = []
    for size in [6, 9, 12, 15, 18, 20] {
      levels.append(Level(size: size, start: levels.last.map { $0.start + 1 << $0.size } ?? 0))
    }
    return levels
  }()

  /// The words of all levels, one level after the other.
  private var words: [UInt64] = []
  private var levelCount = 0
  /// The number of keys that the last level has room for.
  private var freeCount = 0

  /// The size of the filter in bytes.
  var byteCount: Int { words.count * 8 }

  /// Adds an identity by its hash.
  ///
  /// - Parameters:
  ///   - hash: The hash.
  ///   - memory: The memory left for another level. Without any, the last level takes further keys
  ///     and denies fewer absent ones.
  mutating func insert(_ hash: UInt32, _ memory: inout Memory) {
    if freeCount == 0 { grow(&memory) }
    freeCount -= 1
    let level = Self.levels[levelCount - 1]
    for multiplier in Self.multipliers {
      let (index, bits) = Self.place(hash, multiplier, level)
      words[index] |= bits
    }
  }

  private mutating func grow(_ memory: inout Memory) {
    freeCount = .max
    guard levelCount < Self.levels.count else { return }
    let count = 1 << Self.levels[levelCount].size
    // The first level is so small that each entity has it.
    guard memory.wordCount >= count || levelCount == 0 else { return }
    memory.wordCount -= count
    words.reserveCapacity(words.count + count)
    words += repeatElement(0, count: count)
    levelCount += 1
    if levelCount < Self.levels.count { freeCount = count }
  }

  /// Returns whether an identity may have been added; false if it certainly was not.
  func mayContain(_ hash: UInt32) -> Bool {
    Self.levels.prefix(levelCount).contains { level in
      Self.multipliers.allSatisfy { multiplier in
        let (index, bits) = Self.place(hash, multiplier, level)
        return words[index] & bits == bits
      }
    }
  }

  /// The multipliers that derive two hashes from one: one for each word of a key.
  private static let multipliers: [UInt64] = [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F]

  private static func place(
    _ hash: UInt32, _ multiplier: UInt64, _ level: Level
  ) -> (index: Int, bits: UInt64) {
    let mixed = UInt64(hash) &* multiplier
    let index = level.start + Int(mixed >> UInt64(64 - level.size))
    let bits: UInt64 =
      1 << (mixed & 63) | 1 << (mixed >> 6 & 63) | 1 << (mixed >> 12 & 63) | 1 << (mixed >> 18 & 63)
    return (index, bits)
  }
}
