/// What was found invalid: all of it counted, some of it kept.
struct FailureLog {
  /// The failures that one error lists.
  static let capacity = 20

  private var failures: [ValidationFailure] = []
  private var count = 0

  /// Counts a failure, which is described only if it is kept.
  mutating func add(_ failure: () -> ValidationFailure) {
    count += 1
    if failures.count < Self.capacity { failures.append(failure()) }
  }

  func throwIfAny() throws(StoreError) {
    guard let first = failures.first else { return }
    let others = count > 1 ? " (and \(count - 1) more)" : ""
    throw StoreError(
      .invalidObjects, first.description + others, entity: first.entity, property: first.property,
      failures: failures)
  }
}
