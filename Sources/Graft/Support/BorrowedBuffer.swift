// Raw memory: a borrowed buffer is an address and a count, and knows nothing of the memory's owner.
// A span would know the owner, but a span cannot be kept in an array, a property or a stack of
// pending values, where the import keeps values by the million.
//
// Invariant: the caller of the `unsafe` initializer names the owner and says how long the elements
// stay valid. An event's bytes are valid until the event has been handled, a column's bytes as long
// as their graph. Reading is safe: elements cannot be written, and an index is checked in debug
// builds.

import Foundation

/// Elements in memory that another object owns, valid as long as the owner keeps them.
@safe @usableFromInline package struct BorrowedBuffer<Element: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let start: UnsafePointer<Element>
  @usableFromInline package let count: Int

  /// Borrows elements.
  @unsafe @inline(__always)
  @inlinable package init(start: UnsafePointer<Element>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// Borrows the elements of a buffer, which has no address where it has no elements.
  @unsafe @inline(__always)
  @inlinable package init(_ buffer: UnsafeBufferPointer<Element>) {
    unsafe self.init(start: buffer.baseAddress ?? Self.nowhere, count: buffer.count)
  }

  /// Creates a buffer without elements.
  @inlinable package init() {
    unsafe self.init(start: Self.nowhere, count: 0)
  }

  /// An address for buffers without elements, at which no element is ever read.
  @inlinable static var nowhere: UnsafePointer<Element> {
    unsafe UnsafePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  /// Calls a closure with the elements as a span.
  @inline(__always)
  @inlinable package func withSpan<R, E: Error>(
    _ body: (Span<Element>) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeBufferPointer(start: start, count: count).span)
  }

  /// Returns the address of an element.
  @unsafe @inline(__always)
  @inlinable package func address(of index: Int) -> UnsafePointer<Element> {
    assert(index >= 0 && index < count, "index \(index) is not among \(count) elements")
    return unsafe start + index
  }

  /// The address of the first element as a number, to check whether a buffer lies in another one.
  @inlinable package var address: Int { unsafe Int(bitPattern: start) }

  /// Copies the elements to an address.
  ///
  /// - Precondition: There is room for them.
  @unsafe @inline(__always)
  @inlinable package func copy(to address: UnsafeMutableRawPointer) {
    unsafe address.copyMemory(from: start, byteCount: count &* MemoryLayout<Element>.stride)
  }

  /// Calls a closure with the address of the first element, for C.
  @inline(__always)
  @inlinable package func withUnsafePointer<R, E: Error>(
    _ body: (UnsafePointer<Element>) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(start)
  }
}

extension BorrowedBuffer {
  /// Calls a closure with one element, borrowed while it runs.
  @inline(__always)
  @inlinable package static func withOne<R, E: Error>(
    _ element: Element, _ body: (BorrowedBuffer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe Swift.withUnsafePointer(to: element) { start throws(E) in
      try unsafe body(BorrowedBuffer(start: start, count: 1))
    }
  }
}

extension BorrowedBuffer {
  /// Calls a closure with one element, or none.
  static func withOptional<R, E: Error>(
    _ element: Element?, _ body: (BorrowedBuffer) throws(E) -> R
  ) throws(E) -> R {
    guard let element else { return try body(BorrowedBuffer()) }
    return try withOne(element, body)
  }
}

// MARK: - Ownership

extension BorrowedBuffer {
  /// Copies elements to memory of their own, which the caller frees with ``deallocate()``.
  static func allocate(_ elements: some Collection<Element>) -> BorrowedBuffer {
    if elements.isEmpty { return BorrowedBuffer() }
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe memory.initialize(fromContentsOf: elements)
    return unsafe BorrowedBuffer(UnsafeBufferPointer(memory))
  }

  /// Frees memory that ``allocate(_:)`` has made; nothing may read it afterwards.
  @unsafe func deallocate() {
    if !isEmpty { unsafe start.deallocate() }
  }
}

// MARK: - Reading

extension BorrowedBuffer: RandomAccessCollection {
  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }

