// Objects whose entity depends on what they hold. Live events go to a tape until the entity is
// known: at the deciding key where there is one, else at the end of the object. An undecided object
// that is met while a tape is played is whole on that tape, so nothing is copied again.

extension ImportMachine {
  /// Begins an object whose entity is not known yet.
  func openUndecided(_ number: Int32) -> Bool {
    if let playing = place as? EventTape {
      return openVariant(of: number, on: playing, object: playing.cursor)
    }
    tape = EventTape(
      container: number, mode: state.pointee.mode, baseDepth: state.pointee.levels.count + 1,
      outside: place, limit: options.bufferLimit)
    state.pointee.mode = .taping
    return true
  }

  /// Whether the event at hand ends the object that is recorded.
  var endsTape: Bool { tape?.depth == 0 }

  /// Records an event.
  func record(
    _ kind: EventTape.Kind, _ text: UnsafePointer<UInt8>? = nil, _ count: Int = 0
  ) -> Bool {
    guard let tape else { return true }
    guard tape.record(kind, text, count) else {
      failure = ImportError(
        kind: .limit, location: place.tokenLocation, path: place.path(),
        message: "more than \(options.bufferLimit) bytes wait for what the object is;"
          + " let it come earlier, or raise bufferLimit")
      return false
    }
    return true
  }

  /// Records a scalar, and goes on with the object where the scalar tells what it is.
  func recordScalar(_ scalar: ScalarEvent) -> Bool {
    guard let tape else { return true }
    let goesOn =
      switch scalar.kind {
      case .null: record(.null)
      case .boolean: record(.boolean, nil, scalar.text.first == 0x74 ? 1 : 0)
      case .number: record(.number, scalar.text.baseAddress, scalar.text.count)
      case .string: record(.string, scalar.text.baseAddress, scalar.text.count)
      }
    guard goesOn else { return false }
    let container = plan.containers[Int(tape.container)]
    guard tape.depth == 0, let key = plan.decidingKeys[Int(container.decision)],
      tape.events.count > 1
    else { return true }
    let name = tape.events[tape.events.count - 2]
    guard tape.text(name).elementsEqual(key), scalar.kind != .null else { return true }
    return finishTape()
  }

  /// Chooses the object's entity, and reads what has been recorded.
  func finishTape() -> Bool {
    guard let tape else { return true }
    self.tape = nil
    state.pointee.mode = tape.mode
    place = tape
    defer { place = tape.outside }
    guard openVariant(of: tape.container, on: tape, object: -1) else { return false }
    return tape.play(to: self)
  }

  /// Begins an object as what the tape says that it is, or as what the program makes of it.
  private func openVariant(of number: Int32, on tape: EventTape, object: Int) -> Bool {
    let decision = plan.decisions[Int(plan.containers[Int(number)].decision)]
    guard !decision.rewriters.isEmpty else {
      return openVariant(of: number, decision, on: tape, object: object)
    }
    switch rewrite(decision, on: tape, object: object) {
    case .stops: return false
    case .passedOver: return mention(number)
    case .unchanged: return openVariant(of: number, decision, on: tape, object: object)
    case .replaced(let replacement):
      tape.pass(over: object)
      place = replacement
      defer { place = tape }
      return openVariant(of: number, decision, on: replacement, object: -1)
        && replacement.play(to: self)
    }
  }

  private func openVariant(
    of number: Int32, _ decision: PlanDecision, on tape: EventTape, object: Int
  ) -> Bool {
    var outcome: [Int] = []
    for choice in decision.choices {
      // What is passed over is read all the same: whom it mentions is not missing.
      if state.pointee.mentionDepth == 0, isUnknown(choice, on: tape, object: object) {
        state.pointee.mentionDepth = state.pointee.levels.count + 1
      }
      switch entity(choice, on: tape, object: object) {
      case .success(let entity): outcome.append(entity)
      case .failure(let error): return leaveOut(error) && mention(number)
      }
    }
    return openDecided(decision.variants[outcome] ?? number, isArray: false)
  }

  /// Reads an object that is passed over, so that whom it mentions is not missing.
  private func mention(_ number: Int32) -> Bool {
    if state.pointee.mentionDepth == 0 {
      state.pointee.mentionDepth = state.pointee.levels.count + 1
    }
    return openDecided(number, isArray: false)
  }

