// The import runs inside libcurl's write callback, on a thread of its own. Each byte is in the
// graph before the next one is taken from the socket. A server that is faster than the import has
// to wait, and its bytes stay in the system's buffers. Foundation's networking on Linux cannot do
// that: it does not wait for its delegate, and it starts a request anew when its task is suspended
// and resumed.

#if canImport(CCurl)
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Imports a server's answer through libcurl, as it arrives.
final class CurlDownload: Sendable {
  private let request: URLRequest
  private let feed: ImportFeed
  private let connection: KeptConnection?
  private let isCancelled = Atomic(false)

  /// - Parameters:
  ///   - request: The request.
  ///   - connection: The connection of an earlier download, and for a later one; nil for a download by itself.
  ///   - feed: Takes the answer.
  init(_ request: URLRequest, over connection: KeptConnection?, into feed: ImportFeed) {
    self.request = request
    self.connection = connection
    self.feed = feed
  }

  /// Downloads and imports all that the server sends.
  ///
  /// - Throws: ``ImportSourceError``, ``ImportError`` or `CancellationError`, within a second of the cancellation.
  func read() async throws {
    try Task.checkCancellation()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try self.run() }) }
        // Hooks and transformers run here, and may expect the stack of a main thread.
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }

  private func run() throws {
    var request = try WebRequest(request)
    let transfer = try connection?.take() ?? CurlTransfer()
    transfer.acceptedEncodings = feed.acceptedEncodings
    transfer.isCancelled = { self.isCancelled.load(ordering: .relaxed) }
    for _ in 0...WebRequest.redirectLimit {
      var next: WebRequest?
      var refused: RefusedAnswer?
      do {
        try transfer.perform(request) { response, byteCount in
          next = try request.redirected(
            to: response.values(of: "Location").last, status: response.status)
          guard next == nil else { return nil }
          let response = response.answering(request)
          guard let refusal = response.refusal else { return try self.begin(response, byteCount) }
          refused = RefusedAnswer(response, refusal, self.feed.decompression)
          return { try refused?.receive($0) }
        }
      } catch let error as ImportSourceError {
        // The status says more than that its explanation has broken off.
        throw refused?.error(isPacked: true) ?? error
      }
      if let refused { throw refused.error(isPacked: true) }
      guard let following = next else {
        connection?.keep(transfer)
        return
      }
      request = following
    }
    throw ImportSourceError(
      .connection, source: Secrets.removed(from: self.request.address),
      message: "more than \(WebRequest.redirectLimit) redirections, the last to \(request.address)")
  }

  /// Passes the answer to the import.
  ///
  /// - Returns: The receiver of the body.
  private func begin(
    _ response: ImportResponse, _ byteCount: Int?
  ) throws -> (RawSpan) throws -> Void {
    try feed.begin(response)
    guard !response.isNotModified else { return { _ in } }
    feed.expect(byteCount)
    try feed.expect(contentEncoding: response["Content-Encoding"])
    return { try self.feed.receive($0) }
  }
}
#endif
