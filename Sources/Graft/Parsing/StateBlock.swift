// An engine's state, in one block of raw memory.
//
// Raw memory is needed because events come some thirty million times a second. As properties of a
// class, the state would pay for exclusivity checks and reference counts at each of them, which was
// measured at a third of the whole time.
//
// Invariant: the engine that allocates the block frees it, and outlives all who have its address.

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
