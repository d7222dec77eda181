extension DateFormat {
  private static let words: [(text: String, format: DateFormat)] = [
    ("auto", .automatic), ("iso8601", .iso8601), ("unix", .unix), ("unix-ms", .unixMilliseconds),
  ]

  /// Why a text names no format.
  struct NameFault: Error, CustomStringConvertible {
    let description: String
  }

  /// The format that a text names: one of a few words, or else a Unicode date pattern.
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
