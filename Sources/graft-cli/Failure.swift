import CommandLineSupport
import Foundation
import Graft

/// Prints the errors that end the command on standard error, one per line.
enum Failure {
  /// Prints an error.
  ///
  /// - Returns: The exit status for it.
  static func report(_ error: any Error) -> ExitStatus {
    switch error {
    case is ClosedPipe:
      return .inputOutput
    case let error as UsageError:
      Console.complain("graft: \(error)")
      return .usage
    case let error as ModelError:
      for issue in error.issues { Console.complain("\(issue)") }
      return .invalid
    case let error as ExportError:
      Console.complain("graft: \(error.message)")
      return .invalid
    case let error as FileError:
      return report(error.error, in: error.file)
    default:
      Console.complain("graft: \(error.localizedDescription)")
      return .inputOutput
    }
  }

  private static func report(_ error: any Error, in file: String) -> ExitStatus {
    switch error {
    case let error as ImportError:
      Console.complain(line(error, in: file))
      return .invalid
    case let error as ParsingError:
      Console.complain("\(file):\(error.description)")
      return .invalid
    case let error as ImportSourceError:
      Console.complain("\(file): \(error.message)")
    default:
      Console.complain("\(file): \(error.localizedDescription)")
    }
    return .inputOutput
  }

  /// `FILE:LINE:COLUMN: MESSAGE`, on one line whatever the document holds.
  static func line(_ error: ImportError, in file: String) -> String {
    let place = error.location.map { ":\($0.line):\($0.column)" } ?? ""
    let path = error.path.isEmpty ? "" : "\(error.path): "
    return "\(file)\(place): \(path)\(error.message)"
  }
}

/// An error that concerns a file, as the file was named on the command line.
struct FileError: Error {
  var file: String
  var error: any Error
  /// Whether it is standard output that cannot be written.
  var isOfOutput = false
}
