// A session calls its delegate with new bytes even if the delegate is still busy with earlier ones.
// Bytes that have been received and not yet imported are therefore counted. On Apple's systems the
// task is suspended while it is much. On Linux that would start the request again, and Foundation's
// threads, which all sessions share, must not wait: too many bytes are an error there.

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Imports a server's answer through a `URLSession`, as it arrives.
final class SessionDownload: NSObject, Sendable {
  private struct State {
    var hasBegun = false
    /// The reason why the download was given up; the session's own error does not have it.
    var failure: (any Error)?
    /// The answer if it is no success, whose body is gathered.
    var refused: RefusedAnswer?
  }

  private let request: URLRequest
  private let feed: ImportFeed
  /// The caller's session; nil if there is none.
  private let callers: URLSession?
  private let state = Mutex(State())
  private let backlog = Backlog()
  private let chunks: AsyncThrowingStream<Data, any Error>
  private let receiver: AsyncThrowingStream<Data, any Error>.Continuation

  /// - Parameters:
  ///   - request: The request.
  ///   - session: The session that downloads; nil for an ephemeral one.
  ///   - feed: Takes the answer.
  init(_ request: URLRequest, through session: URLSession?, into feed: ImportFeed) {
    self.request = request
    self.feed = feed
    callers = session
    (chunks, receiver) = AsyncThrowingStream.makeStream()
  }

  /// Downloads and imports all that the server sends.
  ///
  /// - Throws: ``ImportSourceError``, ``ImportError`` or `CancellationError`.
  func read() async throws {
    try Task.checkCancellation()
    let task: URLSessionDataTask
    var own: URLSession?
    defer { own?.finishTasksAndInvalidate() }
    if let callers, Self.canBeDelegateOfTask {
      task = callers.dataTask(with: request)
      task.delegate = self
    } else {
      let session = URLSession(
        configuration: callers?.configuration ?? .ephemeral, delegate: self, delegateQueue: nil)
      task = session.dataTask(with: request)
      own = session
    }
    defer {
      task.cancel()
      backlog.close(task)
    }
    task.resume()
    // Ends when the task is cancelled, too.
    for try await chunk in chunks {
      try chunk.withRawSpan { try feed.receive($0) }
      backlog.remove(chunk.count, task)
    }
    try Task.checkCancellation()
  }

  /// Foundation on Linux calls the delegate of a session only, and never the delegate of a task.
  private static var canBeDelegateOfTask: Bool {
    #if canImport(FoundationNetworking)
    false
    #else
    true
    #endif
  }

  /// Begins the import of an answer, or gathers the body of one that is no success.
  ///
  /// - Throws: What the options' hook throws; ``ImportError`` if the import cannot begin.
  private func begin(_ response: URLResponse) throws {
    state.withLock { $0.hasBegun = true }
    if let answer = response as? HTTPURLResponse, let request = try? WebRequest(request) {
      let answer = ImportResponse(answer, url: request.url).answering(request)
      if let refusal = answer.refusal {
        return state.withLock { $0.refused = RefusedAnswer(answer, refusal, feed.decompression) }
      }
      try feed.begin(answer)
    }
    feed.expect(response.contentByteCount)
  }
}

