import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A set of objects` {
  @Test(arguments: [1 as UInt64, 2, 3, 4])
  func `has what a set of the standard library has`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let first = ObjectID(entity: 1, store: 7)
    let base = seed.isMultiple(of: 2) ? 1_000_000 : 0
    var (objects, expected) = (ObjectSet(entityCount: 2), Set<ObjectID>())
    var rows = (0..<500).map { _ in base + Int.random(in: 0..<20_000, using: &random) }
    if seed > 2 { rows.sort(by: >) }
    for row in rows {
      let id = ObjectID(first, row: row)
      #expect(objects.insert(id) == expected.insert(id).inserted)
    }
    for row in max(0, base - 100)..<base + 20_100 {
      let id = ObjectID(first, row: row)
      guard objects.contains(id) != expected.contains(id) else { continue }
      Issue.record("row \(row)")
    }
    #expect(!objects.contains(ObjectID(entity: 0, store: 7)))
  }
}
