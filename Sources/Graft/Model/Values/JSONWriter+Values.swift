// Writes values as JSON in the default form: dates in ISO 8601, binary data in base64, UUIDs in
// capitals, numbers as their shortest exact text.

import Foundation

extension JSONWriter {
  /// Writes a value; as a string if JSON has no number for it.
  package mutating func value(_ value: AttributeValue) {
    let type = value.type
    _ = value.withRawValue(for: type) { self.value($0, of: type) }
  }

  /// Writes the cell of an attribute; as a string if JSON has no number for it.
  package mutating func value(_ value: RawValue, of type: AttributeType) {
    guard !value.isNull else { return null() }
    switch type {
    case .integer16, .integer32, .integer64: integer(value.integer)
    case .double: numberOrString(value.double)
    case .float: numberOrString(Float(value.double))
    case .boolean: boolean(value.boolean)
    case .string, .uri: value.bytes.withSpan { string($0) }
    case .transformable: value.bytes.withSpan { literal($0) }
    case .decimal:
      // `Decimal.nan` is the one decimal that is not a number in JSON.
      value.bytes.withSpan { text in
        if NumberScan(text) != nil { literal(text) } else { string(text) }
      }
    case .date: string { DateText.appendISO8601(value.double, to: &$0) }
    case .binary: value.bytes.withRawSpan { string(Data($0).base64EncodedString()) }
    case .uuid: value.bytes.withSpan { bytes in string { UUIDText.append(bytes, to: &$0) } }
    }
  }

  private mutating func numberOrString(
    _ value: some BinaryFloatingPoint & CustomStringConvertible
  ) {
    if value.isFinite { number(value) } else { string(value.description) }
  }
}

extension AttributeValue {
  /// The value as JSON.
  var json: String {
    var json = JSONWriter()
    json.value(self)
    return json.text
  }
}
