import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Dates in the forms of patterns, written and read.
@Suite struct `A date pattern` {
  private func write(_ interval: Double, _ pattern: DatePattern) -> [UInt8] {
    var text = ByteBuffer()
    pattern.append(interval, to: &text)
    return text.array()
  }

  @Test(arguments: [
    ("yyyy-MM-dd'T'HH:mm:ssZ", 1.0), ("yyyy-MM-dd HH:mm:ss.SSS", 0.001),
    ("EEE MMM dd HH:mm:ss Z yyyy", 1), ("EEEE, MMMM d, yyyy h:mm:ss a XXX", 1),
    ("d.M.y H:m:s zzz", 1), ("yyyy-MM-dd", 86_400), ("MM/yyyy/dd ZZZZZ", 86_400),
    ("yyyy-MM-dd'T'HH:mmxxx", 60),
  ])
  func `reads back what it has written, to the unit that it shows`(
    text: String, unit: Double
  ) throws {
    let pattern = DatePattern(text)
    try #require(pattern.fields != nil)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      // From the year 1000 to the year 9000.
      let interval =
        (Double.random(in: -31e9...220e9, using: &random) / unit).rounded() * unit
      let written = write(interval, pattern)
      let read = pattern.parse(written.span)
      let error = try #require(read) - interval
      #expect(abs(error) < 0.0005, "\(String(decoding: written, as: UTF8.self))")
    }
  }

  @Test(arguments: [
    ("yy", "01"), ("yyyyyy", "002001"), ("M/d", "1/1"), ("HH:mm a", "00:00 AM"), ("h a", "12 AM"),
    ("EEE EEEE", "Mon Monday"), ("MMM MMMM", "Jan January"), ("S SSSSS", "5 50000"),
    ("Z ZZZZ ZZZZZ", "+0000 GMT Z"), ("X x xx xxx z", "Z +00 +0000 +00:00 GMT"),
    ("''y''", "'2001'"),
  ])
  func `writes each field in its own way`(text: String, expected: String) {
    #expect(String(decoding: write(0.5, DatePattern(text)), as: UTF8.self) == expected)
  }
}
