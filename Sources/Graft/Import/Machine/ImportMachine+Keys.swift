// Names that are looked at one by one: only where a root may lie below, and where the options ask
// for it.

extension ImportMachine {
  /// Looks at a name of the innermost object.
  @inline(never)
  func watchKey(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let watch = state.pointee.container.pointee.watch
    if watch.contains(.leadsToRoot) { noteOnTrail(text, count) }
    let name = UnsafeBufferPointer(start: text, count: count)
    if watch.contains(.duplicate) {
      let depth = state.pointee.levels.count
      if !names[depth, default: []].insert(Array(name)).inserted {
        let key = String(decoding: name, as: UTF8.self)
        return rejectKey("the key \"\(key)\" stands twice in one object; remove one of the two")
      }
    }
    guard watch.contains(.unknown), state.pointee.next < 0 else { return true }
    return noteUnknown(String(decoding: name, as: UTF8.self))
  }

  /// Leaves the innermost object.
  func forgetKeys() {
    let depth = state.pointee.levels.count
    tally.trail.leave(depth: depth)
    names[depth] = nil
  }

  /// Reports or refuses a name that no property reads.
  private func noteUnknown(_ key: String) -> Bool {
    let number = Int(state.pointee.frames.top.pointee.entity)
    let entity = number < 0 ? nil : plan.entities[number].schema
    let known =
      (entity?.attributes.flatMap(\.paths) ?? []) + (entity?.relationships.flatMap(\.paths) ?? [])
    let names = known.compactMap { path in
      if case .member(let name) = path.steps.first { name } else { nil }
    }
    let owner = entity.map { " of \($0.name)" } ?? ""
    let message = "no property\(owner) reads the key \"\(key)\"\(suggestion(for: key, in: names))"
    if options.unknownKeys == .error { return rejectKey(message) }
    guard state.pointee.mentionDepth == 0 else { return true }
    tally.notices.note(.notice, limit: options.issueLimit) { keyError(message) }
    return true
  }

  private func rejectKey(_ message: String) -> Bool {
    let error = keyError(message)
    if options.errorPolicy == .skipObject { drop(state.pointee.frames.count - 1) }
    return leaveOut(error)
  }

  private func keyError(_ message: String) -> ImportError {
    let entity = Int(state.pointee.frames.top.pointee.entity)
    return ImportError(
      kind: .key, location: place.tokenLocation, path: place.path(),
      entity: entity < 0 ? nil : schema.entities[entity].name, message: message)
  }
}
