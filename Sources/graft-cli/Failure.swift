import CommandLineSupport
import Foundation
import Graft
import GraftExport
import GraftInference

/// Prints the errors that end the command on standard error, one per line.
enum Failure {
  /// Prints an error.
  ///
  /// - Returns: The exit status for it.
  static func report(_ error: any Error) -> ExitStatus {
    let (lines, status) = explain(error)
    for line in lines { Console.complain(line) }
    return status
  }

  /// Returns the message of an error, and the exit status for it.
  static func explain(_ error: any Error) -> (lines: [String], status: ExitStatus) {
    switch error {
    case is ClosedPipe: ([], .inputOutput)
    case let error as UsageError: (["graft: \(error)"], .usage)
    case let error as ModelError: (error.issues.map { onCommandLine("\($0)") }, .invalid)
    case let error as ExportError: (["graft: \(error.message)"], .invalid)
    case let error as InferenceError: (["graft: \(error.message)"], .invalid)
    case let error as FileError: explain(error.error, in: error.file)
    case let error as StoreError where error.isOfUsage: (["graft: \(error.message)"], .usage)
    case let error as StoreError: (["graft: \(error.message)"], .inputOutput)
    default: (["graft: \(error.localizedDescription)"], .inputOutput)
    }
  }

  private static func explain(
    _ error: any Error, in file: String
  ) -> (lines: [String], status: ExitStatus) {
    switch error {
    case let error as ImportError where (error.underlyingError as? StoreError)?.kind == .database:
      (["graft: \(error.message)"], .inputOutput)
    case let error as ImportError: ([line(error, in: file)], .invalid)
    case let error as InferenceError: (["\(file): \(error.message)"], .invalid)
    case let error as ParsingError: (["\(file):\(onCommandLine(error.description))"], .invalid)
    case let error as ImportSourceError:
      (["\(file): \(onCommandLine(error.message))"], .inputOutput)
    case is CancellationError: (["\(file): \(InterruptedImport(keeping: nil))"], .inputOutput)
    case let error as InterruptedImport: (["\(file): \(error)"], .inputOutput)
    default:
      // The file is named once, in front.
      (
        [
          "\(file): "
            + error.localizedDescription.replacing(
              "cannot write \(file):", with: "cannot be written:")
        ], .inputOutput
      )
    }
  }

  /// Writes an error as `FILE:LINE:COLUMN: MESSAGE`, always on one line.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - file: The file as it was named.
  ///   - label: The word before a message that is not an error.
  /// - Returns: The line.
  static func line(_ error: ImportError, in file: String, label: String = "") -> String {
    let place = error.location.map { ":\($0.line):\($0.column)" } ?? ""
    let path = error.path.isEmpty ? "" : "\(error.path.shortenedPath): "
    return "\(file)\(place): \(label)\(path)\(onCommandLine(error.message))"
  }

  /// The remedies in messages of the library, and the matching remedies of the command line.
  private static let remedies = [
    "raise ImportSource.decompression.ratioLimit": "decompress it first: gzip -dc FILE | graft … -",
    "decompress them first, or import them from an ImportSource, which does so":
      "they are compressed twice, so decompress them once before: gzip -dc FILE | graft … -",
    "nothing but white space after the document, found '{'":
      "nothing but white space after the document, found '{'; if each line is a document, give --format ndjson",
    "register it in the model's extensions":
      "bind it with --transformer or --mapper, or import in code",
    "save at the end (SavePolicy.atEnd)": "save less often: --save-every N",
    "name their place with at:": "name their place: ENTITY@PATH=FILE",
    "import with a model that has it": "bind it with --transformer or --mapper, or import in code",
  ]

  /// Returns a message of the library with the remedies of the command line.
  private static func onCommandLine(_ message: String) -> String {
    remedies.reduce(message) { $0.replacing($1.key, with: $1.value) }
  }
}

/// An error that concerns a file, as the file was named on the command line.
struct FileError: Error {
  var file: String
  var error: any Error
  /// Whether standard output could not be written.
  var isOfOutput = false
}

extension FileError {
  /// Creates the error for an unreadable file, with a simpler message if there is no file.
  init(unreadable path: String, _ error: any Error) {
    let isThere = FileManager.default.fileExists(atPath: path)
    self.init(file: path, error: isThere ? error : MissingFile())
  }
}

private struct MissingFile: LocalizedError {
  var errorDescription: String? { "No such file or directory" }
}

/// The end of an import by a signal.
struct InterruptedImport: Error, CustomStringConvertible {
  let description: String

  /// - Parameter kept: The objects that are kept, and where; nil for none.
  init(keeping kept: String?) {
    description = "interrupted; \(kept ?? "nothing of it is kept")"
  }
}

extension StoreError {
  /// Whether the error is a mistake in the command line, such as an unknown property.
  fileprivate var isOfUsage: Bool {
    [.unknownEntity, .unknownProperty, .wrongType, .invalidCondition].contains(kind)
  }
}
