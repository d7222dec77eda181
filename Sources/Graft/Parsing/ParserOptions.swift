import Synchronization

/// The format of a document, and the memory that reading it may take.
public struct ParserOptions: Sendable, Hashable {
  /// The division of a text into one document or several.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// One value, followed only by white space.
    case json
    /// Any number of values, or none, separated by white space; usually one on each line.
    case ndjson
    /// Any number of values, with or without white space between them: `{"id": 1}{"id": 2}`. White
    /// space is needed only before a number and before `true`, `false` and `null`.
    case concatenated
    /// A JSON text sequence (RFC 7464): values that each follow a record separator, 0x1E.
    case sequence = "json-seq"
    /// Server-sent events: values in lines that begin with `data:`, one or several lines for each
    /// event. Other fields and comments are skipped.
    case serverSentEvents = "sse"

    /// The endings of the names of compressed files.
    private static let compressedEndings = [".gz", ".zst", ".zstd", ".zlib", ".zz"]

    /// Creates the format for a file's name.
    ///
    /// - Parameter name: The name, or an address: `.ndjson` for `tweets.ndjson`, `Tweets.JSONL` and
    ///   `https://example.org/tweets.ndjson.gz?page=1`, `.json` for all others.
    public init(ofFileNamed name: String) { self = Self.named(by: name) ?? .json }

    /// Returns the format that a file's name implies; nil if it implies none.
    package static func named(by name: String) -> Format? {
      let end = name.contains("://") ? name.firstIndex { "?#".contains($0) } : nil
      var path = name[..<(end ?? name.endIndex)].lowercased()
      for ending in Self.compressedEndings where path.hasSuffix(ending) {
        path.removeLast(ending.count)
        break
      }
      return path.hasSuffix(".ndjson") || path.hasSuffix(".jsonl") ? .ndjson : nil
    }

    /// Whether the text may be several documents.
    package var isStream: Bool { self != .json }
  }

  /// The treatment of an escape such as `\uD800`, half of a surrogate pair, without its other half.
  public enum LoneSurrogates: String, Sendable, Hashable, CaseIterable {
    /// A lone surrogate is an error.
    case refused
    /// A lone surrogate becomes U+FFFD, the replacement character.
    case replaced
  }

  /// The part of the parser that reads bytes and finds tokens.
  ///
  /// Both accept the same documents and send the same events, with the same errors at the same places.
  public enum Engine: String, Sendable, Hashable, CaseIterable {
    #if canImport(CYAJL)
    /// YAJL, to which Graft adds strictness, limits and exact places.
    case yajl
    #endif
    /// Graft's own scanner, which reads 64 bytes at a time. Content that no mapping reads is
    /// checked, but not decoded.
    case native

    /// YAJL on macOS and Linux, unless the package's trait `YAJL` is off.
    public static var `default`: Engine { standard.withLock { $0 } }

    #if canImport(CYAJL)
    private static let standard = Mutex(Engine.yajl)
    #else
    private static let standard = Mutex(Engine.native)
    #endif

    /// Makes an engine the default one of the process.
    ///
    /// This is for the tests and the command line tool, where one build runs with either engine. An
    /// app names the engine in its options.
    package static func makeDefault(_ engine: Engine) { standard.withLock { $0 = engine } }
  }

  /// Whether the text is one document or several.
  ///
  /// If it is nil, the name of the file or URL decides (``Format/init(ofFileNamed:)``), and then the
  /// first bytes do. A record separator begins a sequence, and `data:` or another field begins
  /// server-sent events. Anything else is one document.
  public var format: Format?
  /// The end of server-sent events: the data of the event that ends them, such as `[DONE]`.
  ///
  /// The text after it is skipped. Nil reads to the end of the text.
  public var endMarker: String?
  /// The treatment of half a surrogate pair.
  public var loneSurrogates: LoneSurrogates
  /// The limits on the document's nesting and on the sizes of its tokens.
  public var limits: ParserLimits
  /// The engine that reads the bytes.
  public var engine: Engine
  /// The processor instructions that the native engine uses, for tests and measurements.
  package var instructions = ScanInstructions.best

  /// Creates options.
  ///
  /// - Parameters:
  ///   - format: Whether the text is one document or several; nil takes what the name of the file or URL, or the first
  ///     bytes tell.
  ///   - loneSurrogates: The treatment of half a surrogate pair.
  ///   - limits: The largest sizes of a document's parts.
  ///   - engine: The engine that reads the bytes.
  public init(
    format: Format? = nil, loneSurrogates: LoneSurrogates = .refused,
    limits: ParserLimits = ParserLimits(), engine: Engine = .default
  ) {
    self.format = format
    self.loneSurrogates = loneSurrogates
    self.limits = limits
    self.engine = engine
  }
}

/// The limits of a parser; a document that exceeds one is an error.
///
/// Sizes are in bytes as the document is written: quotes are not counted, and the escape `\u0041`
/// counts for six.
///
/// Each limit has a range in which the parser is safe. A parser takes a limit outside of it as the nearest one inside.
/// An import refuses negative limits.
public struct ParserLimits: Sendable, Hashable {
  /// The number of containers that may be open at once; never more than 16,777,216.
  public var depth: Int
  /// The size of a string; never more than 1 GiB.
  public var tokenBytes: Int
  /// The size of a key; never more than 1 GiB.
  public var keyBytes: Int
  /// The size of a number; at least 1, and never more than 1 GiB.
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

  /// The greatest limits, for text that is in memory already: its size bounds the memory of its parser.
  package static let none = ParserLimits(
    depth: .max, tokenBytes: .max, keyBytes: .max, numberBytes: .max)

  /// The same limits, each brought into the range in which the parser is safe.
  ///
  /// YAJL doubles its buffers, which overflows beyond 1 GiB where a word has 32 bits
  /// (CVE-2022-24795).
  var clamped: ParserLimits {
    let most = 1 << 30
    return ParserLimits(
      depth: max(0, min(depth, 1 << 24)), tokenBytes: max(0, min(tokenBytes, most)),
      keyBytes: max(0, min(keyBytes, most)), numberBytes: max(1, min(numberBytes, most)))
  }
}
