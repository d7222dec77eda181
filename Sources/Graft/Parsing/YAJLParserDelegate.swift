// The hand-off from one delegate to another, in two forms.
//
// Here, in public: any delegate may return a child when a container begins. The child receives the
// whole container, and `didEndChild` hands it back. `DelegateSink` keeps the stack of delegates and
// sends each event to the one on top, by a call through the protocol.
//
// In the import: an `ImportEngine` is one sink for all events. It keeps a stack of its own, with
// one `EntityParser`, a plain value, for each open object. Hand-off pushes one, hand-back pops it.
// It is one sink and not a tower of delegates because a call through a protocol's witness table for
// every event costs too much (docs/decisions/0001-one-sink-class.md).

/// A kind of value that contains others.
public enum JSONContainer: Sendable, Hashable {
  /// An object of JSON.
  case dictionary
  /// An array of JSON.
  case array
}

/// Receives a parser's events, in the order of the document.
///
/// Every method has a default that does nothing. An error that a method throws stops the parser,
/// and ``YAJLParser/parse(_:)-(RawSpan)`` throws it on. Inside the methods the parser has the
/// location and path of the current value.
///
/// Suppose a delegate reads `{"user": {"id": 7}, "ok": true}` and returns a child for the second
/// dictionary. The delegate receives the start of the dictionary, the key `user`, `didEndChild`,
/// the key `ok`, `true`, and the end. The child receives a start, the key `id`, 7, and an end.
public protocol YAJLParserDelegate: AnyObject {
  /// Chooses who receives a container that begins.
  ///
  /// The child receives the whole container, its start and end included; then this delegate
  /// continues.
  ///
  /// - Parameters:
  ///   - parser: The parser.
  ///   - container: The kind of container that begins.
  /// - Returns: The delegate to hand the container to; nil to receive it here.
  /// - Throws: Any error, to stop.
  func parser(
    _ parser: YAJLParser, childFor container: JSONContainer
  ) throws
    -> (any YAJLParserDelegate)?

  /// Takes over from a child whose container has ended.
  ///
  /// - Parameters:
  ///   - parser: The parser.
  ///   - child: The delegate that the container was handed to.
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
  func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONString) throws

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
  public func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONString) throws {}
  /// Does nothing.
  public func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) throws {}
}

/// Sends events to the delegate on top of a stack.
///
/// The top is kept without a reference count: reading it from the end of an array would cost three
/// counts per event. `stack` keeps it alive. The caller that made the parser keeps the parser alive
/// while it runs.
@safe final class DelegateSink: EventSink {
  /// A delegate, and the depth of the container that it was handed; 0 for the first delegate.
  private final class Entry {
    let delegate: any YAJLParserDelegate
    let depth: Int

    init(_ delegate: any YAJLParserDelegate, depth: Int) {
      self.delegate = delegate
      self.depth = depth
    }
  }

  /// Set by the parser that owns this sink, before the first event.
  @safe var parser: Unmanaged<YAJLParser>?
  private var stack: ContiguousArray<Entry>
  /// The last of `stack`.
  private var top: Unmanaged<Entry>
  private var depth = 0

  init(_ delegate: any YAJLParserDelegate) {
    let entry = Entry(delegate, depth: 0)
    stack = [entry]
    unsafe top = .passUnretained(entry)
  }

  override func null() -> Bool {
    send { parser, delegate throws in try delegate.parser(parser, didAdd: .null) }
  }

  override func boolean(_ value: Bool) -> Bool {
    send { parser, delegate throws in try delegate.parser(parser, didAdd: .boolean(value)) }
  }

  override func number(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    send { parser, delegate throws in
      try delegate.parser(parser, didAdd: .number(JSONNumber(bytes)))
    }
  }

  override func string(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    send { parser, delegate throws in
      try delegate.parser(parser, didAdd: .string(JSONString(bytes)))
    }
  }

  override func key(_ key: BorrowedBuffer<UInt8>) -> Bool {
    send { parser, delegate throws in
      try delegate.parser(parser, didMapKey: JSONString(key))
    }
  }

  override func startObject() -> Bool {
    handOff(.dictionary)
      && send { parser, delegate throws in try delegate.parserDidStartDictionary(parser) }
  }

  override func startArray() -> Bool {
    handOff(.array)
      && send { parser, delegate throws in try delegate.parserDidStartArray(parser) }
  }

  override func endObject() -> Bool {
    send { parser, delegate throws in try delegate.parserDidEndDictionary(parser) } && handBack()
  }

  override func endArray() -> Bool {
    send { parser, delegate throws in try delegate.parserDidEndArray(parser) } && handBack()
  }

  @inline(__always)
  private func send(
    _ event: (YAJLParser, any YAJLParserDelegate) throws -> Void
  ) -> Bool {
    guard let parser else { return false }
    do {
      try unsafe parser._withUnsafeGuaranteedRef { parser in
        try unsafe top._withUnsafeGuaranteedRef { top in try event(parser, top.delegate) }
      }
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Lets the delegate on top choose who receives the container that begins.
  private func handOff(_ container: JSONContainer) -> Bool {
    depth += 1
    return send { parser, delegate throws in
      guard let child = try delegate.parser(parser, childFor: container) else { return }
      let entry = Entry(child, depth: depth)
      stack.append(entry)
      unsafe top = .passUnretained(entry)
    }
  }

  /// Returns to the parent if the ending container was handed off.
  private func handBack() -> Bool {
    let isHandedOff = unsafe depth == top._withUnsafeGuaranteedRef { $0.depth }
    depth -= 1
    guard isHandedOff, stack.count > 1 else { return true }
    let child = stack.removeLast()
    unsafe top = .passUnretained(stack[stack.count - 1])
    return send { parser, delegate throws in
      try delegate.parser(parser, didEndChild: child.delegate)
    }
  }
}
