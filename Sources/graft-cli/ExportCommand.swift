import CommandLineSupport
import Foundation
import Graft

/// `graft export`: imports files into one graph and writes objects of it as JSON.
enum ExportCommand {
  static func run(_ words: [String]) async throws -> ExitStatus {
    let arguments = try ExportArguments(words)
    if arguments.input.asksForHelp {
      try Console.print(Help.export)
      return .success
    }
    if let path = arguments.database {
      let database = try ImportTarget.open(path)
      if case .entity(let name) = arguments.selection { try database.model.check(name) }
      try write(try database.graph(), arguments) { .graph($0) }
      return .success
    }
    return try await ReportFile.writing(arguments.input.report) { () async throws in
      let run = try await ImportRun(
        arguments.input, listsRootObjects: arguments.selection == .roots)
      try write(run, arguments)
      return run
    }
  }

  private static func write(_ run: ImportRun, _ arguments: ExportArguments) throws {
    guard !arguments.input.isDryRun else { return try ImportCommand.print(run, as: .summary) }
    if case .entity(let name) = arguments.selection { try run.target.model.check(name) }
    try write(try run.target.graph(), arguments) { _ in try run.rootObjects() }
  }

  private static func write(
    _ graph: Graph, _ arguments: ExportArguments, roots: (Graph) throws -> ExportContent
  ) throws {
    let content: ExportContent =
      switch arguments.selection {
      case .roots: try roots(graph)
      case .entity(let name): .entity(name, of: graph)
      case .graph: .graph(graph)
      }
    guard let file = arguments.output else {
      return try print(content, of: graph, arguments.export)
    }
    do {
      let report = try exporter(for: graph, arguments.export)
        .write(content, to: URL(fileURLWithPath: file))
      tell(report)
    } catch let error as CocoaError {
      throw FileError(file: file, error: error, isOfOutput: true)
    }
  }

  /// Prints objects, and ends the line.
  static func print(
    _ content: ExportContent, of graph: Graph, _ options: ExportOptions
  ) throws {
    let report = try exporter(for: graph, options).write(content) { chunk in
      try Console.write(Data(chunk))
    }
    if !options.isPretty, !options.isNDJSON { try Console.print("") }
    tell(report)
  }

  /// Tells what could not be written.
  private static func tell(_ report: ExportReport) {
    for notice in report.notices { Console.complain("notice: \(notice)") }
  }

  private static func exporter(
    for graph: Graph, _ options: ExportOptions
  ) throws -> JSONExporter {
    do {
      return try JSONExporter(model: graph.model, options: options)
    } catch let error as ExportError {
      throw UsageError("--style: \(error.message)")
    }
  }
}
