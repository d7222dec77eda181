// Line feeds are counted in vectors, once per slice and not once per byte.
//
// Raw memory: a mask of lanes is read as a vector of the same size. Every bit pattern is a valid
// vector.

/// Finds the line of any byte of the current slice.
///
/// Counting starts where it was last asked about, so that asking for place after place costs no more
/// than asking for the last.
struct LineTracker {
  /// A place whose line is known.
  private struct Place {
    var offset = 0
    var line = 1
    /// The offset of that line's first byte.
    var lineStart = 0
  }

  /// The beginning of the slice.
  private var sliceStart = Place()
  /// The place in the slice up to which lines have been counted.
  private var counted = Place()

  /// Counts lines from a number.
  mutating func begin(atLine line: Int) {
    sliceStart.line = line
    counted = sliceStart
  }

  /// Skips bytes at the beginning of the document; they belong to its first line.
  mutating func skip(_ count: Int) {
    sliceStart.offset += count
    counted = sliceStart
  }

  /// Returns the location of a byte of the slice.
  mutating func location(of offset: Int, in slice: InputSlice) -> SourceLocation {
    if offset < counted.offset { counted = sliceStart }
    count(upTo: offset, in: slice)
    return SourceLocation(
      offset: offset, line: counted.line, column: offset - counted.lineStart + 1)
  }

  /// Makes the end of the slice the beginning of the next.
  mutating func leave(_ slice: InputSlice) {
    count(upTo: slice.end, in: slice)
    sliceStart = counted
  }

  private mutating func count(upTo offset: Int, in slice: InputSlice) {
    let end = min(offset, slice.end)
    guard end > counted.offset else { return }
    let bytes = slice.bytes[(counted.offset - slice.start)..<(end - slice.start)]
    let lineFeeds = ScanInstructions.best.lineFeedCount(in: bytes)
    if lineFeeds > 0 {
      counted.line += lineFeeds
      counted.lineStart = counted.offset + bytes.startOfLastLine
    }
    counted.offset = end
  }
}

extension BorrowedBuffer<UInt8> {
  private static var lineFeeds: SIMD16<UInt8> { SIMD16(repeating: UInt8(ascii: "\n")) }

  /// The index after the last line feed; 0 if there is none.
  ///
  /// - Complexity: O(*n*) in the distance of that line feed from the end.
  fileprivate var startOfLastLine: Int {
    var end = count
    while end >= 16 {
      let bytes = load(at: end - 16, as: SIMD16<UInt8>.self)
      let words = unsafe unsafeBitCast(bytes .== Self.lineFeeds, to: SIMD2<UInt64>.self)
      if words[0] | words[1] != 0 { break }
      end -= 16
    }
    while end > 0, self[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    return end
  }
}
