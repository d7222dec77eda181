// The delegate stack: events go to the delegate on top, which may hand a container that begins
// to a child.
//
// The top is reached without a reference count: read from the end of an array it would cost three
// per event. `frames` keeps it alive, and whoever made the parser keeps the parser alive while it
// runs. Errors of delegates are parked, for none may cross C.

final class DelegateSink: EventSink {
  /// Set by the parser that owns this sink, before the first event.
  var parser: Unmanaged<YAJLParser>?
  /// The last of `frames`.
  private var top: Unmanaged<DelegateFrame>
  private var frames: ContiguousArray<DelegateFrame>
  private var depth = 0

  init(_ delegate: any YAJLParserDelegate) {
    let frame = DelegateFrame(delegate: delegate, depth: 0)
    frames = [frame]
    top = .passUnretained(frame)
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
      try parser._withUnsafeGuaranteedRef { parser in
        try top._withUnsafeGuaranteedRef { top in try event(parser, top.delegate) }
      }
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
      push(DelegateFrame(delegate: child, depth: depth))
    }
  }

  /// Gives the events back to the parent where the container that was handed on has ended.
  private func end() -> Bool {
    let isHandBack = depth == top._withUnsafeGuaranteedRef { $0.depth }
    depth -= 1
    guard isHandBack, frames.count > 1 else { return true }
    let child = frames.removeLast()
    top = .passUnretained(frames[frames.count - 1])
    return tell { parser, top throws in try top.parser(parser, didEndChild: child.delegate) }
  }

  private func push(_ frame: DelegateFrame) {
    frames.append(frame)
    top = .passUnretained(frame)
  }
}

/// A delegate, and the depth of the container that it was handed; 0 for the root delegate.
private final class DelegateFrame {
  let delegate: any YAJLParserDelegate
  let depth: Int

  init(delegate: any YAJLParserDelegate, depth: Int) {
    self.delegate = delegate
    self.depth = depth
  }
}
