// A request can be sent before its answer is imported, so that the server works on a page of a list while the page
// before it is parsed. The answer waits in the system's buffers, and none of it is imported.

/// A server's answer, which is imported as it arrives.
protocol Download: AnyObject, Sendable {
  /// Sends the request, unless it was sent before.
  func start()

  /// Sends the request, unless it was sent before, and imports the answer.
  func read(into feed: ImportFeed) async throws

  /// Ends the download at any point.
  func cancel()
}
