extension ImportMachine {
  /// Does what a scalar means at a position.
  func apply(_ actions: Range32, _ scalar: ScalarEvent) -> Bool {
    for index in actions.indices {
      let action = plan.scalars.baseAddress.unsafelyUnwrapped + index
      let goesOn =
        switch action.pointee.kind {
        case .attribute:
          applyAttribute(action, action.pointee.part == .value ? scalar : name(action.pointee.part))
        case .toOne, .element, .rootElement: applyReference(action, scalar)
        case .toMany: applyToMany(action, scalar)
        case .container: applyContainer(action, scalar)
        case .root: applyRoot(action, scalar)
        case .object: applyObject(action, scalar)
        }
      guard goesOn else { return false }
    }
    return true
  }

  /// Notes an attribute's value.
  @inline(__always)
  func applyAttribute(_ action: UnsafePointer<ScalarAction>, _ scalar: ScalarEvent) -> Bool {
    if scalar.kind == .null { return applyNull(action) }
    guard let value = convert(scalar, action.pointee.conversion, action.pointee.property) else {
      return reject(scalar, action)
    }
    if value.isNull { return applyNull(action) }
    if let start = value.start {
      pushBytes(start, value.count, action)
    } else {
      note(action)
      push(
        .word, number: action.pointee.number, rank: action.pointee.rank, bits: value.bits,
        up: action.pointee.up, isIdentity: action.pointee.isIdentity)
    }
    return true
  }

  /// Notes an attribute's value that is text or bytes.
  @inline(__always)
  func pushBytes(
    _ start: UnsafePointer<UInt8>, _ count: Int, _ action: UnsafePointer<ScalarAction>
  ) {
    note(action)
    let position = state.pointee.bytes.push(start, count)
    push(
      .bytes, number: action.pointee.number, rank: action.pointee.rank,
      bits: UInt64(truncatingIfNeeded: position), count: count, up: action.pointee.up,
      isIdentity: action.pointee.isIdentity)
  }

  /// Notes that a required attribute has a value.
  @inline(__always)
  private func note(_ action: UnsafePointer<ScalarAction>) {
    guard action.pointee.requiredBit != 0 else { return }
    let frame = state.pointee.frames.base + Int(frameIndex(up: action.pointee.up))
    frame.pointee.seen |= action.pointee.requiredBit
  }

  /// Does what an explicit `null` means for an attribute.
  @inline(__always)
  private func applyNull(_ action: UnsafePointer<ScalarAction>) -> Bool {
    switch action.pointee.onNull {
    case .keep:
      noteIdle(plan.properties[Int(action.pointee.property)], up: action.pointee.up)
      return true
    case .clear: return pushNull(.null, action)
    case .default: return pushNull(.default, action)
    case .error:
      return reject(
        .missingValue, plan.properties[Int(action.pointee.property)], found: "null",
        up: action.pointee.up)
    }
  }

  private func pushNull(_ kind: Entry.Kind, _ action: UnsafePointer<ScalarAction>) -> Bool {
    push(
      kind, number: action.pointee.number, rank: action.pointee.rank,
      bits: kind == .collection ? 1 : 0, up: action.pointee.up,
      isIdentity: action.pointee.isIdentity)
    return true
  }

  /// A scalar where the array of a to-many relationship belongs.
  private func applyToMany(_ action: UnsafePointer<ScalarAction>, _ scalar: ScalarEvent) -> Bool {
    guard scalar.kind == .null else {
      return reject(
        .wrongType, plan.properties[Int(action.pointee.property)], found: found(scalar),
        up: action.pointee.up)
    }
    switch action.pointee.onNull {
    case .keep:
      noteIdle(plan.properties[Int(action.pointee.property)], up: action.pointee.up)
      return true
    case .clear, .default: return pushNull(.collection, action)
    case .error:
      return reject(
        .missingValue, plan.properties[Int(action.pointee.property)], found: "null",
        up: action.pointee.up)
    }
  }

  /// A scalar where the container of a wildcard belongs.
  private func applyContainer(_ action: UnsafePointer<ScalarAction>, _ scalar: ScalarEvent) -> Bool
  {
    guard scalar.kind == .null else { return true }
    guard plan.properties[Int(action.pointee.property)].entity < 0 else {
      return applyToMany(action, scalar)
    }
    tally.rootWasFound[Int(action.pointee.number)] = true
    return true
  }

  /// A scalar where a root's objects belong.
  private func applyRoot(_ action: UnsafePointer<ScalarAction>, _ scalar: ScalarEvent) -> Bool {
    tally.rootWasFound[Int(action.pointee.number)] = true
    guard scalar.kind != .null else { return true }
    return reject(
      .wrongType, plan.properties[Int(action.pointee.property)], found: found(scalar),
      up: action.pointee.up)
  }

  /// A scalar that is all there is of an object.
  private func applyObject(_ action: UnsafePointer<ScalarAction>, _ scalar: ScalarEvent) -> Bool {
    guard scalar.kind != .null else {
      tally.skippedNulls += 1
      return true
    }
    let open = action.pointee.open
    pushFrames(Range32(start: open, count: 1), depth: 0)
    let values = plan.objectScalars(of: plan.opens[Int(open)].entity)
    for index in values.indices {
      let value = plan.scalars.baseAddress.unsafelyUnwrapped + index
      let part = value.pointee.part == .value ? scalar : name(value.pointee.part)
      guard applyAttribute(value, part) else { return false }
    }
    return closeFrame()
  }

  /// Refuses a scalar that cannot be converted.
  @inline(never)
  private func reject(_ scalar: ScalarEvent, _ action: UnsafePointer<ScalarAction>) -> Bool {
    let property = plan.properties[Int(action.pointee.property)]
    // Without its identity the object is none: it goes with the value, and is not listed again.
    if action.pointee.isIdentity, options.errorPolicy != .fail {
      drop(Int(frameIndex(up: action.pointee.up)))
    }
    let complaint = complaint
    self.complaint = nil
    return reject(
      complaint == nil ? .wrongType : .invalidValue, property, found: found(scalar),
      message: complaint, up: action.pointee.up)
  }
}
