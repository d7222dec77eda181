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
  var text: BorrowedBuffer<UInt8>

  static func number(_ text: BorrowedBuffer<UInt8>) -> ScalarEvent {
    ScalarEvent(kind: .number, text: text)
  }

  static func string(_ text: BorrowedBuffer<UInt8>) -> ScalarEvent {
    ScalarEvent(kind: .string, text: text)
  }

  static func boolean(_ value: Bool) -> ScalarEvent {
    ScalarEvent(kind: .boolean, text: BorrowedBuffer(value ? "true" : "false"))
  }

  static var null: ScalarEvent { ScalarEvent(kind: .null, text: BorrowedBuffer()) }

  /// The value by itself.
  var captured: CapturedValue {
    kind == .null ? .null : .text(String(decoding: text, as: UTF8.self))
  }

  /// Whether it is a string without characters.
  var isEmptyString: Bool { kind == .string && text.isEmpty }

  /// Whether it is the boolean `true`.
  var isTrue: Bool { kind == .boolean && text.count == 4 }
}

/// An event of a document that is kept, to be read or written later.
enum DocumentEvent {
  case key(BorrowedBuffer<UInt8>)
  case scalar(ScalarEvent)
  case start(isArray: Bool)
  case end(isArray: Bool)
}
