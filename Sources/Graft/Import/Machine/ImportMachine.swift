// The delegate stack. Events come from the parser, one call each; the plan says what each means at
// the present position; what is known of an open object waits in its frame until the object ends,
// because its identity may come last. Then it is merged into the object that it names, or inserted,
// and handed to the frames that asked for it.
//
// Invariants:
// - `state` points to memory that the machine owns. Everything that is touched per event is in
//   there or in the plan, and reached through pointers, so that no event counts a reference or
//   checks for exclusive access.
// - `levels` mirrors the open containers that the plan knows; within an unknown one only
//   `skipDepth` moves.
// - The frames' entries lie on one stack, inner ones above. An inner position may read a value for
//   an outer frame (`up`); the frames between are marked then, and their end moves such entries
//   down instead of dropping them.

/// Makes objects of a document's events.
final class ImportMachine: EventSink {
  let plan: ImportPlan
  let schema: ModelSchema
  let options: ImportOptions
  let store: GraphStore
  let state: UnsafeMutablePointer<MachineState>
  /// After how many objects of roots what has been read is published.
  let saveInterval: Int
  let transaction: GraphTransaction
  /// The rows of each entity when the import began.
  let initialRowCounts: [Int]
  var marks: TouchMarks
  var tally: ImportTally
  var captures = CaptureWriter()
  /// The names met in each open object, by depth, where names that stand twice are refused.
  var names: [Int: Set<[UInt8]>] = [:]
  /// Indexes of attributes that are not identities.
  var lookups: [LookupKey: [OwnedValue: ObjectID]] = [:]
  /// The objects that have taken the place of stubs, until all links lead to them.
  var successors: [ObjectID: ObjectID] = [:]
  /// What a transformer or a rule says against the value at hand.
  var complaint: String?
  /// The events of an object whose entity is not known yet.
  var tape: EventTape?
  /// Who sends the events, and outlives the machine's use of it: the parser, or a tape that is
  /// played.
  unowned(unsafe) var place: any EventSource = NoEventSource.shared

  init(plan: ImportPlan, store: GraphStore, options: ImportOptions) {
    self.plan = plan
    self.store = store
    self.options = options
    saveInterval = options.saveInterval.map { max(1, $0) } ?? .max
    transaction = GraphTransaction(base: store.graph)
    schema = transaction.schema
    initialRowCounts = schema.entities.indices.map(transaction.rowCount)
    marks = TouchMarks(entityCount: schema.entities.count)
    tally = ImportTally(rootCount: plan.roots.count)
    state = .allocate(capacity: 1)
    state.initialize(
      to: MachineState(next: plan.root, container: UnsafePointer(plan.documentContainer)))
    super.init()
    state.pointee.frames.push(
      Frame(
        entity: -1, open: -1, outer: -1, depth: 0, entryStart: 0, byteStart: 0, anonymousStart: 0,
        hasForeignEntries: true))
  }

  override class var callbacks: YAJLCallbacks { directCallbacks }

  deinit {
    state.pointee.deallocate()
    state.deallocate()
  }

  /// The state of the value that comes now.
  @inline(__always)
  private func nextState() -> Int32 {
    guard state.pointee.isInArray else { return state.pointee.next }
    let level = state.pointee.levels.top
    level.pointee.index &+= 1
    let container = state.pointee.container
    if container.pointee.elements.count == 0 { return container.pointee.otherwise }
    return plan.elementState(of: container.pointee, at: level.pointee.index)
  }

  override func key(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    if state.pointee.mode != .reading { return keyOutsideReading(text, count) }
    return readKey(text, count)
  }

  /// Finds the state of the member that a name announces.
  @inline(__always)
  private func readKey(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let container = state.pointee.container
    let value = container.pointee.keys.value(of: text, count)
    state.pointee.next = value >= 0 ? value : container.pointee.otherwise
    return container.pointee.watch.isEmpty ? true : watchKey(text, count)
  }

