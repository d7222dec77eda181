import CommandLineSupport
import Foundation
import Graft
import Testing

@testable import GraftTestSupport

@Suite struct `A line of progress` {
  private static func line(
    _ byteCount: Int, of total: Int? = nil, seconds: Int = 10, width: Int = 100
  ) -> String {
    ProgressText.line(
      of: "feed.json", ImportProgress(byteCount: byteCount, totalByteCount: total),
      elapsed: .seconds(seconds), width: width)
  }

  @Test func `has bytes, rate and the time that is left`() {
    #expect(
      Self.line(50_000_000, of: 200_000_000)
        == "feed.json █████░░░░░░░░░░░░░░░ 25 %  50.0 of 200.0 MB  5.0 MB/s  30 s left")
    #expect(Self.line(1_234_567, seconds: 1) == "feed.json 1.2 MB  1.2 MB/s")
    #expect(Self.line(700, of: 900, seconds: 1).hasSuffix("77 %  700 of 900 bytes  0.0 MB/s"))
  }

  @Test func `has the page of a list`() {
    let progress = ImportProgress(byteCount: 12_345_678, page: 31)
    #expect(
      ProgressText.line(
        of: "https://api.example.com/issues", progress, elapsed: .seconds(10), width: 100)
        == "https://api.example.com/issues page 31  12.3 MB  1.2 MB/s")
  }

  @Test(arguments: [
    (59.2, "1 min 0 s"), (0.1, "1 s"), (3_599, "59 min 59 s"), (7_500, "2 h 5 min"),
  ])
  func `names times as a person does`(seconds: Double, text: String) {
    #expect(Amount.time(seconds: seconds) == text)
  }

  @Test func `fits into a line of the terminal`() {
    for width in 0...100 {
      #expect(Self.line(50_000_000, of: 200_000_000, width: width).count <= width)
    }
    #expect(
      Self.line(50_000_000, of: 200_000_000, width: 60)
        == "feed.json 25 %  50.0 of 200.0 MB  5.0 MB/s  30 s left")
    #expect(Self.line(50_000_000, of: 200_000_000, width: 50).hasPrefix("….json 25 %"))
  }
}
