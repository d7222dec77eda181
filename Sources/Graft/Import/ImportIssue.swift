/// Something that an import passed over.
public struct ImportIssue: Sendable, Hashable {
  /// How much an issue matters.
  public enum Severity: String, Sendable, Hashable {
    /// A value or object of the document is missing in the graph.
    case issue
    /// Nothing that the document says is lost: an unknown key, an identifier of an object that is
    /// not there.
    case notice
  }

  /// How much the issue matters.
  public var severity: Severity
  /// What was passed over, where, and why.
  public var error: ImportError

  /// What an import keeps of the issues of one severity.
  struct Log {
    private(set) var issues: [ImportIssue] = []
    private(set) var count = 0

    mutating func note(_ severity: Severity, limit: Int, _ error: () -> ImportError) {
      count += 1
      if issues.count < limit { issues.append(ImportIssue(severity: severity, error: error())) }
    }
  }
}

extension ImportIssue: CustomStringConvertible {
  /// Line, column, path and message.
  public var description: String { error.description }
}
