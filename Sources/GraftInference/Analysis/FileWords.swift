import Graft

/// Makes a name for objects from the name of their file: `users.json` holds users.
struct FileWords {
  private let words: Words

  /// General names of files.
  private static let general: Set<String> = [
    "data", "document", "doc", "input", "response", "result", "output", "sample", "example", "test",
    "export", "dump", "file", "json", "ndjson", "jsonl", "temp", "tmp", "untitled", "new", "copy",
    "page", "payload", "body", "list", "item", "api", "index", "fixture", "model", "all", "full",
    "download", "feed", "final", "large", "small", "mock", "raw", "min", "pretty",
    "latest", "current", "recent", "today", "yesterday", "demo", "unnamed", "tests", "out", "in",
  ]

  /// - Parameter name: The name of a file, with folders and extension; nil without a file.
  init?(_ name: String?) {
    guard let name, let file = name.split(separator: "/").last,
      let base = file.split(separator: "?").first?.split(separator: ".").first
    else { return nil }
    var parts = Words(String(base)).parts.filter { $0.contains(where: \.isLetter) }
    while let last = parts.last, Self.general.contains(Words.singular(of: last)) {
      parts.removeLast()
    }
    while let first = parts.first, Self.general.contains(Words.singular(of: first)) {
      parts.removeFirst()
    }
    guard !parts.isEmpty, parts.count <= 3,
      parts.allSatisfy({ part in part.count > 1 && part.allSatisfy { $0.isASCII && $0.isLetter } })
    else { return nil }
    words = Words(parts: parts)
  }

  /// Returns the name of an entity.
  ///
  /// - Parameter isDocument: Whether its only object is the document as a whole. Otherwise only a plural
  ///   names the objects: `users` are users, but `backup` is not made of backups.
  /// - Returns: The name; nil if the file's name does not give it.
  func name(isDocument: Bool) -> String? {
    if isDocument { return words.typeName }
    return words.isPlural ? words.singular.typeName : nil
  }
}
