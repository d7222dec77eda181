// From identities to objects: open addressing with linear probing, 12 bytes a slot, cut into pages
// that are copied on write.
//
// A slot keeps the identity's 32-bit hash and the object; the identity itself is compared in the
// object's row. The high bits of the hash choose the slot, so growing reads and writes the slots in
// order. At most 3/4 of the slots are in use, so every probe ends.
//
// A published index is never written; its pages are shared by the indexes that come after it.

/// A slot of an identity index; `entity` is 0 in an empty one, else the entity's number plus one.
struct IndexSlot {
  var hash: UInt32
  var entity: UInt32
  var row: UInt32

  static let empty = IndexSlot(hash: 0, entity: 0, row: 0)

  init(hash: UInt32, entity: UInt32, row: UInt32) {
    self.hash = hash
    self.entity = entity
    self.row = row
  }

  init(hash: UInt32, object: ObjectID) {
    self.hash = hash
    entity = UInt32(truncatingIfNeeded: object.rawValue &>> 32)
    row = UInt32(truncatingIfNeeded: object.rawValue)
  }

  var object: ObjectID? { ObjectID(cell: UInt64(entity) &<< 32 | UInt64(row)) }
}

/// The owner of one page of slots.
///
/// Written only by the transaction that made it, before it is published.
final class IndexPage: @unchecked Sendable {
  static let shift = 12

  let slots: UnsafeMutablePointer<IndexSlot>

  init(count: Int) {
    slots = .allocate(capacity: count)
    slots.initialize(repeating: .empty, count: count)
  }

  init(copying other: UnsafeMutablePointer<IndexSlot>, count: Int) {
    slots = .allocate(capacity: count)
    slots.initialize(from: other, count: count)
  }

  deinit { slots.deallocate() }
}

/// A look at the slots of an index, for probing.
///
/// The pages belong to whoever made the view.
struct IndexView {
  /// The binary logarithm of the number of slots.
  var bits: Int
  var pages: UnsafeMutablePointer<UnsafeMutablePointer<IndexSlot>>

  var capacity: Int { 1 &<< bits }
  var pageCount: Int { max(capacity &>> IndexPage.shift, 1) }
  var slotsPerPage: Int { min(capacity, 1 &<< IndexPage.shift) }

  func slot(_ position: Int) -> UnsafeMutablePointer<IndexSlot> {
    pages[position &>> IndexPage.shift] + position & (1 &<< IndexPage.shift &- 1)
  }

  func home(_ hash: UInt32) -> Int { Int(hash &>> UInt32(truncatingIfNeeded: 32 &- bits)) }

  func next(_ position: Int) -> Int { (position &+ 1) & (capacity &- 1) }

  /// The object with this hash that `isMatch` accepts.
  @inline(__always)
  func find(_ hash: UInt32, _ isMatch: (ObjectID) -> Bool) -> ObjectID? {
    var position = home(hash)
    while let object = slot(position).pointee.object {
      if slot(position).pointee.hash == hash, isMatch(object) { return object }
      position = next(position)
    }
    return nil
  }
}

/// A published identity index.
final class IdentityIndex: @unchecked Sendable {
  let view: IndexView
  let count: Int
  let owners: ContiguousArray<IndexPage>

  init(bits: Int, count: Int, owners: ContiguousArray<IndexPage>) {
    self.count = count
    self.owners = owners
    let pages = UnsafeMutablePointer<UnsafeMutablePointer<IndexSlot>>
      .allocate(capacity: owners.count)
    for (number, owner) in owners.enumerated() { (pages + number).initialize(to: owner.slots) }
    view = IndexView(bits: bits, pages: pages)
  }

  /// An index without entries.
  convenience init() {
    self.init(bits: 4, count: 0, owners: [IndexPage(count: 16)])
  }

  deinit { view.pages.deallocate() }
}
