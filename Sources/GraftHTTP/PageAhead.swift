import Foundation
import Graft
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Keeps the page that was requested before its turn.
final class PageAhead: Sendable {
  private struct State {
    var request: URLRequest?
    var source: ImportSource?
    /// Sends the request when its time has come; nil if it was sent at once.
    var sending: Task<Void, any Error>?
  }

  private let state = Mutex(State())
  private let allowed = Atomic(true)

  /// Whether pages may be requested before their turn.
  var isAllowed: Bool {
    get { allowed.load(ordering: .relaxed) }
    set { allowed.store(newValue, ordering: .relaxed) }
  }

  /// Requests a page as soon as the pace allows, unless it waits already because the page before it has failed.
  ///
  /// - Parameters:
  ///   - request: The request, by which the page is found again.
  ///   - source: The source of the answer, prepared.
  ///   - pacer: Keeps the time between requests.
  func request(_ request: URLRequest, _ source: ImportSource, _ pacer: RequestPacer) {
    if state.withLock({ $0.request == request }) { return }
    drop()
    var sending: Task<Void, any Error>?
    if let turn = pacer.turn() {
      sending = Task {
        try await Task.sleep(until: turn, clock: .continuous)
        source.startDownload()
      }
    } else {
      source.startDownload()
    }
    state.withLock { $0 = State(request: request, source: source, sending: sending) }
  }

  /// Returns the source of a page that was requested before; nil if it was not.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func take(_ request: URLRequest) async throws -> ImportSource? {
    let taken = state.withLock { state in
      guard state.request == request else { return State() }
      defer { state = State() }
      return state
    }
    try await withTaskCancellationHandler {
      try await taken.sending?.value
    } onCancel: {
      taken.sending?.cancel()
    }
    return taken.source
  }

  /// Drops the page.
  func drop() {
    let dropped = state.withLock { state in
      defer { state = State() }
      return state
    }
    dropped.sending?.cancel()
    dropped.source?.cancelDownload()
  }
}

/// Keeps the time between requests above the least that the options allow.
final class RequestPacer: Sendable {
  private let interval: Duration
  private let next = Mutex(ContinuousClock.now)

  init(perSecond rate: Double?) {
    interval = rate.map { .seconds(1) / $0 } ?? .zero
  }

  /// Returns the time at which the next request may be sent, and counts the request; nil if it may be sent now.
  func turn() -> ContinuousClock.Instant? {
    guard interval > .zero else { return nil }
    let turn = next.withLock { next in
      let turn = max(next, .now)
      next = turn + interval
      return turn
    }
    return turn > .now ? turn : nil
  }

  /// Waits until the next request may be sent.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func wait() async throws {
    if let turn = turn() { try await Task.sleep(until: turn, clock: .continuous) }
  }
}
