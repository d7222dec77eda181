import Foundation
import Testing

/// A page of the documentation: the README, or an article of the catalogue.
struct Page: Sendable, CustomTestStringConvertible {
  /// A fenced block of a page.
  struct Block: Sendable, CustomTestStringConvertible {
    let page: String
    /// The line of the fence, counted from 1.
    let line: Int
    /// The text after the opening fence.
    let language: String
    let lines: [String]

    var text: String { lines.joined(separator: "\n") }
    var testDescription: String { "\(page):\(line)" }
  }

  /// The path from the root of the package.
  let path: String
  let blocks: [Block]

  init(path: String, text: String) {
    self.path = path
    var blocks: [Block] = []
    var open: (line: Int, language: String)?
    var lines: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard line.hasPrefix("```") else {
        if open != nil { lines.append(String(line)) }
        continue
      }
      if let fence = open {
        blocks.append(
          Block(page: path, line: fence.line, language: fence.language, lines: lines))
        open = nil
      } else {
        open = (index + 1, String(line.dropFirst(3)))
        lines = []
      }
    }
    self.blocks = blocks
  }

  var testDescription: String { path }

  /// The texts of the page's blocks in a language, in order.
  func texts(_ language: String) -> [String] {
    blocks.filter { $0.language == language }.map(\.text)
  }

  /// All pages, read once.
  static let all: [Page] = {
    let catalogue = "Sources/Graft/Graft.docc"
    let folder = SourceTree.root.appendingPathComponent(catalogue)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let articles = (names ?? []).sorted().filter { $0.hasSuffix(".md") }
    return (["README.md"] + articles.map { "\(catalogue)/\($0)" }).compactMap { path in
      let url = SourceTree.root.appendingPathComponent(path)
      return (try? String(contentsOf: url, encoding: .utf8)).map { Page(path: path, text: $0) }
    }
  }()

  /// The page whose file has a name; one without blocks if there is none.
  static func named(_ name: String) -> Page {
    all.first { $0.path == name || $0.path.hasSuffix("/\(name).md") } ?? Page(path: name, text: "")
  }
}
