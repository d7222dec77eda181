import Testing

/// Runs tests on other threads than most, of which there are as many as processors and which all tests share.
///
/// A test that waits for a process keeps its thread from all others, and one that is told of the end of a process would
/// have to wait for its turn among hundreds; Swift Testing asks for that end without a pause meanwhile.
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
