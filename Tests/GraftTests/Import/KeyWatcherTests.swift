import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks the state of the search for a root.
@Suite struct `The search for a root` {
  @Test func `counts no place's keys as another's, however many places there are`() {
    var search = RootSearch()
    for number in 0..<70 {
      search.note("key", depth: 1) {
        .init(
          path: "$[\(number)]", location: SourceLocation(offset: number, line: 1, column: 1))
      }
      search.leave(depth: 1)
    }
    #expect(search.places.count == 64)
    #expect(search.places.allSatisfy { $0.keyCount == 1 && $0.keys == ["key"] })
  }
}
