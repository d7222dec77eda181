// The stacks of the import engine: elements without references in memory of their own. Pushing and
// reading touch no reference count, no exclusivity check and no bound.
//
// Raw memory. Invariants: the memory belongs to the stack alone, which cannot be copied and frees
// it. `count` elements are initialised, `capacity` are allocated. Elements are trivial, so dropping
// them needs no work. An index is checked in debug builds. Memory borrowed from a stack is valid
// until the next push.

/// A stack of trivial elements in memory of its own.
@safe struct RawStack<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    unsafe base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The topmost element.
  @inline(__always)
  var top: Element {
    get { self[count &- 1] }
    _modify { yield &self[count &- 1] }
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    unsafeAddress {
      assert(index >= 0 && index < count)
      return unsafe UnsafePointer(base + index)
    }
    unsafeMutableAddress {
      assert(index >= 0 && index < count)
      return unsafe base + index
    }
  }

  /// Returns the address of an element, or after the last, valid until the next push.
  @unsafe @inline(__always)
  func address(of index: Int) -> UnsafeMutablePointer<Element> {
    assert(index >= 0 && index <= count)
    return unsafe base + index
  }

  /// Elements, borrowed until the next push.
  @inline(__always)
  func elements(from start: Int, count: Int) -> BorrowedBuffer<Element> {
    assert(start >= 0 && count >= 0 && start + count <= self.count)
    return unsafe BorrowedBuffer(start: base + start, count: count)
  }

  /// All elements, borrowed until the next push.
  @inline(__always)
  var elements: BorrowedBuffer<Element> { elements(from: 0, count: count) }

  @inline(__always)
  mutating func push(_ element: Element) {
    if count == capacity { grow(to: capacity * 2) }
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  /// Pushes elements, which must not be borrowed from this stack.
  ///
  /// - Returns: The position of the first.
  @inline(__always)
  mutating func push(_ elements: BorrowedBuffer<Element>) -> Int {
    let start = count
    if elements.count > capacity - start {
      grow(to: Swift.max(start &+ elements.count, capacity * 2))
    }
    unsafe elements.copy(to: base + start)
    count = start &+ elements.count
    return start
  }

  @inline(__always)
  mutating func pop() -> Element {
    let element = top
    count &-= 1
    return element
  }

  /// Keeps the first elements, and drops all above.
  @inline(__always)
  mutating func truncate(to count: Int) {
    assert(count >= 0 && count <= self.count)
    self.count = count
  }

  @inline(never)
  private mutating func grow(to newCapacity: Int) {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    unsafe larger.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity = newCapacity
  }
}
