import Synchronization

/// Keeps a connection open between the downloads of a list's pages, so that they share one handshake.
///
/// It also keeps the cookies that the server has set.
package final class SharedConnection: Sendable {
  package init() {}

  #if canImport(CCurl)
  /// A transfer that no download uses.
  ///
  /// Unchecked: a download takes it, and gives it back when it has ended.
  private struct Idle: @unchecked Sendable {
    var transfer: CurlTransfer?
  }

  private let idle = Mutex(Idle())

  /// Returns the transfer of the download before, or a new one.
  ///
  /// - Throws: ``ImportSourceError`` if libcurl cannot be used.
  func take() throws -> CurlTransfer {
    let kept = idle.withLock { idle in
      defer { idle.transfer = nil }
      return Idle(transfer: idle.transfer)
    }
    return try kept.transfer ?? CurlTransfer()
  }

  /// Keeps the transfer of a download that has ended.
  func keep(_ transfer: CurlTransfer) {
    transfer.isCancelled = { false }
    let kept = Idle(transfer: transfer)
    idle.withLock { $0 = kept }
  }
  #endif
}
