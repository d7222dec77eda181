// What a sink may ask inside its methods. Nothing here costs anything until it is asked.

extension EventParser: EventSource {
  /// The number of open containers; the one that opens or closes counts.
  var depth: Int { state.depth }

  /// Where the token of the event at hand begins.
  var tokenLocation: SourceLocation { state.tokenLocation }

  /// The path of the value at hand, or after a key of the value to come.
  func path() -> String { state.path }

  /// Where an open container began.
  ///
  /// - Parameter depth: 1 for the outermost, ``depth`` for the innermost.
  /// - Returns: The place of its opening bracket.
  func location(ofContainerAt depth: Int) -> SourceLocation {
    precondition(depth >= 1 && depth <= self.depth, "no container is open at depth \(depth)")
    return state.location(ofContainerAt: depth)
  }

  /// The path of an open container.
  ///
  /// - Parameter depth: 1 for the outermost, ``depth`` for the innermost.
  /// - Returns: Its path from the root.
  func path(ofContainerAt depth: Int) -> String {
    precondition(depth >= 1 && depth <= self.depth, "no container is open at depth \(depth)")
    return state.path(ofContainerAt: depth)
  }

  /// The key under which the value at hand stands; empty in arrays and at the root.
  var currentKey: UnsafeRawBufferPointer {
    let level = levelAround
    return UnsafeRawBufferPointer(start: level.key, count: level.key == nil ? 0 : level.keyCount)
  }

  /// The position of the value at hand in its container, counted from 0.
  var currentIndex: Int { levelAround.index }

  /// How many documents have begun; none is possible in a stream of documents only.
  var documentCount: Int { state.pointee.levels.pointee.index + 1 }

  /// Which of several documents is being read, counted from 0.
  var documentIndex: Int { max(0, state.pointee.levels.pointee.index) }

  /// The level in which the value at hand stands: that of its container, also while the value is
  /// a container itself.
  private var levelAround: Level {
    let top = state.pointee.top
    let isContainerAtHand = top.pointee.key == nil && top.pointee.index < 0
    guard isContainerAtHand, top > state.pointee.levels else { return top.pointee }
    return (top - 1).pointee
  }
}
