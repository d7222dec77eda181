// Raw memory: `base` holds `count` initialised elements, which are written once, in `init`, and freed
// with the owner. Pointers into the buffer are valid as long as the owner lives.

/// Owns elements that never change, for code that reads them without reference counts and bounds
/// checks.
///
/// The plans of import and export are compiled into such buffers: their callbacks follow numbers from
/// one buffer to the next. Elements are trivial, so the buffer is freed without a look at them.
struct FrozenBuffer<Element: BitwiseCopyable>: ~Copyable {
  let base: UnsafePointer<Element>
  let count: Int

  /// Copies elements.
  init(_ elements: some Collection<Element>) {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    _ = buffer.initialize(fromContentsOf: elements)
    base = UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)
    count = elements.count
  }

  deinit {
    base.deallocate()
  }

  /// The address of an element.
  @inline(__always)
  func pointer(at index: Int) -> UnsafePointer<Element> {
    assert(index >= 0 && index < count)
    return base + index
  }

  /// An element, read in place.
  @inline(__always)
  subscript(index: Int) -> Element {
    unsafeAddress { pointer(at: index) }
  }
}
