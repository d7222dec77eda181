// The state that both engines keep while they read a document, and the places computed from it.
//
// The engines differ in how they find the beginning of the current event's token; all other places
// are computed from the state alone.

/// The facts that an engine has after the bytes read so far.
protocol DocumentState {
  /// The bytes being read; empty between chunks.
  var slice: InputSlice { get set }
  var containers: ContainerStack { get set }
  var lines: LineTracker { get set }
  var limits: ParserLimits { get }
}

extension StateBlock where State: DocumentState {
  /// Treats the following bytes as the beginning of a document in a stream.
  func begin(at start: DocumentStart) {
    pointee.slice = InputSlice(start: start.location.offset)
    pointee.lines.begin(at: start.location)
    pointee.containers.beginDocument(start.index)
  }

  /// Returns the location of a byte of the slice, or of its end.
  func location(of offset: Int) -> SourceLocation {
    pointee.lines.location(of: offset, in: pointee.slice)
  }

  /// Returns the beginning of an open container.
  func location(ofContainerAt depth: Int) -> SourceLocation {
    let start = pointee.containers.level(at: depth).start
    return start.line > 0 ? start : location(of: start.offset)
  }

  /// Makes errors from the state and the text read so far.
  ///
  /// - Parameter text: The bytes in which something is wrong, where the slice does not have all of them.
  /// - Returns: The maker of errors.
  func diagnosis(_ text: InputSlice? = nil) -> Diagnosis {
    Diagnosis(pointee.slice, pointee.containers, pointee.lines, pointee.limits, text: text)
  }

  /// Ends the slice: saves the parts that later events need, and releases its memory.
  ///
  /// Also where the engine or the sink has stopped, so that places may still be asked for.
  func leaveSlice() {
    pointee.containers.leave(pointee.slice, lines: &pointee.lines)
    pointee.lines.leave(pointee.slice)
    pointee.slice = InputSlice(start: pointee.slice.end)
  }
}

/// An engine whose places are computed from its `DocumentState`.
protocol StatefulEngine: EventEngine {
  associatedtype State: DocumentState

  var state: StateBlock<State> { get }
}

extension StatefulEngine {
  var depth: Int { state.pointee.containers.depth }

  var documentCount: Int { state.pointee.containers.document.index + 1 }

  var documentIndex: Int { state.pointee.containers.document.index }

  func path() -> String { state.pointee.containers.path }

  var currentKey: BorrowedBuffer<UInt8>? { state.pointee.containers.aroundCurrentValue.key }

  var currentIndex: Int { state.pointee.containers.aroundCurrentValue.index }

  func location(ofContainerAt depth: Int) -> SourceLocation {
    state.location(ofContainerAt: depth)
  }

  func path(ofContainerAt depth: Int) -> String {
    guard depth >= 1, depth <= self.depth else { misuse("no container is open at depth \(depth)") }
    return state.pointee.containers.path(ofContainerAt: depth)
  }
}
