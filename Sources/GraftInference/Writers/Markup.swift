/// Escapes text for HTML and XML.
enum Markup {
  /// Returns a text in which the special characters of markup are escaped.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - others: Further characters, which are written by their numbers, such as `&#39;`.
  /// - Returns: The text for an element or a quoted attribute.
  static func escaped(_ text: String, also others: Set<Unicode.Scalar>) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _ where others.contains(scalar): escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
