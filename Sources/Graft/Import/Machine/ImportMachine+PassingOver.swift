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

  /// Takes back the objects without identity that were inserted for an object that is passed over.
  func removeAnonymous(since frame: Frame) {
    let stack = state.pointee.anonymous
    guard stack.count > frame.anonymousStart else { return }
    let ids = (frame.anonymousStart..<stack.count).map { stack[$0] }
    state.pointee.anonymous.truncate(to: frame.anonymousStart)
    transaction.remove(ids)
    for id in ids { marks.forget(id) }
  }
}
