// A group's memory for strings and lists: pages that are only appended to.
//
// A page that is shared with another group is never written again, so a copied group appends to
// pages of its own. A value that is replaced remains as garbage and is only counted. A group with
// more garbage than values, or with many pages, is compacted when it is copied, because all its
// memory is touched then anyway.
//
// Example: a string of 40 bytes is replaced by one of 60. The new one is appended to the open page,
// 40 bytes more are garbage, and the page is freed when the group is next compacted. A string that
// has a page of its own gives it back at once.

// Raw memory. Invariants: `pages` has `pageCount` slots in use. A slot holds a reference to its page, and
// an address from a page is valid as long as a group refers to that page.

/// A run of bytes that groups share.
///
/// Written only by the group that made it, and not after that group was published or copied.
@safe final class HeapPage: @unchecked Sendable {
  let bytes: UnsafeMutableRawPointer

  init(byteCount: Int) {
    unsafe bytes = .allocate(byteCount: byteCount, alignment: 16)
  }

  deinit { unsafe bytes.deallocate() }
}

/// A group's reference to a page; empty once the group has no value there any more.
@safe struct HeapPageSlot {
  var bytes: UnsafeMutableRawPointer?
  var byteCount: Int
  var owner: Unmanaged<HeapPage>?
}

/// The position of a value in a group's pages.
@safe struct HeapPlace {
  var page: UInt32
  var offset: UInt32
  var address: UnsafeMutableRawPointer
}

extension GroupPointer {
  static let smallestPage = 1024
  static let largestPage = 256 * 1024
  static let mostPages = 16

  var needsCompaction: Bool {
    let pageCount = Int(header.pageCount)
    if pageCount > Self.mostPages, header.allocated / pageCount < Self.largestPage / 4 {
      return true
    }
    return header.garbage > max(header.allocated / 2, 4096)
  }

  @unsafe func address(page: UInt32, offset: UInt32) -> UnsafeMutableRawPointer {
    guard let bytes = unsafe slot(page).pointee.bytes else {
      fatalError("a cell refers to a page that its group has released")
    }
    return unsafe bytes + Int(offset)
  }

  /// Returns the reference to a page of this group.
  @unsafe private func slot(_ page: UInt32) -> UnsafeMutablePointer<HeapPageSlot> {
    assert(page < header.pageCount)
    return unsafe header.pages.unsafelyUnwrapped + Int(page)
  }

  /// Returns whether a page may be shared with other groups, and so may not be written.
  func isFrozen(page: UInt32) -> Bool { page < header.frozenPages }

  /// Finds room for a value.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes needed, at least 1.
  ///   - aligned: Whether the value must start at a multiple of 8.
  /// - Returns: The room's page and offset, as a cell keeps them, and its address.
  func allocate(_ byteCount: Int, aligned: Bool) -> HeapPlace {
    let start = aligned ? (header.openUsed &+ 7) & ~7 : header.openUsed
    if start &+ byteCount <= header.openCapacity, let bytes = unsafe header.openBytes {
      header.allocated &+= start &+ byteCount &- header.openUsed
      header.openUsed = start &+ byteCount
      return unsafe HeapPlace(
        page: header.openPage, offset: UInt32(truncatingIfNeeded: start),
        address: bytes + start)
    }
    return allocateInNewPage(byteCount)
  }

  /// Gives the last value of the open page more room where it is.
  ///
  /// - Parameters:
  ///   - page: The value's page.
  ///   - end: The end of the value in its page.
  ///   - size: The bytes of one of the value's elements.
  ///   - most: The most elements to make room for.
  /// - Returns: The number of elements that there is room for now; 0 if another value follows, or the page is
  ///   full.
  func extendOpenPage(
    _ page: UInt32, at end: Int, byMultipleOf size: Int, atMost most: Int
  ) -> Int {
    guard page == header.openPage, end == header.openUsed else {
      return 0
    }
    let room = min((header.openCapacity - end) / size, most)
    guard room > 0 else { return 0 }
    header.openUsed += room * size
    header.allocated += room * size
    return room
  }

  @inline(never)
  private func allocateInNewPage(_ byteCount: Int) -> HeapPlace {
    header.allocated += byteCount
    let pageSize = min(max(header.allocated / 2, Self.smallestPage), Self.largestPage)
    guard byteCount <= pageSize / 2 else { return addPage(byteCount) }
    let place = addPage(pageSize)
    header.openPage = place.page
    unsafe header.openBytes = place.address
    header.openUsed = byteCount
    header.openCapacity = pageSize
    return place
  }

  private func addPage(_ byteCount: Int) -> HeapPlace {
    let page = HeapPage(byteCount: byteCount)
    let slot = unsafe HeapPageSlot(
      bytes: page.bytes, byteCount: byteCount, owner: Unmanaged.passRetained(page))
    let number = header.pageCount
    if number == header.pageCapacity {
      reservePages(max(4, number * 2))
    }
    header.pageCount += 1
    unsafe self.slot(number).initialize(to: slot)
    return unsafe HeapPlace(page: number, offset: 0, address: page.bytes)
  }

  private func reservePages(_ capacity: UInt32) {
    let pages = UnsafeMutablePointer<HeapPageSlot>.allocate(capacity: Int(capacity))
    if let old = unsafe header.pages {
      unsafe pages.moveInitialize(from: old, count: Int(header.pageCount))
      unsafe old.deallocate()
    }
    unsafe header.pages = pages
    header.pageCapacity = capacity
  }

  /// Counts a value as garbage, and releases its page if it had the page to itself.
  func discard(page: UInt32, byteCount: Int) {
    let slot = unsafe slot(page)
    guard unsafe slot.pointee.byteCount == byteCount, page != header.openPage else {
      header.garbage += byteCount
      return
    }
    unsafe slot.pointee.owner?.release()
    unsafe slot.pointee = HeapPageSlot(bytes: nil, byteCount: 0, owner: nil)
    header.allocated -= byteCount
  }

  /// Makes this group, whose header is a bitwise copy, share the original's pages and append to
  /// none of them.
  func sharePages() {
    guard let shared = unsafe header.pages else { return }
    let count = header.pageCount
    unsafe header.pages = nil
    header.pageCount = 0
    reservePages(count + 2)
    header.pageCount = count
    for number in 0..<count {
      _ = unsafe shared[Int(number)].owner?.retain()
      unsafe slot(number).initialize(to: shared[Int(number)])
    }
    header.frozenPages = count
    header.openUsed = 0
    header.openCapacity = 0
    unsafe header.openBytes = nil
    header.openPage = UInt32.max
  }

  func releasePages() {
    guard let pages = unsafe header.pages else { return }
    for number in 0..<header.pageCount { unsafe slot(number).pointee.owner?.release() }
    unsafe pages.deallocate()
  }

  /// Copies all strings and lists of live rows into pages of this group, whose cells are still
  /// those of `original`.
  func copyHeapValues(of original: GroupPointer, shape: TableShape) {
    for row in 0..<shape.capacity where isLive(row) {
      for column in shape.attributes where column.kind == .bytes {
        guard bit(row, at: column.validity) else { continue }
        let cell = unsafe bytesCell(row, column)
        guard unsafe cell.pointee.count > BytesCell.inlineCapacity else { continue }
        unsafe storeBytes(original.bytes(cell), in: cell)
      }
      for column in shape.relationships where column.isToMany {
        list(row, column).copyMembers(of: original)
      }
    }
  }
}
