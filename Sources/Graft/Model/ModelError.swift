/// Why a model cannot be used: all errors that were found in it, in the order of its entities.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The errors; never empty.
  public let issues: [ModelIssue]

  /// Creates an error of several issues.
  init(_ issues: [ModelIssue]) {
    self.issues = issues
  }

  /// Creates an error of one issue that concerns a file as a whole or a place in it.
  init(_ message: String, file: String, at position: SourceLocation? = nil) {
    let location = ModelIssue.Location(file: file, position: position)
    issues = [ModelIssue(entity: nil, property: nil, message: message, location: location)]
  }

  /// The errors, one a line.
  public var description: String {
    issues.map(\.description).joined(separator: "\n")
  }
}
