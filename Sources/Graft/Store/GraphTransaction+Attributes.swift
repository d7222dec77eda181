// Writing attributes is the hottest path of an import. All writing goes through `RowWriter`, which
// is a few plain pointers into the transaction: it compares with the cell at hand, shared or not,
// and has the group copied only when a value differs.

extension GraphTransaction {
  /// Sets an attribute that is not part of the identity.
  ///
  /// - Returns: Whether the value differed from what was there.
  func set(_ id: ObjectID, attribute: Int, _ value: RawValue) -> Bool {
    row(id).set(attribute, value)
  }

  /// Whether an attribute has no value.
  func isNull(_ id: ObjectID, attribute: Int) -> Bool {
    let shape = tables[id.entity].shape
    return !group(of: id).bit(id.row & shape.mask, at: shape.attributes[attribute].validity)
  }

  /// The value of an attribute; its bytes are borrowed until the next write.
  func value(_ id: ObjectID, attribute: Int) -> RawValue {
    let shape = tables[id.entity].shape
    return group(of: id).value(id.row & shape.mask, shape.attributes[attribute])
  }

  /// Whether nothing but the object's identity is known.
  func isStub(_ id: ObjectID) -> Bool {
    let shape = tables[id.entity].shape
    return group(of: id).bit(id.row & shape.mask, at: shape.stubBits)
  }

  func setStub(_ id: ObjectID, _ isStub: Bool) {
    guard self.isStub(id) != isStub else { return }
    let shape = tables[id.entity].shape
    let group = writableGroup(of: id)
    if isStub {
      group.setBit(id.row & shape.mask, at: shape.stubBits)
    } else {
      group.clearBit(id.row & shape.mask, at: shape.stubBits)
    }
  }

  /// A writer for several attributes of one object.
  func row(_ id: ObjectID) -> RowWriter {
    let table = tables + id.entity
    let number = id.row &>> table.pointee.shape.shift
    if table.pointee.slots[number].group == nil { _ = lookUp(id.entity, number) }
    return RowWriter(
      slot: table.pointee.slots + number, columns: table.pointee.shape.attributes,
      row: id.row & table.pointee.shape.mask, entity: id.entity, number: number,
      transaction: Unmanaged.passUnretained(self))
  }
}

/// Writes attributes of one object without looking the object up each time.
///
/// Valid until the next insertion into the object's table, and while the transaction lives: it is
/// plain pointers.
struct RowWriter {
  fileprivate let slot: UnsafeMutablePointer<WorkingSlot>
  fileprivate let columns: UnsafeMutablePointer<AttributeColumn>
  fileprivate let row: Int
  fileprivate let entity: Int
  fileprivate let number: Int
  fileprivate let transaction: Unmanaged<GraphTransaction>

  /// Sets an attribute that is not part of the identity.
  ///
  /// - Returns: Whether the value differed from what was there.
  func set(_ attribute: Int, _ value: RawValue) -> Bool {
    let column = columns + attribute
    assert(!column.pointee.isIdentity, "an identity is changed with setIdentity")
    guard let group = slot.pointee.group else { return false }
    // Numbers and dates are most of the values, and need no more than a comparison of words.
    if column.pointee.kind == .word, !value.isNull {
      let cell = group.word(row, column)
      if group.bit(row, at: column.pointee.validity), cell.pointee == value.bits { return false }
      let writable = slot.pointee.isOwned ? group : own()
      writable.word(row, column).pointee = value.bits
      writable.setBit(row, at: column.pointee.validity)
      return true
    }
    return setOther(group, value, column)
  }

  @inline(never)
  private func setOther(
    _ group: GroupPointer, _ value: RawValue, _ column: UnsafeMutablePointer<AttributeColumn>
  ) -> Bool {
    if group.holds(value, row, column.pointee) { return false }
    let writable = slot.pointee.isOwned ? group : own()
    writable.replace(value, row, column.pointee)
    return true
  }

  @inline(never)
  private func own() -> GroupPointer {
    transaction._withUnsafeGuaranteedRef { $0.own(entity, number) }
  }
}
