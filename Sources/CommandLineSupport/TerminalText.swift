/// Makes texts safe to show on a terminal, since strangers may have written a part of them.
package enum TerminalText {
  /// Returns a text without control characters, which would give the terminal commands; line breaks and tabs stay.
  package static func cleaned(_ text: String) -> String {
    replacing(in: text, isCommand, by: "\u{FFFD}")
  }

  /// Returns a text as one line, without control characters.
  package static func line(_ text: String) -> String {
    cleaned(replacing(in: text, \.isLineBreak, by: " "))
  }

  private static func replacing(
    in text: String, _ isReplaced: (Unicode.Scalar) -> Bool, by other: Unicode.Scalar
  ) -> String {
    guard text.unicodeScalars.contains(where: isReplaced) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isReplaced(scalar) ? other : scalar) }
    return String(scalars)
  }

  /// Returns whether a character is one of C0 or C1 that is neither a line break nor a tab, or DEL.
  private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
  }
}

extension Unicode.Scalar {
  fileprivate var isLineBreak: Bool {
    ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(self)
  }
}
