/// The manual page `graft(1)`, made of the help texts.
enum Manual {
  /// The page in the language of `man`.
  static var page: String {
    var lines = [
      ".\\\" Made by graft: graft --manual",
      ".TH GRAFT 1 \(Version.date) \"graft \(Version.current)\" Graft", ".SH NAME",
      "graft \\- stream JSON into an object graph", ".SH SYNOPSIS",
    ]
    let usage = Subcommand.allCases.flatMap { HelpPage($0.help).usage }
    lines += usage.map { ".B \(text($0))" }.joinedLines(by: ".br")
    lines += section("DESCRIPTION", HelpPage(Help.overall))
    for command in Subcommand.allCases {
      lines += section("GRAFT \(command.rawValue.uppercased())", HelpPage(command.help))
    }
    return lines.joined(separator: "\n")
  }

  private static func section(_ title: String, _ page: HelpPage) -> [String] {
    // The title begins a paragraph by itself.
    [".SH \(title)"] + body(page).drop { $0 == ".PP" }
  }

  private static func body(_ page: HelpPage) -> [String] {
    page.parts.flatMap { part -> [String] in
      switch part {
      case .paragraph(let words): return [".PP", text(words)]
      case .entries(let entries):
        return entries.flatMap { entry in
          let names = entry.names.map { "\\fB\(text($0))\\fR" }.joined(separator: ", ")
          let words = entry.text.split(separator: "\n").map { text(String($0)) }
          return [".TP", names + (entry.value.map { " \\fI\(text($0))\\fR" } ?? "")]
            + words.joinedLines(by: ".br")
        }
      case .labelled(let label, let words):
        return [".TP", "\\fB\(text(label.capitalizedFirst))\\fR", text(words)]
      case .examples(let examples):
        return [".PP", "Examples:", ".PP", ".nf", ".RS"] + examples.map(text) + [".RE", ".fi"]
      }
    }
  }

  /// Writes a text so that no character of it is a command.
  private static func text(_ words: String) -> String {
    var result = ""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u\(hexadecimal(scalar.value))]"
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension [String] {
  /// Returns the lines with another one between each two.
  fileprivate func joinedLines(by line: String) -> [String] {
    Array(map { [$0] }.joined(separator: [line]))
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
