import Testing

@testable import Graft
@testable import GraftTestSupport

struct `Lines and columns` {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `are those of counting byte by byte, in any order within a slice`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = (0..<400).map { _ in
      Int.random(in: 0..<30, using: &random) == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "x")
    }
    var expected: [Graft.SourceLocation] = []
    var (line, column) = (1, 1)
    for (offset, byte) in (text + [0]).enumerated() {
      expected.append(Graft.SourceLocation(offset: offset, line: line, column: column))
      (line, column) = byte == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
    }

    var lines = LineTracker()
    var start = 0
    text.withBorrowed { text in
      while start < text.count {
        let end = min(start + Int.random(in: 1...90, using: &random), text.count)
        let slice = InputSlice(
          bytes: text[start..<end], start: start)
        for _ in 0..<5 {
          let offset = Int.random(in: start...end, using: &random)
          #expect(lines.location(of: offset, in: slice) == expected[offset])
        }
        lines.leave(slice)
        start = end
      }
    }
  }
}
