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
final class SessionDownload: NSObject, Download {
  /// A step of the download that the session's delegate passes on to the import.
  private enum Event {
    case response(URLResponse)
    case bytes(Data)
  }

  private struct State {
    var task: URLSessionDataTask?
    /// The session that was made for this download; nil if the caller's is used.
    var own: URLSession?
    var hasResponse = false
    var isCancelled = false
    /// The reason why the download was given up; the session's own error does not have it.
    var failure: (any Error)?
    /// The answer with an error status, whose body is kept.
    var refused: RefusedAnswer?
  }

  private let request: URLRequest
  private let decompression: Decompression
  /// The caller's session; nil if there is none.
  private let callers: URLSession?
  private let state = Mutex(State())
  private let backlog = Backlog()
  private let events: AsyncThrowingStream<Event, any Error>
  private let receiver: AsyncThrowingStream<Event, any Error>.Continuation

  /// - Parameters:
  ///   - request: The request.
  ///   - session: The session that downloads; nil for an ephemeral one.
  ///   - decompression: The formats in which the answer of an error may be packed.
  init(_ request: URLRequest, through session: URLSession?, _ decompression: Decompression) {
    self.request = request
    self.decompression = decompression
    callers = session
    (events, receiver) = AsyncThrowingStream.makeStream()
  }

  func start() { state.withLock { send(&$0) } }

  private func send(_ state: inout State) {
    guard state.task == nil, !state.isCancelled else { return }
    if let callers, Self.canBeDelegateOfTask {
      state.task = callers.dataTask(with: request)
      state.task?.delegate = self
    } else {
      state.own = URLSession(
        configuration: callers?.configuration ?? .ephemeral, delegate: self, delegateQueue: nil)
      state.task = state.own?.dataTask(with: request)
    }
    state.task?.resume()
  }

  func cancel() {
    let state = state.withLock { state in
      state.isCancelled = true
      return state
    }
    receiver.finish(throwing: CancellationError())
    guard let task = state.task else { return }
    end(task)
    backlog.close(task)
    state.own?.finishTasksAndInvalidate()
  }

  /// Cancels the task of the session.
  ///
  /// On Linux that waits for the queue of all sessions, which is busy for as long as a server sends without a pause.
  /// Neither an import nor a delegate waits there.
  private func end(_ task: URLSessionTask) {
    #if canImport(FoundationNetworking)
    DispatchQueue.global().async { task.cancel() }
    #else
    task.cancel()
    #endif
  }

  /// Downloads and imports all that the server sends.
  ///
  /// - Throws: ``ImportSourceError``, ``ImportError`` or `CancellationError`.
  func read(into feed: ImportFeed) async throws {
    try Task.checkCancellation()
    start()
    defer { cancel() }
    // Ends when the task is cancelled, too.
    for try await event in events {
      switch event {
      case .response(let response): try begin(response, feed)
      case .bytes(let bytes):
        try bytes.withRawSpan { try feed.receive($0) }
        if let task = state.withLock(\.task) { backlog.remove(bytes.count, task) }
      }
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

  /// Begins the import of an answer.
  ///
  /// - Throws: The error of the options' hook; ``ImportError`` if the import cannot begin.
  private func begin(_ response: URLResponse, _ feed: ImportFeed) throws {
    if let answer = answer(response) { try feed.begin(answer) }
    feed.expect(response.contentByteCount)
  }

  private func answer(_ response: URLResponse) -> ImportResponse? {
    guard let answer = response as? HTTPURLResponse, let request = try? WebRequest(request) else {
      return nil
    }
    return ImportResponse(answer, url: request.url).answering(request)
  }

  /// Passes the answer on to the import, or gathers the body of one that is no success.
  private func take(_ response: URLResponse) {
    let answer = answer(response)
    state.withLock { state in
      state.hasResponse = true
      guard let answer, let refusal = answer.refusal else { return }
      state.refused = RefusedAnswer(answer, refusal, decompression, isPacked: false)
    }
    if answer?.refusal == nil { receiver.yield(.response(response)) }
  }
}

extension SessionDownload: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    take(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (failure, refused) = state.withLock { ($0.failure, $0.refused) }
    guard failure == nil else { return }
    if let refused {
      do { try data.withRawSpan { try refused.receive($0) } } catch { giveUp(dataTask, error) }
      return
    }
    receiver.yield(.bytes(data))
    guard !backlog.add(data.count, dataTask) else { return }
    giveUp(
      dataTask,
      ImportSourceError(
        .connection, source: request.address,
        message:
          "the server is so much faster than the import that \(Backlog.limit) bytes wait, and on Linux a"
          + " session cannot make it wait; import without a session, which can"))
  }

  /// Ends the import with an error, before the session reports the end of the task.
  private func giveUp(_ task: URLSessionDataTask, _ error: any Error) {
    state.withLock { $0.failure = error }
    receiver.finish(throwing: error)
    end(task)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (hasResponse, failure) = state.withLock { ($0.hasResponse, $0.failure) }
    guard failure == nil else { return }
    // A redirection that leads nowhere ends without an error.
    if error == nil, !hasResponse {
      guard let response = task.response else {
        return receiver.finish(
          throwing: Self.cause(URLError(.badServerResponse), of: request))
      }
      take(response)
    }
    if let refused = state.withLock({ $0.refused }) {
      return receiver.finish(throwing: refused.error())
    }
    receiver.finish(throwing: error.map { Self.cause($0, of: request) })
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

// The delegate of the caller's session is still asked. On Apple's systems the delegate of a task hides it. On Linux the
// download has a session of its own, because Foundation there calls the delegate of a session only.
extension SessionDownload {
  private var callersDelegate: (any URLSessionTaskDelegate)? {
    callers?.delegate as? any URLSessionTaskDelegate
  }

  /// Follows a redirection without the headers that another server must not see, unless the caller's delegate decides
  /// otherwise.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    var request = request
    if response.url?.origin != request.url?.origin {
      for name in request.allHTTPHeaderFields?.keys.filter(Secrets.isOfServer(header:)) ?? [] {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    guard let callers, let callersDelegate else { return completionHandler(request) }
    #if canImport(FoundationNetworking)
    callersDelegate.urlSession(
      callers, task: task, willPerformHTTPRedirection: response, newRequest: request,
      completionHandler: completionHandler)
    #else
    let answer: Void? = callersDelegate.urlSession?(
      callers, task: task, willPerformHTTPRedirection: response, newRequest: request,
      completionHandler: completionHandler)
    if answer == nil { completionHandler(request) }
    #endif
  }

  #if canImport(FoundationNetworking)
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
  #endif
}

extension URLResponse {
  /// The number of bytes to come; nil if the content is compressed, because only its compressed
  /// length is known.
  fileprivate var contentByteCount: Int? {
    let response = self as? HTTPURLResponse
    let isPacked = response?.value(forHTTPHeaderField: "Content-Encoding") != nil
    return isPacked || expectedContentLength < 0 ? nil : Int(exactly: expectedContentLength)
  }
}

/// Counts received bytes that are not yet imported, and holds the sender back if there are many.
private final class Backlog: Sendable {
  /// The number of bytes above which a sender is held back.
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
