import Testing

@testable import Graft
@testable import GraftInference

@Suite struct `The statistics of a place` {
  private func note(string: String, in statistics: inout ScalarStatistics) {
    string.withBorrowedUTF8 { statistics.note(string: $0, Fingerprint.of($0)) }
  }

  private func note(number: String, in statistics: inout ScalarStatistics) {
    number.withBorrowedUTF8 { statistics.note(number: $0, Fingerprint.of($0)) }
  }

  @Test func `count strings that occur again`() {
    var statistics = ScalarStatistics()
    for text in ["2024-05-01", "2024-05-01", "", "2024-05-02", ""] {
      note(string: text, in: &statistics)
    }
    #expect(statistics.stringCount == 5)
    #expect(statistics.emptyStringCount == 2)
    #expect(statistics.longest == 10)
    #expect(statistics.sketch.distinctCount == 3)
  }

  @Test func `count numbers that occur again, each as what it is`() {
    var statistics = ScalarStatistics()
    for text in ["7", "7", "-3", "0.5", "7", "0.5", "99999999999999999999", "99999999999999999999"]
    {
      note(number: text, in: &statistics)
    }
    #expect(statistics.integerCount == 6)
    #expect(statistics.fractionCount == 2)
    #expect(statistics.largeCount == 2)
    #expect(statistics.minimum == -3)
    #expect(statistics.maximum == 7)
  }

  @Test(arguments: [(1, InferenceFinding.Certainty.guess), (7919, .certain)])
  func `are no more certain as identities by a value beyond all of these`(
    step: Int, certainty: InferenceFinding.Certainty
  ) {
    var (identities, values) = (ScalarStatistics(), ScalarStatistics())
    for number in 1...40 { note(number: "\(number * step)", in: &identities) }
    for number in 1...20 { note(number: "\(number * step)", in: &values) }
    note(number: "900000", in: &values)
    let likelihood = ReferenceLikelihood(values, identities, score: 1, common: 20)
    #expect(likelihood.certainty == certainty)
  }

  @Test func `take the form of a string, though a number had the same text`() {
    var statistics = ScalarStatistics()
    note(number: "5", in: &statistics)
    note(string: "5", in: &statistics)
    #expect(statistics.formats.contains(.integer))
    #expect(!statistics.formats.contains(.uuid))
  }

  @Test func `take the average of many strings for a usual one, and the shortest of few`() {
    var statistics = ScalarStatistics()
    for text in ["a", "12345", "12346"] { note(string: text, in: &statistics) }
    #expect(statistics.usualLength == 1)
    for number in 10_000..<10_005 { note(string: "\(number)", in: &statistics) }
    #expect(statistics.usualLength == 4)
  }

  @Test(arguments: [
    ("http://localhost:8080", true), ("https://a.org:443/b:c", true), ("http://a.org/#b", true),
    ("http://a.org:/b", false), ("http://a.org:x/b", false), ("http://a.org:123456/", false),
    ("http://ann:1@a.org/", false), ("http://a.org:80:80", false), ("ftp://a.org", true),
    ("ipfs://QmXt", true), ("://a.org", false), ("C:a.png", false), ("file:///a", false),
  ])
  func `know addresses that every parser accepts`(text: String, isAddress: Bool) {
    var statistics = ScalarStatistics()
    note(string: text, in: &statistics)
    #expect(statistics.formats.contains(.address) == isAddress)
  }

  @Test(arguments: [
    ("7", true), ("-7", true), ("0", true), ("-0", false), ("007", false), ("", false),
    ("-", false), ("1.0", false), ("1e3", false), ("9223372036854775807", true),
    ("9223372036854775808", false), ("-9223372036854775808", true),
  ])
  func `know integers that are written again as they were`(text: String, isInteger: Bool) {
    #expect(text.withBorrowedUTF8(TextFormats.isInteger) == isInteger)
  }
}
