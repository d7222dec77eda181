// Line feeds are counted once per piece, not once per byte: sixteen at a time in vectors that
// every processor has.

enum LineCounting {
  static let lineFeed = UInt8(ascii: "\n")

  /// Counts the line feeds of a text.
  static func lineFeeds(in text: UnsafePointer<UInt8>, count: Int) -> Int {
    let raw = UnsafeRawPointer(text)
    let feed = SIMD16<UInt8>(repeating: lineFeed)
    var total = 0
    var index = 0
    while index + 16 <= count {
      // A lane counts to 255 before it would wrap.
      let stop = Swift.min(count - 15, index + 255 * 16)
      var lanes = SIMD16<UInt8>()
      while index < stop {
        let bytes = raw.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        lanes &-= unsafeBitCast(bytes .== feed, to: SIMD16<UInt8>.self)
        index += 16
      }
      for lane in 0..<16 { total &+= Int(lanes[lane]) }
    }
    while index < count {
      if text[index] == lineFeed { total &+= 1 }
      index += 1
    }
    return total
  }

  /// The index after the last line feed; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the distance of that line feed from the end.
  static func startOfLastLine(in text: UnsafePointer<UInt8>, count: Int) -> Int? {
    let raw = UnsafeRawPointer(text)
    let feed = SIMD16<UInt8>(repeating: lineFeed)
    var end = count
    while end >= 16 {
      let bytes = raw.loadUnaligned(fromByteOffset: end - 16, as: SIMD16<UInt8>.self)
      let words = unsafeBitCast(bytes .== feed, to: SIMD2<UInt64>.self)
      if words[0] | words[1] != 0 { break }
      end -= 16
    }
    while end > 0, text[end - 1] != lineFeed { end -= 1 }
    return end > 0 ? end : nil
  }
}
