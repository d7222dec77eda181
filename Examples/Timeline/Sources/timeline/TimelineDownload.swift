import Foundation
import Graft
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads a timeline and imports it while it arrives.
///
/// `store.importJSON(entity:at:from:)` with a URL does all of this in one call, and makes a server wait that is faster
/// than the import. A delegate of a `URLSession` is for an app that has one anyway. On Apple's systems it makes the server
/// wait by suspending its task. On Linux that would start the request anew: what waits is in memory there, and this
/// example gives up where it is too much.
final class TimelineDownload: NSObject, URLSessionDataDelegate {
  struct Outcome: Sendable {
    let report: ImportReport
    let chunkCount: Int
  }

  /// The most bytes that may have been received and not yet imported.
  private static let backlogLimit: Int64 = 64 << 20

  private let importer: JSONImporter
  private let completion: CheckedContinuation<Outcome, any Error>
  private let chunkCount = Atomic(0)
  private let byteCount = Atomic<Int64>(0)
  private let isOverrun = Atomic(false)

  private init(importer: JSONImporter, completion: CheckedContinuation<Outcome, any Error>) {
    self.importer = importer
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
    let importer = try store.makeImporter(entity: "Tweet", at: "statuses")
    return try await withCheckedThrowingContinuation { completion in
      let download = TimelineDownload(importer: importer, completion: completion)
      let session = URLSession(configuration: .ephemeral, delegate: download, delegateQueue: nil)
      session.dataTask(with: url).resume()
      session.finishTasksAndInvalidate()
    }
  }

  /// A chunk has arrived; it may end anywhere, even inside a character.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    chunkCount.add(1, ordering: .relaxed)
    let imported = byteCount.add(Int64(data.count), ordering: .relaxed).newValue
    #if canImport(Darwin)
    dataTask.suspend()
    defer { dataTask.resume() }
    #else
    if dataTask.countOfBytesReceived - imported > Self.backlogLimit {
      isOverrun.store(true, ordering: .relaxed)
      return dataTask.cancel()
    }
    #endif
    do {
      try importer.parse(data)
    } catch {
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    completion.resume(with: Result { try finish(task, error: error) })
  }

  /// Ends the import, unless the download failed.
  ///
  /// A task that was cancelled because of the importer has an error too; the importer's own, which
  /// `finish()` throws again, says more.
  private func finish(_ task: URLSessionTask, error: (any Error)?) throws -> Outcome {
    if let response = task.response as? HTTPURLResponse, response.statusCode != 200 {
      throw DownloadError(status: response.statusCode)
    }
    if isOverrun.load(ordering: .relaxed) { throw OverrunError() }
    if let error, (error as? URLError)?.code != .cancelled {
      throw error
    }
    let report = try importer.finish()
    return Outcome(report: report, chunkCount: chunkCount.load(ordering: .relaxed))
  }
}

/// More bytes wait than the example keeps in memory.
struct OverrunError: Error, CustomStringConvertible {
  let description =
    "the server is too much faster than the import; import from its URL, which makes it wait"
}

/// An answer of the server that brings no document.
struct DownloadError: Error, CustomStringConvertible {
  let status: Int

  var description: String { "the server answered with status \(status)" }
}
