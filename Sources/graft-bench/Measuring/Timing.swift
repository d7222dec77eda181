import Foundation

/// Times readers on documents in memory.
enum Timing {
  /// Runs a contestant once.
  ///
  /// - Returns: Seconds from making the reader to the end of the document; freeing what it made is
  ///   not counted.
  static func run(
    _ contestant: Contestant, on bytes: Data, subject: Subject, chunkSize: Int
  ) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let reader = try contestant.makeReader(subject)
    try bytes.withUnsafeBytes { whole in
      guard contestant.readsChunks else { return try reader.read(whole) }
      for offset in stride(from: 0, to: whole.count, by: chunkSize) {
        let end = min(offset + chunkSize, whole.count)
        try reader.read(UnsafeRawBufferPointer(rebasing: whole[offset..<end]))
      }
    }
    try reader.finish()
    let duration = clock.now - start
    return withExtendedLifetime(reader) { duration.seconds }
  }

  /// Runs contestants in turns, so that a busy moment of the machine does not hit one of them
  /// alone.
  ///
  /// - Returns: The best run of each, in seconds.
  static func best(
    of runs: Int, _ contestants: [Contestant], on bytes: Data, subject: Subject, chunkSize: Int
  ) throws -> [Double] {
    var best = [Double](repeating: .infinity, count: contestants.count)
    for _ in 0..<runs {
      for (position, contestant) in contestants.enumerated() {
        let seconds = try run(contestant, on: bytes, subject: subject, chunkSize: chunkSize)
        best[position] = min(best[position], seconds)
      }
    }
    return best
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
