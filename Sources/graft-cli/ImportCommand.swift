import CommandLineSupport
import Foundation
import Graft

/// `graft import`: imports files into one graph and prints it.
enum ImportCommand {
  static func run(_ words: [String]) async throws -> ExitStatus {
    let arguments = try ImportArguments(words)
    if arguments.asksForHelp {
      try Console.print(Help.import)
      return .success
    }
    let run = try await ImportRun(arguments, listsRootObjects: arguments.output == .json)
    try print(run, as: arguments.output)
    return run.status
  }

  private static func print(_ run: ImportRun, as output: OutputChoice) throws {
    switch output {
    case .summary:
      var summary = Summary(graph: run.graph)
      for (input, report) in zip(run.inputs, run.reports) {
        summary.append(report, of: input.name)
      }
      if run.inputs.count > 1 { summary.appendTotals() }
      try Console.print(summary.text)
    case .graph:
      try run.graph.writeCanonicalJSON { chunk in
        try Console.write(Data(chunk))
      }
    case .json:
      try ExportCommand.print(run.rootObjects, of: run.graph, ExportOptions())
    case .none: break
    }
  }
}

/// Files imported into one graph, for a command that prints it.
struct ImportRun {
  let graph: Graph
  let inputs: [Input]
  /// What became of each input.
  let reports: [ImportReport]

  /// Whether values or objects were skipped.
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
    do {
      return try await store.importJSON(input.roots, from: input.source, options: input.options) {
        bar?.show($0)
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

extension ImportRun {
  /// The objects that the roots of all files gave, in their order.
  ///
  /// Of one root, its objects as an array, or the one object that stood alone there; of several, an
  /// object with a member for each entity.
  var rootObjects: ExportContent {
    let roots = reports.flatMap(\.roots)
    if roots.count == 1 { return content(of: roots) }
    var entities: [String] = []
    for root in roots where !entities.contains(root.root.entity) {
      entities.append(root.root.entity)
    }
    return .members(
      entities.map { entity in
        (key: entity, content: content(of: roots.filter { $0.root.entity == entity }))
      })
  }

  /// The objects of roots of one entity, without those that a later file has deleted.
  private func content(of roots: [ImportReport.RootCount]) -> ExportContent {
    if roots.count == 1, roots[0].isSingleObject, roots[0].ids.count == 1,
      let object = graph.object(roots[0].ids[0])
    {
      return .object(object)
    }
    return .objects(roots.lazy.flatMap(\.ids).compactMap { graph.object($0) })
  }
}
