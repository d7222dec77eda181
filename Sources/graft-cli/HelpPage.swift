// The help texts are the only table of the commands' options. Completions and the manual are made of their parts:
//
//   usage: graft check [options] FILE ...        a line of usage
//
//   Tells whether files are well-formed JSON.    a paragraph
//
//     --format NAME   auto (default), json, …    an option with its value and its text
//
//   exit status: 0 well-formed · …               a labelled paragraph
//
//   example: graft check feed.json               examples, line by line

/// A help text in its parts.
struct HelpPage {
  /// An option, or a command in the list of commands.
  struct Entry {
    /// The names, such as `--help` and `-h`.
    var names: [String]
    /// The placeholder of the value, such as `PATH`; nil without one.
    var value: String?
    var text: String

    /// The beginning of the text, for a menu, without what is in parentheses.
    var summary: String {
      var line = ""
      var depth = 0
      for character in text {
        if character == "(" { depth += 1 }
        if depth == 0, ";:".contains(character) || line.hasSuffix(". ") { break }
        if depth == 0, character != " " || line.last != " " { line.append(character) }
        if character == ")" { depth -= 1 }
      }
      line = line.replacing(" ,", with: ",")
      while let last = line.last, " .,".contains(last) { line.removeLast() }
      return line.count <= 72 ? line : line.prefix(71) + "…"
    }
  }

  enum Part {
    case paragraph(String)
    case entries([Entry])
    /// A paragraph that a word introduces, such as `exit status`.
    case labelled(String, String)
    case examples([String])
  }

  /// The lines of usage, without the word.
  private(set) var usage: [String] = []
  private(set) var parts: [Part] = []

  /// The options, and in the overall help the commands, in the order of the text.
  var entries: [Entry] {
    parts.flatMap { part -> [Entry] in
      guard case .entries(let entries) = part else { return [] }
      return entries
    }
  }

  /// The options, in the order of the text.
  var options: [Entry] {
    entries.filter { $0.names[0].hasPrefix("-") }
  }

  init(_ text: String) {
    for group in text.split(separator: "\n\n") {
      let lines = group.split(separator: "\n").map(String.init)
      guard let first = lines.first else { continue }
      if first.hasPrefix("usage: ") {
        usage = lines.map { Self.trimmed($0.replacing("usage: ", with: "")) }
      } else if first.hasPrefix("  ") {
        parts.append(.entries(Self.entries(lines)))
      } else if first.hasPrefix("example") {
        parts.append(
          .examples(
            lines.map { Self.trimmed($0.drop { $0 != ":" && $0 != " " }.drop { $0 == ":" }) }))
      } else if first.hasPrefix("exit status: ") {
        // A line that begins with a status begins another one.
        let words = lines.map(Self.trimmed).reduce("") { words, line in
          words + (words.isEmpty ? "" : line.first?.isNumber == true ? " · " : " ") + line
        }
        parts.append(.labelled("exit status", String(words.dropFirst("exit status: ".count))))
      } else {
        parts.append(.paragraph(lines.map(Self.trimmed).joined(separator: " ")))
      }
    }
  }

  private static func entries(_ lines: [String]) -> [Entry] {
    var entries: [Entry] = []
    // Lines of a list within a text are indented further, and stay lines.
    let textColumn = 25
    var isInList = false
    for line in lines {
      let indentation = line.prefix { $0 == " " }.count
      let words = trimmed(line)
      guard indentation == 2 else {
        let endsLine = isInList || indentation > textColumn
        isInList = indentation > textColumn
        guard !entries.isEmpty else { continue }
        let isFirst = entries[entries.count - 1].text.isEmpty
        entries[entries.count - 1].text += (isFirst ? "" : endsLine ? "\n" : " ") + words
        continue
      }
      isInList = false
      let (head, text) = parts(of: words)
      let names = head.split(separator: ", ").map { String($0.prefix { $0 != " " }) }
      let value = head.split(separator: " ").dropFirst(names.count).joined(separator: " ")
      entries.append(Entry(names: names, value: value.isEmpty ? nil : value, text: text))
    }
    return entries
  }

  /// Parts an entry's first line at the first gap, or where the column of texts begins.
  private static func parts(of words: String) -> (head: String, text: String) {
    let column = words.index(words.startIndex, offsetBy: 23, limitedBy: words.endIndex)
    let isFull =
      column.map { $0 < words.endIndex && words[words.index(before: $0)] == " " } ?? false
    guard let gap = words.firstRange(of: "  ")?.lowerBound ?? (isFull ? column : nil) else {
      return (words, "")
    }
    return (trimmed(words[..<gap]), trimmed(words[gap...]))
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
