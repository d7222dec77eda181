public import Foundation

/// A path to values inside a JSON document: names, positions and wildcards, a subset of RFC 9535.
///
/// `a.b` leads through members, `a[0]` to an element, `a[*]` to each element, `a[1:]` to each but the
/// first, `a.*` to each member; `['a.b']` quotes a name. Three names of Graft's own end a path: `@key`
/// and `@index` give the key or the position at which an element is found, `@value` the element itself.
///
/// A name leads nowhere in an array: the members `b` of the elements of `a` are at `a[*].b`, and not at `a.b`.
///
/// With the path `heroes.*.@key`, `{"heroes": {"batman": {}, "robin": {}}}` has the values
/// `"batman"` and `"robin"`.
///
/// A property may also be read from outside the object that has it:
///
/// | path | value |
/// |---|---|
/// | `@parent.id` | `id` of the JSON object around the object; arrays between do not count |
/// | `@parent.@parent.id` | `id` of the JSON object around that |
/// | `@parent.@key` | the key of the JSON object around the object |
/// | `'en'` | the constant string `en` |
/// | `@file` | ``ImportOptions/fileName``: the name of the file, where one is imported |
/// | `@line` | the line on which the document begins, counted from 1; each line of NDJSON is a document |
public struct JSONPath: Sendable, Hashable {
  /// One step of a path.
  public enum Step: Sendable, Hashable {
    /// The member of an object with this name.
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
    /// The current value itself, if it is a scalar.
    case value
    /// Each element of an array from this position on.
    case elements(from: Int)
    /// The JSON object around the current object; only at the start of a path.
    case parent
    /// A constant string; the path's only step.
    case constant(String)
    /// The name of the imported file; the path's only step.
    case file
    /// The number of the line on which the document begins; the path's only step.
    case line
  }

  /// The steps from the current value to the path's values.
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
  @inline(never)
  public init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    steps = try parser.parse()
  }
}

// Written out, because the compiler copies what it writes itself into each function that compares or hashes.
extension JSONPath {
  /// Returns whether two paths have the same steps.
  ///
  /// - Parameters:
  ///   - first: A path.
  ///   - second: Another one.
  /// - Returns: Whether they are equal.
  @inline(never)
  public static func == (first: JSONPath, second: JSONPath) -> Bool { first.steps == second.steps }

  /// Hashes the steps.
  ///
  /// - Parameter hasher: The hasher.
  @inline(never)
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }
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
      case .elements(let first): text += "[\(first):]"
      case .parent: text += Self.separated("@parent", from: text)
      case .constant(let value): text += "'\(Self.escaped(value))'"
      case .file: text += "@file"
      case .line: text += "@line"
      }
    }
    return text
  }

  private static func separated(_ name: String, from text: String) -> String {
    text.isEmpty ? name : "." + name
  }

  /// Returns whether a name without quotes would mean something else in a path or a list of paths.
  private static func needsQuotes(_ name: String) -> Bool {
    // Nearly all names are of letters, digits and underscores.
    let isPlain = name.utf8.allSatisfy { byte in
      0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || byte == 0x5F
    }
    if isPlain, !name.isEmpty { return false }
    if ["", "-", "*", "$"].contains(name) || JSONPathParser.ownNames[name] != nil { return true }
    // A combining mark would be one character with the space before it.
    return (" " + name).count == name.count
      || name.unicodeScalars.contains {
        ".[]|'\"\\".unicodeScalars.contains($0) || $0.properties.isWhitespace
      }
  }

  private static func escaped(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar == "'" || scalar == "\\" { text.append("\\") }
      text.append(scalar)
    }
    return String(text)
  }
}

extension JSONPath.Step {
  /// Whether the step leads to a value without parts.
  fileprivate var endsPath: Bool {
    switch self {
    case .key, .index, .value, .constant, .file, .line: true
    case .member, .element, .eachElement, .eachMember, .elements, .parent: false
    }
  }

  /// Whether the step may only be the first of a path.
  fileprivate var beginsPath: Bool {
    switch self {
    case .parent, .constant, .file, .line: true
    case .member, .element, .eachElement, .eachMember, .elements, .key, .index, .value: false
    }
  }

  /// Whether the step leads to any number of values.
  package var isWildcard: Bool {
    switch self {
    case .eachElement, .eachMember, .elements: true
    case .member, .element, .key, .index, .value, .parent, .constant, .file, .line: false
    }
  }

  /// Whether the step leads from an object to one of its members.
  var entersObject: Bool {
    switch self {
    case .member, .eachMember: true
    case .element, .eachElement, .elements, .key, .index, .value, .parent, .constant, .file, .line:
      false
    }
  }
}

extension JSONPath {
  /// Whether the path may lead to objects, and not only to a single value.
  var leadsToObjects: Bool { !steps.contains { $0.endsPath || $0.beginsPath } }

