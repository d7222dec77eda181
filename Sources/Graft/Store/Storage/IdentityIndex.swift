// A hash table from identities to objects, with open addressing and linear probing, 12 bytes a slot.
//
// A slot keeps the identity's 32-bit hash and the object; the identity itself is compared in the
// object's row. The high bits of the hash choose the slot, so that growing reads and writes the
// slots in order. At most 3/4 of the slots are in use, so every probe ends.
//
// Raw memory. Invariants:
// - The slots are cut into pages. A published index is never written; later indexes share its
//   pages, and copy a page before they first write it. That is what makes `IdentityIndex` and
//   `IndexPage` Sendable.
// - An `IndexView` borrows its table of pages from the index that made it.

/// A published identity index.
@safe final class IdentityIndex: @unchecked Sendable {
  let view: IndexView
  let count: Int
  let owners: ContiguousArray<IndexPage>

  init(bits: Int, count: Int, owners: ContiguousArray<IndexPage>) {
    self.count = count
    self.owners = owners
    let pages = UnsafeMutablePointer<UnsafeMutablePointer<IndexSlot>>
      .allocate(capacity: owners.count)
    for (number, owner) in owners.enumerated() {
      unsafe (pages + number).initialize(to: owner.slots)
    }
    view = unsafe IndexView(bits: bits, pages: pages)
  }

  /// Creates an empty index.
  convenience init() {
    self.init(bits: 4, count: 0, owners: [IndexPage(count: 16)])
  }

  deinit { unsafe view.pages.deallocate() }
}

/// An identity index that a transaction writes.
///
/// It reads its base until it is first written. The transaction keeps it in plain memory and closes
/// it: a class would cost a reference count and an exclusivity check for each identity looked up.
@safe struct WorkingIndex {
  private(set) var view: IndexView
  private var count: Int
  private let base: IdentityIndex
  /// Whether the table of pages is this index's own and no longer the base's.
  private var isChanged = false
  /// The pages, by number, once the index is changed; nil for a page of the base.
  private var owners: ContiguousArray<IndexPage?> = []
  private var hasGrown = false

  init(base: IdentityIndex) {
    self.base = base
    count = base.count
    view = base.view
  }

  /// Frees the memory; the index must not be used afterwards.
  func close() {
    if isChanged { unsafe view.pages.deallocate() }
  }

  /// Enters an object whose identity is not in the index.
  mutating func insert(_ object: ObjectID, hash: UInt32) {
    if !isChanged { beginChanging() }
    if count &+ 1 > view.capacity / 4 * 3 { grow() }
    place(IndexSlot(hash: hash, object: object))
    count &+= 1
  }

  /// Removes an object; the slots after it move up, so that no probe ends early.
  mutating func remove(_ object: ObjectID, hash: UInt32) {
    var hole = view.home(hash)
    while let found = view[hole].object, found != object { hole = view.next(hole) }
    guard view[hole].object != nil else { return }
    if !isChanged { beginChanging() }
    var position = view.next(hole)
    let mask = view.capacity - 1
    while view[position].entity != 0 {
      let slot = view[position]
      let distance = (position &- view.home(slot.hash)) & mask
      if distance >= (position &- hole) & mask {
        write(slot, at: hole)
        hole = position
      }
      position = view.next(position)
    }
    write(.empty, at: hole)
    count -= 1
  }

  /// Returns the index as a graph keeps it; this one must not be written afterwards.
  func snapshot() -> IdentityIndex {
    guard isChanged else { return base }
    var pages: ContiguousArray<IndexPage> = []
    pages.reserveCapacity(owners.count)
    for (number, owner) in owners.enumerated() { pages.append(owner ?? base.owners[number]) }
    return IdentityIndex(bits: view.bits, count: count, owners: pages)
  }

  @inline(never)
  private mutating func beginChanging() {
    owners = ContiguousArray(repeating: nil, count: base.owners.count)
    unsafe view.pages = .allocate(capacity: base.owners.count)
    unsafe view.pages.initialize(from: base.view.pages, count: base.owners.count)
    isChanged = true
  }

  private mutating func place(_ slot: IndexSlot) {
    var position = view.home(slot.hash)
    while view[position].entity != 0 { position = view.next(position) }
    write(slot, at: position)
  }

  private mutating func write(_ slot: IndexSlot, at position: Int) {
    if !hasGrown { copyPage(position &>> IndexPage.shift) }
    view[position] = slot
  }

  private mutating func copyPage(_ number: Int) {
    guard owners[number] == nil else { return }
    let page = unsafe IndexPage(copying: view.pages[number], count: view.slotsPerPage)
    owners[number] = page
    unsafe view.pages[number] = page.slots
  }

