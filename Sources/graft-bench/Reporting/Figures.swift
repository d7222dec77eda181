import Foundation

/// The figures of one call.
struct Figures: Encodable {
  let runs: Int
  let chunkSize: Int
  var comparison: Comparison.Result?
  var chunks: [ChunkTrial.Line]?
  var scale: [ScaleTrial.Line]?
  var tokens: [TokenTrial.Line]?
  var graph: [Bar]?

  init(options: Options) {
    runs = options.runs
    chunkSize = options.chunkSize
  }

  /// The figures as JSON, for scripts.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
