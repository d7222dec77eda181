/// Why a text is not a JSON path.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text that was to be read as a path.
  public let text: String
  /// The position of the first character that does not fit, counted in characters from 1.
  public let position: Int
  /// What was expected there and what was found.
  public let message: String

  /// The path, the position and the expectation in one line.
  public var description: String {
    "invalid path \"\(text)\" at character \(position): \(message)"
  }
}
