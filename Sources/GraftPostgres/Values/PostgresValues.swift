#if canImport(CPQ)
import CPQ

// Raw memory: libpq reads the values during a call, from one buffer that does not change during the
// call.

/// The values of a statement's parameters, in one buffer that is used again for each run.
struct PostgresValues: ~Copyable {
  private var writer = WireWriter()
  private var starts: [Int]
  /// -1 is null.
  private var lengths: [CInt]
  private let formats: [CInt]

  init(count: Int) {
    starts = Array(repeating: 0, count: count)
    lengths = Array(repeating: -1, count: count)
    formats = Array(repeating: 1, count: count)
    removeAll()
  }

  /// Makes all of them null.
  mutating func removeAll() {
    // A value of no bytes at the end needs an address too.
    writer.bytes.removeAll(keepingCapacity: true)
    writer.bytes.append(0)
    for index in lengths.indices { lengths[index] = -1 }
  }

  mutating func setNull(_ index: Int) { lengths[index] = -1 }

  /// Sets a value to the bytes that a function writes.
  mutating func set<E>(
    _ index: Int, _ write: (inout WireWriter) throws(E) -> Void
  ) throws(E) {
    starts[index] = writer.bytes.count
    try write(&writer)
    lengths[index] = CInt(clamping: writer.bytes.count - starts[index])
  }

  /// Calls a function with the values as libpq has them: their number, addresses, lengths, and that all are binary.
  func withPointers<R>(
    _ body: (CInt, [UnsafePointer<CChar>?], [CInt], [CInt]) -> R
  ) -> R {
    unsafe writer.bytes.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      let values: [UnsafePointer<CChar>?] = unsafe starts.indices.map { index in
        unsafe lengths[index] < 0 ? nil : start.map { unsafe $0 + starts[index] }
      }
      return unsafe body(CInt(starts.count), values, lengths, formats)
    }
  }
}
#endif
