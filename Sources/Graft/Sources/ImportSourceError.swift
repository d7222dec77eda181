public import Foundation

/// The error of a source whose bytes cannot be read; faults of the bytes themselves are an
/// ``ImportError``.
///
/// Errors are compared without ``underlyingError``, which need not be comparable.
public struct ImportSourceError: Error, Sendable, Hashable {
  /// The kind of an error; later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// A file could not be opened or read.
    public static let unreadable = Kind(description: "unreadable")
    /// A server could not be reached, or the connection broke.
    public static let connection = Kind(description: "connection")
    /// A server answered with an error status, or with a redirection that leads nowhere.
    public static let httpStatus = Kind(description: "HTTP status")
    /// The URL is neither a file URL nor an HTTP URL.
    public static let unsupportedURL = Kind(description: "unsupported URL")
    /// The bytes have an unknown compression, or compressed data is damaged or cut off.
    public static let encoding = Kind(description: "encoding")
    /// Compressed data grows beyond the limit of ``Decompression/ratioLimit``.
    public static let limit = Kind(description: "limit")
    /// A sequence has been read by an earlier import from the same source.
    public static let consumed = Kind(description: "consumed")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The path of the file, the URL, or another name of the source.
  ///
  /// User, password and other secrets in a URL are left out.
  public let source: String
  /// The status of the server's answer; nil without an answer.
  public let httpStatus: Int?
  /// The server's answer, if its status is the error.
  public let response: ImportResponse?
  /// The beginning of that answer's body, unpacked: at most 64 KiB; empty if there is none.
  ///
  /// If the body is JSON with a message, such as `{"message": "…"}`, the message is part of ``message``.
  public let body: Data
  /// A description of the error; its wording may change.
  public private(set) var message: String
  /// The error that caused this one, such as a `URLError` or a `POSIXError`.
  public var underlyingError: (any Error)? { underlying.error }

  private let underlying: UnderlyingError

  package init(
    _ kind: Kind, source: String, httpStatus: Int? = nil, message: String,
    underlyingError: (any Error)? = nil
  ) {
    self.kind = kind
    self.source = Secrets.removed(from: source)
    self.httpStatus = httpStatus
    response = nil
    body = Data()
    self.message = message
    underlying = UnderlyingError(underlyingError)
  }

  /// Creates the error of an answer.
  init(_ kind: Kind, response: ImportResponse, body: Data, message: String) {
    self.kind = kind
    source = response.address
    httpStatus = response.status
    self.response = response
    self.body = body
    self.message = message
    underlying = UnderlyingError(nil)
  }
}

extension ImportSourceError {
  /// Returns the same error with more in its message.
  package func adding(_ remark: String) -> ImportSourceError {
    var error = self
    error.message += remark
    return error
  }
}

extension ImportSourceError: CustomStringConvertible {
  /// Source and message, such as `feed.json: No such file or directory`.
  public var description: String { "\(source): \(message)" }
}

extension ImportSourceError: LocalizedError {
  /// The description, which is also the `localizedDescription`.
  public var errorDescription: String? { description }
}
