import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct ModelLimitsTests {
  @Test(arguments: [(1000, true), (1001, false)])
  func `annotations have a limit`(count: Int, isFine: Bool) {
    let notes = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", "") })
    for text in [
      errors([EntityDescription(name: "E", userInfo: notes)]),
      errors([EntityDescription(name: "E", attributes: [.make("a", .string, notes)])]),
      errors([EntityDescription(name: "E", relationships: [.make("r", to: "E", notes)])]),
    ] {
      #expect(text.isEmpty == isFine)
      #expect(isFine || text.contains("expected at most 1000"))
    }
  }

  @Test func `properties have a limit, inherited ones counted for each entity`() {
    let base = EntityDescription(name: "Base", attributes: (0..<2000).map { .make("a\($0)") })
    let below = (0..<100).map { EntityDescription(name: "Sub\($0)", superentity: "Base") }
    #expect(
      errors([base] + below)
        == "202000 properties, inherited ones counted for each entity, expected at most 200000; "
        + "split the model")
  }

  @Test(arguments: [(65_535, true), (65_536, false)])
  func `entities have a limit`(count: Int, isFine: Bool) {
    let log = IssueLog()
    let entities = (0..<count).map { EntityDescription(name: "E\($0)") }
    #expect((ModelLimits.admit(entities, log: log) != nil) == isFine)
    #expect(
      log.errors.map(\.message)
        == (isFine ? [] : ["65536 entities, expected at most 65535; split the model"]))
  }

  @Test(arguments: [(32, true), (33, false)])
  func `fallback paths have a limit`(count: Int, isFine: Bool) {
    let paths = Array(repeating: "a", count: count).joined(separator: "|")
    let text = errors([
      EntityDescription(name: "E", attributes: [.make("a", .string, ["JSONKeyPath": paths])])
    ])
    #expect(text.isEmpty == isFine)
    #expect(isFine || text == "E.a: JSONKeyPath has 33 paths, expected at most 32")
  }
}
