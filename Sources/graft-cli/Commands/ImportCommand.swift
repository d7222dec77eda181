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
    let model = try ModelFile.read(
      arguments.model, dialect: arguments.dialect, extensions: arguments.extensions)
    let inputs = try arguments.files.map { file in
      var input = try Input(file, model: model, chunkSize: arguments.chunkSize)
      input.options.mapping = try file.settings.mapping.map {
        try MappingFile.read($0, model: model, extensions: arguments.extensions)
      }
      return input
    }
    for warning in model.warnings { Console.complain("warning: \(warning)") }
    let store = GraphStore(model: model)
    var reports: [ImportReport] = []
    for input in inputs {
      let report = try await read(input, into: store)
      tellIssues(of: report, in: input)
      reports.append(report)
    }
    try print(store.graph, inputs, reports, as: arguments.output)
    return reports.contains { $0.issueCount > 0 } ? .issues : .success
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

  private static func print(
    _ graph: Graph, _ inputs: [Input], _ reports: [ImportReport], as output: OutputChoice
  ) throws {
    switch output {
    case .summary:
      var summary = Summary(graph: graph)
      for (input, report) in zip(inputs, reports) { summary.append(report, of: input.name) }
      if inputs.count > 1 { summary.appendTotals() }
      try Console.print(summary.text)
    case .graph:
      try graph.writeCanonicalJSON { chunk in
        try Console.write(chunk.withUnsafeBytes { Data($0) })
      }
    case .none, .json: break
    }
  }
}
