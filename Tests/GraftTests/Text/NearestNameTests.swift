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
}
