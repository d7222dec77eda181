// Incremental saves: between two objects of the roots nothing is half read, and what has been read
// can be published.

extension ImportMachine {
  /// Publishes what has been read, where no object is open.
  @inline(never)
  func saveIfPossible() -> Bool {
    guard state.pointee.frames.count == 1 else { return true }
    settleSuccessors()
    do {
      let result = try store.commit(transaction)
      tally.objectsSinceSave = 0
      // The indexes know nothing of what others have written; the next look-up makes them anew.
      if result.isRebased { lookups = [:] }
      if !result.remapping.isEmpty { follow(result) }
      return true
    } catch {
      failure = ImportError(error)
      return false
    }
  }

  /// Takes up the identifiers that objects have got, because the store had changed meanwhile.
  private func follow(_ result: CommitResult) {
    // All are taken away before any is set: one object may get the identifier that another had.
    let moved = result.remapping.map { (new: $0.value, mark: marks.mark(of: $0.key)) }
    for old in result.remapping.keys { marks.forget(old) }
    for (new, mark) in moved { marks.note(mark, new) }
    tally.stubs = tally.stubs.map { result.current($0) }
    tally.rootIDs = tally.rootIDs.map { $0.map { result.current($0) } }
    tally.followDeferred { result.current($0) }
    for index in tally.removed.indices {
      tally.removed[index].objects = tally.removed[index].objects.map { result.current($0) }
    }
  }
}
