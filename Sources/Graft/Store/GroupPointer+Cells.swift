// Attributes' cells: comparing, writing, clearing. A cell's validity bit says whether it has a
// value; the bytes of a null cell mean nothing, except that a text's cell is zero, so that it
// refers to no page. Only groups that the caller's transaction owns may be written.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension GroupPointer {
  /// Whether an attribute's cell holds this value.
  @inline(__always)
  func holds(
    _ value: RawValue, _ row: Int, _ column: AttributeColumn, asIdentity: Bool = false
  ) -> Bool {
    let isValid = bit(row, at: column.validity)
    if value.isNull { return !isValid }
    guard isValid else { return false }
    let cells = base + column.cells
    switch column.kind {
    case .word:
      let bits = cells.assumingMemoryBound(to: UInt64.self)[row]
      return bits == value.bits
        || asIdentity && column.canonical(bits) == column.canonical(value.bits)
    case .flag:
      return cells.assumingMemoryBound(to: UInt8.self)[row] == UInt8(truncatingIfNeeded: value.bits)
    case .uuid:
      guard value.count == 16, let start = value.start else { return false }
      return memcmp(cells + row &* 16, start, 16) == 0
    case .bytes:
      return holds(cells.assumingMemoryBound(to: BytesCell.self) + row, value.bytes)
    }
  }

  /// Writes a value that is not null into a cell that has none.
  @inline(__always)
  func store(_ value: RawValue, _ row: Int, _ column: AttributeColumn) {
    setBit(row, at: column.validity)
    switch column.kind {
    case .word, .flag, .uuid: storeFixed(value, row, column)
    case .bytes:
      storeBytes(
        value.bytes, in: (base + column.cells).assumingMemoryBound(to: BytesCell.self) + row)
    }
  }

  /// Writes a value into a cell, whatever it held.
  @inline(__always)
  func replace(_ value: RawValue, _ row: Int, _ column: AttributeColumn) {
    if value.isNull { return clear(row, column) }
    guard column.kind == .bytes else {
      setBit(row, at: column.validity)
      return storeFixed(value, row, column)
    }
    guard bit(row, at: column.validity) else { return store(value, row, column) }
    replaceBytes(
      value.bytes, in: (base + column.cells).assumingMemoryBound(to: BytesCell.self) + row)
  }

  /// Makes a cell null.
  func clear(_ row: Int, _ column: AttributeColumn) {
    guard bit(row, at: column.validity) else { return }
    clearBit(row, at: column.validity)
    guard column.kind == .bytes else { return }
    let cell = (base + column.cells).assumingMemoryBound(to: BytesCell.self) + row
    if cell.pointee.count > BytesCell.inlineCapacity {
      discard(page: cell.pointee.page, byteCount: Int(cell.pointee.count))
    }
    cell.pointee = BytesCell(count: 0, prefix: 0, page: 0, offset: 0)
  }

  @inline(__always)
  private func storeFixed(_ value: RawValue, _ row: Int, _ column: AttributeColumn) {
    let cells = base + column.cells
    switch column.kind {
    case .word:
      cells.assumingMemoryBound(to: UInt64.self)[row] = value.bits
    case .flag:
      cells.assumingMemoryBound(to: UInt8.self)[row] = UInt8(truncatingIfNeeded: value.bits)
    case .uuid:
      guard value.count == 16, let start = value.start else { return clear(row, column) }
      (cells + row &* 16).copyMemory(from: start, byteCount: 16)
    case .bytes: break
    }
  }
}
