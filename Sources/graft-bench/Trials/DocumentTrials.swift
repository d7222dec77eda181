import CommandLineSupport
import Foundation

/// Measures all contestants on one document.
struct Comparison {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  struct Result: Codable {
    let document: String
    let byteCount: Int
    var contestants: [Line]
  }

  struct Line: Codable {
    let name: String
    let title: String
    let seconds: Double
    let megabytesPerSecond: Double
    let objectsPerSecond: Double?
    var peakMemoryBytes: Int?
    var ratioToYAJL: Double?
    var ratioToJSONDecoder: Double?
  }

  func run(on document: Document) throws -> Result {
    let contestants = try Field.contestants(named: options.only, for: document.subject)
    let seconds = try best(of: contestants, on: document)
    var lines = zip(contestants, seconds).map { contestant, seconds in
      Line(
        name: contestant.name,
        title: contestant.title,
        seconds: seconds,
        megabytesPerSecond: Double(document.byteCount) / 1e6 / seconds,
        objectsPerSecond: document.objectCount.map { Double($0) / seconds }
      )
    }
    let yajl = lines.first { $0.name == Field.yajl }?.seconds
    let decoder = lines.first { $0.name == Contestant.decoder.name }?.seconds
    for position in lines.indices {
      lines[position].ratioToYAJL = yajl.map { $0 / lines[position].seconds }
      lines[position].ratioToJSONDecoder = decoder.map { $0 / lines[position].seconds }
      guard options.measuresMemory else { continue }
      lines[position].peakMemoryBytes = try PeakMemory.ofChild(
        running: contestants[position], on: document.url, options: options)
    }
    return Result(document: document.title, byteCount: document.byteCount, contestants: lines)
  }

  private func best(of contestants: [Contestant], on document: Document) throws -> [Double] {
    try Timing.best(
      of: options.runs, contestants, on: try Data(contentsOf: document.url),
      subject: document.subject, chunkSize: options.chunkSize)
  }
}

/// Measures the contestants that take chunks, on chunks of several sizes.
struct ChunkTrial {
  private let options: Options
  private static let sizes = [1, 4, 16, 64, 256, 1024].map { $0 * 1024 }

  init(_ options: Options) {
    self.options = options
  }

  struct Line: Codable {
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

/// Measures the contestants that take chunks, on feeds from 1 MB to 1 GB that are made while they are read.
struct ScaleTrial {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  struct Line: Codable {
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
      let chunk = Data(piece)
      spent += try clock.measure { try reader.read(chunk) }
    }
    spent += try clock.measure { try reader.finish() }
    return withExtendedLifetime(reader) { (feed.byteCount, spent.seconds) }
  }
}

/// Tokens of 10 MB in chunks of 4 KiB: a parser that begins each token anew at each chunk takes
/// minutes.
///
/// YAJL alone is left out, since it is such a parser.
struct TokenTrial {
  private let options: Options
  private static let tokenSize = 10_000_000
  private static let chunkSize = 4096

  init(_ options: Options) {
    self.options = options
  }

  struct Line: Codable {
    let token: String
    let contestant: String
    let seconds: Double?
    let failure: String?
  }

  func run() throws -> [Line] {
    let contestants = try Field.contestants(named: options.only, for: .timeline)
      .filter { $0.readsChunks && $0.name != Field.yajl }
    return Self.tokens.flatMap { token in
      contestants.map { line(token: token.name, document: token.document, contestant: $0) }
    }
  }

  private func line(token: String, document: Data, contestant: Contestant) -> Line {
    do {
      let seconds = try Timing.best(
        of: min(options.runs, 3), [contestant], on: document, subject: .timeline,
        chunkSize: Self.chunkSize)
      return Line(token: token, contestant: contestant.name, seconds: seconds.first, failure: nil)
    } catch {
      return Line(token: token, contestant: contestant.name, seconds: nil, failure: "\(error)")
    }
  }

  private static var tokens: [(name: String, document: Data)] {
    [
      ("string", status(text: String(repeating: "0123456789", count: tokenSize / 10))),
      ("escapes", status(text: String(repeating: #"\u3042\n"#, count: tokenSize / 8))),
      ("number", status(text: "", number: String(repeating: "7", count: tokenSize))),
    ]
  }

  /// Returns a timeline of one status, with a string to import and a number to skip.
  private static func status(text: String, number: String = "0") -> Data {
    Data(
      #"""
      {"statuses":[{"id_str":"1","weight":\#(number),"text":"\#(text)",\#
      "user":{"id_str":"2","screen_name":"long"}}]}
      """#.utf8)
  }
}
