import Graft

/// How a file's text is cut into documents.
enum FormatChoice: String, CaseIterable {
  case auto
  case json
  case ndjson

  /// The format of a file; `auto` goes by the name.
  func format(ofFileNamed name: String) -> ParserOptions.Format {
    switch self {
    case .json: .json
    case .ndjson: .ndjson
    case .auto:
      ["ndjson", "jsonl"].contains(name.lowercased().split(separator: ".").last) ? .ndjson : .json
    }
  }
}

/// What is printed after an import.
enum OutputChoice: String, CaseIterable {
  case summary
  case graph
  case json
  case none
}

/// A dialect, or none to pick it by the annotations.
enum DialectChoice {
  /// - Throws: ``UsageError`` for a name that is no dialect's.
  static func read(_ reader: inout ArgumentReader) throws(UsageError) -> Dialect? {
    let names = ["auto"] + Dialect.allCases.map(\.rawValue)
    let name = try reader.value(of: "--dialect", names.joined(separator: "|"))
    if name == "auto" { return nil }
    if let dialect = Dialect(rawValue: name) { return dialect }
    throw ArgumentReader.unknown(name, of: "--dialect", names)
  }
}
