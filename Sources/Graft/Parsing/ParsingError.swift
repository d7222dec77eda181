public import Foundation

/// The error of a text that cannot be read as JSON, with its place.
///
/// The same text gives the same error, however it is cut into chunks.
public struct ParsingError: Error, Sendable, Hashable {
  /// The kind of an error; later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// The text breaks the grammar of RFC 8259.
    public static let syntax = Kind(description: "syntax")
    /// The text ends before the document does.
    public static let truncated = Kind(description: "truncated")
    /// The bytes are not UTF-8, or an escape is half a surrogate pair.
    public static let encoding = Kind(description: "encoding")
    /// The document exceeds one of the parser's limits.
    public static let limit = Kind(description: "limit")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The place of the first byte that is not allowed, or of the token that is too long.
  public let location: SourceLocation
  /// The path of the value or container at that place, such as `$.heroes[3].born`.
  public let path: String
  /// A description with the expectation and the input found; its wording may change.
  public let message: String
}

extension ParsingError: CustomStringConvertible {
  /// Line, column, path and message, such as `41:9: $.heroes[3]: expected a value, found ']'`.
  public var description: String { "\(location): \(path.shortenedPath): \(message)" }
}

extension ParsingError: LocalizedError {
  /// The description, which is also the `localizedDescription`.
  public var errorDescription: String? { description }
}
