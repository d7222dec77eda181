// The delegate stack: events go to the delegate on top, which may hand a container that begins to a child.
//
// The top is kept in a property of its own; read from the end of an array it would cost three reference counts per
// event. Errors of delegates are parked, for none may cross C.

final class DelegateSink: EventSink {
  /// Set by the parser that owns this sink, before the first event.
  unowned(unsafe) var parser: YAJLParser?
  private var top: any YAJLParserDelegate
  /// The depth of the container that the top was handed; 0 for the root delegate.
  private var topDepth = 0
  private var ancestors: ContiguousArray<(delegate: any YAJLParserDelegate, depth: Int)> = []
  private var depth = 0

  init(_ delegate: any YAJLParserDelegate) {
    top = delegate
  }

  override func null() -> Bool {
    tell { parser, top throws in try top.parser(parser, didAdd: .null) }
  }

  override func boolean(_ value: Bool) -> Bool {
    tell { parser, top throws in try top.parser(parser, didAdd: .boolean(value)) }
  }

  override func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    tell { parser, top throws in
      try top.parser(parser, didAdd: .number(JSONNumber(text, count)))
    }
  }

  override func string(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    tell { parser, top throws in
      try top.parser(parser, didAdd: .string(JSONText(text, count)))
    }
  }

  override func key(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    tell { parser, top throws in try top.parser(parser, didMapKey: JSONText(text, count)) }
  }

  override func startObject() -> Bool {
    begin(.dictionary)
      && tell { parser, top throws in try top.parserDidStartDictionary(parser) }
  }

  override func startArray() -> Bool {
    begin(.array) && tell { parser, top throws in try top.parserDidStartArray(parser) }
  }

  override func endObject() -> Bool {
    tell { parser, top throws in try top.parserDidEndDictionary(parser) } && end()
  }

  override func endArray() -> Bool {
    tell { parser, top throws in try top.parserDidEndArray(parser) } && end()
  }

  @inline(__always)
  private func tell(
    _ event: (YAJLParser, any YAJLParserDelegate) throws -> Void
  ) -> Bool {
    guard let parser else { return false }
    do {
      try event(parser, top)
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Lets the top choose who receives a container.
  private func begin(_ container: JSONContainer) -> Bool {
    depth += 1
    return tell { parser, top throws in
      guard let child = try top.parser(parser, childFor: container) else { return }
      ancestors.append((top, topDepth))
      self.top = child
      topDepth = depth
    }
  }

  /// Gives the events back to the parent where the container that was handed on has ended.
  private func end() -> Bool {
    let isHandBack = depth == topDepth
    depth -= 1
    guard isHandBack, let parent = ancestors.popLast() else { return true }
    let child = top
    top = parent.delegate
    topDepth = parent.depth
    return tell { parser, top throws in try top.parser(parser, didEndChild: child) }
  }
}
