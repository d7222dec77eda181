// The state that both engines keep while they read a document, and the places computed from it.
//
// The engines differ in how they find the beginning of the current event's token; all other places
// are computed from the state alone.
//
// Raw memory: the state is in a block of its own, because events come some thirty million times a second. As
// properties of a class, the state would pay for exclusivity checks and reference counts at each of them, which was
// measured at a third of the whole time. Invariant: the engine that allocates the block frees it, and outlives all
// who have its address.

/// The facts that an engine has after the bytes read so far.
protocol DocumentState {
  /// The bytes being read; empty between chunks.
  var slice: InputSlice { get set }
  var containers: ContainerStack { get set }
  var lines: LineTracker { get set }
  var limits: ParserLimits { get }
}

/// The address of a state.
@safe struct StateBlock<State> {
  private let memory: UnsafeMutablePointer<State>

  /// Allocates the state; the engine frees it with ``deallocate()``.
  init(_ makeState: (UnsafeMutableRawPointer) -> State) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: makeState(memory))
  }

  @unsafe @inline(__always)
  init(address: UnsafeMutablePointer<State>) {
    unsafe memory = address
  }

  @inline(__always)
  var pointee: State {
    unsafeAddress { unsafe UnsafePointer(memory) }
    nonmutating unsafeMutableAddress { unsafe memory }
  }

  @unsafe func deallocate() {
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }
}

extension StateBlock where State: DocumentState {
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
