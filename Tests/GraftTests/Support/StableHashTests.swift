import Testing

@testable import Graft

@Suite struct `A stable hash` {
  // From the authors' test vectors.
  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func `is FNV-1a`(text: String, expected: UInt64) {
    #expect(text.withBorrowedUTF8 { StableHash($0).value } == expected)
  }
}