  /// The entity of an object: what its discriminator or mapper says, else that of the object with
  /// its identity, else the one expected; an error where the former say what no entity is.
  private func entity(
    _ choice: PlanDecision.Choice, on tape: EventTape, object: Int
  ) -> Result<Int, ImportError> {
    if let path = choice.discriminator, let index = tape.value(at: path, of: object),
      tape.events[index].kind != .null
    {
      let entity = discriminatorValue(tape, index).flatMap { choice.values[$0] }
      return entity.map { .success($0) }
        ?? .failure(unknownValue(of: choice, at: index, on: tape, object: object))
    }
    if let mapper = choice.mapper {
      do throws(ImportError) {
        if let entity = try map(mapper, choice, on: tape, object: object) {
          return .success(entity)
        }
      } catch {
        return .failure(error)
      }
    }
    guard let found = find(choice, on: tape, object: object),
      schema.entities[choice.entity].family.contains(found.entity)
    else { return .success(choice.entity) }
    return .success(found.entity)
  }

  /// Why a discriminator says what no entity is.
  private func unknownValue(
    of choice: PlanDecision.Choice, at index: Int, on tape: EventTape, object: Int
  ) -> ImportError {
    let entity = schema.entities[choice.entity]
    let found = tape.scalar(index).map { self.found($0) } ?? "no scalar"
    let known = choice.values.filter { plan.entities[$0.value].isInstantiable }.keys.sorted()
      .map { "\"\($0)\"" }.joined(separator: ", ")
    tape.move(to: index)
    defer { tape.move(to: object) }
    return ImportError(
      kind: .invalidValue, location: tape.tokenLocation, path: tape.path(), entity: entity.name,
      expected: "a sub-entity of \(entity.name) (\(known))", found: found)
  }

  private func discriminatorValue(_ tape: EventTape, _ index: Int) -> String? {
    let event = tape.events[index]
    return switch event.kind {
    case .string, .number: String(decoding: tape.text(event), as: UTF8.self)
    case .boolean: event.count != 0 ? "true" : "false"
    default: nil
    }
  }

  /// The object that has the identity of one on a tape.
  private func find(
    _ choice: PlanDecision.Choice, on tape: EventTape, object: Int
  ) -> ObjectID? {
    guard let identity = identity(choice, on: tape, object: object) else { return nil }
    return OwnedValue.withRawValues(identity[...]) {
      transaction.find(identityOf: choice.entity, $0)
    }
  }

  /// The identity of an object on a tape; nil where it has none.
  private func identity(
    _ choice: PlanDecision.Choice, on tape: EventTape, object: Int
  ) -> [OwnedValue]? {
    guard !choice.identity.isEmpty else { return nil }
    var values: [OwnedValue] = []
    for part in choice.identity {
      let event = part.paths.lazy.compactMap { tape.value(at: $0, of: object) }.first
      guard let event, let scalar = tape.scalar(event), scalar.kind != .null,
        let value = convert(scalar, part.conversion, part.property), !value.isNull
      else { return nil }
      values.append(OwnedValue(value))
    }
    return values
  }

  /// Whether an update-only import passes an object over, with all that it holds: it has an
  /// identity, and that names none.
  private func isUnknown(
    _ choice: PlanDecision.Choice, on tape: EventTape, object: Int
  ) -> Bool {
    guard options.mode == .updateOnly,
      let identity = identity(choice, on: tape, object: object)
    else { return false }
    return OwnedValue.withRawValues(identity[...]) {
      transaction.find(identityOf: choice.entity, $0) == nil
    }
  }
}

extension EventTape {
  /// A recorded scalar as it came; nil for containers.
  func scalar(_ index: Int) -> ScalarEvent? {
    let event = events[index]
    return switch event.kind {
    case .null: ScalarEvent.null
    case .boolean: .boolean(event.count != 0)
    case .number: ScalarEvent(kind: .number, text: text(event))
    case .string: ScalarEvent(kind: .string, text: text(event))
    default: nil
    }
  }
}

extension OwnedValue {
  /// Lends several values as columns take them.
  static func withRawValues<Result>(
    _ values: ArraySlice<OwnedValue>, _ body: (UnsafeBufferPointer<RawValue>) -> Result
  ) -> Result {
    func lend(_ rest: ArraySlice<OwnedValue>, _ lent: [RawValue]) -> Result {
      guard let first = rest.first else { return lent.withUnsafeBufferPointer(body) }
      return first.withRawValue { lend(rest.dropFirst(), lent + [$0]) }
    }
    return lend(values, [])
  }
}
