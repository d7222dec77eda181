// A download runs on its session's delegate queue, which is serial: the import happens inside the
// delegate's methods, so that the next chunk is not taken from the queue before this one is in the
// graph.

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a server sends, imported as it arrives.
final class DownloadSource: NSObject, Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    /// Why the download was given up; the session's own error then only says that it was.
    var failure: (any Error)?
  }

  private let request: URLRequest
  private let feed: ImportFeed
  private let state = Mutex(State())

  init(_ request: URLRequest, into feed: ImportFeed) {
    self.request = request
    self.feed = feed
  }

  /// Downloads and imports all that the server sends.
  ///
  /// - Parameter session: The session that downloads; nil for an ephemeral one.
  /// - Throws: ``ImportSourceError``, ``ImportError`` or `CancellationError`.
  func read(session: URLSession?) async throws {
    try Task.checkCancellation()
    let task: URLSessionDataTask
    var own: URLSession?
    defer { own?.finishTasksAndInvalidate() }
    if let session, Self.canBeDelegateOfTask {
      task = session.dataTask(with: request)
      task.delegate = self
    } else {
      let configuration = session?.configuration ?? .ephemeral
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      task = session.dataTask(with: request)
      own = session
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Foundation on Linux asks the delegate of a session only, never that of a task.
  private static var canBeDelegateOfTask: Bool {
    #if canImport(FoundationNetworking)
    false
    #else
    true
    #endif
  }

  private func fail(_ error: any Error, _ task: URLSessionTask) {
    state.withLock { $0.failure = $0.failure ?? error }
    task.cancel()
  }
}

extension DownloadSource: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse, !(200...299 ~= response.statusCode) {
      fail(ImportSourceError(status: response.statusCode, from: request), dataTask)
      return completionHandler(.cancel)
    }
    if let response = response as? HTTPURLResponse {
      feed.note(
        .init(
          address: request.address, status: response.statusCode,
          contentType: response.value(forHTTPHeaderField: "Content-Type")))
    }
    feed.expect(response.contentByteCount)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard state.withLock({ $0.failure == nil }) else { return }
    do {
      try data.withRawSpan { try feed.receive($0) }
    } catch {
      fail(error, dataTask)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (continuation, failure) = state.withLock { state in
      (state.continuation.take(), state.failure)
    }
    if let error = failure ?? error.map({ Self.cause($0, of: request) }) {
      continuation?.resume(throwing: error)
    } else {
      continuation?.resume()
    }
  }

  private static func cause(_ error: any Error, of request: URLRequest) -> any Error {
    if let error = error as? URLError, error.code == .cancelled { return CancellationError() }
    return ImportSourceError(
      .connection, source: request.address, message: error.localizedDescription,
      underlyingError: error)
  }
}

extension URLResponse {
  /// The bytes to come; nil where the content is compressed, whose length is that before it is
  /// unpacked.
  fileprivate var contentByteCount: Int? {
    let response = self as? HTTPURLResponse
    let isPacked = response?.value(forHTTPHeaderField: "Content-Encoding") != nil
    return isPacked || expectedContentLength < 0 ? nil : Int(exactly: expectedContentLength)
  }
}

extension URLRequest {
  /// The URL as errors name it.
  var address: String { url?.absoluteString ?? "a request without URL" }
}

extension ImportSourceError {
  fileprivate init(status: Int, from request: URLRequest) {
    let name = HTTPURLResponse.localizedString(forStatusCode: status)
    self.init(
      .httpStatus, source: request.address, httpStatus: status,
      message: "expected a status of success, the server answered \(status) (\(name))")
  }
}
