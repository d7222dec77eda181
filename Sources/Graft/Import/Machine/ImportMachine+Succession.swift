// A stub is made of the entity that a relationship names. Where the document says later that it is
// of a sub-entity, an object of that takes its place, under an identifier of its own. Those who hold
// the stub's identifier meanwhile, on their way into the graph or waiting for the end, are told by
// `successors`.

extension ImportMachine {
  /// Whether an object is a stub that may turn out to be of an entity.
  func isForerunner(_ object: ObjectID, of entity: Int) -> Bool {
    transaction.isStub(object) && schema.entities[object.entity].family.contains(entity)
  }

  /// Puts an object in the place of a stub.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - entity: The entity of the object, below the stub's.
  ///   - identity: The identity of both.
  ///   - remainsStub: Whether no more is known of the object either.
  /// - Returns: The object.
  func succeed(
    _ stub: ObjectID, entity: Int, _ identity: UnsafeBufferPointer<RawValue>, remainsStub: Bool
  ) -> ObjectID {
    transaction.unregister(stub)
    let object = transaction.insert(entity: entity, identity: identity, stub: remainsStub)
    transaction.succeed(stub, by: object)
    let isNew = marks.mark(of: stub) == .inserted
    marks.forget(stub)
    marks.note(isNew ? .inserted : .updated, object)
    successors[stub] = object
    state.pointee.hasSuccessors = true
    if remainsStub { tally.stubs.append(object) }
    return object
  }

  /// The object that stands where another stood.
  func current(_ object: ObjectID) -> ObjectID {
    var current = object
    while let successor = successors[current] { current = successor }
    return current
  }

  /// Lets the links that a frame holds lead to the objects that have taken the place of others.
  func redirect(_ own: Entries) {
    for position in 0..<own.count {
      let entry = own.base + position
      guard entry.pointee.kind == .toOne || entry.pointee.kind == .element,
        let object = ObjectID(cell: entry.pointee.bits)
      else { continue }
      entry.pointee.bits = current(object).rawValue
    }
  }

  /// Lets all that is written or waits for the end lead to the objects that have taken the place of
  /// others.
  func settleSuccessors() {
    guard !successors.isEmpty else { return }
    transaction.redirectUnanswered(
      Dictionary(uniqueKeysWithValues: successors.keys.map { ($0, current($0)) }))
    tally.rootIDs = tally.rootIDs.map { $0.map { current($0) } }
    tally.followDeferred { self.current($0) }
    for index in tally.removed.indices {
      tally.removed[index].objects = tally.removed[index].objects.map { current($0) }
    }
    successors = [:]
    state.pointee.hasSuccessors = false
  }
}
