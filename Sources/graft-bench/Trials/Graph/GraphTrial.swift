import Graft

/// What the graph costs: uniquing, reading, writing, and the way back to JSON.
struct GraphTrial {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  /// The objects of a store: a million at the size that is usual.
  private var count: Int { max(options.size / 100, 1) }

  func run() throws -> [Bar] {
    try UniquingTrial(count: count, runs: options.runs).run()
      + HandleTrial(count: count, runs: options.runs).run()
      + ExportTrial(options).run()
  }
}
