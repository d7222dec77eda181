// What remains of an object that is passed over: nothing that cannot be found again. Objects inside
// it that have an identity and ended well stay; those without go.

extension ImportMachine {
  /// Notes that the document mentioned an object, though what it says of it is passed over.
  func noteMention(_ frame: Frame, _ index: Int32) {
    let entity = Int(frame.entity)
    guard plan.identityCounts[entity] > 0 else { return }
    let own = Entries(
      base: state.pointee.entries.base + frame.entryStart,
      count: state.pointee.entries.count - frame.entryStart, frame: index)
    state.pointee.identity.truncate(to: 0)
    guard gatherIdentity(entity, own) else { return }
    let values = UnsafeBufferPointer(
      start: UnsafePointer(state.pointee.identity.base), count: state.pointee.identity.count)
    if let found = transaction.find(identityOf: entity, values) { marks.note(.unchanged, found) }
  }

  /// Lets the objects without identity stay that an object with identity holds.
  func keepAnonymous(of frame: Frame, _ object: ObjectID) {
    let stack = state.pointee.anonymous
    guard stack.count > frame.anonymousStart, stack.top.pointee != object else { return }
    state.pointee.anonymous.truncate(to: frame.anonymousStart)
  }

  /// Takes back the objects without identity that were inserted for an object that is passed over,
  /// but for those that others have read from the same place.
  func removeAnonymous(since frame: Frame) {
    let stack = state.pointee.anonymous
    guard stack.count > frame.anonymousStart else { return }
    let ids = (frame.anonymousStart..<stack.count).map { stack[$0] }
    let kept = objectsOfOthers(among: Set(ids), since: frame)
    let removed = ids.filter { !kept.contains($0) }
    state.pointee.anonymous.truncate(to: frame.anonymousStart)
    for id in ids where kept.contains(id) { state.pointee.anonymous.push(id) }
    transaction.remove(removed)
    for id in removed { marks.forget(id) }
  }

  /// The objects that have gone to other frames than the innermost since it began, and what these
  /// objects hold in turn.
  private func objectsOfOthers(among ids: Set<ObjectID>, since frame: Frame) -> Set<ObjectID> {
    let index = Int32(state.pointee.frames.count - 1)
    var found: [ObjectID] = []
    for position in frame.entryStart..<state.pointee.entries.count {
      let entry = state.pointee.entries[position]
      guard entry.frame != index, entry.kind == .toOne || entry.kind == .element,
        let object = ObjectID(cell: entry.bits), ids.contains(object)
      else { continue }
      found.append(object)
    }
    var kept = Set(found)
    while let object = found.popLast() {
      for (number, relationship) in schema.entities[object.entity].relationships.enumerated() {
        let targets =
          relationship.isToMany
          ? transaction.toMany(object, relationship: number)
          : transaction.toOne(object, relationship: number).map { [$0] } ?? []
        for target in targets where ids.contains(target) && kept.insert(target).inserted {
          found.append(target)
        }
      }
    }
    return kept
  }
}
