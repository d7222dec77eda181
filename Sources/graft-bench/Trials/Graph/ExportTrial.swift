import Foundation
import Graft

/// How fast the feed's tweets become JSON again.
struct ExportTrial {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  func run() throws -> [Bar] {
    let store = GraphStore(model: try TimelineModel.make())
    let importer = try store.makeImporter(entity: "Tweet", at: "statuses")
    var feed = TimelineFeed(size: options.size)
    while let piece = feed.nextPiece() { try importer.parse(piece) }
    _ = try importer.finish()
    let exporter = try JSONExporter(model: store.model)
    var best = 0.0
    for _ in 0..<options.runs {
      var byteCount = 0
      let duration = try ContinuousClock().measure {
        try exporter.write(.entity("Tweet", of: store.graph)) { byteCount += $0.byteCount }
      }
      best = max(best, Double(byteCount) / 1e6 / duration.seconds)
    }
    return [
      Bar(name: "export the feed's tweets", value: best, unit: "MB/s", bar: 300, isFloor: true)
    ]
  }
}
