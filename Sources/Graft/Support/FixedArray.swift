// Raw memory: the array owns `count` elements from `init` to `deinit`. An index is checked in debug
// builds. Elements may be written through a constant; otherwise a class that holds the array would
// pay for a check of exclusive access. The owner makes sure that no element is read while it is
// written.

/// A fixed number of elements, of any kind, in memory of their own.
@safe struct FixedArray<Element: ~Copyable>: ~Copyable {
  private let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Makes `count` elements, each from its index.
  init(count: Int, _ makeElement: (Int) -> Element) {
    self.count = count
    unsafe base = .allocate(capacity: count)
    for index in 0..<count { unsafe (base + index).initialize(to: makeElement(index)) }
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  var indices: Range<Int> { 0..<count }

  @inline(__always)
  subscript(index: Int) -> Element {
    unsafeAddress {
      assert(index >= 0 && index < count)
      return unsafe UnsafePointer(base + index)
    }
    nonmutating unsafeMutableAddress {
      assert(index >= 0 && index < count)
      return unsafe base + index
    }
  }
}
