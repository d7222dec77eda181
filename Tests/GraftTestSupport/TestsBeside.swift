import Testing

/// Runs tests on threads of their own, as many as there are processors.
///
/// A test that waits for a process would keep a shared thread from all other tests. Its end would
/// also be noticed late, among hundreds of waiting tests, while Swift Testing polls for it without
/// a pause.
struct TestsBeside: SuiteTrait, TestTrait, TestScoping {
  /// The priority by which the threads are told apart.
  let priority: TaskPriority
  let isRecursive = true

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withoutActuallyEscaping(function) { function in
      try await Task(priority: priority) { try await function() }.value
    }
  }
}

extension Trait where Self == TestsBeside {
  /// For a test that ends a process of its own.
  static var isToldAtOnce: Self { TestsBeside(priority: .high) }
  /// For a test that blocks a thread until a process has ended.
  static var waits: Self { TestsBeside(priority: .utility) }
}
