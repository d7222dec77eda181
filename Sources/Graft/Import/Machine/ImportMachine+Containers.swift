extension ImportMachine {
  /// Begins an object or array that the plan knows.
  func open(_ number: Int32, isArray: Bool) -> Bool {
    let container = plan.containers.baseAddress.unsafelyUnwrapped + Int(number)
    if container.pointee.decision >= 0 { return openUndecided(number) }
    return openDecided(number, isArray: isArray)
  }

  /// Begins an object or array of which the entities of all objects are known.
  func openDecided(_ number: Int32, isArray: Bool) -> Bool {
    let container = plan.containers.baseAddress.unsafelyUnwrapped + Int(number)
    for index in container.pointee.starts.indices {
      guard begin(plan.starts[index], isArray: isArray) else { return false }
      // A value that is passed over takes all that begins with it along.
      if state.pointee.skipDepth != 0 {
        if state.pointee.mentionDepth > state.pointee.levels.count {
          state.pointee.mentionDepth = 0
        }
        return true
      }
    }
    state.pointee.levels.push(
      OpenContainer(container: number, index: -1, isArray: isArray))
    state.pointee.container = UnsafePointer(container)
    state.pointee.isInArray = isArray
    pushFrames(container.pointee.opens, depth: Int32(state.pointee.levels.count))
    return container.pointee.names.count == 0 || applyNames(container.pointee.names)
  }

  /// Does what the beginning of a container means for one property.
  private func begin(_ start: StartAction, isArray: Bool) -> Bool {
    switch start.kind {
    case .root:
      tally.rootWasFound[Int(start.number)] = true
      return true
    case .collection:
      push(.collection, number: start.number, rank: start.rank, bits: 0, up: start.up)
      return true
    case .capture:
      captures.begin(isArray: isArray, action: start, frame: frameIndex(up: start.up))
      state.pointee.mode = .capturing
      return true
    case .mismatch:
      guard
        reject(
          .wrongType, plan.properties[Int(start.property)],
          found: isArray ? "an array" : "an object", up: start.up)
      else { return false }
      return skip()
    }
  }

  /// Begins the objects of the graph that a value stands for.
  func pushFrames(_ opens: Range32, depth: Int32) {
    let outer = Int32(state.pointee.frames.count - 1)
    for index in opens.indices {
      state.pointee.frames.push(
        Frame(
          entity: plan.opens[index].entity, open: Int32(index), outer: outer, depth: depth,
          entryStart: state.pointee.entries.count, byteStart: state.pointee.bytes.count,
          anonymousStart: state.pointee.anonymous.count, hasForeignEntries: opens.count > 1,
          isDropped: state.pointee.mentionDepth != 0))
    }
  }

  /// Gives objects that have just begun the name and the position at which they stand.
  func applyNames(_ names: Range32) -> Bool {
    for index in names.indices {
      let action = plan.scalars.baseAddress.unsafelyUnwrapped + index
      guard applyAttribute(action, name(action.pointee.part)) else { return false }
    }
    return true
  }

  /// The name or position under which the value at hand stands, as a scalar.
  func name(_ part: ScalarAction.Part) -> ScalarEvent {
    if part == .key {
      let key = place.currentKey
      guard key.baseAddress != nil else { return .null }
      return ScalarEvent(kind: .string, text: key.assumingMemoryBound(to: UInt8.self))
    }
    let index = keep(Array(String(place.currentIndex).utf8))
    return ScalarEvent(kind: .number, text: index.bytes)
  }

  /// Ends an object or array that the plan knows.
  func close() -> Bool {
    let level = state.pointee.levels.top.pointee
    let container = plan.containers.baseAddress.unsafelyUnwrapped + Int(level.container)
    if !container.pointee.watch.isEmpty { forgetKeys() }
    if state.pointee.mode == .capturing {
      guard finishCaptures() else { return false }
    }
    for _ in 0..<container.pointee.opens.count {
      guard closeFrame() else { return false }
    }
    guard tally.objectsSinceSave < saveInterval || saveIfPossible() else { return false }
    if state.pointee.levels.count == state.pointee.mentionDepth { state.pointee.mentionDepth = 0 }
    _ = state.pointee.levels.pop()
    let depth = state.pointee.levels.count
    if depth == 0 {
      state.pointee.next = plan.root
      state.pointee.isInArray = false
      state.pointee.container = UnsafePointer(plan.documentContainer)
    } else {
      let outer = state.pointee.levels.top.pointee
      state.pointee.isInArray = outer.isArray
      state.pointee.container = UnsafePointer(
        plan.containers.baseAddress.unsafelyUnwrapped + Int(outer.container))
    }
    return true
  }

  /// The place of the frame so many objects above the innermost.
  @inline(__always)
  func frameIndex(up: Int32) -> Int32 {
    Int32(truncatingIfNeeded: state.pointee.frames.count) &- 1 &- up
  }

  /// Notes something that is known of an open object.
  @inline(__always)
  func push(
    _ kind: Entry.Kind, number: Int32, rank: UInt8, bits: UInt64, count: Int = 0, up: Int32,
    isIdentity: Bool = false
  ) {
    if up != 0 { markForeign(up) }
    state.pointee.entries.push(
      Entry(
        kind: kind, rank: rank, isIdentity: isIdentity, number: number,
        frame: frameIndex(up: up), count: UInt32(truncatingIfNeeded: count), bits: bits))
  }

  /// Tells the frames above one that entries of others lie among theirs.
  private func markForeign(_ up: Int32) {
    let count = state.pointee.frames.count
    for index in (count - Int(up))..<count {
      (state.pointee.frames.base + index).pointee.hasForeignEntries = true
    }
  }
}
