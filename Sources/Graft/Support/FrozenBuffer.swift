// Raw memory: a buffer owns its elements, which are written once, in `init`, and freed with it.
// Memory borrowed from a buffer is valid as long as the buffer lives.

/// Owns elements that never change, for code that reads them without reference counts and bounds
/// checks.
///
/// The plans of import and export are compiled into such buffers: their callbacks follow numbers from
/// one buffer to the next. Elements are trivial, so the buffer is freed without a look at them.
@safe package struct FrozenBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// The elements, borrowed as long as the buffer lives.
  let elements: BorrowedBuffer<Element>

  /// Copies elements.
  // Not inlined, because plans have many buffers.
  @inline(never)
  init(_ elements: [Element]) {
    self.elements = .allocate(elements)
  }

  deinit {
    unsafe elements.deallocate()
  }

  var count: Int { elements.count }

  /// An element, read in place.
  @inline(__always)
  package subscript(index: Int) -> Element {
    unsafeAddress { unsafe elements.address(of: index) }
  }

  /// Returns the place of an element, for reading it later, while the buffer lives.
  @inline(__always)
  func place(of index: Int) -> FrozenPlace<Element> {
    unsafe FrozenPlace(address: elements.address(of: index))
  }
}

/// A pointer to an element of a ``FrozenBuffer``, valid as long as the buffer is kept alive.
@safe struct FrozenPlace<Element: BitwiseCopyable>: BitwiseCopyable {
  private let address: UnsafePointer<Element>

  @unsafe @inline(__always)
  fileprivate init(address: UnsafePointer<Element>) {
    unsafe self.address = address
  }

  /// The element, read in place.
  @inline(__always)
  var pointee: Element {
    unsafeAddress { unsafe address }
  }
}
