/// The values of attributes in the canonical form.
enum CanonicalScalar {
  /// Appends a value as JSON.
  ///
  /// - Parameters:
  ///   - value: What the attribute's column holds.
  ///   - type: The attribute's type.
  ///   - output: Where the JSON is appended.
  static func append(_ value: RawValue, type: AttributeType, to output: inout [UInt8]) {
    guard !value.isNull else {
      output += "null".utf8
      return
    }
    switch type {
    case .integer16, .integer32, .integer64: JSONLiteral.appendInteger(value.integer, to: &output)
    case .double: JSONLiteral.appendNumber(value.double, to: &output)
    case .float: JSONLiteral.appendNumber(Float(value.double), to: &output)
    case .boolean: output += (value.boolean ? "true" : "false").utf8
    case .string, .uri: JSONLiteral.appendString(value.bytes, to: &output)
    case .transformable: output += value.bytes
    case .decimal: appendDecimal(value.bytes, to: &output)
    case .date: appendQuoted(to: &output) { DateText.appendISO8601(value.double, to: &$0) }
    case .binary: appendQuoted(to: &output) { Base64Text.append(value.bytes, to: &$0) }
    case .uuid: appendQuoted(to: &output) { UUIDText.append(value.bytes, to: &$0) }
    }
  }

  /// A decimal is kept by its digits; only `Decimal.nan`, set by a program, is no number in JSON.
  private static func appendDecimal(
    _ digits: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
  ) {
    if NumberScan(digits) != nil {
      output += digits
    } else {
      JSONLiteral.appendString(digits, to: &output)
    }
  }

  private static func appendQuoted(
    to output: inout [UInt8], _ append: (inout [UInt8]) -> Void
  ) {
    output.append(0x22)
    append(&output)
    output.append(0x22)
  }
}
