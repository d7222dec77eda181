extension EventParser {
  /// The most that YAJL is given at once.
  private static let pieceBytes = 128 << 10

  func read(_ chunk: UnsafeRawBufferPointer) throws {
    guard let base = chunk.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    var index = 0
    while index < chunk.count {
      let count = min(Self.pieceBytes, chunk.count - index)
      try take(base + index, count: count)
      index += count
    }
  }

  func readEnd() throws {
    try feedHeld()
    try complete()
  }
}
