import CommandLineSupport
import Foundation
import Graft

/// The executable `graft`.
///
/// A type marked `@main` instead of a `main.swift`, whose code, callbacks from C included, would be
/// isolated to the main actor and check so at every call.
@main
enum GraftCommand {
  static func main() async {
    // If the reader closes the pipe, writing must fail with an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    #if DEBUG
    // The tests run the tool with their own engine.
    let engine = ProcessInfo.processInfo.environment["GRAFT_ENGINE"]
    if let engine = engine.flatMap(ParserOptions.Engine.init) {
      ParserOptions.Engine.makeDefault(engine)
    }
    #endif
    Console.replaceClosedStreams()
    let arguments = Result { try Self.arguments() }
    ProcessList.hideSecrets()
    let status = await run(arguments)
    exit(status.rawValue)
  }

  private static func run(_ arguments: Result<[String], any Error>) async -> ExitStatus {
    do {
      return try await Subcommand.run(try arguments.get())
    } catch {
      return Failure.report(error)
    }
  }
}

extension GraftCommand {
  /// Returns the arguments after the command's own name.
  ///
  /// - Throws: ``UsageError`` for one that is not UTF-8: a `String` would name another file.
  private static func arguments() throws -> [String] {
    let words = CommandLine.arguments.dropFirst()
    for (index, word) in zip(1..., words) {
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard unsafe String(validatingCString: bytes) == nil else { continue }
      throw UsageError(
        "\(word): the name is not in UTF-8, so that it would mean another file; rename it, or give the file as"
          + " standard input: - < FILE")
    }
    // Only operands follow.
    return Array(words.first == "--" ? words.dropFirst() : words)
  }
}

/// The commands of `graft`.
enum Subcommand: String, CaseIterable {
  case `import`
  case export
  case query
  case check
  case model
  case infer

  /// Finds and runs the command that the arguments begin with.
  static func run(_ arguments: [String]) async throws -> ExitStatus {
    guard let first = arguments.first else {
      throw UsageError("which command? \(names); graft --help lists them")
    }
    let rest = Array(arguments.dropFirst())
    switch first {
    case "--help", "-h", "help":
      try Console.print(rest.first.flatMap(Self.init)?.help ?? Help.overall)
      return .success
    case "--manual":
      try Console.print(Manual.page)
      return .success
    case "--completions":
      var reader = ArgumentReader(rest, command: "graft", options: [])
      try Console.print(Completions.script(for: reader.choice(of: first)))
      return .success
    case "--version":
      try Console.print("graft \(Version.current)")
      return .success
    default:
      guard let command = Self(rawValue: first) else { throw unknown(first) }
      return try await command.run(rest)
    }
  }

  private func run(_ arguments: [String]) async throws -> ExitStatus {
    switch self {
    case .import: try await ImportCommand.run(arguments)
    case .export: try await ExportCommand.run(arguments)
    case .query: try await QueryCommand.run(arguments)
    case .check: try await CheckCommand.run(arguments)
    case .model: try ModelCommand.run(arguments)
    case .infer: try await InferCommand.run(arguments)
    }
  }

  /// The text of `--help`.
  var help: String {
    switch self {
    case .import: Help.import
    case .export: Help.export
    case .query: Help.query
    case .check: Help.check
    case .model: Help.model
    case .infer: Help.infer
    }
  }

  private static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  private static func unknown(_ name: String) -> UsageError {
    if name.hasPrefix("-") {
      return UsageError("unknown option \(name); a command comes first: \(names)")
    }
    let nearest = nearestName(to: name, in: allCases.map(\.rawValue))
    return UsageError(
      "unknown command \"\(name)\""
        + (nearest.map { ", did you mean \"\($0)\"?" } ?? "; there are \(names)"))
  }
}

/// The version of the package.
enum Version {
  static let current = "0.9.0"
  /// The day of the manual page.
  static let date = "2026-11-23"
}
