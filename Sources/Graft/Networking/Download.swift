// A download runs on the session's own queue, which is serial: the import happens inside the
// delegate's methods, so that the next chunk is not taken from the queue before this one is in the
// graph.

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Feeds an import with what a server sends.
final class Download: NSObject, Sendable {
  private struct State {
    var continuation: CheckedContinuation<ImportReport, any Error>?
    /// Why the import was given up; the session's own error is then only the echo.
    var failure: (any Error)?
    var progress = ImportProgress(byteCount: 0)
  }

  private let request: URLRequest
  private let importer: JSONImporter
  private let chunkSize: Int
  private let tellProgress: (@Sendable (ImportProgress) -> Void)?
  private let state = Mutex(State())

  init(
    _ request: URLRequest, into importer: JSONImporter, chunkSize: Int,
    progress: (@Sendable (ImportProgress) -> Void)?
  ) {
    self.request = request
    self.importer = importer
    self.chunkSize = min(max(chunkSize, 1), FileReader.largestChunk)
    tellProgress = progress
  }

  /// Downloads and imports.
  ///
  /// - Throws: ``ImportSourceError``, ``ImportError`` or `CancellationError`.
  func run() async throws -> ImportReport {
    try Task.checkCancellation()
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  private func fail(_ error: any Error, _ task: URLSessionTask) {
    importer.cancel()
    state.withLock { $0.failure = $0.failure ?? error }
    task.cancel()
  }
}

extension Download: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse, !(200...299 ~= response.statusCode) {
      fail(ImportSourceError(status: response.statusCode, from: request), dataTask)
      return completionHandler(.cancel)
    }
    state.withLock { $0.progress.totalByteCount = response.contentByteCount }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard state.withLock({ $0.failure == nil }) else { return }
    do {
      try data.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: chunkSize) {
          let end = start + min(chunkSize, bytes.count - start)
          try importer.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
      }
    } catch {
      return fail(error, dataTask)
    }
    let progress = state.withLock { state in
      state.progress.byteCount += data.count
      return state.progress
    }
    tellProgress?(progress)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (continuation, failure) = state.withLock { state in
      let continuation = state.continuation
      state.continuation = nil
      return (continuation, state.failure)
    }
    guard let continuation else { return }
    if let failure { return continuation.resume(throwing: failure) }
    if let error {
      importer.cancel()
      return continuation.resume(throwing: Self.cause(error, of: request))
    }
    continuation.resume(with: Result { try importer.finish() })
  }

  private static func cause(_ error: any Error, of request: URLRequest) -> any Error {
    if let error = error as? URLError, error.code == .cancelled { return CancellationError() }
    return ImportSourceError(
      .connection, source: request.address, message: error.localizedDescription)
  }
}

extension URLResponse {
  /// The bytes to come, where they come as they are counted: what is compressed on its way is
  /// counted before it is unpacked.
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