  /// The key that the first step names.
  @inline(never)
  var firstKey: [UInt8]? {
    if case .member(let name)? = steps.first { Array(name.utf8) } else { nil }
  }

  /// Whether the value is not inside the object that is read.
  package var leadsOutside: Bool { steps.first?.beginsPath == true }
}

extension JSONPath: ExpressibleByStringLiteral {
  /// Creates a path from a literal, such as `"data.items[*]"`.
  ///
  /// - Parameter value: The path.
  /// - Precondition: The literal is a path. Use `init(_:)`, which throws, for strings from
  ///   elsewhere.
  public init(stringLiteral value: String) {
    do {
      self = try JSONPath(value)
    } catch {
      misuse("\(error)")
    }
  }
}

/// The error of a string that is not a JSON path.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// The text breaks the grammar of paths.
    public static let syntax = Kind(description: "syntax")
    /// The path has more steps, or a larger index, than the limits allow.
    public static let limit = Kind(description: "limit")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The string that is not a path.
  public let text: String
  /// The position of the first character that does not fit, counted in characters from 1.
  public let position: Int
  /// A description of the expectation and the input found.
  public let message: String

  /// The path, the position and the expectation in one line.
  public var description: String {
    "invalid path \"\(text)\" at character \(position): \(message)"
  }
}

// The grammar of a path, which is read from left to right, one step at a time:
//
//   path  = ["$"] [first] *( "." name / "." "*" / "[" bracket "]" ) / quoted
//   first = name / "*"                   only where there is no "$" before it
//   name  = 1*( any character but . [ ] )
//   bracket = "*" / digits / digits ":" / quoted
//   quoted  = ' … ' or " … ", where a backslash makes the next character plain
//
// The steps @key, @index and @value end a path, because their values have no parts. @parent begins
// a path, and may follow itself. @file, @line and a constant are whole paths.

/// Reads the text of a path.
///
/// It reads scalars and not characters, since a combining mark after a dot or a quote is a part of the name.
struct JSONPathParser {
  /// The most steps of one path, more than any document is sensibly nested.
  static let stepLimit = 128
  /// The most elements that a step may skip: more rows of headings than any table has.
  static let skippedLimit = 1_000
  /// The names of the steps that are not keys, unless they are quoted.
  static let ownNames: [String: JSONPath.Step] = [
    "@key": .key, "@index": .index, "@value": .value, "@parent": .parent, "@file": .file,
    "@line": .line,
  ]

  private let text: String
  private let characters: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) {
    self.text = text
    characters = Array(text.unicodeScalars)
  }

  mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
    guard !characters.isEmpty else {
      throw error("expected a name, found nothing; the current value is written \"$\"")
    }
    var steps: [JSONPath.Step] = []
    if startsWithRoot {
      position = 1
    } else if peek() == "'" || peek() == "\"" {
      steps.append(.constant(try parseQuotedName()))
    } else if peek() != "[" {
      steps.append(try parseName())
    }
    while let character = peek() {
      let start = position
      if let last = steps.last, last.endsPath {
        throw error(
          "expected the end, since \(JSONPath([last])) ends a path, found \"\(character)\"")
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
      if let last = steps.last, last.beginsPath, steps.dropLast().contains(where: { $0 != last }) {
        position = start + 1
        throw error("expected a name, since \(JSONPath([last])) begins a path")
      }
    }
    if steps.last == .parent {
      throw error("expected what to read of the object around, such as @parent.id, found the end")
    }
    return steps
  }

  /// Whether the path begins with the root `$`; the first step of `$ref` is a name.
  private var startsWithRoot: Bool {
    guard characters.first == "$" else { return false }
    return characters.count == 1 || characters[1] == "." || characters[1] == "["
  }

  private func peek() -> Unicode.Scalar? {
    position < characters.count ? characters[position] : nil
  }

  private func error(_ message: String, kind: JSONPathError.Kind = .syntax) -> JSONPathError {
    JSONPathError(kind: kind, text: text, position: position + 1, message: message)
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
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
    let name = Self.string(characters[start..<position])
    return name == "*" ? .eachMember : Self.ownNames[name] ?? .member(name)
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
      let element = try parsePosition()
      if peek() == ":" {
        guard element <= Self.skippedLimit else {
          throw error("expected to leave out at most \(Self.skippedLimit) elements", kind: .limit)
        }
        position += 1
        step = .elements(from: element)
      } else {
        step = .element(element)
      }
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
    guard let value = Int(Self.string(characters[start..<position])), Int32(exactly: value) != nil
    else {
      position = start
      throw error("expected a position of at most \(Int32.max)", kind: .limit)
    }
    return value
  }

  private mutating func parseQuotedName() throws(JSONPathError) -> String {
    let quote = characters[position]
    position += 1
    var name = String.UnicodeScalarView()
    while let character = peek() {
      position += 1
      if character == quote { return String(name) }
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

extension JSONPathError: LocalizedError {
  /// The description, which is also the `localizedDescription`.
  public var errorDescription: String? { description }
}
