import Foundation

/// A deterministic timeline in the shape of Twitter's REST API 1.1, written piece by piece and
/// never held as a whole.
///
/// Users, originals and hashtags repeat by Zipf's law out of pools that grow with the feed; what an
/// import does not map outweighs what it maps by far, as in real timelines.
struct TimelineFeed {
  /// The number of tweets, users and hashtags written so far, counted wherever they occur.
  private(set) var objectCount = 0
  /// The number of elements of `statuses` written so far.
  private(set) var statusCount = 0
  private(set) var byteCount = 0
  private let size: Int
  private var json = JSONBytes()
  private var isClosed = false

  /// Creates a feed.
  ///
  /// - Parameter size: Bytes after which the feed ends at the next opportunity.
  init(size: Int) {
    self.size = size
  }

  /// Returns the next piece of the document, some tens of kilobytes; nil after the last one.
  mutating func nextPiece() -> [UInt8]? {
    guard !isClosed else { return nil }
    json.removeAll()
    while json.bytes.count < 65_536 {
      guard byteCount + json.bytes.count < size || statusCount == 0 else {
        close()
        break
      }
      json.raw(statusCount == 0 ? #"{"statuses":["# : ",")
      objectCount += FeedTweet(status: statusCount).write(to: &json)
      statusCount += 1
    }
    byteCount += json.bytes.count
    return json.bytes
  }

  private mutating func close() {
    json.raw(
      #"""
      ],"search_metadata":{"completed_in":0.087,"query":"%E4%B8%80","count":\#(statusCount),\#
      "since_id":0}}

      """#)
    isClosed = true
  }
}

/// The feed as a temporary file, from which every contestant reads.
struct FeedFile {
  let url: URL
  let byteCount: Int
  let objectCount: Int
  let statusCount: Int

  /// Writes the feed to a new temporary file.
  ///
  /// - Parameter size: The document's size in bytes, exceeded by less than one status.
  /// - Throws: The error of the file system.
  init(size: Int) throws {
    let name = "graft-bench-\(ProcessInfo.processInfo.processIdentifier)-\(size).json"
    try self.init(
      url: FileManager.default.temporaryDirectory.appendingPathComponent(name), size: size)
  }

  /// Writes the feed to a file, replacing its contents.
  init(url: URL, size: Int) throws {
    try Data().write(to: url)
    let handle = try FileHandle(forWritingTo: url)
    var feed = TimelineFeed(size: size)
    while let piece = feed.nextPiece() {
      try handle.write(contentsOf: piece)
    }
    try handle.close()
    self.url = url
    byteCount = feed.byteCount
    objectCount = feed.objectCount
    statusCount = feed.statusCount
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}
