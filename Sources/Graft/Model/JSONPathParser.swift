// Reads a path from left to right, one step at a time; nothing is ever re-read.
//
//   path  = ["$"] [first] *( "." name / "." "*" / "[" bracket "]" )
//   first = name / "*"                   only where there is no "$" before it
//   name  = 1*( any character but . [ ] )
//   bracket = "*" / digits / quoted
//   quoted  = ' … ' or " … ", where a backslash makes the next character plain
//
// The steps @key, @index and @value end a path, since they lead to nothing that has parts.

/// Reads the text of a path.
struct JSONPathParser {
  /// The most steps of one path: deeper ones lie beyond any sensible nesting depth.
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
      throw error("expected a name, found nothing; the value at hand is written \"$\"")
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
          "expected the end, since @key, @index and @value stand last, found \"\(character)\"")
      }
      guard steps.count < Self.stepLimit else {
        throw error("expected at most \(Self.stepLimit) steps")
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

  /// A dollar sign means the value at hand only as a step of its own: `$ref` is a name.
  private var startsWithRoot: Bool {
    guard characters.first == "$" else { return false }
    return characters.count == 1 || characters[1] == "." || characters[1] == "["
  }

  private func peek() -> Character? {
    position < characters.count ? characters[position] : nil
  }

  private func error(_ message: String) -> JSONPathError {
    JSONPathError(text: text, position: position + 1, message: message)
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
      throw error("expected a position of at most \(Int32.max)")
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
