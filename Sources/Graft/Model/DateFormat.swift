/// The form of an attribute's dates in JSON.
package enum DateFormat: Sendable, Hashable {
  /// ISO 8601, RFC 1123 and 2822, the order of `ctime` with a zone, or seconds since 1970.
  case automatic
  case iso8601
  /// Seconds since 1970.
  case unix
  /// Milliseconds since 1970.
  case unixMilliseconds
  /// A Unicode date pattern, read in `en_US_POSIX` and UTC unless the text says otherwise.
  case pattern(String)
}

extension DateFormat {
  private static let words: [(text: String, format: DateFormat)] = [
    ("auto", .automatic), ("iso8601", .iso8601), ("unix", .unix), ("unix-ms", .unixMilliseconds),
  ]

  /// The name of the format; for a pattern, the pattern itself.
  package var name: String {
    if case .pattern(let pattern) = self { return pattern }
    return Self.words.first { $0.format == self }?.text ?? ""
  }

  /// The reason why a string names no format.
  struct NameFault: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the format that a string names: one of a few words, or else a Unicode date pattern.
  static func named(_ text: String) -> Result<DateFormat, NameFault> {
    if let word = words.first(where: { $0.text == text }) { return .success(word.format) }
    guard let fault = DatePatternFault(in: text) else { return .success(.pattern(text)) }
    let words = words.map(\.text)
    let choice = AnnotationReader.enumeration(of: words)
    return .failure(
      NameFault(
        description: "the format is \"\(text)\", expected \(choice), or a Unicode date pattern; "
          + "as a pattern, \(fault.message)" + suggestion(for: text, in: words)))
  }
}