  /// Doubles the slots.
  ///
  /// Since the high bits of the hash choose the slot, the objects come nearly in the order of their
  /// new slots.
  private mutating func grow() {
    let old = view
    let oldOwners = owners
    view.bits += 1
    guard view.bits <= 31 else { fatalError("an identity index cannot take more objects") }
    unsafe view.pages = .allocate(capacity: view.pageCount)
    owners = []
    owners.reserveCapacity(view.pageCount)
    for number in 0..<view.pageCount {
      let page = IndexPage(count: view.slotsPerPage)
      owners.append(page)
      unsafe (view.pages + number).initialize(to: page.slots)
    }
    hasGrown = true
    for position in 0..<old.capacity where old[position].entity != 0 {
      place(old[position])
    }
    withExtendedLifetime(oldOwners) { unsafe old.pages.deallocate() }
  }
}

/// The slots of an index, for probing.
@safe struct IndexView {
  /// The binary logarithm of the number of slots.
  var bits: Int
  var pages: UnsafeMutablePointer<UnsafeMutablePointer<IndexSlot>>

  var capacity: Int { 1 &<< bits }
  var pageCount: Int { max(capacity &>> IndexPage.shift, 1) }
  var slotsPerPage: Int { min(capacity, 1 &<< IndexPage.shift) }

  /// A slot, in place; only a page that a transaction has copied may be written.
  @inline(__always)
  subscript(position: Int) -> IndexSlot {
    unsafeAddress { unsafe UnsafePointer(address(of: position)) }
    nonmutating unsafeMutableAddress { unsafe address(of: position) }
  }

  @unsafe @inline(__always)
  private func address(of position: Int) -> UnsafeMutablePointer<IndexSlot> {
    assert(position >= 0 && position < capacity)
    return unsafe pages[position &>> IndexPage.shift] + position & (1 &<< IndexPage.shift &- 1)
  }

  /// Returns the slot where probing for a hash begins.
  func home(_ hash: UInt32) -> Int { Int(hash &>> UInt32(truncatingIfNeeded: 32 &- bits)) }

  func next(_ position: Int) -> Int { (position &+ 1) & (capacity &- 1) }

  /// Returns the object with this hash that `isMatch` accepts.
  @inline(__always)
  func find(_ hash: UInt32, _ isMatch: (ObjectID) -> Bool) -> ObjectID? {
    var position = home(hash)
    while let object = self[position].object {
      if self[position].hash == hash, isMatch(object) { return object }
      position = next(position)
    }
    return nil
  }
}

/// A slot of an identity index; `entity` is 0 in an empty one, else the entity's number plus one.
struct IndexSlot {
  var hash: UInt32
  var entity: UInt32
  var row: UInt32

  static let empty = IndexSlot(hash: 0, entity: 0, row: 0)

  var object: ObjectID? { ObjectID(cell: UInt64(entity) &<< 32 | UInt64(row)) }
}

extension IndexSlot {
  init(hash: UInt32, object: ObjectID) {
    self.init(
      hash: hash, entity: UInt32(truncatingIfNeeded: object.rawValue &>> 32),
      row: UInt32(truncatingIfNeeded: object.rawValue))
  }
}

/// The owner of one page of slots.
///
/// Only the transaction that made the page writes to it, and only before it is published.
@safe final class IndexPage: @unchecked Sendable {
  static let shift = 12

  let slots: UnsafeMutablePointer<IndexSlot>

  init(count: Int) {
    unsafe slots = .allocate(capacity: count)
    unsafe slots.initialize(repeating: .empty, count: count)
  }

  init(copying other: UnsafeMutablePointer<IndexSlot>, count: Int) {
    unsafe slots = .allocate(capacity: count)
    unsafe slots.initialize(from: other, count: count)
  }

  deinit { unsafe slots.deallocate() }
}

/// The hash of identities, after wyhash: multiply to 128 bits, then fold the halves together.
///
/// It begins with a number that each store draws at random, so that an attacker cannot prepare
/// identities that collide.
enum IdentityHash {
  static func combine(_ state: UInt64, word: UInt64) -> UInt64 {
    fold(word ^ state, 0x9e37_79b9_7f4a_7c15)
  }

  static func combine(_ state: UInt64, bytes: BorrowedBuffer<UInt8>) -> UInt64 {
    var hash = fold(state ^ UInt64(truncatingIfNeeded: bytes.count), 0xa076_1d64_78bd_642f)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      hash = fold(bytes.load(at: offset, as: UInt64.self) ^ hash, 0xe703_7ed1_a0b4_28db)
      offset &+= 8
    }
    if offset < bytes.count {
      var word: UInt64 = 0
      var shift: UInt64 = 0
      while offset < bytes.count {
        word |= UInt64(bytes[offset]) &<< shift
        shift &+= 8
        offset &+= 1
      }
      hash = fold(word ^ hash, 0x8ebc_6af0_9c88_c6e3)
    }
    return hash
  }

  /// Returns the 32 bits that the index keeps.
  static func finish(_ state: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: fold(state ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9) &>> 32)
  }

  private static func fold(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
    let product = lhs.multipliedFullWidth(by: rhs)
    return product.high ^ product.low
  }
}