extension SessionDownload: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    do {
      try begin(response)
      completionHandler(.allow)
    } catch {
      state.withLock { $0.failure = error }
      completionHandler(.cancel)
      dataTask.cancel()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (failure, refused) = state.withLock { ($0.failure, $0.refused) }
    guard failure == nil else { return }
    if let refused {
      do { try data.withRawSpan { try refused.receive($0) } } catch {
        state.withLock { $0.failure = error }
        dataTask.cancel()
      }
      return
    }
    receiver.yield(data)
    guard !backlog.add(data.count, dataTask) else { return }
    let error = ImportSourceError(
      .connection, source: request.address,
      message:
        "the server is so much faster than the import that \(Backlog.limit) bytes wait, and on Linux a"
        + " session cannot make it wait; import without a session, which can")
    state.withLock { $0.failure = error }
    receiver.finish(throwing: error)
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (hasBegun, failure) = state.withLock { ($0.hasBegun, $0.failure) }
    if let failure { return receiver.finish(throwing: failure) }
    if let refused = state.withLock({ $0.refused }) {
      return receiver.finish(throwing: refused.error(isPacked: false))
    }
    if let error { return receiver.finish(throwing: Self.cause(error, of: request)) }
    // A redirection that leads nowhere ends without a word.
    if !hasBegun {
      do {
        guard let response = task.response else { throw URLError(.badServerResponse) }
        try begin(response)
      } catch {
        return receiver.finish(throwing: Self.cause(error, of: request))
      }
      if let refused = state.withLock({ $0.refused }) {
        return receiver.finish(throwing: refused.error(isPacked: false))
      }
    }
    receiver.finish()
  }

  private static func cause(_ error: any Error, of request: URLRequest) -> any Error {
    guard let error = error as? URLError else { return error }
    if error.code == .cancelled { return CancellationError() }
    let seconds = Int(request.timeoutInterval.rounded(.up))
    let message =
      switch error.code {
      case .timedOut: "no bytes came for \(seconds) s"
      case .badServerResponse: "the server's answer is no HTTP"
      case .cannotFindHost: "the host cannot be found"
      case .cannotConnectToHost: "no connection to the server"
      case .networkConnectionLost: "the connection broke off"
      default: error.localizedDescription
      }
    // Without other details of the error, such as the whole URL.
    return ImportSourceError(
      .connection, source: request.address, message: message, underlyingError: URLError(error.code))
  }
}

#if canImport(FoundationNetworking)
// Foundation on Linux calls the delegate of a session only, so that the download has a session of its own. What that
// asks goes on to the delegate of the caller's session, as on Apple's systems.
extension SessionDownload {
  private var callersDelegate: (any URLSessionTaskDelegate)? {
    callers?.delegate as? any URLSessionTaskDelegate
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let callers, let callersDelegate else { return completionHandler(request) }
    callersDelegate.urlSession(
      callers, task: task, willPerformHTTPRedirection: response, newRequest: request,
      completionHandler: completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let callers, let callersDelegate else {
      return completionHandler(.performDefaultHandling, nil)
    }
    callersDelegate.urlSession(
      callers, task: task, didReceive: challenge, completionHandler: completionHandler)
  }
}
#endif

extension URLResponse {
  /// The number of bytes to come; nil if the content is compressed, because only its compressed
  /// length is known.
  fileprivate var contentByteCount: Int? {
    let response = self as? HTTPURLResponse
    let isPacked = response?.value(forHTTPHeaderField: "Content-Encoding") != nil
    return isPacked || expectedContentLength < 0 ? nil : Int(exactly: expectedContentLength)
  }
}

extension URLRequest {
  /// The URL as errors name it.
  var address: String {
    url.map { Secrets.removed(from: $0.absoluteString) } ?? "a request without URL"
  }
}

/// Counts received bytes that are not yet imported, and holds the sender back if there are many.
private final class Backlog: Sendable {
  /// The bytes beyond which a sender is held back.
  private static let most = 2 << 20
  /// The number of bytes below which it continues.
  private static let least = 1 << 20
  /// The most bytes of a sender that cannot be held back.
  static let limit = 256 << 20

  private struct State {
    var byteCount = 0
    var isHeldBack = false
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Counts bytes that were received.
  ///
  /// - Returns: False where they are too many.
  func add(_ byteCount: Int, _ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.byteCount += byteCount
      #if canImport(Darwin)
      if state.byteCount > Self.most, !state.isHeldBack, !state.isClosed {
        state.isHeldBack = true
        task.suspend()
      }
      return true
      #else
      return state.byteCount <= Self.limit || state.isClosed
      #endif
    }
  }

  /// Counts bytes that were imported.
  func remove(_ byteCount: Int, _ task: URLSessionTask) {
    state.withLock { state in
      state.byteCount -= byteCount
      if state.byteCount < Self.least { Self.release(&state, task) }
    }
  }

  /// Holds no more bytes back, because a suspended task does not report that it was cancelled.
  func close(_ task: URLSessionTask) {
    state.withLock { state in
      state.isClosed = true
      Self.release(&state, task)
    }
  }

  private static func release(_ state: inout State, _ task: URLSessionTask) {
    guard state.isHeldBack else { return }
    state.isHeldBack = false
    task.resume()
  }
}
