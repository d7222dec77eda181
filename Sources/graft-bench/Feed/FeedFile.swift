import Foundation

/// The feed as a temporary file, from which every contestant reads.
struct FeedFile {
  let url: URL
  let byteCount: Int
  let objectCount: Int
  let statusCount: Int

  /// Writes the feed to a new temporary file.
  ///
  /// - Parameter size: The document's size in bytes, exceeded by less than one status.
  /// - Throws: What the file system throws.
  init(size: Int) throws {
    let name = "graft-bench-\(ProcessInfo.processInfo.processIdentifier)-\(size).json"
    try self.init(
      url: FileManager.default.temporaryDirectory.appendingPathComponent(name), size: size)
  }

  /// Writes the feed to a file, in place of what was there.
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
