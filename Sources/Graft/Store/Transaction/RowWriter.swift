// Writing attributes is the hottest path of an import. A row writer is a few plain pointers into
// the transaction's tables: it compares with the present cell, whether its group is shared or not,
// and has the group copied only when a value differs.
//
// Invariant: the pointers are valid until the next insertion into the object's table, and while the
// transaction lives. The group was looked up when the writer was made.

/// Writes attributes of one object without looking the object up each time.
struct RowWriter {
  private let slot: UnsafeMutablePointer<WorkingTable.Slot>
  private let columns: UnsafeMutablePointer<AttributeColumn>
  private let row: Int
  private let number: Int
  private let table: UnsafeMutablePointer<WorkingTable>

  /// - Parameters:
  ///   - table: The object's table.
  ///   - number: The number of the object's group, which has been looked up.
  ///   - row: The object's row in its group.
  init(table: UnsafeMutablePointer<WorkingTable>, number: Int, row: Int) {
    slot = table.pointee.slots + number
    columns = table.pointee.shape.attributes
    self.row = row
    self.number = number
    self.table = table
  }

  /// Sets an attribute that is not part of the identity.
  ///
  /// - Returns: Whether the value differed from the present one.
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

  private func own() -> GroupPointer { table.pointee.own(number) }
}
