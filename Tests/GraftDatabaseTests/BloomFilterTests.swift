import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `A filter of identities` {
  @Test(arguments: [1, 63, 64, 65, 600, 5000, 60_000])
  func `knows all that it was given, and few others`(count: Int) {
    var memory = BloomFilter.Memory()
    var filter = BloomFilter()
    var random = SeededGenerator(seed: 1)
    let keys = Set((0..<count).map { _ in UInt32.random(in: 0...(.max), using: &random) })
    for key in keys { filter.insert(key, &memory) }
    #expect(keys.allSatisfy(filter.mayContain))
    let others = (0..<10_000).map { _ in UInt32.random(in: 0...(.max), using: &random) }
    let found = others.count { !keys.contains($0) && filter.mayContain($0) }
    // A few of them have the hash of a key.
    #expect(found <= 8)
  }

  @Test(arguments: [0, 1, 64, 1000, 100_000])
  func `takes memory with its keys`(count: Int) {
    var memory = BloomFilter.Memory()
    var filter = BloomFilter()
    for key in 0..<UInt32(count) { filter.insert(key &* 2_654_435_761, &memory) }
    #expect(filter.byteCount <= 9 * 64 * count + 512)
    if count == 0 { #expect(filter.byteCount == 0) }
  }

  @Test func `shares a limit with all others, and forgets nothing beyond it`() {
    var memory = BloomFilter.Memory(byteCount: 1 << 18)
    var filters = Array(repeating: BloomFilter(), count: 100)
    let keys = (0..<1250).map { UInt32($0) &* 2_654_435_761 }
    for index in filters.indices {
      for key in keys { filters[index].insert(key, &memory) }
    }
    #expect(filters.reduce(0) { $0 + $1.byteCount } <= 1 << 18 + 100 * 512)
    #expect(filters.allSatisfy { filter in keys.allSatisfy(filter.mayContain) })
  }
}
