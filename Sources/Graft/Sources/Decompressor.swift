/// Decompresses the bytes of one document.
///
/// A type that conforms is a library of a ``CompressionFormat``. It knows neither chunks nor sources:
/// Graft calls it with the bytes as they arrive, counts them for messages, and limits how much they
/// may grow.
public protocol Decompressor: AnyObject {
  /// Decompresses the next bytes, as many as there is room for.
  ///
  /// - Parameters:
  ///   - input: Bytes that follow those already read, cut anywhere; empty if only content of earlier
  ///     bytes is left to be written.
  ///   - output: The room for the content; never empty.
  /// - Returns: The numbers of bytes read and written, and the state after them.
  func decompress(_ input: RawSpan, into output: inout MutableRawSpan) -> DecompressionStep

  /// Begins anew, for data that follows the end of other data: gzip's members, zstd's frames.
  func reset()
}

/// The result of one call of a ``Decompressor``.
public struct DecompressionStep: Sendable, Hashable {
  /// The state after a step.
  public enum State: Sendable, Hashable {
    /// More is to come, or more room is needed.
    case unfinished
    /// The compressed data has ended; other data may follow.
    case finished
    /// The bytes are wrong; the text gives the reason, such as `incorrect data check`.
    case damaged(String)
    /// The bytes need a feature that is not supported, such as `a dictionary`.
    case unsupported(String)
  }

  /// The number of bytes of the input that were read, including wrong ones.
  public var readCount: Int
  /// The number of bytes of the output that were written.
  public var writtenCount: Int
  /// The state after the step.
  public var state: State

  /// Creates a result.
  ///
  /// - Parameters:
  ///   - readCount: The number of bytes of the input that were read.
  ///   - writtenCount: The number of bytes of the output that were written.
  ///   - state: The state after the step.
  public init(readCount: Int, writtenCount: Int, state: State) {
    self.readCount = readCount
    self.writtenCount = writtenCount
    self.state = state
  }
}
