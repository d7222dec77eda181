import Foundation

/// The contestants that take chunks, on chunks of several sizes.
struct ChunkTrial {
  private let options: Options
  private static let sizes = [1, 4, 16, 64, 256, 1024].map { $0 * 1024 }

  init(_ options: Options) {
    self.options = options
  }

  struct Line: Encodable {
    let chunkSize: Int
    /// MB/s by the contestant's name.
    let megabytesPerSecond: [String: Double]
  }

  func run(on document: Document) throws -> [Line] {
    let contestants = try Field.contestants(named: options.only, for: document.subject)
      .filter(\.readsChunks)
    let bytes = try Data(contentsOf: document.url)
    return try Self.sizes.map { size in
      let seconds = try Timing.best(
        of: options.runs, contestants, on: bytes, subject: document.subject, chunkSize: size)
      let speeds = seconds.map { Double(bytes.count) / 1e6 / $0 }
      let pairs = zip(contestants.map(\.name), speeds)
      return Line(chunkSize: size, megabytesPerSecond: Dictionary(uniqueKeysWithValues: pairs))
    }
  }
}
