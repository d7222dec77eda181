// One log lives for one compilation and is used by one thread. Inherited properties are read once
// per entity, so the same issue may be reported several times; it is kept once.

/// Collects what is wrong or doubtful in a model, so that all of it is told at once.
final class IssueLog {
  /// The most issues kept of each kind; a model that breaks this many rules needs no longer list.
  private static let limit = 200

  /// The errors in the order in which they stand in the model's file; without one, as they were
  /// found.
  var errors: [ModelIssue] { Self.sorted(found) }
  private var found: [ModelIssue]
  private(set) var warnings: [ModelIssue] = []
  private var known: Set<ModelIssue> = []
  private let source: ModelSource?

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - source: The file that the model was read from.
  ///   - faults: The errors that reading it has found already.
  init(source: ModelSource? = nil, faults: [ModelIssue] = []) {
    self.source = source
    found = faults
  }

  /// Whether no more errors are kept, so that looking for more is in vain.
  var isFull: Bool { found.count >= Self.limit }

  /// Keeps an error: the model cannot be used.
  func error(
    _ message: @autoclosure () -> String, entity: String? = nil, property: String? = nil
  ) {
    guard !isFull else { return }
    let issue = makeIssue(message(), entity, property)
    if known.insert(issue).inserted { found.append(issue) }
  }

  /// Keeps an error at a place in the model's file.
  func error(_ message: String, at position: SourceLocation) {
    guard !isFull, let source else { return }
    let location = ModelIssue.Location(file: source.file, position: position)
    let issue = ModelIssue(entity: nil, property: nil, message: message, location: location)
    if known.insert(issue).inserted { found.append(issue) }
  }

  /// Keeps a warning: the model can be used, but probably not as meant.
  func warning(
    _ message: @autoclosure () -> String, entity: String? = nil, property: String? = nil
  ) {
    guard warnings.count < Self.limit else { return }
    let issue = makeIssue(message(), entity, property)
    if known.insert(issue).inserted { warnings.append(issue) }
  }

  private static func sorted(_ issues: [ModelIssue]) -> [ModelIssue] {
    let places = issues.enumerated().map { index, issue in
      (issue.location?.position?.offset ?? 0, index)
    }
    return places.sorted(by: <).map { issues[$0.1] }
  }

  private func makeIssue(_ message: String, _ entity: String?, _ property: String?) -> ModelIssue {
    let location = source?.location(entity: entity, property: property)
    return ModelIssue(entity: entity, property: property, message: message, location: location)
  }
}
