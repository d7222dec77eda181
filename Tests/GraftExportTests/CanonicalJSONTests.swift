import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `The canonical form of a graph` {
  @Test func `is one object a line, and ends with a line feed`() throws {
    let store = GraphStore(model: Sample.timeline)
    try store.change { transaction in
      let user = transaction.insert(0, .integer(1))
      transaction.set(user, 1, .string("Ann"))
      let tweet = transaction.insert(1, .integer(7))
      transaction.link(tweet, 0, user)
    }
    #expect(
      store.graph.canonicalText == """
        {
          "Tweet": [
            {"@id": "Tweet/1", "author": "User/1", "id": 7, "reply": null, "text": null}
          ],
          "User": [
            {"@id": "User/1", "followers": 0, "friends": [], "id": 1, "name": "Ann", "tweets": ["Tweet/1"]}
          ]
        }

        """)
  }

  @Test func `shows a concrete entity without objects as an empty array`() {
    let store = GraphStore(model: Sample.timeline)
    #expect(
      store.graph.canonicalText == """
        {
          "Tweet": [],
          "User": []
        }

        """)
  }

  @Test func `leaves out an abstract entity unless it has objects`() throws {
    var base = Sample.entity("Base")
    base.description.isAbstract = true
    let leaf = Sample.entity("Leaf", superentity: 0)
    let store = GraphStore(model: Sample.model([base, leaf]))
    #expect(store.graph.canonicalText == "{\n  \"Leaf\": []\n}\n")
    try store.change { _ = $0.insert(0) }
    #expect(store.graph.canonicalText.contains(#"{"@id": "Base/1"}"#))
  }

  @Test func `orders entities and properties by code points`() {
    let names = ["b", "Z", "a", "é", "\u{FF5E}", "\u{1F600}", "aa"]
    let entities = names.map { Sample.entity($0) }
    let store = GraphStore(model: Sample.model(entities))
    let printed = store.graph.canonicalText.split(separator: "\"").enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    #expect(printed == ["Z", "a", "aa", "b", "é", "\u{FF5E}", "\u{1F600}"])
  }

  @Test(arguments: [
    (AttributeType.integer16, AttributeValue.integer(-32_768), "-32768"),
    (.integer64, .integer(.min), "-9223372036854775808"),
    (.integer64, .integer(.max), "9223372036854775807"),
    (.double, .double(3), "3"), (.double, .double(0.1), "0.1"), (.double, .double(-0.0), "-0"),
    (.double, .double(1e16), "1e+16"), (.double, .double(.leastNonzeroMagnitude), "5e-324"),
    (.double, .double(9_007_199_254_740_992), "9007199254740992"),
    (.float, .float(0.1), "0.1"), (.float, .float(16_777_216), "16777216"),
    (
      .decimal, .decimal(Decimal(string: "12345678901234567890.0123") ?? 0),
      "12345678901234567890.0123"
    ),
    (.boolean, .boolean(true), "true"), (.boolean, .boolean(false), "false"),
    (
      .string, .string("a\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}é\u{2028}😀"),
      #""a\"\\/\b\f\n\r\t\u0001"# + "\u{7f}é\u{2028}😀\""
    ),
    (.date, .date(Date(timeIntervalSince1970: 1_348_457_721)), "\"2012-09-24T03:35:21Z\""),
    (.date, .date(Date(timeIntervalSince1970: 1_388_349_427.543)), "\"2013-12-29T20:37:07.543Z\""),
    (.binary, .binary(Data([0, 255, 16])), "\"AP8Q\""),
    (
      .uuid, .uuid(UUID(uuidString: "0e984725-c51c-4bf4-9960-e1c80e27aba0") ?? UUID()),
      "\"0E984725-C51C-4BF4-9960-E1C80E27ABA0\""
    ),
    (.uri, .uri(URL(filePath: "/a b")), "\"file:///a%20b\""),
    (.transformable, .json(#"{"a":[1,null]}"#), #"{"a":[1,null]}"#),
  ])
  func `writes a value of each type exactly`(
    _ type: AttributeType, _ value: AttributeValue, _ text: String
  ) throws {
    let store = GraphStore(model: Sample.everything)
    let number = try #require(AttributeType.allCases.firstIndex(of: type)) + 1
    try store.change { transaction in
      transaction.set(transaction.insert(0, .integer(1)), number, value)
    }
    #expect(store.graph.canonicalText.contains("\"\(type.rawValue)\": \(text)"))
  }

  @Test func `sorts what has no order by entity and number, and leaves an order as it is`() throws {
    let owner = Sample.entity(
      "Owner",
      relationships: [
        Sample.relationship("any", to: 0, inverse: nil, many: true),
        Sample.relationship("list", to: 0, inverse: nil, many: true, ordered: true),
      ])
    let base = Sample.entity("Zebra")
    let leaf = Sample.entity("Ant", superentity: 0)
    let store = GraphStore(model: Sample.model([base, leaf, owner]))
    try store.change { transaction in
      let animals = [0, 1, 0, 1].map { transaction.insert($0) }
      let all = transaction.insert(2)
      transaction.link(all, 0, animals)
      transaction.link(all, 1, animals)
    }
    let text = store.graph.canonicalText
    #expect(text.contains(#""any": ["Ant/1", "Ant/2", "Zebra/1", "Zebra/2"]"#))
    #expect(text.contains(#""list": ["Zebra/1", "Ant/1", "Zebra/2", "Ant/2"]"#))
  }

  @Test func `numbers the objects that are there`() throws {
    let store = GraphStore(model: Sample.timeline)
    try store.change { transaction in
      let users = (0..<200).map { transaction.insert(0, .integer(Int64($0))) }
      for user in users { transaction.set(user, 1, .string("x")) }
      transaction.link(users[199], 1, [users[198]])
      try transaction.delete(Array(users[1..<150]))
    }
    let text = store.graph.canonicalText
    #expect(text.contains(#"{"@id": "User/2", "followers": 0, "friends": [], "id": 150,"#))
    #expect(
      text.contains(#"{"@id": "User/51", "followers": 0, "friends": ["User/50"], "id": 199,"#))
    #expect(!text.contains("User/52"))
  }

  @Test func `comes in pieces that make up the whole, and stops when its reader fails`() throws {
    let store = GraphStore(model: Sample.timeline)
    try store.change { transaction in
      for id in 0..<5000 {
        transaction.set(transaction.insert(0, .integer(Int64(id))), 1, .string("name \(id)"))
      }
    }
    var pieces: [Data] = []
    store.graph.writeCanonicalJSON { piece in
      pieces.append(piece.withUnsafeBytes { Data($0) })
    }
    #expect(pieces.count > 3)
    #expect(Data(pieces.joined()) == store.graph.canonicalJSON())
    var calls = 0
    #expect(throws: CancellationError.self) {
      try store.graph.writeCanonicalJSON { _ in
        calls += 1
        throw CancellationError()
      }
    }
    #expect(calls == 1)
  }

  @Test func `is JSON, whatever the texts hold`() throws {
    var random = SeededGenerator(seed: 11)
    let store = GraphStore(model: Sample.timeline)
    let names = (0..<300).map { _ in
      String(
        String.UnicodeScalarView(
          (0..<8).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
          }))
    }
    try store.change { transaction in
      for (id, name) in names.enumerated() {
        transaction.set(transaction.insert(0, .integer(Int64(id))), 1, .string(name))
      }
    }
    let json = try JSONSerialization.jsonObject(with: store.graph.canonicalJSON())
    let users = (json as? [String: [[String: Any]]])?["User"]
    #expect(users?.map { $0["name"] as? String } == names)
  }
}

extension Graph {
  fileprivate var canonicalText: String { String(decoding: canonicalJSON(), as: UTF8.self) }
}

extension GraphStore {
  fileprivate func change(_ body: (GraphTransaction) throws -> Void) throws {
    let transaction = begin()
    try body(transaction)
    _ = try commit(transaction)
  }
}
