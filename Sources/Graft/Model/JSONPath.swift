/// A path to values inside a JSON document: names, positions and wildcards, a subset of RFC 9535.
///
/// `a.b` leads through members, `a[0]` to an element, `a[*]` to each element, `a.*` to each member;
/// `['a.b']` quotes a name. Three names of Graft's own end a path: `@key` and `@index` give the key
/// or the position at which an element is found, `@value` the element itself.
///
/// With the path `heroes.*.@key`, `{"heroes": {"batman": {}, "robin": {}}}` has the values
/// `"batman"` and `"robin"`.
public struct JSONPath: Sendable, Hashable {
  /// One step of a path.
  public enum Step: Sendable, Hashable {
    /// The member of an object that has this name.
    case member(String)
    /// The element of an array at this position, counted from 0.
    case element(Int)
    /// Each element of an array.
    case eachElement
    /// Each member of an object.
    case eachMember
    /// The key of the current value in its object.
    case key
    /// The position of the current value in its array.
    case index
    /// The current value itself, where it is a scalar.
    case value
  }

  /// The steps from the current value to the values meant.
  public var steps: [Step]

  /// Creates a path from its steps.
  ///
  /// - Parameter steps: The steps; none means the current value.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// Creates a path from its text.
  ///
  /// A leading `$` is optional, and alone means the current value. A name that contains `.`, `[` or
  /// `]`, or that has a meaning of its own (`*`, `@key`), is quoted: `['first.name']`.
  ///
  /// - Parameter text: The path, for example `entities.hashtags[*].text`.
  /// - Throws: ``JSONPathError`` with the position at which the text stops being a path.
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    steps = try parser.parse()
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path's text, which reads back as the same path: `entities.hashtags[*].text`; `$` for the
  /// current value.
  public var description: String {
    guard !steps.isEmpty else { return "$" }
    var text = ""
    for step in steps {
      switch step {
      case .member(let name) where Self.needsQuotes(name): text += "['\(Self.escaped(name))']"
      case .member(let name): text += Self.separated(name, from: text)
      case .element(let position): text += "[\(position)]"
      case .eachElement: text += "[*]"
      case .eachMember: text += Self.separated("*", from: text)
      case .key: text += Self.separated("@key", from: text)
      case .index: text += Self.separated("@index", from: text)
      case .value: text += Self.separated("@value", from: text)
      }
    }
    return text
  }

  private static func separated(_ name: String, from text: String) -> String {
    text.isEmpty ? name : "." + name
  }

  /// Whether a name would mean something else if it were not quoted, in a path or in an annotation
  /// that lists several paths.
  private static func needsQuotes(_ name: String) -> Bool {
    if ["", "-", "*", "$", "@key", "@index", "@value"].contains(name) { return true }
    return name.contains { ".[]|'\"\\".contains($0) || $0.isWhitespace }
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for character in name {
      if character == "'" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return text
  }
}

/// Why a string is not a JSON path.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of thing went wrong; more kinds may come.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// The text breaks the grammar of paths.
    public static let syntax = Kind(description: "syntax")
    /// The path has more steps, or a larger index, than the limits allow.
    public static let limit = Kind(description: "limit")
  }

  /// What kind of thing went wrong.
  public let kind: Kind
  /// The string that was to be read as a path.
  public let text: String
  /// The position of the first character that does not fit, counted in characters from 1.
  public let position: Int
  /// What was expected there and what was found.
  public let message: String

  /// The path, the position and the expectation in one line.
  public var description: String {
    "invalid path \"\(text)\" at character \(position): \(message)"
  }
}

// The grammar of a path, which is read from left to right, one step at a time:
//
//   path  = ["$"] [first] *( "." name / "." "*" / "[" bracket "]" )
//   first = name / "*"                   only where there is no "$" before it
//   name  = 1*( any character but . [ ] )
//   bracket = "*" / digits / quoted
//   quoted  = ' … ' or " … ", where a backslash makes the next character plain
//
// The steps @key, @index and @value end a path, since what they lead to has no parts.

/// Reads the text of a path.
struct JSONPathParser {
  /// The most steps of one path, more than any document is sensibly nested.
  static let stepLimit = 128

  private let text: String
  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
    guard !characters.isEmpty else {
      throw error("expected a name, found nothing; the current value is written \"$\"")
    }
    var steps: [JSONPath.Step] = []
    if startsWithRoot {
      position = 1
    } else if peek() != "[" {
      steps.append(try parseName())
    }
    while let character = peek() {
      let start = position
      if let last = steps.last, last == .key || last == .index || last == .value {
        throw error(
          "expected the end, since @key, @index and @value end a path, found \"\(character)\"")
      }
      guard steps.count < Self.stepLimit else {
        throw error("expected at most \(Self.stepLimit) steps", kind: .limit)
      }
      switch character {
      case ".":
        position += 1
        steps.append(try parseName())
      case "[":
        steps.append(try parseBracket())
      default:
        position = start
        throw error("expected \".\", \"[\" or the end, found \"\(character)\"")
      }
    }
    return steps
  }

  /// Whether the path begins with the root `$`; the first step of `$ref` is a name.
  private var startsWithRoot: Bool {
    guard characters.first == "$" else { return false }
    return characters.count == 1 || characters[1] == "." || characters[1] == "["
  }

  private func peek() -> Character? {
    position < characters.count ? characters[position] : nil
  }

  private func error(_ message: String, kind: JSONPathError.Kind = .syntax) -> JSONPathError {
    JSONPathError(kind: kind, text: text, position: position + 1, message: message)
  }

  private mutating func parseName() throws(JSONPathError) -> JSONPath.Step {
    let start = position
    while let character = peek(), character != ".", character != "[" {
      guard character != "]" else {
        throw error("expected a name, found \"]\"; quote a name that holds it: ['a]b']")
      }
      position += 1
    }
    guard position > start else {
      throw error("expected a name, found " + (peek().map { "\"\($0)\"" } ?? "the end"))
    }
    switch String(characters[start..<position]) {
    case "*": return .eachMember
    case "@key": return .key
    case "@index": return .index
    case "@value": return .value
    case let name: return .member(name)
    }
  }

  private mutating func parseBracket() throws(JSONPathError) -> JSONPath.Step {
    position += 1
    let step: JSONPath.Step
    switch peek() {
    case "*":
      position += 1
      step = .eachElement
    case "'", "\"":
      step = .member(try parseQuotedName())
    case let digit? where ("0"..."9").contains(digit):
      step = .element(try parsePosition())
    case let other:
      throw error(
        "expected a position, \"*\" or a quoted name, found "
          + (other.map { "\"\($0)\"" } ?? "the end"))
    }
    guard peek() == "]" else {
      throw error("expected \"]\", found " + (peek().map { "\"\($0)\"" } ?? "the end"))
    }
    position += 1
    return step
  }

  private mutating func parsePosition() throws(JSONPathError) -> Int {
    let start = position
    while let digit = peek(), ("0"..."9").contains(digit) { position += 1 }
    guard let value = Int32(String(characters[start..<position])) else {
      position = start
      throw error("expected a position of at most \(Int32.max)", kind: .limit)
    }
    return Int(value)
  }

  private mutating func parseQuotedName() throws(JSONPathError) -> String {
    let quote = characters[position]
    position += 1
    var name = ""
    while let character = peek() {
      position += 1
      if character == quote { return name }
      guard character == "\\" else {
        name.append(character)
        continue
      }
      guard let escaped = peek() else { break }
      name.append(escaped)
      position += 1
    }
    throw error("expected the closing \(quote), found the end")
  }
}
