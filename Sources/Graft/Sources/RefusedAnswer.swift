import Foundation
import Synchronization

// A server explains a status such as 403 in the body, often as JSON. The body is kept up to a limit, and its message
// becomes part of the error's:
//
//     {"message": "API rate limit exceeded", "documentation_url": "…"}
//     expected a status of success, the server answered 403 (forbidden): "API rate limit exceeded"

/// Gathers the body of an answer that is no success, for the error.
final class RefusedAnswer: Sendable {
  /// The most bytes of a body that are kept, packed and unpacked.
  static let byteLimit = 64 << 10

  private let response: ImportResponse
  /// The error's message, without the server's.
  private let message: String
  private let decompression: Decompression
  /// Whether the bytes are packed as the answer's header says; false if they were unpacked on their way.
  private let isPacked: Bool
  private let received = Mutex(Data())

  /// - Parameters:
  ///   - response: The answer.
  ///   - message: The message of the error, to which the server's own is added.
  ///   - decompression: The formats and the limit by which the body is decompressed.
  ///   - isPacked: Whether the bytes are packed as the answer's header says.
  init(
    _ response: ImportResponse, _ message: String, _ decompression: Decompression, isPacked: Bool
  ) {
    self.response = response
    self.decompression = decompression
    self.isPacked = isPacked
    self.message = message
  }

  /// Takes the next bytes of the body.
  ///
  /// - Throws: The error, if it needs no more bytes.
  func receive(_ bytes: RawSpan) throws {
    if !received.withLock({ Self.add(bytes, to: &$0) }) { throw error() }
  }

  /// Returns the error, with the bytes that have come.
  func error() -> ImportSourceError {
    let unpacker = Unpacker(of: response.address, decompression)
    var body = Data()
    // A part that can be unpacked is better than nothing.
    do {
      if isPacked { try unpacker.expect(contentEncoding: response["Content-Encoding"]) }
      try received.withLock { $0 }.withRawSpan { bytes in
        try unpacker.unpack(bytes) {
          if !Self.add($0, to: &body) { throw CancellationError() }
        }
      }
    } catch {}
    // The body of another status, such as 206, is data.
    let explanation = response.status >= 400 ? ServerMessage.text(in: body) : nil
    return ImportSourceError(
      .httpStatus, response: response, body: body,
      message: message + (explanation.map { ": \"\($0)\"" } ?? ""))
  }

  /// Adds bytes up to the limit.
  ///
  /// - Returns: Whether more bytes may follow.
  private static func add(_ bytes: RawSpan, to data: inout Data) -> Bool {
    let count = min(bytes.byteCount, byteLimit - data.count)
    data.append(contentsOf: bytes.extracting(first: count).withBorrowed { Array($0) })
    return data.count < byteLimit
  }
}

/// The message in the JSON of an error answer, in the forms that are usual.
private enum ServerMessage {
  /// The most characters of a message.
  private static let limit = 300
  /// The paths of messages, the most specific first.
  private static let paths: [[String]] = [
    ["error", "message"], ["message"], ["error_description"], ["detail"], ["error"], ["title"],
    ["errors", "message"], ["errors", "detail"], ["errors", "title"], ["errors"],
  ]

  /// Returns the message of a body, on one line; nil if it has none.
  static func text(in body: Data) -> String? {
    // A body that is cut off at the limit is no JSON.
    guard let json = try? JSONSerialization.jsonObject(with: body) else { return nil }
    for path in paths {
      guard let text = string(at: path, in: json) else { continue }
      let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
      guard !words.isEmpty else { continue }
      return words.count > limit ? words.prefix(limit) + "…" : words
    }
    return nil
  }

  /// Returns the string at a path; of an array on the way counts the first element.
  private static func string(at path: [String], in json: Any) -> String? {
    var value: Any? = json
    for key in path {
      value = ((value as? [Any])?.first ?? value) as Any?
      value = (value as? [String: Any])?[key]
    }
    return ((value as? [Any])?.first ?? value) as? String
  }
}
