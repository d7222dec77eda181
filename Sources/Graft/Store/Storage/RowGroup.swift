// A row group is one raw allocation; TableShape.swift describes its parts.
//
// Raw memory. Invariants:
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
    pointer = unsafe GroupPointer(base: CLibrary.allocateZeroed(byteCount: shape.byteCount))
    pointer.header = GroupHeader()
  }

  /// Makes a copy that can be written; it shares the pages of the original unless it is compacted.
  init(copying original: GroupPointer, shape: TableShape) {
    pointer = unsafe GroupPointer(base: CLibrary.allocateZeroed(byteCount: shape.byteCount))
    unsafe pointer.base.copyMemory(from: original.base, byteCount: shape.byteCount)
    if original.needsCompaction {
      pointer.header = GroupHeader()
      pointer.copyHeapValues(of: original, shape: shape)
    } else {
      pointer.sharePages()
    }
  }

  deinit {
    pointer.releasePages()
    unsafe CLibrary.deallocate(pointer.base)
  }
}

/// The start of a group's memory: where its values of varying size are.
@safe struct GroupHeader {
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
  /// The number of bytes handed out, and of those that no cell refers to any more.
  var allocated = 0
  var garbage = 0
}

/// The memory of a group, for reading and writing cells.
///
/// Trivial on purpose: one is made for every value read or written, and it counts no references. Its
/// maker keeps the ``RowGroup`` alive. Columns and rows are those of the group's shape.
@safe package struct GroupPointer: BitwiseCopyable {
  let base: UnsafeMutableRawPointer

  @unsafe init(base: UnsafeMutableRawPointer) {
    unsafe self.base = base
  }

  @inline(__always)
  var header: GroupHeader {
    unsafeAddress { unsafe UnsafePointer(cells(at: 0)) }
    nonmutating unsafeMutableAddress { unsafe cells(at: 0) }
  }

  /// Returns whether this is the memory of the same group.
  func isSame(as other: GroupPointer) -> Bool { unsafe base == other.base }

  /// Returns the first of the cells, or words of bits, at an offset.
  @unsafe @inline(__always)
  func cells<Cell>(at offset: Int) -> UnsafeMutablePointer<Cell> {
    unsafe (base + offset).assumingMemoryBound(to: Cell.self)
  }

  /// Returns 64 bits of a bitmap of the rows, which is found by its offset.
  @inline(__always)
  func bits(_ word: Int, at offset: Int) -> UInt64 { unsafe cells(at: offset)[word] }

  func bit(_ row: Int, at offset: Int) -> Bool {
    bits(row &>> 6, at: offset) &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  func setBit(_ row: Int, at offset: Int) {
    unsafe cells(at: offset)[row &>> 6] |= 1 as UInt64 &<< UInt64(truncatingIfNeeded: row & 63)
  }

  func clearBit(_ row: Int, at offset: Int) {
    unsafe cells(at: offset)[row &>> 6] &= ~(1 as UInt64 &<< UInt64(truncatingIfNeeded: row & 63))
  }

  /// Returns whether a row holds an object that is not deleted.
  func isLive(_ row: Int) -> Bool { bit(row, at: TableShape.liveBits) }

  /// Returns the bits of a number or date, whether the cell has a value or not.
  @inline(__always)
  func word(_ row: Int, _ column: AttributeColumn) -> UInt64 { unsafe cells(at: column.cells)[row] }

  @inline(__always)
  func setWord(_ row: Int, _ column: AttributeColumn, _ bits: UInt64) {
    unsafe cells(at: column.cells)[row] = bits
    setBit(row, at: column.validity)
  }

  /// Returns the object that a to-one relationship leads to, as a cell keeps it: 0 for none.
  @inline(__always)
  package func toOne(_ row: Int, _ column: RelationshipColumn) -> UInt64 {
    unsafe cells(at: column.cells)[row]
  }

  @inline(__always)
  func setToOne(_ row: Int, _ column: RelationshipColumn, _ object: UInt64) {
    unsafe cells(at: column.cells)[row] = object
  }

  /// Returns the members of a to-many relationship.
  @inline(__always)
  package func list(_ row: Int, _ column: RelationshipColumn) -> MemberList {
    unsafe MemberList(group: self, cell: cells(at: column.cells) + row)
  }
}

// Attributes. Only groups that the caller's transaction owns may be written.
extension GroupPointer {
  /// Returns the value of an attribute; its bytes are borrowed from the group.
  package func value(_ row: Int, _ column: AttributeColumn) -> RawValue {
    guard bit(row, at: column.validity) else { return .null }
    switch column.kind {
    case .word: return .word(word(row, column))
    case .flag: return .boolean(flag(row, column) != 0)
    case .uuid: return .bytes(uuid(row, column))
    case .bytes: return .bytes(unsafe bytes(bytesCell(row, column)))
    }
  }

  /// Returns whether an attribute has this value.
  @inline(__always)
  func holds(
    _ value: RawValue, _ row: Int, _ column: AttributeColumn, asIdentity: Bool = false
  ) -> Bool {
    let isValid = bit(row, at: column.validity)
    if value.isNull { return !isValid }
    guard isValid else { return false }
    switch column.kind {
    case .word:
      let bits = word(row, column)
      return bits == value.bits
        || asIdentity && column.canonical(bits) == column.canonical(value.bits)
    case .flag: return flag(row, column) == UInt8(truncatingIfNeeded: value.bits)
    case .uuid: return CLibrary.isEqual(uuid(row, column), value.bytes)
    case .bytes: return unsafe CLibrary.isEqual(bytes(bytesCell(row, column)), value.bytes)
    }
  }

  /// Writes a value that is not null into a null cell.
  @inline(__always)
  func store(_ value: RawValue, _ row: Int, _ column: AttributeColumn) {
    setBit(row, at: column.validity)
    switch column.kind {
    case .word, .flag, .uuid: storeFixed(value, row, column)
    case .bytes:
      unsafe storeBytes(value.bytes, in: bytesCell(row, column))
    }
  }

  /// Writes a value into a cell.
  @inline(__always)
  func replace(_ value: RawValue, _ row: Int, _ column: AttributeColumn) {
    if value.isNull { return clear(row, column) }
    guard column.kind == .bytes else {
      setBit(row, at: column.validity)
      return storeFixed(value, row, column)
    }
    guard bit(row, at: column.validity) else { return store(value, row, column) }
    unsafe replaceBytes(value.bytes, in: bytesCell(row, column))
  }

  /// Makes a cell null.
  func clear(_ row: Int, _ column: AttributeColumn) {
    guard bit(row, at: column.validity) else { return }
    clearBit(row, at: column.validity)
    guard column.kind == .bytes else { return }
    unsafe clearBytes(bytesCell(row, column))
  }

  /// Returns the cell of a string, or of another value of varying size.
  @unsafe @inline(__always)
  func bytesCell(_ row: Int, _ column: AttributeColumn) -> UnsafeMutablePointer<BytesCell> {
    assert(column.kind == .bytes)
    return unsafe cells(at: column.cells) + row
  }

  @inline(__always)
  private func flag(_ row: Int, _ column: AttributeColumn) -> UInt8 {
    unsafe cells(at: column.cells)[row]
  }

  @inline(__always)
  private func uuid(_ row: Int, _ column: AttributeColumn) -> BorrowedBuffer<UInt8> {
    unsafe BorrowedBuffer(start: cells(at: column.cells) + row &* 16, count: 16)
  }

  @inline(__always)
  private func storeFixed(_ value: RawValue, _ row: Int, _ column: AttributeColumn) {
    switch column.kind {
    case .word: unsafe cells(at: column.cells)[row] = value.bits
    case .flag: unsafe cells(at: column.cells)[row] = UInt8(truncatingIfNeeded: value.bits)
    case .uuid:
      guard value.count == 16 else { return clear(row, column) }
      unsafe value.bytes.copy(to: base + column.cells + row &* 16)
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

// Strings, binary data, decimals and JSON: a cell of 16 bytes, as in "German strings".
//
//   count ≤ 12:   count:4 │ the bytes themselves, padded with zeros:12
//   else:         count:4 │ the first 4 bytes:4 │ page:4 │ offset:4
//
// The prefix distinguishes cells of another length or beginning without reading the page.
// Invariant: a cell of more than 12 bytes refers to a page of its own group.

/// The cell of a value of varying size.
struct BytesCell {
  static let inlineCapacity = 12

  var count: UInt32
  var prefix: UInt32
  var page: UInt32
  var offset: UInt32
}

// Raw memory: a cell is of this group's memory, where a group that may be written holds it.
extension GroupPointer {
  /// Returns the bytes of a cell, borrowed from the cell or its page.
  @unsafe @inline(__always)
  func bytes(_ cell: UnsafeMutablePointer<BytesCell>) -> BorrowedBuffer<UInt8> {
    let count = Int(unsafe cell.pointee.count)
    let start =
      unsafe count <= BytesCell.inlineCapacity
      ? UnsafeMutableRawPointer(cell) + 4
      : address(page: cell.pointee.page, offset: cell.pointee.offset)
    return unsafe BorrowedBuffer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Writes a value, over the old one if that is the group's own and large enough.
  @unsafe func replaceBytes(
    _ value: BorrowedBuffer<UInt8>, in cell: UnsafeMutablePointer<BytesCell>
  ) {
    let old = unsafe cell.pointee
    guard old.count > BytesCell.inlineCapacity else { return unsafe storeBytes(value, in: cell) }
    if value.count > BytesCell.inlineCapacity, value.count <= old.count, !isFrozen(page: old.page) {
      let place = unsafe address(page: old.page, offset: old.offset)
      unsafe value.copy(to: place)
      unsafe cell.pointee.count = UInt32(truncatingIfNeeded: value.count)
      unsafe cell.pointee.prefix = place.loadUnaligned(as: UInt32.self)
      header.garbage += Int(old.count) - value.count
      return
    }
    unsafe storeBytes(value, in: cell)
    discard(page: old.page, byteCount: Int(old.count))
  }

  /// Writes a value into a cell that refers to no page.
  @unsafe func storeBytes(
    _ value: BorrowedBuffer<UInt8>, in cell: UnsafeMutablePointer<BytesCell>
  ) {
    guard value.count <= RawValue.maximumByteCount else {
      fatalError("a value is larger than a cell can describe")
    }
    let count = UInt32(truncatingIfNeeded: value.count)
    guard value.count > BytesCell.inlineCapacity else {
      var small = BytesCell(count: count, prefix: 0, page: 0, offset: 0)
      unsafe withUnsafeMutableBytes(of: &small) {
        unsafe value.copy(to: $0.baseAddress.unsafelyUnwrapped + 4)
      }
      unsafe cell.pointee = small
      return
    }
    let place = allocate(value.count, aligned: false)
    unsafe value.copy(to: place.address)
    unsafe cell.pointee = BytesCell(
      count: count, prefix: place.address.loadUnaligned(as: UInt32.self), page: place.page,
      offset: place.offset)
  }

  /// Empties a cell and discards its bytes.
  @unsafe func clearBytes(_ cell: UnsafeMutablePointer<BytesCell>) {
    if unsafe cell.pointee.count > BytesCell.inlineCapacity {
      unsafe discard(page: cell.pointee.page, byteCount: Int(cell.pointee.count))
    }
    unsafe cell.pointee = BytesCell(count: 0, prefix: 0, page: 0, offset: 0)
  }
}
