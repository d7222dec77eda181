import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `The writers of scalars` {
  private static func text(_ write: (inout ByteBuffer) -> Void) -> String {
    var text = ByteBuffer()
    write(&text)
    return text.string
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
    (-0.25, "1969-12-31T23:59:59.750Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
    (1_388_349_427.0004, "2013-12-29T20:37:07Z"), (1_388_349_427.9996, "2013-12-29T20:37:08Z"),
    (-62_135_596_800, "0001-01-01T00:00:00Z"), (-62_198_755_200, "-0001-01-01T00:00:00Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "+10000-01-01T00:00:00Z"),
  ])
  func `write a date in UTC, to the millisecond`(_ seconds: Double, _ expected: String) {
    let interval = Date(timeIntervalSince1970: seconds).timeIntervalSinceReferenceDate
    #expect(Self.text { DateText.appendISO8601(interval, to: &$0) } == expected)
  }

  @Test func `write dates that are read back as the same, in any year`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let milliseconds = Int.random(in: -990_000_000_000_000...990_000_000_000_000, using: &random)
      let interval = (Double(milliseconds) / 1000).rounded(.down) + 0.125
      let text = Self.text { DateText.appendISO8601(interval, to: &$0) }
      let read = DateText.parseISO8601(Array(text.utf8).span)
      #expect(read == interval, "\(text)")
    }
  }

  @Test(arguments: [Double.infinity, .nan, 1e300, -1e300])
  func `survive a date that no calendar has`(_ interval: Double) {
    #expect(!Self.text { DateText.appendISO8601(interval, to: &$0) }.isEmpty)
  }
}
