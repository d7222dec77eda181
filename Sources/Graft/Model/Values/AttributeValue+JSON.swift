import Foundation

// Writes values as JSON in the default form: dates in ISO 8601, binary data in base64, UUIDs in
// capitals, numbers as their shortest exact text.

extension JSONWriter {
  /// Writes a value; `null` where JSON has no number for it.
  package mutating func value(_ value: AttributeValue) {
    switch value {
    case .integer(let value): integer(value)
    case .double(let value): number(value)
    case .float(let value): number(value)
    case .boolean(let value): boolean(value)
    case .string(let value): string(value)
    case .uri(let value): string(value.absoluteString)
    case .uuid(let value): string(value.uuidString)
    case .binary(let value): string(value.base64EncodedString())
    case .date(let value):
      string { DateText.appendISO8601(value.timeIntervalSinceReferenceDate, to: &$0) }
    case .decimal(let value):
      if value.isNaN { null() } else { literal(value.description) }
    case .json(let value): literal(value)
    }
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
