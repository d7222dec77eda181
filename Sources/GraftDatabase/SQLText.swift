import Graft

/// SQL of a user, with values, columns and tables between its words.
struct SQLText: Sendable {
  enum Piece: Sendable {
    case text(String)
    case value(AttributeValue?)
    /// A list without values of a type.
    case empty(AttributeType)
    /// The column of an attribute, by its name; without an entity's name, of the entity that is read.
    case attribute(String, entity: String?)
    /// The column of a to-one relationship, by its name and its entity.
    case relationship(String, entity: String)
    /// The table of an entity.
    case table(String)
  }

  private(set) var pieces: [Piece] = []
  /// A value that cannot be kept.
  private(set) var error: StoreError?

  init(_ text: String = "") {
    append(text)
  }

  mutating func append(_ piece: Piece) { pieces.append(piece) }

  mutating func append(_ text: String) {
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  mutating func append<Value: AttributeConvertible>(value: Value) {
    do {
      pieces.append(.value(try Value.attributeCodec.encode(value)))
    } catch {
      self.error = StoreError(.invalidCondition, "a value cannot be kept: \(error)")
    }
  }

  mutating func append<Value: AttributeConvertible>(values: [Value]) {
    if values.isEmpty { return pieces.append(.empty(Value.attributeCodec.type)) }
    append("(")
    for (number, value) in values.enumerated() {
      if number > 0 { append(", ") }
      append(value: value)
    }
    append(")")
  }
}

/// Checks that SQL of a user ends where it should: a condition inside its parentheses, a query alone.
///
/// It knows strings and names in quotation marks, and parentheses. It refuses comments, several statements, and
/// parameters, for which values are interpolated.
struct SQLCheck {
  /// The words for the text in a message: a condition, or a query.
  private let subject: String
  private var depth = 0
  private var quote: UInt8?
  /// Whether a backslash escapes in the open string, as in `E'it\'s'` of Postgres: `E'it\'s'`.
  private var takesEscapes = false
  private var isEscaped = false
  private var previous: UInt8 = 0
  private var beforePrevious: UInt8 = 0

  init(_ subject: String) {
    self.subject = subject
  }

  mutating func read(_ text: String) throws(StoreError) {
    for byte in text.utf8 {
      if byte == 0 { throw error("it contains U+0000; interpolate the text") }
      if quote == nil { try readOutside(byte) } else { readInside(byte) }
      (beforePrevious, previous) = (previous, byte)
    }
  }

  private mutating func readInside(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if takesEscapes, byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == quote {
      quote = nil
    }
  }

  private mutating func readOutside(_ byte: UInt8) throws(StoreError) {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      quote = byte
      // Two apostrophes are one in the text of a string, which goes on.
      if byte == UInt8(ascii: "'"), previous == byte { break }
      takesEscapes =
        byte == UInt8(ascii: "'") && previous | 0x20 == UInt8(ascii: "e")
        && !beforePrevious.isPartOfName
    case UInt8(ascii: "["):
      quote = UInt8(ascii: "]")
      takesEscapes = false
    case UInt8(ascii: "("): depth += 1
    case UInt8(ascii: ")"):
      depth -= 1
      if depth < 0 { throw error("it has a \")\" too many") }
    case UInt8(ascii: ";"): throw error("it contains \";\"; give one \(subject)")
    case UInt8(ascii: "-") where previous == byte, UInt8(ascii: "*") where previous == 0x2F:
      throw error("it contains a comment; leave it out")
    case UInt8(ascii: "$"), UInt8(ascii: "?"): throw parameter(byte)
    default:
      // `:a` and `@a` are parameters of SQLite; `a::text` and `a @> b` are SQL of Postgres.
      guard byte.isPartOfName else { break }
      if previous == UInt8(ascii: "@")
        || previous == UInt8(ascii: ":") && beforePrevious != UInt8(ascii: ":")
      {
        throw parameter(previous)
      }
    }
  }

  /// Continues after a value or name.
  mutating func readValue() throws(StoreError) {
    if quote != nil {
      throw error(
        "a value is interpolated inside quotation marks; leave them out, since it is bound and not"
          + " pasted")
    }
    (beforePrevious, previous) = (0, 0)
  }

  func end() throws(StoreError) {
    if quote != nil { throw error("quotation marks are not closed") }
    if depth > 0 { throw error("a \"(\" is not closed") }
  }

  private func parameter(_ mark: UInt8) -> StoreError {
    error("it contains the parameter \"\(Character(Unicode.Scalar(mark)))\"; interpolate the value")
  }

  private func error(_ message: String) -> StoreError {
    StoreError(.invalidCondition, "the \(subject) cannot be used: \(message)")
  }
}

extension UInt8 {
  /// Whether a byte can be part of a name in SQL, apart from its first character.
  fileprivate var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
