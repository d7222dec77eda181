import Foundation
import Testing

/// A Swift file of the package.
struct SourceFile: Sendable, CustomTestStringConvertible {
  /// The path from the root of the package.
  let path: String
  let lines: [String]
  /// The lines without comments and literals.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = SourceText.code(in: lines)
  }

  var testDescription: String { path }

  /// The file and line, the way compilers write them.
  func place(_ index: Int) -> String {
    "\(path):\(index + 1)"
  }

  /// The places of the lines whose code meets a condition.
  func places(where condition: (String) -> Bool) -> [String] {
    code.indices.filter { condition(code[$0]) }.map(place)
  }
}

/// The Swift files of the package, read once.
enum SourceTree {
  static let library = files(under: "Sources/Graft")
  static let everything = ["Sources", "Tests", "Examples"].flatMap(files)

  /// The package's root, found from this file.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func files(under folder: String) -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    let paths =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return paths.sorted()
      .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
      .compactMap { path in
        guard
          let text = try? String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
        else { return nil }
        return SourceFile(path: "\(folder)/\(path)", text: text)
      }
  }
}
