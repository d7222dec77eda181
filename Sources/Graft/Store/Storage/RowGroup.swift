// A row group is one raw allocation; TableShape.swift says what is where in it.
//
// Invariants:
// - A group that a graph holds is never written again, its header included. Only its transaction
//   writes a group, before it is published. That is what makes `RowGroup` Sendable.
// - `RowGroup` owns the allocation, and one reference to each page in the header.
// - Pages before `frozenPages` may be shared with other groups and are never written; the others
//   belong to this group alone.
// - A validity bit says whether a cell has a value. The bytes of a null cell mean nothing, except
//   that a `BytesCell` is zero, so that it refers to no page.

/// One group of rows: the owner of the memory that a ``GroupPointer`` points to.
final class RowGroup: @unchecked Sendable {
  let pointer: GroupPointer

  /// Makes a group without rows.
  init(shape: TableShape) {
    pointer = GroupPointer(base: CLibrary.allocateZeroed(byteCount: shape.byteCount))
    pointer.header.initialize(to: GroupHeader())
  }

  /// Makes a copy that can be written; it shares the pages of the original unless it is compacted.
  init(copying original: GroupPointer, shape: TableShape) {
    pointer = GroupPointer(base: CLibrary.allocateZeroed(byteCount: shape.byteCount))
    pointer.base.copyMemory(from: original.base, byteCount: shape.byteCount)
    if original.needsCompaction {
      pointer.header.initialize(to: GroupHeader())
      pointer.copyHeapValues(of: original, shape: shape)
    } else {
      pointer.sharePages()
    }
  }

  deinit {
    pointer.releasePages()
    CLibrary.deallocate(pointer.base)
  }
}

/// The start of a group's memory: where its values of varying size are.
struct GroupHeader {
  var pages: UnsafeMutablePointer<HeapPageSlot>?
  var pageCount: UInt32 = 0
  var pageCapacity: UInt32 = 0
  /// Pages before this one are shared and read-only.
  var frozenPages: UInt32 = 0
  /// The page that small values are appended to, and its bytes in use.
  var openPage: UInt32 = 0
  var openBytes: UnsafeMutableRawPointer?
  var openUsed = 0
  var openCapacity = 0
  /// Bytes handed out, and those of them that no cell refers to any more.
  var allocated = 0
  var garbage = 0
}

/// The memory of a group, for reading and writing cells.
///
/// Trivial on purpose: one is made for every value read or written, and it counts no references.
struct GroupPointer {
  let base: UnsafeMutableRawPointer

  var header: UnsafeMutablePointer<GroupHeader> { base.assumingMemoryBound(to: GroupHeader.self) }

  /// A bitmap of the rows, by its offset.
  func words(at offset: Int) -> UnsafeMutablePointer<UInt64> {
    (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  func bit(_ row: Int, at offset: Int) -> Bool {
    words(at: offset)[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  func setBit(_ row: Int, at offset: Int) {
    words(at: offset)[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
  }

  func clearBit(_ row: Int, at offset: Int) {
    words(at: offset)[row &>> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: row & 63))
  }

  /// Whether a row holds an object that is not deleted.
  func isLive(_ row: Int) -> Bool { bit(row, at: TableShape.liveBits) }

  func word(
    _ row: Int, _ column: UnsafeMutablePointer<AttributeColumn>
  ) -> UnsafeMutablePointer<UInt64> {
    (base + column.pointee.cells).assumingMemoryBound(to: UInt64.self) + row
  }

  func toOne(_ row: Int, _ column: RelationshipColumn) -> UnsafeMutablePointer<UInt64> {
    (base + column.cells).assumingMemoryBound(to: UInt64.self) + row
  }

  func list(_ row: Int, _ column: RelationshipColumn) -> UnsafeMutablePointer<ListCell> {
    (base + column.cells).assumingMemoryBound(to: ListCell.self) + row
  }
}

// Attributes. Only groups that the caller's transaction owns may be written.
extension GroupPointer {
  /// The value of an attribute; its bytes are borrowed from the group.
  func value(_ row: Int, _ column: AttributeColumn) -> RawValue {
    guard bit(row, at: column.validity) else { return .null }
    let cells = base + column.cells
    switch column.kind {
    case .word:
      let bits = cells.assumingMemoryBound(to: UInt64.self)[row]
      return RawValue(bits: bits, start: nil, count: 0, isNull: false)
    case .flag:
      return .boolean(cells.assumingMemoryBound(to: UInt8.self)[row] != 0)
    case .uuid:
      return .bytes(UnsafePointer(cells.assumingMemoryBound(to: UInt8.self) + row &* 16), count: 16)
    case .bytes:
      let bytes = self.bytes(cells.assumingMemoryBound(to: BytesCell.self) + row)
      return .bytes(bytes.baseAddress, count: bytes.count)
    }
  }

  /// Whether an attribute has this value.
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
      return CLibrary.isEqual(cells + row &* 16, start, byteCount: 16)
    case .bytes:
      return holds(cells.assumingMemoryBound(to: BytesCell.self) + row, value.bytes)
    }
  }

  /// Writes a value that is not null into a null cell.
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

/// The positions of the bits that are set in a word, ascending.
struct Bits: Sequence, IteratorProtocol {
  private var word: UInt64

  init(_ word: UInt64) {
    self.word = word
  }

  mutating func next() -> Int? {
    guard word != 0 else { return nil }
    defer { word &= word - 1 }
    return word.trailingZeroBitCount
  }
}
