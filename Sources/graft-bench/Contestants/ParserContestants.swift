import Foundation
import Graft

extension Contestant {
  #if canImport(CYAJL)
  /// Graft's parser with an empty delegate: YAJL, and all that makes it safe.
  static let parser = Contestant(
    name: "parser", title: "YAJLParser, empty delegate", readsChunks: true
  ) { _ in
    ParserReader(engine: .yajl)
  }
  #endif

  /// Graft's parser with the native engine.
  static let nativeParser = Contestant(
    name: "native-parser", title: "YAJLParser, native engine", readsChunks: true
  ) { _ in
    ParserReader(engine: .native)
  }
}

private final class ParserReader: DocumentReader {
  private let parser: YAJLParser

  /// Creates a contestant that admits long numbers, so that their speed can be measured too.
  init(engine: ParserOptions.Engine) {
    let limits = ParserLimits(numberBytes: ParserLimits().tokenBytes)
    parser = YAJLParser(
      options: ParserOptions(limits: limits, engine: engine), delegate: EmptyDelegate())
  }

  func read(_ bytes: Data) throws {
    try parser.parse(bytes)
  }

  func finish() throws {
    try parser.finish()
  }
}

private final class EmptyDelegate: YAJLParserDelegate {}
