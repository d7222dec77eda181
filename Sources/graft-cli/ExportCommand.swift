import CommandLineSupport
import Foundation
import Graft
import GraftDatabase
import GraftExport

/// `graft export`: imports files into one graph and writes objects of it as JSON.
enum ExportCommand {
  static func run(_ words: [String]) async throws -> ExitStatus {
    let arguments = try ExportArguments(words)
    if arguments.input.asksForHelp {
      try Console.print(Help.export)
      return .success
    }
    if let path = arguments.database {
      let database = try DatabaseFile.open(path)
      var content = ExportContent.graph(database)
      if case .entity(let name) = arguments.selection {
        try database.model.check(name)
        content = .entity(name, of: database)
      }
      try write(content, database.model, to: arguments.output, arguments.export)
      return .success
    }
    return try await ReportFile.writing(arguments.input.report) {
      try await ImportRun(arguments.input, listsRootObjects: arguments.selection == .roots)
    } printing: { run in
      try write(run, arguments)
    }
  }

  private static func write(_ run: ImportRun, _ arguments: ExportArguments) throws {
    guard !arguments.input.isDryRun else { return try Console.print(ImportSummary(of: run).text) }
    if case .entity(let name) = arguments.selection { try run.target.model.check(name) }
    let graph = try run.target.graph()
    let content: ExportContent =
      switch arguments.selection {
      case .roots: try run.rootObjects()
      case .entity(let name): .entity(name, of: graph)
      case .graph: .graph(graph)
      }
    var options = arguments.export
    options.mapping = run.mappingOfExport()
    try write(content, graph.model, to: arguments.output, options)
  }

  private static func write(
    _ content: ExportContent, _ model: GraphModel, to file: String?, _ options: ExportOptions
  ) throws {
    guard let file else { return try print(content, model, options) }
    do {
      let report = try exporter(for: model, options)
        .write(content, to: URL(fileURLWithPath: file))
      tell(report)
    } catch let error as CocoaError {
      throw FileError(file: file, error: error, isOfOutput: true)
    }
  }

  /// Prints objects, and ends the line.
  static func print(
    _ content: ExportContent, _ model: GraphModel, _ options: ExportOptions
  ) throws {
    let report = try exporter(for: model, options).write(content) { chunk in
      try Console.write(Data(chunk))
    }
    if !options.isPretty, !options.isNDJSON { try Console.print("") }
    tell(report)
  }

  /// Reports the values that could not be written.
  static func tell(_ report: ExportReport) {
    for loss in report.losses { Console.complain("notice: \(loss)") }
  }

  private static func exporter(
    for model: GraphModel, _ options: ExportOptions
  ) throws -> JSONExporter {
    do {
      return try JSONExporter(model: model, options: options)
    } catch let error as ExportError where error.kind == .model {
      throw UsageError("--style: \(error.message)")
    }
  }
}
