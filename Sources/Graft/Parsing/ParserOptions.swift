/// How text is read: its format, and what it may ask of memory.
public struct ParserOptions: Sendable, Hashable {
  /// Whether the text is one document or several.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// One value, with nothing but white space after it.
    case json
    /// Any number of values, also none, kept apart by white space; usually one on each line.
    case ndjson
  }

  /// What becomes of an escape such as `\uD800` that is half of a surrogate pair and lacks
  /// its other half.
  public enum LoneSurrogates: String, Sendable, Hashable, CaseIterable {
    /// The text is refused.
    case refused
    /// The escape stands for U+FFFD, the replacement character.
    case replaced
  }

  /// Whether the text is one document or several.
  public var format: Format
  /// What becomes of half a surrogate pair.
  public var loneSurrogates: LoneSurrogates
  /// What a document may ask of memory.
  public var limits: ParserLimits

  /// Creates options.
  ///
  /// - Parameters:
  ///   - format: Whether the text is one document or several.
  ///   - loneSurrogates: What becomes of half a surrogate pair.
  ///   - limits: What a document may ask of memory.
  public init(
    format: Format = .json, loneSurrogates: LoneSurrogates = .refused,
    limits: ParserLimits = ParserLimits()
  ) {
    self.format = format
    self.loneSurrogates = loneSurrogates
    self.limits = limits
  }
}

/// The limits of a parser, past which a document is refused.
///
/// Sizes are in bytes of the document's text, quotes not counted, escapes as they are written.
public struct ParserLimits: Sendable, Hashable {
  /// The number of containers that may be open at once.
  public var depth: Int
  /// The size of a string; at most 1 GiB, whatever is asked.
  public var tokenBytes: Int
  /// The size of a key.
  public var keyBytes: Int
  /// The size of a number.
  public var numberBytes: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - depth: The number of containers that may be open at once.
  ///   - tokenBytes: The size of a string.
  ///   - keyBytes: The size of a key.
  ///   - numberBytes: The size of a number.
  public init(
    depth: Int = 1_000, tokenBytes: Int = 16 << 20, keyBytes: Int = 64 << 10,
    numberBytes: Int = 4 << 10
  ) {
    self.depth = depth
    self.tokenBytes = tokenBytes
    self.keyBytes = keyBytes
    self.numberBytes = numberBytes
  }

  /// The same limits, each brought into the range that the machinery is safe in.
  ///
  /// The upper bound keeps YAJL's doubling buffers from overflowing where a word has 32 bits.
  var clamped: ParserLimits {
    let most = 1 << 30
    return ParserLimits(
      depth: max(0, min(depth, 1 << 24)), tokenBytes: max(0, min(tokenBytes, most)),
      keyBytes: max(0, min(keyBytes, most)), numberBytes: max(1, min(numberBytes, most)))
  }
}
