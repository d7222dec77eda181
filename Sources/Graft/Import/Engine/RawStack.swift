// The stacks of the import engine: elements without references in memory of their own, so that pushing and
// reading touch no reference count, no exclusivity check and no bound.
//
// Invariants: `count` elements are initialised, `capacity` are allocated; `deallocate` is called
// exactly once, by the owner. Elements are trivial, so dropping them needs no work. Pointers into a
// stack are valid until the next push.

/// A stack of trivial elements in memory of its own.
struct RawStack<Element: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  func deallocate() {
    base.deallocate()
  }

  /// The topmost element.
  @inline(__always)
  var top: UnsafeMutablePointer<Element> { base + (count &- 1) }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  @inline(__always)
  mutating func push(_ element: Element) {
    if count == capacity { grow(to: capacity * 2) }
    (base + count).initialize(to: element)
    count &+= 1
  }

  @inline(__always)
  mutating func pop() -> Element {
    count &-= 1
    return base[count]
  }

  /// Keeps the first elements, and drops all above.
  @inline(__always)
  mutating func truncate(to count: Int) {
    self.count = count
  }

  @inline(never)
  fileprivate mutating func grow(to newCapacity: Int) {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = newCapacity
  }

  @inline(__always)
  fileprivate var room: Int { capacity - count }
}

extension RawStack where Element == UInt8 {
  /// Pushes bytes and gives the position of the first.
  @inline(__always)
  mutating func push(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) -> Int {
    if byteCount > room { grow(to: Swift.max(count &+ byteCount, (count &+ room) * 2)) }
    let start = count
    (base + start).update(from: bytes, count: byteCount)
    truncate(to: start &+ byteCount)
    return start
  }
}
