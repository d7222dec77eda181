/// How an import goes about its work.
public struct ImportOptions: Sendable, Hashable {
  /// How the text is read, and what it may ask of memory.
  public var parser: ParserOptions
  /// The bytes that are read from a file at a time.
  public var chunkSize: Int
  /// How many issues and unfilled stubs a report lists; beyond it they are counted.
  public var issueLimit: Int

  /// Creates options.
  ///
  /// - Parameters:
  ///   - parser: How the text is read, and what it may ask of memory.
  ///   - chunkSize: The bytes that are read from a file at a time, at least 1.
  ///   - issueLimit: How many issues and unfilled stubs a report lists.
  public init(
    parser: ParserOptions = ParserOptions(), chunkSize: Int = 65_536, issueLimit: Int = 100
  ) {
    self.parser = parser
    self.chunkSize = chunkSize
    self.issueLimit = issueLimit
  }
}
