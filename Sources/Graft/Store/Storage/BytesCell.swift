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
  /// The bytes of a cell, borrowed from the cell or its page.
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
