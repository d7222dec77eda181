import Foundation

/// The executable `graft-bench`.
///
/// A type marked `@main` instead of a `main.swift`, whose code, callbacks from C included, would be
/// isolated to the main actor and check so at every call.
@main
struct GraftBench {
  static func main() {
    do {
      let options = try Options(arguments: CommandLine.arguments.dropFirst())
      switch options.task {
      case .help:
        print(Options.help)
      case .writeFeed(let path):
        try writeFeed(to: path, size: options.size)
      case .measureMemory(let contestant):
        print(try PeakMemory.use(contestant, options: options))
      case .measure:
        let figures = try Session(options: options).run()
        print(options.printsJSON ? try figures.json() : figures.tables())
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
