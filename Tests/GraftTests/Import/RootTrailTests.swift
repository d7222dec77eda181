import Testing

@testable import Graft

/// What is noted on the way to a root.
@Suite struct `The trail to a root` {
  @Test func `counts no place's keys as another's, however many places there are`() {
    var trail = RootTrail()
    for number in 0..<70 {
      trail.note("key", depth: 1) {
        .init(
          path: "$[\(number)]", location: SourceLocation(offset: number, line: 1, column: 1))
      }
      trail.leave(depth: 1)
    }
    #expect(trail.places.count == 64)
    #expect(trail.places.allSatisfy { $0.keyCount == 1 && $0.keys == ["key"] })
  }
}
