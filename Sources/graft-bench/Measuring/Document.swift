import Foundation

/// A document to measure with: the generated feed or a file of the user's.
struct Document {
  let url: URL
  let byteCount: Int
  /// The objects it holds, counted wherever they occur, where that is known.
  let objectCount: Int?
  let subject: Subject
  let title: String
  private let temporary: FeedFile?

  /// Opens the file that the options name, or makes the feed.
  init(options: Options) throws {
    if let file = options.file {
      url = URL(fileURLWithPath: file)
      byteCount = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      objectCount = nil
      subject = options.subject
      title = url.lastPathComponent
      temporary = nil
    } else {
      let feed = try FeedFile(size: options.size)
      url = feed.url
      byteCount = feed.byteCount
      objectCount = feed.objectCount
      subject = .timeline
      title = "feed of \(feed.statusCount.grouped) statuses, \(feed.objectCount.grouped) objects"
      temporary = feed
    }
  }

  /// Removes what was made for the measurement.
  func remove() {
    temporary?.remove()
  }
}

extension Options {
  /// What the document holds.
  var subject: Subject {
    guard let model, let root else { return .timeline }
    let parts = root.split(separator: "@", maxSplits: 1).map(String.init)
    return .other(model: model, entity: parts.first ?? "", path: parts.dropFirst().first)
  }
}
