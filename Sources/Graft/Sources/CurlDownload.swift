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
final class CurlDownload: Download {
  private struct State {
    /// Receives the answer; nil until its import has begun.
    var feed: ImportFeed?
    /// Whether the answer has waited too long for its import.
    var isGivenUp = false
    /// Downloads and imports the answer; nil until the request is sent.
    var work: Task<Void, any Error>?
  }

  /// The seconds that an answer waits for its import; servers close a connection that is not read.
  private static let patience = 20.0

  private let request: URLRequest
  private let decompression: Decompression
  private let connection: SharedConnection?
  private let state = Mutex(State())
  /// Wakes the thread that waits for the import.
  private let arrival = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - request: The request.
  ///   - connection: The connection of an earlier download, and for a later one; nil for a download by itself.
  ///   - decompression: The formats in which the answer may be packed.
  init(_ request: URLRequest, over connection: SharedConnection?, _ decompression: Decompression) {
    self.request = request
    self.connection = connection
    self.decompression = decompression
  }

  /// The work, which begins when it is first asked for.
  private var work: Task<Void, any Error> {
    state.withLock { state in
      let work = state.work ?? Task.detached { try await BlockingWork.run { try self.run() } }
      state.work = work
      return work
    }
  }

  func start() { _ = work }

  /// Downloads and imports all that the server sends.
  ///
  /// - Throws: ``ImportSourceError``, ``ImportError`` or `CancellationError`, within a second of the cancellation.
  func read(into feed: ImportFeed) async throws {
    try Task.checkCancellation()
    let isGivenUp = state.withLock { state in
      state.feed = feed
      return state.isGivenUp
    }
    arrival.signal()
    if isGivenUp {
      return try await CurlDownload(request, over: connection, decompression).read(into: feed)
    }
    let work = work
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  func cancel() { state.withLock { $0.work }?.cancel() }

  private func run() throws {
    try Task.checkCancellation()
    var request = try WebRequest(request)
    let transfer = try connection?.take() ?? CurlTransfer()
    // After an error too: the next try needs the cookies.
    defer { connection?.keep(transfer) }
    transfer.acceptedEncodings = decompression.acceptedEncodings
    transfer.isCancelled = { Task.isCancelled }
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
          refused = RefusedAnswer(response, refusal, self.decompression, isPacked: true)
          return { try refused?.receive($0) }
        }
      } catch let error as ImportSourceError {
        // The error of the status says more than the error of its truncated body.
        throw refused?.error() ?? error
      }
      if let refused { throw refused.error() }
      guard let following = next else { return }
      request = following
    }
    throw ImportSourceError(
      .connection, source: self.request.address,
      message: "more than \(WebRequest.redirectLimit) redirections, the last to \(request.address)")
  }

  /// Passes the answer to the import, as soon as the import has begun.
  ///
  /// - Returns: The receiver of the body.
  private func begin(
    _ response: ImportResponse, _ byteCount: Int?
  ) throws -> (RawSpan) throws -> Void {
    let feed = try waitForFeed()
    try feed.begin(response)
    guard !response.isNotModified else { return { _ in } }
    feed.expect(byteCount)
    // Nothing is not packed; but an answer of 200 that has come without a byte may be cut off.
    if response.status != 204 {
      try feed.expect(contentEncoding: response["Content-Encoding"])
    }
    return { try feed.receive($0) }
  }

  /// Waits until the import of the answer begins, while the body is in the system's buffers.
  ///
  /// - Throws: `CancellationError` if that takes too long, or the download is cancelled.
  private func waitForFeed() throws -> ImportFeed {
    let end = Date(timeIntervalSinceNow: Self.patience)
    while true {
      let (feed, isGivenUp) = state.withLock { state in
        if state.feed == nil, Date.now > end { state.isGivenUp = true }
        return (state.feed, state.isGivenUp)
      }
      if let feed { return feed }
      if isGivenUp || Task.isCancelled { throw CancellationError() }
      _ = arrival.wait(timeout: .now() + .milliseconds(100))
    }
  }
}
#endif
