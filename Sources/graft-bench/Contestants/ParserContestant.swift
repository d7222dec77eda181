import Graft

extension Contestant {
  /// Graft's parser with an empty delegate: YAJL, and all that makes it safe.
  static let parser = Contestant(
    name: "parser", title: "YAJLParser, empty delegate", readsChunks: true
  ) { _ in
    ParserReader()
  }
}

private final class ParserReader: DocumentReader {
  private let parser: YAJLParser

  /// Long numbers are let through, so that their speed can be measured too.
  init() {
    let limits = ParserLimits(numberBytes: ParserLimits().tokenBytes)
    parser = YAJLParser(options: ParserOptions(limits: limits), delegate: EmptyDelegate())
  }

  func read(_ bytes: UnsafeRawBufferPointer) throws {
    try parser.parse(bytes)
  }

  func finish() throws {
    try parser.finish()
  }
}

private final class EmptyDelegate: YAJLParserDelegate {}
