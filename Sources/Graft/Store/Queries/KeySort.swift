// The keys of a chunk's rows are sorted byte by byte from the lowest on. That is stable, so that
// rows with the same key stay in their order, and takes time in proportion to the number of rows;
// bytes that all keys have in common, as the high ones of most numbers and dates, cost nothing.

/// Sorts keys, and rows along with them.
enum KeySort {
  /// Sorts keys in ascending order; rows with the same key stay in their order.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - rows: The rows, one for each key.
  static func sort(_ keys: inout ContiguousArray<UInt64>, _ rows: inout ContiguousArray<UInt16>) {
    guard !isSorted(keys) else { return }
    var otherKeys = keys
    var otherRows = rows
    var counts = ContiguousArray(repeating: 0, count: 256 * 8)
    for key in keys {
      for byte in 0..<8 { counts[byte << 8 + digit(byte, of: key)] += 1 }
    }
    for byte in 0..<8 {
      let digits = byte << 8..<(byte + 1) << 8
      guard counts[byte << 8 + digit(byte, of: keys[0])] < keys.count else { continue }
      var next = 0
      for place in digits { (counts[place], next) = (next, next + counts[place]) }
      for position in keys.indices {
        let place = byte << 8 + digit(byte, of: keys[position])
        otherKeys[counts[place]] = keys[position]
        otherRows[counts[place]] = rows[position]
        counts[place] += 1
      }
      swap(&keys, &otherKeys)
      swap(&rows, &otherRows)
    }
  }

  private static func digit(_ byte: Int, of key: UInt64) -> Int {
    Int(truncatingIfNeeded: key >> UInt64(byte << 3) & 0xff)
  }

  private static func isSorted(_ keys: ContiguousArray<UInt64>) -> Bool {
    var last: UInt64 = 0
    for key in keys {
      if key < last { return false }
      last = key
    }
    return true
  }
}
