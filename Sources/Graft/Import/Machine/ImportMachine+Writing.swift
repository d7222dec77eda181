extension ImportMachine {
  /// Writes what is known of an object.
  ///
  /// - Returns: Whether anything differed.
  func write(_ own: Entries, to object: ObjectID) -> Bool {
    var hasChanged = false
    var hasLinks = false
    let row = transaction.row(object)
    for position in 0..<own.count {
      let entry = own.base + position
      guard entry.pointee.frame == own.frame, !entry.pointee.isSuperseded else { continue }
      let number = Int(entry.pointee.number)
      switch entry.pointee.kind {
      case .word, .bytes, .null:
        if entry.pointee.isIdentity { continue }
        if row.set(number, rawValue(entry.pointee)) { hasChanged = true }
      case .default:
        if row.set(number, defaultValue(of: number, object.entity)) { hasChanged = true }
      case .toOne, .element, .collection:
        hasLinks = true
      }
    }
    return hasLinks && link(own, to: object) || hasChanged
  }

  /// The default of an attribute; null where it has none.
  private func defaultValue(of attribute: Int, _ entity: Int) -> RawValue {
    transaction.layout.defaults[entity].first { $0.attribute == attribute }?.value ?? .null
  }

  /// Writes the links of an object.
  private func link(_ own: Entries, to object: ObjectID) -> Bool {
    var hasChanged = false
    for position in 0..<own.count {
      let entry = own.base + position
      guard entry.pointee.frame == own.frame, !entry.pointee.isSuperseded else { continue }
      let number = Int(entry.pointee.number)
      switch entry.pointee.kind {
      case .toOne:
        let target = ObjectID(cell: entry.pointee.bits)
        if transaction.setToOne(object, relationship: number, target) { hasChanged = true }
      case .collection:
        if setMembers(of: object, own, from: position) { hasChanged = true }
      default: break
      }
    }
    return hasChanged
  }

  /// Writes the members of a to-many relationship, which stand behind the entry that says that it is present.
  private func setMembers(of object: ObjectID, _ own: Entries, from position: Int) -> Bool {
    let collection = own.base[position]
    state.pointee.members.truncate(to: 0)
    for other in position + 1..<own.count {
      let entry = own.base + other
      guard entry.pointee.frame == own.frame, entry.pointee.number == collection.number else {
        continue
      }
      // A later collection of the same relationship is a key that stands twice: the later one counts.
      if entry.pointee.kind == .collection, entry.pointee.rank == collection.rank { return false }
      guard entry.pointee.kind == .element, entry.pointee.rank == collection.rank,
        let member = ObjectID(cell: entry.pointee.bits)
      else { continue }
      state.pointee.members.push(member)
    }
    let members = UnsafeBufferPointer(
      start: UnsafePointer(state.pointee.members.base), count: state.pointee.members.count)
    let number = Int(collection.number)
    return plan.collectionPolicy(of: object.entity, number) == .union
      ? transaction.unite(object, relationship: number, members)
      : transaction.setToMany(object, relationship: number, members)
  }
}
