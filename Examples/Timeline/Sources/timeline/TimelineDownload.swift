import Foundation
import Graft
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads a timeline and imports it while it arrives.
///
/// `URLSession` calls a delegate on a queue of its own, one call at a time. The lock tells the
/// compiler what the queue promises: that the importer has one user at a time.
final class TimelineDownload: NSObject, URLSessionDataDelegate, Sendable {
  struct Outcome: Sendable {
    let report: ImportReport
    let chunkCount: Int
  }

  private struct Progress: ~Copyable {
    var importer: JSONImporter
    var chunkCount = 0
    var failure: (any Error)?
  }

  private let progress: Mutex<Progress>
  private let completion: CheckedContinuation<Outcome, any Error>

  private init(
    importer: sending JSONImporter, completion: CheckedContinuation<Outcome, any Error>
  ) {
    progress = Mutex(Progress(importer: importer))
    self.completion = completion
  }

  /// Imports the document at a URL into a store.
  ///
  /// - Parameters:
  ///   - url: Where the server keeps the timeline.
  ///   - store: The store to import into; nothing is changed unless the whole document was good.
  /// - Returns: What the import did, and in how many chunks the document came.
  /// - Throws: What the network or the import found wrong.
  static func run(from url: URL, into store: GraphStore) async throws -> Outcome {
    try await withCheckedThrowingContinuation { completion in
      do {
        let importer = try store.makeImporter(entity: "Tweet", at: "statuses")
        let download = TimelineDownload(importer: importer, completion: completion)
        let session = URLSession(configuration: .ephemeral, delegate: download, delegateQueue: nil)
        session.dataTask(with: url).resume()
        session.finishTasksAndInvalidate()
      } catch {
        completion.resume(throwing: error)
      }
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if status != 200 {
      progress.withLock { $0.failure = DownloadError.status(status) }
    }
    completionHandler(status == 200 ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    progress.withLock { progress in
      guard progress.failure == nil else { return }
      do {
        progress.chunkCount += 1
        _ = try progress.importer.parse(data)
      } catch {
        progress.failure = error
        dataTask.cancel()
      }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let result = progress.withLock { progress in
      Result {
        if let failure = progress.failure ?? error {
          progress.importer.cancel()
          throw failure
        }
        return Outcome(report: try progress.importer.finish(), chunkCount: progress.chunkCount)
      }
    }
    completion.resume(with: result)
  }
}

/// Why a download brought nothing to import.
enum DownloadError: Error, CustomStringConvertible {
  case status(Int)

  var description: String {
    switch self {
    case .status(let code): "the server answered with status \(code)"
    }
  }
}
