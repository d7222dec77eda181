// The places of events that are played: those within the object are found by walking the tape,
// others outside.

extension EventTape: EventSource {
  var tokenLocation: SourceLocation {
    cursor < 0 ? outside.location(ofContainerAt: baseDepth) : location(of: cursor)
  }

  func path() -> String {
    path(through: chain())
  }

  var currentKey: UnsafeRawBufferPointer {
    if cursor < 0, let name { return name }
    guard cursor > 0, events[cursor - 1].kind == .key else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(text(events[cursor - 1]))
  }

  var currentIndex: Int { cursor < 0 ? position : events[cursor].position }

  func location(ofContainerAt depth: Int) -> SourceLocation {
    guard depth > baseDepth else { return outside.location(ofContainerAt: depth) }
    let chain = chain()
    let index = depth - baseDepth - 1
    return index < chain.count ? location(of: chain[index]) : tokenLocation
  }

  func path(ofContainerAt depth: Int) -> String {
    guard depth > baseDepth else { return outside.path(ofContainerAt: depth) }
    return path(through: chain().prefix(depth - baseDepth))
  }

  private func location(of index: Int) -> SourceLocation {
    let event = events[index]
    return SourceLocation(offset: event.offset, line: event.line, column: event.column)
  }

  /// The events that begin the values around the cursor, outermost first, and the value at the
  /// cursor itself.
  private func chain() -> [Int] {
    var chain: [Int] = []
    guard cursor >= 0 else { return [] }
    var index = cursor
    switch events[index].kind {
    case .key, .endObject, .endArray: index = events[index].parent
    default: break
    }
    while index >= 0 {
      chain.append(index)
      index = events[index].parent
    }
    return chain.reversed()
  }

  private func path(through chain: some Sequence<Int>) -> String {
    var writer = PathWriter(text: outside.path(ofContainerAt: baseDepth))
    for index in chain {
      if index > 0, events[index - 1].kind == .key {
        writer.append(name: text(events[index - 1]))
      } else {
        writer.append(index: events[index].position)
      }
    }
    return writer.text
  }
}
