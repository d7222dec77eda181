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
        try Console.write(chunk.withUnsafeBytes { Data($0) })
      }
    case .json:
      try ExportCommand.print(run.rootObjects, of: run.graph, ExportOptions())
    case .none: break
    }
  }
}
