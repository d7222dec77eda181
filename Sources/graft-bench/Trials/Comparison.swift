import Foundation

/// All contestants on one document.
struct Comparison {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  struct Result: Encodable {
    let document: String
    let byteCount: Int
    var contestants: [Line]
  }

  struct Line: Encodable {
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
    let yajl = lines.first { $0.name == Contestant.yajl.name }?.seconds
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
