extension JSONLiteral {
  /// Appends an integer.
  static func appendInteger(_ value: Int64, to output: inout [UInt8]) {
    if value < 0 { output.append(0x2D) }
    let start = output.count
    var rest = value.magnitude
    repeat {
      output.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest != 0
    output[start...].reverse()
  }

  /// Appends an integer of so many digits, zeros in front, as dates are written.
  ///
  /// - Precondition: The value is neither negative nor longer.
  static func appendDigits(_ value: Int, count: Int, to output: inout [UInt8]) {
    let start = output.count
    var rest = value
    for _ in 0..<count {
      output.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    output[start...].reverse()
  }

  /// Appends the shortest text that reads back as the same number: `3`, `0.1`, `1e+16`.
  ///
  /// What JSON has no number for, such as infinity, is written as a string.
  static func appendNumber(
    _ value: some BinaryFloatingPoint & CustomStringConvertible, to output: inout [UInt8]
  ) {
    guard value.isFinite else {
      output += "\"\(value.description)\"".utf8
      return
    }
    output += value.description.utf8
    if output.suffix(2) == [0x2E, 0x30] { output.removeLast(2) }
  }
}
