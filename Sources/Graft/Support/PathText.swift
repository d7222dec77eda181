// A path is as long as the document's nesting and keys make it.

extension String {
  /// The most characters of a path in a message.
  private static var pathLimit: Int { 200 }

  /// The path as messages print it; a long one is shortened to its beginning and its end.
  ///
  /// `$[0][0]` with a thousand positions becomes `$[0][0] … [0][0]`.
  @inline(never)
  package var shortenedPath: String {
    guard utf8.count > Self.pathLimit else { return self }
    let end = Self.pathLimit / 3
    return "\(prefix(Self.pathLimit - end)) … \(suffix(end))"
  }
}
