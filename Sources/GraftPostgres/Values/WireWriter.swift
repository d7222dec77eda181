/// Writes values in the binary form of Postgres: big-endian; in an array each follows the number of its bytes, which is
/// -1 for null.
struct WireWriter {
  var bytes: [UInt8] = []

  mutating func append<I: FixedWidthInteger>(_ value: I) {
    // Reads of the integer itself.
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes the number of bytes that follow into the four bytes at an index.
  mutating func setLength(at start: Int) {
    let length = Int32(clamping: bytes.count - start - 4).bigEndian
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * Int32(index)))
    }
  }

  mutating func append(_ value: Numeric) {
    append(Int16(value.digits.count))
    append(value.weight)
    append(value.sign)
    append(value.scale)
    for digit in value.digits { append(digit) }
  }
}
