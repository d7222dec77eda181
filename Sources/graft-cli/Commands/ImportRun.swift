import Foundation
import Graft

/// Files imported into one graph, for a command that prints it.
struct ImportRun {
  let graph: Graph
  let inputs: [Input]
  /// What became of each input.
  let reports: [ImportReport]

  /// Whether values or objects were passed over.
  var status: ExitStatus { reports.contains { $0.issueCount > 0 } ? .issues : .success }

  /// Imports the files that a command was given.
  ///
  /// - Parameters:
  ///   - arguments: What the command was asked for.
  ///   - listsRootObjects: Whether the reports name the objects of the roots.
  /// - Throws: `ModelError`, ``UsageError`` or ``FileError``.
  init(_ arguments: ImportArguments, listsRootObjects: Bool) async throws {
    let model = try ModelFile.read(
      arguments.model, dialect: arguments.dialect, extensions: arguments.extensions)
    inputs = try arguments.files.map { file in
      var input = try Input(file, model: model, chunkSize: arguments.chunkSize)
      input.options.listsRootObjects = listsRootObjects
      input.options.mapping = try file.settings.mapping.map {
        try MappingFile.read($0, model: model, extensions: arguments.extensions)
      }
      return input
    }
    for warning in model.warnings { Console.complain("warning: \(warning)") }
    let store = GraphStore(model: model)
    var reports: [ImportReport] = []
    for input in inputs {
      let report = try await Self.read(input, into: store)
      Self.tellIssues(of: report, in: input)
      reports.append(report)
    }
    self.reports = reports
    graph = store.graph
  }

  private static func read(
    _ input: Input, into store: GraphStore
  ) async throws -> ImportReport {
    let bar = ProgressBar(of: input.name)
    defer { bar?.clear() }
    let show: @Sendable (ImportProgress) -> Void = { bar?.show($0) }
    do {
      switch input.source {
      case .standardInput:
        return try await store.importJSON(
          input.roots, from: .standardInput, options: input.options, progress: show)
      case .url(let url):
        return try await store.importJSON(
          input.roots, from: url, options: input.options, progress: show)
      }
    } catch {
      bar?.clear()
      throw FileError(file: input.name, error: error)
    }
  }

  private static func tellIssues(of report: ImportReport, in input: Input) {
    for issue in report.issues { Console.complain(Failure.line(issue.error, in: input.name)) }
    let more = report.issueCount - report.issues.count
    if more > 0 { Console.complain("\(input.name): \(Amount.count(more, "more issue"))") }
  }
}