  @inline(never)
  private func keyOutsideReading(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    if state.pointee.mode == .taping { return record(.key, text, count) }
    guard state.pointee.mode == .capturing else { return true }
    captures.key(text, count)
    if state.pointee.skipDepth != 0 { return true }
    return readKey(text, count)
  }

  override func string(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    if state.pointee.mode != .reading {
      return receiveOutsideReading(.string(text, count))
    }
    let next = nextState()
    if next < 0 { return true }
    let actions = plan.states[Int(next)].scalars
    // A text for a text attribute is by far the most frequent value.
    if actions.count == 1 {
      let action = plan.scalars.baseAddress.unsafelyUnwrapped + Int(actions.start)
      if action.pointee.conversion == .string, action.pointee.kind == .attribute,
        action.pointee.part == .value
      {
        pushBytes(text, count, action)
        return true
      }
    }
    return apply(actions, .string(text, count))
  }

  override func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    receive(.number(text, count))
  }

  override func boolean(_ value: Bool) -> Bool {
    receive(.boolean(value))
  }

  override func null() -> Bool {
    receive(.null)
  }

  @inline(__always)
  private func receive(_ scalar: ScalarEvent) -> Bool {
    if state.pointee.mode != .reading { return receiveOutsideReading(scalar) }
    let next = nextState()
    return next < 0 ? true : apply(plan.states[Int(next)].scalars, scalar)
  }

  @inline(never)
  private func receiveOutsideReading(_ scalar: ScalarEvent) -> Bool {
    if state.pointee.mode == .taping { return recordScalar(scalar) }
    guard state.pointee.mode == .capturing else { return true }
    captures.scalar(scalar)
    if state.pointee.skipDepth != 0 { return true }
    let next = nextState()
    return next < 0 ? true : apply(plan.states[Int(next)].scalars, scalar)
  }

  override func startObject() -> Bool {
    if state.pointee.mode != .reading { return startOutsideReading(isArray: false) }
    let next = nextState()
    let container = next < 0 ? -1 : plan.states[Int(next)].object
    return container < 0 ? skip() : open(container, isArray: false)
  }

  override func startArray() -> Bool {
    if state.pointee.mode != .reading { return startOutsideReading(isArray: true) }
    let next = nextState()
    let container = next < 0 ? -1 : plan.states[Int(next)].array
    return container < 0 ? skip() : open(container, isArray: true)
  }

  @inline(never)
  private func startOutsideReading(isArray: Bool) -> Bool {
    if state.pointee.mode == .taping { return record(isArray ? .startArray : .startObject) }
    if state.pointee.mode == .capturing { captures.start(isArray: isArray) }
    if state.pointee.skipDepth != 0 {
      state.pointee.skipDepth &+= 1
      return true
    }
    let next = nextState()
    let value = next < 0 ? nil : plan.states[Int(next)]
    let container = value.map { isArray ? $0.array : $0.object } ?? -1
    return container < 0 ? skip() : open(container, isArray: isArray)
  }

  override func endObject() -> Bool {
    state.pointee.mode == .reading ? close() : endOutsideReading(isArray: false)
  }

  override func endArray() -> Bool {
    state.pointee.mode == .reading ? close() : endOutsideReading(isArray: true)
  }

  @inline(never)
  private func endOutsideReading(isArray: Bool) -> Bool {
    if state.pointee.mode == .taping {
      guard endsTape else { return record(isArray ? .endArray : .endObject) }
      return finishTape() && endObject()
    }
    let isCapturing = state.pointee.mode == .capturing
    if isCapturing { captures.end(isArray: isArray) }
    guard state.pointee.skipDepth != 0 else { return close() }
    state.pointee.skipDepth &-= 1
    if state.pointee.skipDepth == 0, !isCapturing { state.pointee.mode = .reading }
    return true
  }

  /// Passes over the container that has just begun.
  @inline(__always)
  func skip() -> Bool {
    state.pointee.skipDepth = 1
    if state.pointee.mode == .reading { state.pointee.mode = .skipping }
    return true
  }
}
