// Writing attributes is the hottest path of an import. A row writer is a few plain pointers into
// the transaction's tables. It compares a value with the present cell, even in a shared group, and
// has the group copied only if the value differs.
//
// Raw memory. Invariant: the pointers are valid until the next insertion into the object's table, and while the
// transaction lives. The group was looked up when the writer was made.

/// Writes attributes of one object without looking the object up each time.
@safe package struct RowWriter {
  private let slot: UnsafeMutablePointer<WorkingTable.Slot>
  private let columns: BorrowedBuffer<AttributeColumn>
  private let row: Int
  private let number: Int
  private let table: UnsafeMutablePointer<WorkingTable>

  /// - Parameters:
  ///   - table: The object's table.
  ///   - number: The number of the object's group, which has been looked up.
  ///   - row: The object's row in its group.
  @unsafe init(table: UnsafeMutablePointer<WorkingTable>, number: Int, row: Int) {
    unsafe slot = table.pointee.slots + number
    columns = unsafe table.pointee.shape.attributes
    self.row = row
    self.number = number
    unsafe self.table = table
  }

  /// Whether an attribute has a value.
  func holds(_ attribute: Int, _ value: RawValue) -> Bool {
    unsafe slot.pointee.group?.holds(value, row, columns[attribute]) ?? false
  }

  /// Sets an attribute that is not part of the identity.
  ///
  /// - Returns: Whether the value differed from the present one.
  package func set(_ attribute: Int, _ value: RawValue) -> Bool {
    let column = columns[attribute]
    assert(!column.isIdentity, "an identity is changed with setIdentity")
    guard let group = unsafe slot.pointee.group else { return false }
    // Numbers and dates are most of the values, and need no more than a comparison of words.
    if column.kind == .word, !value.isNull {
      if group.bit(row, at: column.validity), group.word(row, column) == value.bits { return false }
      let writable = unsafe slot.pointee.isOwned ? group : own()
      writable.setWord(row, column, value.bits)
      return true
    }
    return setOther(group, value, column)
  }

  @inline(never)
  private func setOther(
    _ group: GroupPointer, _ value: RawValue, _ column: AttributeColumn
  ) -> Bool {
    if group.holds(value, row, column) { return false }
    let writable = unsafe slot.pointee.isOwned ? group : own()
    writable.replace(value, row, column)
    return true
  }

  private func own() -> GroupPointer { unsafe table.pointee.own(number) }
}
