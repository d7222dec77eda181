import Testing

@testable import GraftInference

@Suite struct `An index of fingerprints` {
  @Test(arguments: [0, 1, 4, 5, 1000])
  func `finds the number of each, and of no other`(count: Int) {
    var index = FingerprintIndex()
    for number in 0..<count { index.insert(Fingerprint.of("\(number)"), number) }
    let found = (0..<count + 10).map { index[Fingerprint.of("\($0)")] }
    #expect(found == (0..<count).map { $0 } + Array(repeating: nil, count: 10))
  }

  @Test func `has the last number of a fingerprint`() {
    var index = FingerprintIndex()
    for number in 0..<20 { index.insert(7, number) }
    #expect(index[7] == 19)
    #expect(!index.contains(9))
  }
}
