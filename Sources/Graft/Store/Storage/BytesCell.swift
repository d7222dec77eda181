// Strings, binary data, decimals and JSON: a cell of 16 bytes, as in "German strings".
//
//   count ≤ 12:   count:4 │ the bytes themselves, padded with zeros:12
//   else:         count:4 │ the first 4 bytes:4 │ page:4 │ offset:4
//
// The prefix is there so that two cells that differ in length or beginning can be told apart
// without reading the page. Invariant: a cell of more than 12 bytes refers to a page of its own
// group.

/// The cell of a value of varying size.
struct BytesCell {
  static let inlineCapacity = 12

  var count: UInt32
  var prefix: UInt32
  var page: UInt32
  var offset: UInt32
}

extension GroupPointer {
  /// The bytes of a cell, borrowed from the cell or its page.
  func bytes(_ cell: UnsafeMutablePointer<BytesCell>) -> UnsafeBufferPointer<UInt8> {
    let count = Int(cell.pointee.count)
    let start =
      count <= BytesCell.inlineCapacity
      ? UnsafeMutableRawPointer(cell) + 4
      : address(page: cell.pointee.page, offset: cell.pointee.offset)
    return UnsafeBufferPointer(
      start: UnsafePointer(start.assumingMemoryBound(to: UInt8.self)), count: count)
  }

  func holds(_ cell: UnsafeMutablePointer<BytesCell>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard Int(cell.pointee.count) == value.count else { return false }
    guard let start = value.baseAddress, value.count > 0 else { return true }
    return CLibrary.isEqual(
      bytes(cell).baseAddress.unsafelyUnwrapped, start, byteCount: value.count)
  }

  /// Writes a value, over the old one if that is the group's own and large enough.
  func replaceBytes(
    _ value: UnsafeBufferPointer<UInt8>, in cell: UnsafeMutablePointer<BytesCell>
  ) {
    let old = cell.pointee
    guard old.count > BytesCell.inlineCapacity else { return storeBytes(value, in: cell) }
    if value.count > BytesCell.inlineCapacity, value.count <= old.count, !isFrozen(page: old.page),
      let start = value.baseAddress
    {
      let place = address(page: old.page, offset: old.offset)
      place.copyMemory(from: start, byteCount: value.count)
      cell.pointee.count = UInt32(truncatingIfNeeded: value.count)
      cell.pointee.prefix = place.loadUnaligned(as: UInt32.self)
      header.pointee.garbage += Int(old.count) - value.count
      return
    }
    storeBytes(value, in: cell)
    discard(page: old.page, byteCount: Int(old.count))
  }

  /// Writes a value into a cell that refers to no page.
  func storeBytes(
    _ value: UnsafeBufferPointer<UInt8>, in cell: UnsafeMutablePointer<BytesCell>
  ) {
    guard value.count <= RawValue.maximumByteCount else {
      fatalError("a value is larger than a cell can describe")
    }
    let count = UInt32(truncatingIfNeeded: value.count)
    guard value.count > BytesCell.inlineCapacity, let start = value.baseAddress else {
      var small = BytesCell(count: count, prefix: 0, page: 0, offset: 0)
      if let start = value.baseAddress {
        withUnsafeMutableBytes(of: &small) {
          ($0.baseAddress.unsafelyUnwrapped + 4).copyMemory(from: start, byteCount: value.count)
        }
      }
      cell.pointee = small
      return
    }
    let place = allocate(value.count, aligned: false)
    place.address.copyMemory(from: start, byteCount: value.count)
    cell.pointee = BytesCell(
      count: count, prefix: place.address.loadUnaligned(as: UInt32.self), page: place.page,
      offset: place.offset)
  }
}
