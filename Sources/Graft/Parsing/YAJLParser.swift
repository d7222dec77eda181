public import Foundation

/// Reads JSON as it comes, and tells a delegate what it finds.
///
/// ```swift
/// let parser = YAJLParser(delegate: headlines)
/// for chunk in chunks { try parser.parse(chunk) }
/// try parser.finish()
/// ```
///
/// Strictly RFC 8259, in memory that is bounded by the nesting and by the longest string. Without a
/// delegate it only checks. After an error it throws the same error again.
public final class YAJLParser {
  /// How far the document has come.
  public enum Status: Sendable, Hashable {
    /// The document has not ended: more is to come.
    case insufficientData
    /// The document has ended: only white space may follow, or another document in a
    /// stream of them.
    case complete
  }

  private let engine: EventParser

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - options: The format and the limits.
  ///   - delegate: The receiver of what is found; the parser keeps it alive.
  public init(
    options: ParserOptions = ParserOptions(), delegate: (any YAJLParserDelegate)? = nil
  ) {
    let sink = delegate.map { DelegateSink($0) }
    engine = EventParser(sink: sink ?? EventSink(), options: options)
    sink?.parser = .passUnretained(self)
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
    try chunk.withUnsafeBytes { try engine.parse($0) }
    return status
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read: `Data`, `[UInt8]`, an unsafe buffer
  ///   and their like.
  /// - Returns: Whether the document has ended.
  /// - Throws: ``ParsingError``, or whatever the delegate threw.
  /// - Precondition: Not called by the delegate, nor after ``finish()``.
  /// - Complexity: O(*n*) in the size of the chunk.
  @discardableResult
  public func parse(_ chunk: some ContiguousBytes) throws -> Status {
    try chunk.withUnsafeBytes { try engine.parse($0) }
    return status
  }

  /// Ends the document.
  ///
  /// - Throws: ``ParsingError`` when something is missing, or whatever the delegate threw.
  /// - Precondition: Called once, unless an error was thrown before.
  public func finish() throws {
    try engine.finish()
  }

  private var status: Status { engine.isBetweenDocuments ? .complete : .insufficientData }
}

extension YAJLParser {
  /// The place at which the value or key at hand begins; for use by the delegate.
  public var location: SourceLocation { engine.tokenLocation }

  /// The path of the value at hand, such as `$.heroes[3].born`; for use by the delegate.
  public var path: String { engine.path() }

  /// The number of open containers; one that starts or ends counts.
  public var depth: Int { engine.depth }

  /// Which of several documents is being read, counted from 0.
  public var documentIndex: Int { engine.documentIndex }

  /// The number of bytes taken so far.
  public var bytesParsed: Int { engine.bytesFed }
}
