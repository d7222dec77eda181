/// How far the reading of a file or download has come.
public struct ImportProgress: Sendable, Hashable {
  /// The bytes that were read and imported.
  public var byteCount: Int
  /// The bytes that there are; nil where nobody knows, as for a pipe.
  public var totalByteCount: Int?

  /// Creates a note of progress.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes that were read and imported.
  ///   - totalByteCount: The bytes that there are, if that is known.
  public init(byteCount: Int, totalByteCount: Int? = nil) {
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }
}
