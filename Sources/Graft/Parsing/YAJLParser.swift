public import Foundation

/// Reads JSON as it arrives, and sends events to a delegate.
///
/// ```swift
/// let parser = YAJLParser(delegate: headlines)
/// for chunk in chunks { try parser.parse(chunk) }
/// try parser.finish()
/// ```
///
/// It accepts exactly RFC 8259, in memory that is bounded by the nesting and by the longest string.
/// Without a delegate it only checks. After an error it throws the same error again.
public final class YAJLParser {
  /// The progress of a parser.
  public enum Status: Sendable, Hashable {
    /// The document has not ended: more must follow.
    case insufficientData
    /// The document has ended: only white space may follow, or in NDJSON another document.
    case complete
  }

  private let parser: EventParser

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - options: The format and the limits.
  ///   - delegate: The receiver of the events; the parser keeps it alive.
  public init(
    options: ParserOptions = ParserOptions(), delegate: (any YAJLParserDelegate)? = nil
  ) {
    let sink = delegate.map { DelegateSink($0) }
    parser = EventParser(sink: sink ?? EventSink(), options: options)
    // The sink belongs to the parser, and so does not outlive it.
    unsafe sink?.parser = .passUnretained(self)
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read; any number of them, cut anywhere,
  ///   even inside a character.
  /// - Returns: Whether the document has ended.
  /// - Throws: ``ParsingError``, or whatever the delegate threw.
  /// - Precondition: Not called by the delegate, nor after ``finish()``.
  /// - Complexity: O(*n*) in the size of the chunk.
  @discardableResult
  public func parse(_ chunk: RawSpan) throws -> Status {
    try parser.parse(chunk)
    return status
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read: `Data`, `[UInt8]`, an unsafe buffer
  ///   or the like.
  /// - Returns: Whether the document has ended.
  /// - Throws: ``ParsingError``, or whatever the delegate threw.
  /// - Precondition: Not called by the delegate, nor after ``finish()``.
  /// - Complexity: O(*n*) in the size of the chunk.
  @discardableResult
  public func parse(_ chunk: some ContiguousBytes) throws -> Status {
    try chunk.withRawSpan { try parser.parse($0) }
    return status
  }

  /// Ends the document.
  ///
  /// - Throws: ``ParsingError`` when something is missing, or whatever the delegate threw.
  /// - Precondition: Called once, unless an error was thrown before.
  public func finish() throws {
    try parser.finish()
  }

  private var status: Status { parser.engine.isBetweenDocuments ? .complete : .insufficientData }
}

extension YAJLParser {
  /// The beginning of the current value or key; meaningful inside the delegate's methods.
  public var location: SourceLocation { parser.engine.tokenLocation }

  /// The path of the current value, such as `$.heroes[3].born`; meaningful inside the delegate's
  /// methods.
  public var path: String { parser.engine.path() }

  /// The number of open containers, including one that is just starting or ending.
  public var depth: Int { parser.engine.depth }

  /// The number of bytes taken so far.
  public var bytesParsed: Int { parser.byteCount }
}
