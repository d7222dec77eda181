import CommandLineSupport
import Foundation
import Graft
import Synchronization

/// `graft check`: checks whether files are well-formed JSON.
enum CheckCommand {
  private struct Arguments {
    var files: [(name: String, format: FormatChoice, request: RequestArguments)] = []
    var options = ParserOptions()
    var chunkSize = 65_536
    var asksForHelp = false

    init(_ words: [String]) throws(UsageError) {
      var reader = ArgumentReader(
        words, command: "graft check",
        options: ["--chunk-size", "--engine", "--format", "--end-marker", "--help", "-h"]
          + RequestArguments.options)
      var format = FormatChoice.auto
      var request = RequestArguments()
      var waiting: String?
      while let argument = try reader.next() {
        switch argument {
        case .operand(let name):
          files.append((name, format, request))
          waiting = nil
        case .option("--chunk-size"): chunkSize = try reader.byteCount(of: "--chunk-size")
        case .option("--engine"): options.engine = try reader.choice(of: "--engine")
        case .option("--format"):
          format = try reader.choice(of: "--format")
          waiting = "--format"
        case .option("--end-marker"):
          options.endMarker = try reader.value(of: "--end-marker", "TEXT")
        case .option(let option):
          if try request.take(option, &reader) {
            waiting = option
            continue
          }
          asksForHelp = true
          return
        }
      }
      if files.isEmpty { throw UsageError("which file? give a path, or - for standard input") }
      if let waiting { throw UsageError(withoutFile: waiting) }
      try RequestArguments.check(
        files.lazy.compactMap(\.request.given).first, among: files.map(\.name))
    }
  }

  /// Checks all files, even if the first one has faults.
  static func run(_ words: [String]) async throws -> ExitStatus {
    let arguments = try Arguments(words)
    if arguments.asksForHelp {
      try Console.print(Help.check)
      return .success
    }
    var worst = ExitStatus.success
    for (name, format, request) in arguments.files {
      do {
        let byteCount = try await check(name, format: format, request, arguments)
        try Console.print(
          "\(Secrets.removed(from: name)): well-formed, \(Amount.count(byteCount, "byte"))")
      } catch let error as FileError where !error.isOfOutput {
        worst = max(worst, Failure.report(error))
      }
    }
    return worst
  }

  /// - Returns: The number of bytes of the document, unpacked.
  private static func check(
    _ name: String, format: FormatChoice, _ request: RequestArguments, _ arguments: Arguments
  ) async throws -> Int {
    var options = arguments.options
    // A file whose name gives another format is reported as that format, and not as broken JSON.
    options.format = format.format ?? ParserOptions.Format(ofFileNamed: name)
    let source = try Input.source(name, request)
    let parser = CheckingParser(options)
    do {
      try await source.read(chunkSize: arguments.chunkSize, progress: nil) { try parser.parse($0) }
      return try parser.finish()
    } catch {
      throw FileError(file: Secrets.removed(from: name), error: error)
    }
  }
}

/// Parses bytes on the thread that delivers them.
private final class CheckingParser: Sendable {
  private let parser: Mutex<YAJLParser>

  init(_ options: ParserOptions) { parser = Mutex(YAJLParser(options: options)) }

  func parse(_ chunk: RawSpan) throws { _ = try parser.withLock { try $0.parse(chunk) } }

  /// - Returns: The number of bytes.
  func finish() throws -> Int {
    try parser.withLock { parser in
      try parser.finish()
      return parser.bytesParsed
    }
  }
}
