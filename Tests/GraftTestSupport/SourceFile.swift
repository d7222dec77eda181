import Foundation

/// A Swift file of the package.
struct SourceFile: Sendable {
  /// The path from the root of the package.
  let path: String
  let text: String
  let lines: [String]
  /// The text without comments, and of string literals only the interpolations; with as many lines.
  let code: String

  init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = text.components(separatedBy: "\n")
    code = Self.code(in: text)
  }

  /// The folder of the library in which the file is.
  var room: String { path.components(separatedBy: "/").dropFirst(2).first ?? "" }

  /// Returns the indices of the lines that contain one of several words.
  func lines(with words: [String]) -> [Int] {
    // Most files have none, and to search a file is faster than to search each of its lines.
    guard words.contains(where: text.contains) else { return [] }
    return lines.indices.filter { index in words.contains { lines[index].contains($0) } }
  }

  /// The place of a range of ``code``, as compilers write it.
  func place(of range: NSRange) -> String {
    let before = (code as NSString).substring(to: range.location)
    return "\(path):\(before.components(separatedBy: "\n").count)"
  }

  /// Not a parser: a literal ends at the next quotation mark, in an interpolation too.
  private static func code(in text: String) -> String {
    let whole = text as NSString
    // The pieces are joined at the end: to replace one by one would move all that follows each.
    var pieces: [String] = []
    var end = 0
    let pattern = #"//.*|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*""#
    for match in text.matches(of: pattern) {
      let kept =
        match.text.hasPrefix("//")
        ? [] : match.text.matches(of: #"\\\(([^)]*)\)|(\n)"#).map(\.text)
      let before = NSRange(location: end, length: match.range.location - end)
      pieces += [whole.substring(with: before), kept.joined(separator: " ")]
      end = match.range.location + match.range.length
    }
    return pieces.joined() + whole.substring(from: end)
  }
}

/// The Swift files of the package, read once.
enum SourceTree {
  /// The module that reads JSON into a graph, whose folders are rooms.
  static let core = files(under: "Sources/Graft")
  /// All modules that a program can depend on.
  static let library =
    core
    + [
      "GraftDatabase", "GraftExport", "GraftHTTP", "GraftInference", "GraftPostgres", "GraftSQLite",
      "GraftZstd",
    ].flatMap { files(under: "Sources/\($0)") }
  static let everything = ["Sources", "Tests", "Examples"].flatMap(files)

  /// The package's root, found from this file.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func files(under folder: String) -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    let paths =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return paths.sorted()
      .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
      .compactMap { path in
        let text = try? String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
        return text.map { SourceFile(path: "\(folder)/\(path)", text: $0) }
      }
  }
}

extension String {
  /// The matches of a regular expression; of one with groups, what the group matched.
  ///
  /// Foundation's, since a `Regex` is slow in a debug build.
  func matches(of pattern: String) -> [(text: String, range: NSRange)] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    let text = self as NSString
    return expression.matches(in: self, range: NSRange(location: 0, length: text.length)).map {
      match in
      let groups = (0..<match.numberOfRanges).map(match.range(at:))
      let range = groups.last { $0.location != NSNotFound } ?? match.range
      return (text.substring(with: range), range)
    }
  }
}
