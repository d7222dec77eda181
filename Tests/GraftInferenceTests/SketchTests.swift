import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `A sketch of values` {
  private func sketch(_ values: some Sequence<Int>) -> ValueSketch {
    var sketch = ValueSketch()
    for value in values { sketch.insert(Fingerprint.of("\(value)")) }
    return sketch
  }

  @Test(arguments: Seeds.some(1, of: 3))
  func `is found in an index by any value in common`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sketches = (0..<60).map { _ in
      let start = Int.random(in: 0..<4_000, using: &random)
      return sketch(start..<start + Int.random(in: 0..<900, using: &random))
    }
    let index = SketchIndex(sketches)
    for one in sketches {
      let expected = sketches.indices.filter { number in
        one.values.contains { sketches[number].contains($0) }
      }
      #expect(index.sketches(near: one) == expected)
      let common = sketches.indices.filter { one.overlap(with: sketches[$0]).common > 0 }
      #expect(Set(common).isSubset(of: expected))
    }
  }

  @Test func `counts few values exactly`() {
    #expect(sketch((0..<400).map { $0 % 300 }).distinctCount == 300)
  }

  @Test func `estimates many values within its error`() {
    let count = sketch(0..<20_000).distinctCount
    #expect(abs(Double(count) - 20_000) / 20_000 < 0.15)
  }

  @Test func `does not depend on the order, nor on how the values came together`() {
    let whole = sketch(0..<3000)
    #expect(sketch((0..<3000).reversed()) == whole)
    var union = sketch(0..<1500)
    union.formUnion(sketch(1200..<3000))
    #expect(union == whole)
  }

  @Test(arguments: [(0..<50, 50), (25..<75, 25), (200..<250, 0)])
  func `tells how many of its values another has`(values: Range<Int>, common: Int) {
    let overlap = sketch(values).overlap(with: sketch(0..<50))
    #expect(overlap.common == common)
    #expect(overlap.compared == 50)
  }

  @Test func `tells the share of a large set by a sample`() {
    let overlap = sketch(0..<10_000).overlap(with: sketch(5000..<50_000))
    #expect(abs(Double(overlap.common) / Double(overlap.compared) - 0.5) < 0.2)
  }
}

@Suite struct `A key in words` {
  @Test(arguments: [
    ("seatCategoryIds", ["seat", "category", "ids"]), ("html_url", ["html", "url"]),
    ("HTMLParser", ["html", "parser"]), ("dist-tags", ["dist", "tags"]), ("@type", ["type"]),
    ("temperature2m", ["temperature2m"]),
  ])
  func `is split at punctuation and capitals`(key: String, words: [String]) {
    #expect(Words(key).parts == words)
  }

  @Test(arguments: [
    ("statuses", "status"), ("categories", "category"), ("people", "person"), ("boxes", "box"),
    ("addresses", "address"), ("media", "media"), ("series", "series"), ("movies", "movie"),
    ("news", "news"), ("databases", "database"), ("indices", "index"), ("status", "status"),
    ("analysis", "analysis"), ("heroes", "hero"), ("cases", "case"), ("users", "user"),
    ("batches", "batch"), ("this", "this"), ("houses", "house"), ("responses", "response"),
  ])
  func `has a singular`(word: String, singular: String) {
    #expect(Words.singular(of: word) == singular)
  }

  @Test(arguments: [
    ("user_mentions", "UserMentions", "userMentions"), ("html_url", "HTMLURL", "htmlURL"),
    ("eventId", "EventID", "eventID"), ("urls", "URLs", "urls"),
  ])
  func `names types and properties`(key: String, type: String, property: String) {
    #expect(Words(key).typeName == type)
    #expect(Words(key).propertyName == property)
  }
}
