import CommandLineSupport
import Foundation

/// Measures both engines by the share of a document's keys that is mapped, and on numbers alone.
///
/// The native engine gains most from what is not mapped, and least from a document of numbers that
/// are all mapped.
struct EngineTrial {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  struct Line: Codable {
    let document: String
    let mappedKeyCount: Int
    let keyCount: Int
    /// MB/s by the contestant's name.
    let megabytesPerSecond: [String: Double]
  }

  func run() throws -> [Line] {
    try feedLines() + [pointLine()]
  }

  /// Returns the feed with all, half and a tenth of its keys mapped.
  private func feedLines() throws -> [Line] {
    let outline = try DocumentOutline(of: Self.sampleOfTweets())
    let document = try Document(options: options.ofFeed)
    defer { document.remove() }
    let bytes = try Data(contentsOf: document.url)
    let shares = [("feed, all keys", 1), ("feed, half of the keys", 2), ("feed, a tenth", 10)]
    return try shares.map { title, divisor in
      try line(
        title, bytes, outline, mapping: max(outline.keyCount / divisor, 1), at: "statuses")
    }
  }

  private func pointLine() throws -> Line {
    let outline = try DocumentOutline(of: PointFeed.document(size: 1000))
    let bytes = Data(PointFeed.document(size: options.size))
    return try line("points, all numbers", bytes, outline, mapping: outline.keyCount, at: nil)
  }

  private func line(
    _ title: String, _ bytes: Data, _ outline: DocumentOutline, mapping count: Int,
    at path: String?
  ) throws -> Line {
    let model = try outline.model(mapping: count)
    let subject = Subject.mapped(model, entity: DocumentOutline.rootEntity, path: path)
    let names = options.only.isEmpty ? Field.engines : options.only
    let contestants = try Field.contestants(named: names, for: subject).filter(\.readsChunks)
    let seconds = try Timing.best(
      of: options.runs, contestants, on: bytes, subject: subject, chunkSize: options.chunkSize)
    let speeds = zip(contestants, seconds).map { ($0.name, Double(bytes.count) / 1e6 / $1) }
    return Line(
      document: title, mappedKeyCount: count, keyCount: outline.keyCount,
      megabytesPerSecond: Dictionary(uniqueKeysWithValues: speeds))
  }

  /// Tweets that have all keys of the feed among them.
  private static func sampleOfTweets() -> [UInt8] {
    var json = JSONBytes()
    for number in 0..<500 {
      json.raw(number == 0 ? "[" : ",")
      _ = FeedTweet(status: number).write(to: &json)
    }
    json.raw("]")
    return json.bytes
  }
}
