import CommandLineSupport
import Foundation
import GraftExport

/// The executable `graft-bench`.
///
/// A type marked `@main` instead of a `main.swift`, whose code, callbacks from C included, would be
/// isolated to the main actor and check so at every call.
@main
struct GraftBench {
  static func main() {
    do {
      let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
      switch options.task {
      case .help:
        print(Options.help)
      case .writeFeed(let path):
        try writeFeed(to: path, size: options.size)
      case .measureMemory(let contestant):
        print(try PeakMemory.use(contestant, options: options))
      case .measureGrowth(let work):
        print(try GrowthTrial.measureOnce(work))
      case .measureCommand(let words):
        print(try PeerTrial.measureOnce(words))
      case .compareBuilds(let path):
        let comparison = try BuildComparison(against: path, options: options)
        print(options.printsJSON ? try Figures.json(of: comparison) : comparison.table())
      case .measure:
        let figures = try Session(options: options).run()
        print(options.printsJSON ? try Figures.json(of: figures) : figures.tables())
      }
    } catch {
      FileHandle.standardError.write(Data("graft-bench: \(error)\n".utf8))
      exit(error is UsageError ? 2 : 1)
    }
  }

  private static func writeFeed(to path: String, size: Int) throws {
    let feed = try FeedFile(url: URL(fileURLWithPath: path), size: size)
    print(
      "\(path): \(feed.byteCount) bytes, \(feed.statusCount) statuses, \(feed.objectCount) objects")
  }
}

/// Runs the trials that the options ask for.
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
      case .engines: figures.engines = try EngineTrial(options).run()
      case .growth: figures.growth = try GrowthTrial(options).run()
      case .peers: figures.peers = try PeerTrial(options).run()
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
