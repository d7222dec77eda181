import Foundation

/// The contestants that take chunks, on feeds from 1 MB to 1 GB that are made while they are read.
struct ScaleTrial {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  struct Line: Encodable {
    let byteCount: Int
    /// MB/s by the contestant's name.
    let megabytesPerSecond: [String: Double]
  }

  func run() throws -> [Line] {
    let contestants = try Field.contestants(named: options.only, for: .timeline)
      .filter(\.readsChunks)
    let largest = options.size < 100_000_000 ? options.size : 1_000_000_000
    return try sizes(upTo: largest).map { size in
      var speeds: [String: Double] = [:]
      var byteCount = 0
      for contestant in contestants {
        for _ in 0..<(size >= 1_000_000_000 ? 1 : options.runs) {
          let run = try stream(size, into: contestant)
          byteCount = run.byteCount
          let speed = Double(run.byteCount) / 1e6 / run.seconds
          speeds[contestant.name] = max(speed, speeds[contestant.name] ?? 0)
        }
      }
      return Line(byteCount: byteCount, megabytesPerSecond: speeds)
    }
  }

  private func sizes(upTo largest: Int) -> [Int] {
    Array(sequence(first: 1_000_000) { $0 * 10 <= largest ? $0 * 10 : nil })
  }

  /// Feeds one reader and times only it, not the making of the feed.
  private func stream(
    _ size: Int, into contestant: Contestant
  ) throws -> (byteCount: Int, seconds: Double) {
    let clock = ContinuousClock()
    var feed = TimelineFeed(size: size)
    var spent = Duration.zero
    let reader = try contestant.makeReader(.timeline)
    while let piece = feed.nextPiece() {
      spent += try clock.measure { try piece.withUnsafeBytes { try reader.read($0) } }
    }
    spent += try clock.measure { try reader.finish() }
    return withExtendedLifetime(reader) { (feed.byteCount, spent.seconds) }
  }
}
