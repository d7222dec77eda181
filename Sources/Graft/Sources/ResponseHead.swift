import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The head of a server's answer: its status and its headers.
struct ResponseHead {
  /// The address that was asked, for messages.
  var address: String
  var status: Int
  /// The content type; nil if the server has sent none.
  var contentType: String?
  /// The encoding of a packed body; nil if the body is not packed.
  var contentEncoding: String?
  /// The destination of a redirection.
  var location: String?
  /// The length of the body as sent; nil if it is not known.
  var byteCount: Int?
  /// Whether a part of the document was asked for.
  var isPartAsked = false

  /// Makes sure that the answer is a document.
  ///
  /// - Throws: ``ImportSourceError`` that names the status.
  func check() throws {
    switch status {
    case 206 where !isPartAsked:
      throw error(
        "expected a whole document, the server answered \(statusText) without being asked for a part"
      )
    case 200...299: return
    case 300...399:
      let place =
        location.map { "an address that cannot be followed: \(Secrets.removed(from: $0))" }
        ?? "no address to go to"
      throw error("expected a status of success, the server answered \(statusText) with \(place)")
    default: throw error("expected a status of success, the server answered \(statusText)")
    }
  }

  private var statusText: String {
    "\(status) (\(HTTPURLResponse.localizedString(forStatusCode: status)))"
  }

  private func error(_ message: String) -> ImportSourceError {
    ImportSourceError(.httpStatus, source: address, httpStatus: status, message: message)
  }
}
