/// A string, number, boolean or null of a document, as the parser sends it.
///
/// The text is borrowed: it is valid until the event has been handled.
struct ScalarEvent {
  enum Kind: UInt8 {
    case null
    case boolean
    case number
    case string
  }

  var kind: Kind
  /// The string without quotes and escapes, the digits of the number, `true` or `false`.
  var text: UnsafeBufferPointer<UInt8>

  static func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> ScalarEvent {
    ScalarEvent(kind: .number, text: UnsafeBufferPointer(start: text, count: count))
  }

  static func string(_ text: UnsafePointer<UInt8>, _ count: Int) -> ScalarEvent {
    ScalarEvent(kind: .string, text: UnsafeBufferPointer(start: text, count: count))
  }

  static func boolean(_ value: Bool) -> ScalarEvent {
    let word: StaticString = value ? "true" : "false"
    return ScalarEvent(
      kind: .boolean,
      text: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  static var null: ScalarEvent {
    ScalarEvent(kind: .null, text: UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Whether it is a string without characters.
  var isEmptyString: Bool { kind == .string && text.isEmpty }

  /// Whether it is the boolean `true`.
  var isTrue: Bool { kind == .boolean && text.count == 4 }
}
