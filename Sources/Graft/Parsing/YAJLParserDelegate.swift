/// A value that holds others.
public enum JSONContainer: Sendable, Hashable {
  /// An object of JSON.
  case dictionary
  /// An array of JSON.
  case array
}

/// Receives what a parser finds, in the order of the document.
///
/// Every method has a default that does nothing. What a method throws stops the parser and comes
/// out of ``YAJLParser/parse(_:)-(RawSpan)``. Inside the methods the parser tells the place of the
/// value at hand.
public protocol YAJLParserDelegate: AnyObject {
  /// Chooses who receives a container that begins.
  ///
  /// The child receives the whole value, its start and its end included; then this
  /// delegate goes on.
  ///
  /// - Parameters:
  ///   - parser: The parser.
  ///   - container: The kind of value that begins.
  /// - Returns: The delegate to hand the value to; nil to receive it oneself.
  /// - Throws: Any error, to stop.
  func parser(
    _ parser: YAJLParser, childFor container: JSONContainer
  ) throws
    -> (any YAJLParserDelegate)?

  /// Receives a child whose value has ended.
  ///
  /// - Parameters:
  ///   - parser: The parser.
  ///   - child: The delegate that the value was handed to.
  /// - Throws: Any error, to stop.
  func parser(_ parser: YAJLParser, didEndChild child: any YAJLParserDelegate) throws

  /// Receives the start of a dictionary.
  ///
  /// - Parameter parser: The parser.
  /// - Throws: Any error, to stop.
  func parserDidStartDictionary(_ parser: YAJLParser) throws

  /// Receives the end of a dictionary.
  ///
  /// - Parameter parser: The parser.
  /// - Throws: Any error, to stop.
  func parserDidEndDictionary(_ parser: YAJLParser) throws

  /// Receives the start of an array.
  ///
  /// - Parameter parser: The parser.
  /// - Throws: Any error, to stop.
  func parserDidStartArray(_ parser: YAJLParser) throws

  /// Receives the end of an array.
  ///
  /// - Parameter parser: The parser.
  /// - Throws: Any error, to stop.
  func parserDidEndArray(_ parser: YAJLParser) throws

  /// Receives the key of the value that follows.
  ///
  /// - Parameters:
  ///   - parser: The parser.
  ///   - key: The key.
  /// - Throws: Any error, to stop.
  func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONText) throws

  /// Receives a scalar value.
  ///
  /// - Parameters:
  ///   - parser: The parser.
  ///   - value: The value.
  /// - Throws: Any error, to stop.
  func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) throws
}

extension YAJLParserDelegate {
  /// Hands nothing on.
  public func parser(
    _ parser: YAJLParser, childFor container: JSONContainer
  ) throws -> (any YAJLParserDelegate)? { nil }
  /// Does nothing.
  public func parser(_ parser: YAJLParser, didEndChild child: any YAJLParserDelegate) throws {}
  /// Does nothing.
  public func parserDidStartDictionary(_ parser: YAJLParser) throws {}
  /// Does nothing.
  public func parserDidEndDictionary(_ parser: YAJLParser) throws {}
  /// Does nothing.
  public func parserDidStartArray(_ parser: YAJLParser) throws {}
  /// Does nothing.
  public func parserDidEndArray(_ parser: YAJLParser) throws {}
  /// Does nothing.
  public func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONText) throws {}
  /// Does nothing.
  public func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) throws {}
}
