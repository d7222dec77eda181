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
  private let isCancelled = Atomic(false)

  init(_ request: URLRequest, into feed: ImportFeed) {
    self.request = request
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
    let transfer = try CurlTransfer(accepting: feed.acceptedEncodings) {
      self.isCancelled.load(ordering: .relaxed)
    }
    for _ in 0...WebRequest.redirectLimit {
      var next: WebRequest?
      try transfer.perform(request) { head in
        next = try request.redirected(to: head.location, status: head.status)
        guard next == nil else { return nil }
        return try self.begin(head, request)
      }
      guard let following = next else { return }
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
    _ head: ResponseHead, _ request: WebRequest
  ) throws -> (RawSpan) throws -> Void {
    var head = head
    head.isPartAsked = request["Range"] != nil
    try head.check()
    feed.note(head)
    feed.expect(head.byteCount)
    try feed.expect(contentEncoding: head.contentEncoding)
    return { try self.feed.receive($0) }
  }
}
#endif
