// An identity index while a transaction writes it: the pages of its base, each replaced by a copy
// before the first write. `owners` keeps the pages alive that this index made itself; those of the
// base are kept alive by the base.
//
// It lives in plain memory of the transaction, which closes it: a class would cost a reference
// count and an exclusivity check for every identity looked up.

/// An identity index that can be written.
struct WorkingIndex {
  private(set) var view: IndexView
  private(set) var count: Int
  private let base: IdentityIndex
  /// By page number; nil for a page of the base.
  private var owners: ContiguousArray<IndexPage?>
  private var hasGrown = false
  private(set) var isChanged = false

  init(base: IdentityIndex) {
    self.base = base
    count = base.count
    owners = ContiguousArray(repeating: nil, count: base.owners.count)
    let pages = UnsafeMutablePointer<UnsafeMutablePointer<IndexSlot>>
      .allocate(capacity: base.owners.count)
    pages.initialize(from: base.view.pages, count: base.owners.count)
    view = IndexView(bits: base.view.bits, pages: pages)
  }

  /// Lets the memory go; the index must not be used afterwards.
  func close() { view.pages.deallocate() }

  /// Enters an object whose identity is not in the index.
  mutating func insert(_ object: ObjectID, hash: UInt32) {
    if count &+ 1 > view.capacity / 4 * 3 { grow() }
    place(IndexSlot(hash: hash, object: object))
    count &+= 1
    isChanged = true
  }

  /// Takes an object out; entries behind it move up, so that no probe ends early.
  mutating func remove(_ object: ObjectID, hash: UInt32) {
    var hole = view.home(hash)
    while let found = view.slot(hole).pointee.object, found != object { hole = view.next(hole) }
    guard view.slot(hole).pointee.object != nil else { return }
    var position = view.next(hole)
    let mask = view.capacity - 1
    while view.slot(position).pointee.entity != 0 {
      let slot = view.slot(position).pointee
      let distance = (position &- view.home(slot.hash)) & mask
      if distance >= (position &- hole) & mask {
        writableSlot(hole).pointee = slot
        hole = position
      }
      position = view.next(position)
    }
    writableSlot(hole).pointee = .empty
    count -= 1
    isChanged = true
  }

  /// The index as it is now, to be published; this one must not be written afterwards.
  func published() -> IdentityIndex {
    guard isChanged else { return base }
    var pages: ContiguousArray<IndexPage> = []
    pages.reserveCapacity(owners.count)
    for (number, owner) in owners.enumerated() { pages.append(owner ?? base.owners[number]) }
    return IdentityIndex(bits: view.bits, count: count, owners: pages)
  }

  private mutating func place(_ slot: IndexSlot) {
    var position = view.home(slot.hash)
    while view.slot(position).pointee.entity != 0 { position = view.next(position) }
    writableSlot(position).pointee = slot
  }

  private mutating func writableSlot(_ position: Int) -> UnsafeMutablePointer<IndexSlot> {
    if !hasGrown { copyPage(position &>> IndexPage.shift) }
    return view.slot(position)
  }

  private mutating func copyPage(_ number: Int) {
    guard owners[number] == nil else { return }
    let page = IndexPage(copying: view.pages[number], count: view.slotsPerPage)
    owners[number] = page
    view.pages[number] = page.slots
  }

  /// Doubles the slots.
  ///
  /// Since the high bits of the hash choose the slot, entries are met nearly in the order of their
  /// new places.
  private mutating func grow() {
    let old = view
    let oldOwners = owners
    view.bits += 1
    precondition(view.bits <= 31, "an identity index cannot take more objects")
    view.pages = .allocate(capacity: view.pageCount)
    owners = []
    owners.reserveCapacity(view.pageCount)
    for number in 0..<view.pageCount {
      let page = IndexPage(count: view.slotsPerPage)
      owners.append(page)
      (view.pages + number).initialize(to: page.slots)
    }
    hasGrown = true
    for position in 0..<old.capacity where old.slot(position).pointee.entity != 0 {
      place(old.slot(position).pointee)
    }
    withExtendedLifetime(oldOwners) { old.pages.deallocate() }
  }
}
