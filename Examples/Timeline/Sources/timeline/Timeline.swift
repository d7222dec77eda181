import Foundation
import Graft

/// `timeline MODEL URL`: downloads a timeline into a graph and prints a few of its tweets.
@main
struct Timeline {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let model = arguments.first, let url = arguments.last.flatMap(URL.init(string:)),
      arguments.count == 2
    else {
      fail("usage: timeline MODEL URL", status: 2)
    }
    do {
      let store = GraphStore(model: try GraphModel(contentsOf: URL(fileURLWithPath: model)))
      let outcome = try await TimelineDownload.run(from: url, into: store)
      print("\(outcome.report.byteCount) bytes in \(outcome.chunkCount) chunks")
      try printSummary(of: store.graph)
    } catch {
      fail("\(url): \(error)", status: 1)
    }
  }

  private static func printSummary(of graph: Graph) throws {
    let tweets = try graph.objects("Tweet")
    print("\(tweets.count) tweets by \(try graph.objects("User").count) users, among them")
    for tweet in tweets.prefix(5) {
      guard case .string(let text) = tweet.value("text"),
        case .string(let author) = tweet.object("author")?.value("screenName")
      else { continue }
      print("  @\(author): \(text.replacing("\n", with: " "))")
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}
