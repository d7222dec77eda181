#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Python's `json`, a parser of other origin that knows nothing of Graft.
private enum PythonJSON {
  /// Reads texts, each after its length on a line, and answers for each whether it is JSON.
  ///
  /// Stricter than Python is by itself: no `NaN` and `Infinity`, no half surrogate pairs; and without its limit to
  /// the digits of integers.
  private static let program = """
    import json, sys

    def refuse(constant):
        raise ValueError(constant)

    def is_json(text):
        try:
            text = text.decode("utf-8").removeprefix("\\ufeff")
            value = json.loads(
                text, parse_constant=refuse, parse_int=str, parse_float=str,
                object_pairs_hook=lambda pairs: [list(pair) for pair in pairs])
            json.dumps(value, ensure_ascii=False).encode("utf-8")
            return True
        except (ValueError, RecursionError):
            return False

    sys.setrecursionlimit(5000)
    source = sys.stdin.buffer
    while line := source.readline():
        print("yn"[not is_json(source.read(int(line)))], end="")
    """

  /// Whether Python is there.
  static let isThere = (try? verdicts(on: [Array("[]".utf8)])) == [true]

  /// Tells which texts are JSON.
  ///
  /// - Throws: What Foundation throws where Python cannot be run.
  static func verdicts(on texts: [[UInt8]]) throws -> [Bool] {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    var input = Data()
    for text in texts { input += Data("\(text.count)\n".utf8) + text }
    try input.write(to: url)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    process.standardInput = try FileHandle(forReadingFrom: url)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let answers = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return answers.map { $0 == UInt8(ascii: "y") }
  }
}

@Suite(.waits, .enabled(if: PythonJSON.isThere, "python3 is not there, or older than 3.9"))
struct `A parser of other origin` {
  /// The engines, with the instructions of the native one.
  private static let engines: [ParserOptions] = {
    let native = ScanInstructions.allCases.filter(\.isAvailable).map { instructions in
      var options = ParserOptions(engine: .native)
      options.instructions = instructions
      return options
    }
    return ParserOptions.Engine.default == .native ? native : [ParserOptions()] + native
  }()

  private func compare(_ texts: [[UInt8]]) throws {
    let verdicts = try PythonJSON.verdicts(on: texts)
    try #require(verdicts.count == texts.count)
    for (text, isJSON) in zip(texts, verdicts) {
      for options in Self.engines {
        let error = try Reading(text, options: options, places: false).error
        // A text that exceeds a limit of Graft's may be JSON or not.
        if error?.kind == .limit { continue }
        #expect(
          (error == nil) == isJSON,
          "\(options.engine) \(options.instructions): \(String(decoding: text.prefix(500), as: UTF8.self))"
        )
      }
    }
  }

  @Test func `takes and refuses the same random documents and damaged ones`() throws {
    var random = SeededGenerator(seed: 2_024)
    var texts: [[UInt8]] = []
    for round in 0..<4_000 {
      let text = Array(RandomDocument.make(&random).utf8)
      texts.append(round % 4 == 0 ? text : RandomDocument.damage(text, &random))
    }
    try compare(texts)
  }

  @Test func `takes and refuses the same tokens of every kind`() throws {
    try compare(RandomDocument.tokens.flatMap { [Array($0.utf8), Array("[\($0)]".utf8)] })
  }

  @Test func `takes and refuses what the fuzzer has found`() throws {
    let folder = SourceTree.root.appendingPathComponent("Fuzzing/Corpus")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    // Without the two bytes that say how the text is read.
    try compare(files.map { Array(try Data(contentsOf: $0).dropFirst(2)) })
  }

  @Test(
    .enabled(
      if: !ConformanceFile.all.isEmpty,
      "JSONTestSuite is not there: ../shared/peers/jsontestsuite"))
  func `takes and refuses the same files of JSONTestSuite`() throws {
    try compare(ConformanceFile.all.map { [UInt8](try Data(contentsOf: $0.url)) })
  }
}
#endif
