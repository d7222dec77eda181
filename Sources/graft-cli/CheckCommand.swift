import CommandLineSupport
import Foundation
import Graft

/// `graft check`: tells whether files are well-formed JSON.
enum CheckCommand {
  private struct Arguments {
    var files: [(name: String, format: FormatChoice)] = []
    var options = ParserOptions()
    var chunkSize = 65_536
    var asksForHelp = false

    init(_ words: [String]) throws(UsageError) {
      var reader = ArgumentReader(
        words, command: "graft check",
        options: ["--chunk-size", "--engine", "--format", "--help", "-h"])
      var format = FormatChoice.auto
      while let argument = try reader.next() {
        switch argument {
        case .operand(let name): files.append((name, format))
        case .option("--chunk-size"): chunkSize = try reader.byteCount(of: "--chunk-size")
        case .option("--engine"): options.engine = try reader.choice(of: "--engine")
        case .option("--format"): format = try reader.choice(of: "--format")
        case .option:
          asksForHelp = true
          return
        }
      }
      if files.isEmpty { throw UsageError("which file? give a path, or - for standard input") }
    }
  }

  /// Checks all files, whatever is wrong with the first.
  static func run(_ words: [String]) throws -> ExitStatus {
    let arguments = try Arguments(words)
    if arguments.asksForHelp {
      try Console.print(Help.check)
      return .success
    }
    var worst = ExitStatus.success
    for (name, format) in arguments.files {
      do {
        let byteCount = try check(name, format: format, arguments)
        try Console.print("\(name): well-formed, \(Amount.count(byteCount, "byte"))")
      } catch let error as FileError where !error.isOfOutput {
        worst = max(worst, Failure.report(error))
      }
    }
    return worst
  }

  private static func check(
    _ name: String, format: FormatChoice, _ arguments: Arguments
  ) throws -> Int {
    var options = arguments.options
    options.format = format.format(ofFileNamed: name)
    let parser = YAJLParser(options: options)
    do {
      let read: (FileSource) throws -> Void = { file in
        try file.read(chunkSize: arguments.chunkSize) { try parser.parse($0) }
      }
      if name == "-" {
        try read(FileSource(descriptor: FileHandle.standardInput.fileDescriptor, name: name))
      } else {
        try FileSource.withFile(URL(fileURLWithPath: name), read)
      }
      try parser.finish()
    } catch {
      throw FileError(file: name, error: error)
    }
    return parser.bytesParsed
  }
}
