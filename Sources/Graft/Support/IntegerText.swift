/// Reads integers from their digits, exact to 64 bits.
package enum IntegerText {
  /// Reads an integer: digits with an optional sign, or a number such as `3.0` or `1e3` whose value
  /// is an integer.
  ///
  /// - Parameter text: The bytes of the whole number.
  /// - Returns: nil if the text is no integer or does not fit into 64 bits; nothing wraps and
  ///   nothing is rounded.
  package static func parse(_ text: Span<UInt8>) -> Int64? {
    guard let scan = NumberScan(text) else { return nil }
    return scan.integer ?? DecimalText(text, scan).integer
  }
}
