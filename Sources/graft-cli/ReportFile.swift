import CommandLineSupport
import Foundation
import Graft
import GraftExport

/// Writes the report of a command as JSON, for other programs.
///
/// ```json
/// {"version":1,"status":0,"error":null,"files":[{"file":"feed.json","byteCount":52361, …}]}
/// ```
enum ReportFile {
  /// Imports files, prints their objects, and writes the report if one is asked for.
  ///
  /// The report is written also if the import fails or is interrupted. A signal cancels the import, and then ends the
  /// command.
  ///
  /// - Parameters:
  ///   - file: The file; nil for none.
  ///   - importFiles: The import.
  ///   - print: Prints what was imported.
  /// - Returns: The exit status.
  /// - Throws: The command's error, if there is no report; ``FileError`` if the report cannot be
  ///   written.
  static func writing(
    _ file: String?, _ importFiles: @escaping @Sendable () async throws -> ImportRun,
    printing print: (ImportRun) throws -> Void
  ) async throws -> ExitStatus {
    do {
      let run = try await Interruption.ending(importFiles) { error, status in
        _ = Failure.report(error)
        if let file { try? write(status, error: json(of: error), [], to: file) }
      }
      try print(run)
      guard let file else { return run.status }
      let reports = zip(run.inputs, run.reports).map { input, report in
        report.jsonData(file: input.name, run.target.reportedGraph)
      }
      try write(run.status.rawValue, error: "null", reports, to: file)
      return run.status
    } catch let error as FileError where error.isOfOutput {
      throw error
    } catch {
      guard let file else { throw error }
      let status = Failure.report(error)
      try write(status.rawValue, error: json(of: error), [], to: file)
      return status
    }
  }

  private static func json(of error: any Error) -> String {
    let file = error as? FileError
    if let error = file?.error as? ImportError {
      let text = String(decoding: error.jsonData(file: file?.file), as: UTF8.self)
      return HiddenValues.removed(from: text)
    }
    let message = HiddenValues.removed(
      from: Failure.explain(error).lines.joined(separator: "\n"))
    let encoded = (try? JSONEncoder().encode(["message": message])) ?? Data("null".utf8)
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func write(
    _ status: Int32, error: String, _ reports: [Data], to file: String
  ) throws {
    let files = reports.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",\n")
    let text =
      "{\"version\":1,\"status\":\(status),\"error\":\(error),\"files\":[\(files)]}\n"
    guard file != "-" else { return try Console.write(Data(text.utf8)) }
    do {
      var output = try OutputFile(for: URL(fileURLWithPath: file))
      let bytes = Array(text.utf8)
      try unsafe output.write(bytes.span.bytes)
      try output.finish()
    } catch let error as CocoaError {
      throw FileError(file: file, error: error, isOfOutput: true)
    }
  }
}
