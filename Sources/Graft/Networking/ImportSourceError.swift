/// Why the bytes of a document could not be had; what is wrong with the bytes themselves is an
/// ``ImportError``.
public struct ImportSourceError: Error, Sendable, Hashable {
  /// What kind of thing went wrong; more kinds may come.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// A file could not be opened or read.
    public static let unreadable = Kind(description: "unreadable")
    /// A server could not be reached, or the connection broke.
    public static let connection = Kind(description: "connection")
    /// A server answered with a status that is no success.
    public static let httpStatus = Kind(description: "HTTP status")
    /// The URL is neither a file's nor one of HTTP.
    public static let unsupportedURL = Kind(description: "unsupported URL")
  }

  /// What kind of thing went wrong.
  public let kind: Kind
  /// The path of the file, or the URL.
  public let source: String
  /// The status that the server answered with, where it did.
  public let httpStatus: Int?
  /// What went wrong, for people; its wording may change.
  public let message: String

  init(_ kind: Kind, source: String, httpStatus: Int? = nil, message: String) {
    self.kind = kind
    self.source = source
    self.httpStatus = httpStatus
    self.message = message
  }
}

extension ImportSourceError: CustomStringConvertible {
  /// Source and message, such as `feed.json: No such file or directory`.
  public var description: String { "\(source): \(message)" }
}
