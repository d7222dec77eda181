import CommandLineSupport
import Foundation
import Graft
import GraftExport

/// `graft import`: imports files into one graph and prints it.
enum ImportCommand {
  static func run(_ words: [String]) async throws -> ExitStatus {
    let arguments = try ImportArguments(words)
    if arguments.asksForHelp {
      try Console.print(Help.import)
      return .success
    }
    return try await ReportFile.writing(arguments.report) {
      try await ImportRun(arguments, listsRootObjects: arguments.output == .json)
    } printing: { run in
      try print(run, as: arguments.isDryRun ? .summary : arguments.output)
    }
  }

  private static func print(_ run: ImportRun, as output: OutputChoice) throws {
    switch output {
    case .summary:
      try Console.print(ImportSummary(of: run).text)
    case .graph:
      ExportCommand.tell(
        try run.target.graph().writeCanonicalJSON { chunk in try Console.write(Data(chunk)) })
    case .json:
      var options = ExportOptions()
      options.mapping = run.mappingOfExport()
      try ExportCommand.print(run.rootObjects(), run.target.model, options)
    case .none: break
    }
  }
}