  /// An element, read in place.
  @inlinable package subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress { unsafe address(of: index) }
  }

  /// The elements of a range.
  @inlinable package subscript(range: Range<Int>) -> BorrowedBuffer {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe BorrowedBuffer(start: start + range.lowerBound, count: range.count)
  }

  /// Reads the elements one after the other.
  @usableFromInline package struct Iterator: IteratorProtocol {
    @usableFromInline let elements: BorrowedBuffer
    @usableFromInline var index = 0

    @inline(__always)
    @inlinable init(_ elements: BorrowedBuffer) { self.elements = elements }

    @inline(__always)
    @inlinable package mutating func next() -> Element? {
      guard index < elements.count else { return nil }
      defer { index &+= 1 }
      return unsafe elements.start[index]
    }
  }

  @inline(__always)
  @inlinable package func makeIterator() -> Iterator { Iterator(self) }

  @inlinable package var isEmpty: Bool { count == 0 }

  // Overrides `Collection`'s default, which goes through distances.
  @inlinable package func index(after index: Int) -> Int { index &+ 1 }
  @inlinable package func formIndex(after index: inout Int) { index &+= 1 }

  @inlinable package func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    try unsafe body(UnsafeBufferPointer(start: start, count: count))
  }
}

extension BorrowedBuffer where Element == UInt8 {
  /// Calls a closure with the bytes as a span.
  @inline(__always)
  @inlinable package func withRawSpan<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
  {
    try unsafe body(UnsafeRawBufferPointer(start: start, count: count).bytes)
  }

  /// Reads several bytes at once, from any position, as a number or vector.
  @inline(__always)
  @inlinable package func load<Value: BitwiseCopyable>(at index: Int, as type: Value.Type) -> Value
  {
    assert(index >= 0 && index + MemoryLayout<Value>.size <= count)
    return unsafe UnsafeRawPointer(start + index).loadUnaligned(as: type)
  }

  /// Borrows the characters of a literal, which stay as long as the program runs.
  @inlinable package init(_ text: StaticString) {
    unsafe self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

extension Array where Element: BitwiseCopyable {
  /// Copies elements at once, and not one after the other as of any sequence.
  @inline(__always)
  @inlinable package init(_ elements: BorrowedBuffer<Element>) {
    self = unsafe elements.withUnsafePointer {
      unsafe Array(UnsafeBufferPointer(start: $0, count: elements.count))
    }
  }

  /// Appends elements at once, and not one after the other as of any sequence.
  @inline(__always)
  @inlinable package mutating func append(contentsOf elements: BorrowedBuffer<Element>) {
    unsafe elements.withUnsafePointer {
      unsafe append(contentsOf: UnsafeBufferPointer(start: $0, count: elements.count))
    }
  }

  /// Calls a closure with the elements, borrowed while it runs.
  @inline(__always)
  @inlinable package func withBorrowed<R, E: Error>(
    _ body: (BorrowedBuffer<Element>) throws(E) -> R
  ) throws(E) -> R {
    try unsafe withUnsafeBufferPointer { buffer throws(E) in
      try unsafe body(BorrowedBuffer(buffer))
    }
  }
}

extension ContiguousBytes {
  /// Calls a closure with the bytes as a span.
  package func withRawSpan<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    try unsafe withUnsafeBytes { bytes in try body(unsafe bytes.bytes) }
  }
}

extension Data {
  /// Copies bytes.
  package init(_ bytes: RawSpan) {
    self = bytes.withBorrowed { Data($0) }
  }
}

extension RawSpan {
  /// Calls a closure with the bytes, borrowed while it runs.
  package func withBorrowed<R>(_ body: (BorrowedBuffer<UInt8>) throws -> R) rethrows -> R {
    try unsafe withUnsafeBytes { bytes in
      try unsafe body(BorrowedBuffer(bytes.assumingMemoryBound(to: UInt8.self)))
    }
  }
}

extension String {
  /// Calls a closure with the bytes in UTF-8, borrowed while it runs.
  package func withBorrowedUTF8<R>(_ body: (BorrowedBuffer<UInt8>) throws -> R) rethrows -> R {
    var text = self
    return try text.withUTF8 { try body(unsafe BorrowedBuffer($0)) }
  }

  /// Calls a closure with the bytes in UTF-8.
  package func withUTF8Span<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
    var text = self
    return try text.withUTF8 { try body(unsafe $0.span) }
  }

  /// Creates a string from the bytes of a text.
  init(_ text: Span<UInt8>) {
    self = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
