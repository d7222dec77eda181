extension JSONPath: CustomStringConvertible {
  /// The path's text, which reads back as the same path: `entities.hashtags[*].text`; `$` for the
  /// value at hand.
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

  /// Whether a name would mean something else, here or in an annotation that lists several paths,
  /// if it stood unquoted.
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
