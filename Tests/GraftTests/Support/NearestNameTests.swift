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

  @Test(arguments: [
    ("heeRo", ["HERO", "herO", "HERo", "hoe"], "HERo"),
    ("HeRbo", ["hERO", "herO", "hERo", "hero"], "hERo"),
  ])
  func `capitals decide between names that are equally near`(
    name: String, candidates: [String], expected: String
  ) {
    #expect(nearestName(to: name, in: candidates) == expected)
  }

  @Test(arguments: Seeds.some(2, of: 6))
  func `a name is near where a whole table of edits says so`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let name = (0..<Int.random(in: 3...14, using: &random)).map { _ in
        "abcd".randomElement(using: &random) ?? "a"
      }
      var other = name
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0..<max(1, other.count), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where other.count > 1: other.remove(at: place)
        case 1 where place + 1 < other.count: other.swapAt(place, place + 1)
        case 2 where !other.isEmpty: other[place] = "e"
        default: other.insert("f", at: place)
        }
      }
      let isNear = Self.edits(name, other) <= max(1, min(3, name.count / 3))
      #expect(
        (nearestName(to: String(name), in: [String(other)]) != nil) == isNear,
        "\(String(name)) and \(String(other))")
    }
  }

  /// Returns the fewest edits from one name to the other, by the definition.
  private static func edits(_ first: [Character], _ second: [Character]) -> Int {
    var table = [[Int]](
      repeating: Array(repeating: 0, count: second.count + 1), count: first.count + 1)
    for i in 0...first.count {
      for j in 0...second.count {
        guard i > 0, j > 0 else {
          table[i][j] = i + j
          continue
        }
        let replaced = table[i - 1][j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1)
        table[i][j] = min(replaced, table[i - 1][j] + 1, table[i][j - 1] + 1)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
        }
      }
    }
    return table[first.count][second.count]
  }

  @Test func `thousands of names that are near none are told at a glance`() {
    // Of one length, or else no letter would be compared.
    let candidates = (1_000..<2_000).map {
      "one attribute like all the other ones, with the number \($0)"
    }
    let names = (1_000..<1_020).map {
      "Quite something else, which is equally long, and named \($0)"
    }
    #expect(candidates[0].count == names[0].count)
    let seconds = ThreadTime.seconds {
      for name in names where nearestName(to: name, in: candidates) != nil {
        Issue.record("\(name) is near")
      }
    }
    #expect(seconds < 2)
  }
}
