/// Writes values in the binary form of Postgres: big-endian; in an array each follows the number of its bytes, which is
/// -1 for null.
struct WireWriter {
  var bytes: [UInt8] = []

  mutating func append<I: FixedWidthInteger>(_ value: I) {
    // Reads of the integer itself.
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes a value as a function does, after the number of its bytes; null where that throws.
  mutating func appendField<E>(
    _ write: (inout WireWriter) throws(E) -> Void
  ) throws(E) {
    let start = bytes.count
    append(Int32(0))
    do throws(E) {
      try write(&self)
      setLength(at: start)
    } catch {
      bytes.removeSubrange(start...)
      appendNull()
      throw error
    }
  }

  /// Writes null in the place of a value.
  mutating func appendNull() { append(Int32(-1)) }

  /// Writes the number of bytes that follow into the four bytes at an index.
  private mutating func setLength(at start: Int) {
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
