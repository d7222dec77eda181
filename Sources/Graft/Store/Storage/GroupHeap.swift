// Where a group keeps strings and lists: pages that are only appended to.
//
// A page that is shared with another group is never written again, so a copied group appends to
// pages of its own. A value that is replaced stays behind as garbage and is only counted. A group
// with more garbage than values, or with many pages, is compacted when it is copied, because all
// its memory is touched then anyway.
//
// Example: a string of 40 bytes is replaced by one of 60. The new one is appended to the open page,
// 40 bytes more are garbage, and the page goes away when the group is next compacted. A string that
// has a page of its own gives it back at once.

/// A run of bytes that groups share.
///
/// Written only by the group that made it, and not after that group was published or copied.
final class HeapPage: @unchecked Sendable {
  let bytes: UnsafeMutableRawPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: 16)
  }

  deinit { bytes.deallocate() }
}

/// A group's reference to a page; empty once the group has no value there any more.
struct HeapPageSlot {
  var bytes: UnsafeMutableRawPointer?
  var byteCount: Int
  var owner: Unmanaged<HeapPage>?
}

/// Where a value is in a group's pages.
struct HeapPlace {
  var page: UInt32
  var offset: UInt32
  var address: UnsafeMutableRawPointer
}

extension GroupPointer {
  static let smallestPage = 1024
  static let largestPage = 256 * 1024
  static let mostPages = 16

  var needsCompaction: Bool {
    let header = header.pointee
    let pageCount = Int(header.pageCount)
    if pageCount > Self.mostPages, header.allocated / pageCount < Self.largestPage / 4 {
      return true
    }
    return header.garbage > max(header.allocated / 2, 4096)
  }

  func address(page: UInt32, offset: UInt32) -> UnsafeMutableRawPointer {
    guard let bytes = header.pointee.pages.unsafelyUnwrapped[Int(page)].bytes else {
      fatalError("a cell refers to a page that its group has released")
    }
    return bytes + Int(offset)
  }

  /// Whether a page may be shared with other groups, and so may not be written.
  func isFrozen(page: UInt32) -> Bool { page < header.pointee.frozenPages }

  /// Finds room for a value.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes needed, at least 1.
  ///   - aligned: Whether the value must start at a multiple of 8.
  /// - Returns: The room's page and offset, as a cell keeps them, and its address.
  func allocate(_ byteCount: Int, aligned: Bool) -> HeapPlace {
    let header = header
    let start = aligned ? (header.pointee.openUsed &+ 7) & ~7 : header.pointee.openUsed
    if start &+ byteCount <= header.pointee.openCapacity, let bytes = header.pointee.openBytes {
      header.pointee.allocated &+= start &+ byteCount &- header.pointee.openUsed
      header.pointee.openUsed = start &+ byteCount
      return HeapPlace(
        page: header.pointee.openPage, offset: UInt32(truncatingIfNeeded: start),
        address: bytes + start)
    }
    return allocateInNewPage(byteCount)
  }

  @inline(never)
  private func allocateInNewPage(_ byteCount: Int) -> HeapPlace {
    header.pointee.allocated += byteCount
    let pageSize = min(max(header.pointee.allocated / 2, Self.smallestPage), Self.largestPage)
    guard byteCount <= pageSize / 2 else { return addPage(byteCount) }
    let place = addPage(pageSize)
    header.pointee.openPage = place.page
    header.pointee.openBytes = place.address
    header.pointee.openUsed = byteCount
    header.pointee.openCapacity = pageSize
    return place
  }

  private func addPage(_ byteCount: Int) -> HeapPlace {
    let page = HeapPage(byteCount: byteCount)
    let slot = HeapPageSlot(
      bytes: page.bytes, byteCount: byteCount, owner: Unmanaged.passRetained(page))
    let number = header.pointee.pageCount
    if number == header.pointee.pageCapacity {
      reservePages(max(4, number * 2))
    }
    (header.pointee.pages.unsafelyUnwrapped + Int(number)).initialize(to: slot)
    header.pointee.pageCount += 1
    return HeapPlace(page: number, offset: 0, address: page.bytes)
  }

  private func reservePages(_ capacity: UInt32) {
    let pages = UnsafeMutablePointer<HeapPageSlot>.allocate(capacity: Int(capacity))
    if let old = header.pointee.pages {
      pages.moveInitialize(from: old, count: Int(header.pointee.pageCount))
      old.deallocate()
    }
    header.pointee.pages = pages
    header.pointee.pageCapacity = capacity
  }

  /// Counts a value as garbage, and releases its page if it had the page to itself.
  func discard(page: UInt32, byteCount: Int) {
    let slot = header.pointee.pages.unsafelyUnwrapped + Int(page)
    guard slot.pointee.byteCount == byteCount, page != header.pointee.openPage else {
      header.pointee.garbage += byteCount
      return
    }
    slot.pointee.owner?.release()
    slot.pointee = HeapPageSlot(bytes: nil, byteCount: 0, owner: nil)
    header.pointee.allocated -= byteCount
  }

  /// Makes this group, whose header is a bitwise copy, share the original's pages and append to
  /// none of them.
  func sharePages() {
    guard let shared = header.pointee.pages else { return }
    let count = header.pointee.pageCount
    header.pointee.pages = nil
    header.pointee.pageCount = 0
    reservePages(count + 2)
    let pages = header.pointee.pages.unsafelyUnwrapped
    for number in 0..<Int(count) {
      _ = shared[number].owner?.retain()
      (pages + number).initialize(to: shared[number])
    }
    header.pointee.pageCount = count
    header.pointee.frozenPages = count
    header.pointee.openUsed = 0
    header.pointee.openCapacity = 0
    header.pointee.openBytes = nil
    header.pointee.openPage = UInt32.max
  }

  func releasePages() {
    guard let pages = header.pointee.pages else { return }
    for number in 0..<Int(header.pointee.pageCount) { pages[number].owner?.release() }
    pages.deallocate()
  }

  /// Copies all strings and lists of live rows into pages of this group, whose cells are still
  /// those of `original`.
  func copyHeapValues(of original: GroupPointer, shape: TableShape) {
    for row in 0..<shape.capacity where isLive(row) {
      for number in 0..<shape.attributeCount where shape.attributes[number].kind == .bytes {
        let column = shape.attributes[number]
        guard bit(row, at: column.validity) else { continue }
        let cell = (base + column.cells).assumingMemoryBound(to: BytesCell.self) + row
        guard cell.pointee.count > BytesCell.inlineCapacity else { continue }
        let value = original.bytes(cell)
        storeBytes(value, in: cell)
      }
      for number in 0..<shape.relationshipCount where shape.relationships[number].isToMany {
        let cell = list(row, shape.relationships[number])
        guard cell.pointee.capacity > 0 else { continue }
        let members = original.members(cell)
        storeMembers(members, in: cell)
      }
    }
  }
}
