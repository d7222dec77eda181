import CommandLineSupport
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
      title =
        "feed of \(Amount.number(feed.statusCount)) statuses, \(Amount.number(feed.objectCount)) objects"
      temporary = feed
    }
  }

  /// Removes what was made for the measurement.
  func remove() {
    temporary?.remove()
  }
}

extension Options {
  /// The kind of objects in the document.
  var subject: Subject {
    guard let model, let root else { return .timeline }
    let parts = root.split(separator: "@", maxSplits: 1).map(String.init)
    return .other(model: model, entity: parts.first ?? "", path: parts.dropFirst().first)
  }
}

/// Times readers on documents in memory.
enum Timing {
  /// Runs a contestant once.
  ///
  /// - Returns: Seconds from making the reader to the end of the document; freeing what it made is
  ///   not counted.
  static func run(
    _ contestant: Contestant, on bytes: Data, subject: Subject, chunkSize: Int
  ) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let reader = try contestant.makeReader(subject)
    if contestant.readsChunks {
      for offset in stride(from: 0, to: bytes.count, by: chunkSize) {
        try reader.read(bytes.dropFirst(offset).prefix(chunkSize))
      }
    } else {
      try reader.read(bytes)
    }
    try reader.finish()
    let duration = clock.now - start
    return withExtendedLifetime(reader) { duration.seconds }
  }

  /// Runs contestants in turns, so that a busy moment of the machine does not hit one of them
  /// alone.
  ///
  /// - Returns: The best run of each, in seconds.
  static func best(
    of runs: Int, _ contestants: [Contestant], on bytes: Data, subject: Subject, chunkSize: Int
  ) throws -> [Double] {
    var best = [Double](repeating: .infinity, count: contestants.count)
    for _ in 0..<runs {
      for (position, contestant) in contestants.enumerated() {
        let seconds = try run(contestant, on: bytes, subject: subject, chunkSize: chunkSize)
        best[position] = min(best[position], seconds)
      }
    }
    return best
  }
}
