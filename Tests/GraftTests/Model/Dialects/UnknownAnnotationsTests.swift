import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct UnknownAnnotationsTests {
  func warnings(
    _ dialect: Dialect, entity: [String: String] = [:], attribute: [String: String] = [:],
    relationship: [String: String] = [:]
  ) throws -> String {
    try GraphModel(
      entities: [
        EntityDescription(
          name: "E", attributes: [.make("a", .string, attribute), .make("b")],
          relationships: [.make("r", to: "E", relationship)], userInfo: entity)
      ],
      dialect: dialect
    ).warningText
  }

  @Test(arguments: [
    (Dialect.graft, "JSONKeypath", "JSONKeyPath"), (.graft, "JsonNull", "JSONNull"),
    (.groot, "JSONTransfomerName", "JSONTransformerName"),
    (.magicalrecord, "mappedKeyname", "mappedKeyName"), (.sync, "sync.remotekey", "sync.remoteKey"),
    (.dandy, "@maping", "@mapping"),
  ])
  func `a misspelt annotation is warned of with the name that was meant`(
    dialect: Dialect, written: String, meant: String
  ) throws {
    #expect(
      try warnings(dialect, attribute: [written: "x"])
        == "E.a: unknown annotation \"\(written)\", did you mean \"\(meant)\"?")
  }

  @Test(arguments: Dialect.allCases)
  func `userInfo is free for what does not look like an annotation`(dialect: Dialect) throws {
    let free = ["color": "red", "com.example.flag": "1", "note": "-"]
    #expect(try warnings(dialect, attribute: free, relationship: free).isEmpty)
  }

  @Test func `a name that begins like Graft's is warned of, however far from all`() throws {
    #expect(
      try warnings(.graft, entity: ["JSONSomethingElse": "1"])
        .hasPrefix("E: unknown annotation \"JSONSomethingElse\"; known here: JSONDictionary"))
  }

  @Test func `a name on the wrong kind of thing is told where it belongs`() throws {
    #expect(
      try warnings(.graft, attribute: ["JSONCollection": "union"])
        == "E.a: JSONCollection is not read on an attribute; it belongs on a relationship")
    #expect(
      try warnings(.graft, relationship: ["identityAttributes": "a"])
        == "E.r: identityAttributes is not read on a relationship; it belongs on an entity")
  }

  @Test func `a key of ZDS's map that leads to no property is warned of`() throws {
    #expect(
      try warnings(.zds, entity: ["created": "bb", "user": "r"])
        == "E: the key \"created\" is mapped to \"bb\", which is no property, did you mean \"b\"?")
  }

  @Test func `a former name is no key of ZDS's map`() throws {
    #expect(try warnings(.zds, entity: ["renamingIdentifier": "Former"]) == "")
  }
}
