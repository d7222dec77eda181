import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Under which names an export puts objects, where its model says that they have names.
@Suite struct `An export of objects under names` {
  /// Owners of parts, each part with a name that is written nowhere else.
  private func trial(_ documents: String...) throws -> ImportTrial {
    let trial = try ImportTrial([
      .make(
        "Owner", [], [.make("parts", to: "Part", many: true, ["JSONKeyPath": "parts.*"])]),
      .make(
        "Part", identity: "n", [.make("n"), .make("key", .string, ["JSONKeyPath": "@key"])]),
    ])
    for document in documents { try trial.load(document) }
    return trial
  }

  private static let named = #"[{"id":1,"parts":{"1":{"n":"a"},"x":{"n":"b"}}}]"#

  @Test func `reads back as the same graph`() throws {
    let trial = try trial(Self.named)
    #expect(try trial.export("Owner") == Self.named)
    let parts = try trial.export("Part")
    #expect(parts == #"{"1":{"n":"a"},"x":{"n":"b"}}"#)
    let roots = [ImportRoot("Part", at: JSONPath("*"))]
    let again = try trial.store.graph.reimported(parts, roots)
    #expect(again.content == trial.store.graph.content.filter { $0.hasPrefix("Part") })
  }

  @Test func `gives an object without a name none that is another value's`() throws {
    let trial = try trial(Self.named)
    try trial.store.write { graph in
      try graph.object("Part", identifiedBy: ["n": .string("b")])?.setValue(nil, of: "key")
    }
    // A name that would mislead is replaced by the identity, or left out.
    #expect(try trial.export("Owner") == #"[{"id":1,"parts":{"1":{"n":"a"},"1-2":"b"}}]"#)
    #expect(try trial.export("Part") == #"[{"n":"a"},{"n":"b"}]"#)
    let loss = try #require(try trial.losses("Owner").first)
    #expect((loss.entity, loss.property) == ("Part", "key"))
    #expect(
      loss.message.hasPrefix("Part.key: an object is written as its identity or not at all"))
    #expect(loss.message.hasSuffix(#"(Part "b")"#))
  }

  @Test func `gives no two objects one name`() throws {
    let trial = try trial(#"[{"id":1,"parts":{"1":{"n":"a"}}},{"id":2,"parts":{"1":{"n":"c"}}}]"#)
    try trial.store.write { graph in
      let parts = try graph.objects("Part").map { $0 }
      try graph.object("Owner", identifiedBy: ["id": .integer(2)])?.setObjects(parts, of: "parts")
    }
    let owner = try #require(
      try trial.store.graph.object("Owner", identifiedBy: ["id": .integer(2)]))
    #expect(try trial.export(.object(owner)) == #"{"id":2,"parts":{"1":{"n":"a"},"1-2":"c"}}"#)
    let loss = try #require(try trial.losses(.object(owner)).first)
    #expect(loss.message.hasSuffix(#"(Part "c", which has the key of Part "a")"#))
    #expect(loss.count == 1)
    // Objects without an identity have nothing that could be written in their place.
    #expect(try trial.export("Part") == #"[{"n":"a"},{"n":"c"}]"#)
    let lines = try trial.export("Part") { $0.isNDJSON = true }
    #expect(lines == "{\"1\":{\"n\":\"a\"}}\n{\"1\":{\"n\":\"c\"}}\n")
  }

  @Test func `leaves out an object that shares its key and has no identity`() throws {
    let trial = try ImportTrial([
      .make("Owner", [], [.make("parts", to: "Part", many: true, ["JSONKeyPath": "parts.*"])]),
      .make(
        "Part", identity: "", [.make("n"), .make("key", .string, ["JSONKeyPath": "@key"])]),
    ])
    try trial.load(#"[{"id":1,"parts":{"x":{"n":"a"},"y":{"n":"b"}}}]"#)
    try trial.store.write { graph in
      for part in try graph.objects("Part") { part["key"] = .string("x") }
    }
    #expect(try trial.export("Owner") == #"[{"id":1,"parts":{"x":{"n":"a"}}}]"#)
    #expect(
      try trial.losses("Owner").map(\.description)
        == [
          "Part.key: an object is written as its identity or not at all, because another of its collection is"
            + " found under the same key (@key); give each its own, or write them as an array"
            + " (Part in row 2, which has the key of Part in row 1)"
        ])
  }

  @Test func `gives a bare identity any name that is free`() throws {
    let trial = try trial(#"[{"id":1,"parts":{"1":{"n":"a"},"z":"b"}}]"#)
    let json = #"[{"id":1,"parts":{"1":{"n":"a"},"1-2":"b"}}]"#
    #expect(try trial.export("Owner") == json)
    let again = try self.trial(json)
    #expect(again.store.graph.content == trial.store.graph.content)
  }
}
