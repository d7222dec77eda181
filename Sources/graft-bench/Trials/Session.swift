import Foundation

/// All that one call of the program measures.
struct Session {
  let options: Options

  func run() throws -> Figures {
    var figures = Figures(options: options)
    for trial in options.trials {
      switch trial {
      case .comparison:
        figures.comparison = try withDocument { try Comparison(options).run(on: $0) }
      case .chunks: figures.chunks = try withDocument { try ChunkTrial(options).run(on: $0) }
      case .scale: figures.scale = try ScaleTrial(options).run()
      case .tokens: figures.tokens = try TokenTrial(options).run()
      case .graph: figures.graph = try GraphTrial(options).run()
      }
    }
    return figures
  }

  private func withDocument<Result>(_ body: (Document) throws -> Result) throws -> Result {
    let document = try Document(options: options)
    defer { document.remove() }
    return try body(document)
  }
}
