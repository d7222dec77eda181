/// A place in a document.
public struct SourceLocation: Sendable, Hashable {
  /// The number of bytes before the place; a byte order mark counts.
  public var offset: Int
  /// The line, counted from 1; lines end with a line feed.
  public var line: Int
  /// The column, in bytes, counted from 1.
  public var column: Int

  /// Creates a location.
  ///
  /// - Parameters:
  ///   - offset: The number of bytes before the place.
  ///   - line: The line, counted from 1.
  ///   - column: The column in bytes, counted from 1.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}

extension SourceLocation: CustomStringConvertible {
  /// Line and column, such as `41:9`.
  public var description: String { "\(line):\(column)" }
}
