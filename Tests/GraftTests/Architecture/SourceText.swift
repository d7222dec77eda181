/// Swift source without what is not code.
///
/// Comments are cut off, and of string literals only what is interpolated is left. Good enough to
/// see which names a file mentions; it is not a parser.
enum SourceText {
  /// The code on each line.
  static func code(in lines: [String]) -> [String] {
    var scanner = Scanner()
    return lines.map { scanner.code(in: $0) }
  }

  /// The words on a line that could name a type of the module.
  ///
  /// These are identifiers that begin with a capital letter and are no member of another, as
  /// `Scalar` is in `Unicode.Scalar`.
  static func typeNames(in code: String) -> [String] {
    code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
      .flatMap { chain in chain.hasPrefix(".") ? [] : chain.split(separator: ".").prefix(1) }
      .filter { $0.first?.isUppercase == true }
      .map(String.init)
  }

  /// The name of the type that a line at the top level of a file declares for the whole module.
  static func declaredType(in code: String) -> String? {
    guard code.first?.isWhitespace == false else { return nil }
    let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
      !words[..<kind].contains("private"), !words[..<kind].contains("fileprivate"),
      words[kind + 1].first?.isUppercase == true
    else { return nil }
    return String(words[kind + 1])
  }
}

extension SourceText {
  /// Follows the nesting of literals and interpolations, across lines for multi-line literals.
  private struct Scanner {
    private enum State: Equatable {
      case code(parentheses: Int)
      case literal
      case multilineLiteral
    }

    private var states: [State] = [.code(parentheses: 0)]

    mutating func code(in line: String) -> String {
      var code = ""
      var rest = Substring(line)
      while let character = rest.first {
        switch states.last ?? .code(parentheses: 0) {
        case .code(let parentheses):
          if rest.hasPrefix("//") { return code }
          take(character, from: &rest, parentheses: parentheses, into: &code)
        case .literal, .multilineLiteral:
          skip(character, in: &rest)
        }
      }
      return code
    }

    private mutating func take(
      _ character: Character, from rest: inout Substring, parentheses: Int, into code: inout String
    ) {
      if rest.hasPrefix("\"\"\"") {
        states.append(.multilineLiteral)
        rest.removeFirst(3)
        return
      }
      rest.removeFirst()
      switch character {
      case "\"": states.append(.literal)
      case "(": states[states.count - 1] = .code(parentheses: parentheses + 1)
      case ")" where parentheses == 0 && states.count > 1:
        states.removeLast()
        return
      case ")": states[states.count - 1] = .code(parentheses: parentheses - 1)
      default: break
      }
      code.append(character == "\"" ? " " : character)
    }

    private mutating func skip(_ character: Character, in rest: inout Substring) {
      if rest.hasPrefix("\\(") {
        states.append(.code(parentheses: 0))
        rest.removeFirst(2)
      } else if character == "\\" {
        rest.removeFirst(min(2, rest.count))
      } else if states.last == .multilineLiteral, rest.hasPrefix("\"\"\"") {
        states.removeLast()
        rest.removeFirst(3)
      } else {
        if character == "\"", states.last == .literal { states.removeLast() }
        rest.removeFirst()
      }
    }
  }
}
