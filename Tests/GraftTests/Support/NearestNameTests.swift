import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("Heros", ["Hero", "Power"], "Hero"),
    ("JSONKeypath", ["JSONNull", "JSONKeyPath"], "JSONKeyPath"),
    ("hero", ["hera", "Hero"], "Hero"),
    ("JSONKyePath", ["JSONKeyPath"], "JSONKeyPath"),
    ("authr", ["author", "actor"], "author"),
    ("modle", ["mode", "model"], "model"),
  ])
  func `the nearest name is found, whatever its letters' case`(
    name: String, candidates: [String], expected: String
  ) {
    #expect(nearestName(to: name, in: candidates) == expected)
    #expect(nearestName(to: name, in: candidates.reversed()) == expected)
  }

  @Test(arguments: [
    ("Hero", ["Power", "Publisher"]), ("", ["a"]), ("a", []), ("id", ["url"]), ("text", ["type"]),
  ])
  func `a name that is far from all has no nearest one`(name: String, candidates: [String]) {
    #expect(nearestName(to: name, in: candidates) == nil)
  }

  @Test func `names beyond any sensible length are not compared`() {
    let long = String(repeating: "a", count: 10_000)
    #expect(nearestName(to: long, in: [long + "b"]) == nil)
  }

  @Test(arguments: [
    ("naïve", ["naive", "native"], "naive"), ("Größe", ["Grösse", "größe"], "größe"),
    ("e\u{301}tat", ["état", "state"], "état"), ("abcd", ["dcba", "abxy"], nil),
    ("a\r\nbcd", ["a\r\nbc"], "a\r\nbc"),
  ])
  func `letters are compared as characters`(
    name: String, candidates: [String], expected: String?
  ) {
    #expect(nearestName(to: name, in: candidates) == expected)
  }

  @Test(arguments: Seeds.some(2, of: 6))
  func `a name that is one edit away is near, wherever the edit is`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var isFound = true
    for _ in 0..<300 {
      let name = (0..<Int.random(in: 3...12, using: &random)).map { _ in
        Character(UnicodeScalar(UInt8.random(in: 65...122, using: &random)))
      }
      // One edit, which is always near enough.
      var other = name
      let place = Int.random(in: 0..<name.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: other.remove(at: place)
      case 1: other.insert("q", at: place)
      default: other[place] = "Z"
      }
      isFound = isFound && nearestName(to: String(name), in: [String(other)]) == String(other)
    }
    #expect(isFound)
  }

  @Test func `thousands of names that are near none are told at a glance`() {
    let candidates = (0..<1_000).map { "attribute of some length \($0)" }
    let names = (0..<200).map { "quite another key \($0)" }
    // Compared letter by letter, they would take some seconds.
    let seconds = ThreadTime.seconds {
      for name in names where nearestName(to: name, in: candidates) != nil {
        Issue.record("\(name) is near")
      }
    }
    #expect(seconds < 2)
  }
}
