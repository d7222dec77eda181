import Foundation
import Testing

@testable import Graft

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
    let roots = [ImportRoot("Part", at: try JSONPath("*"))]
    let again = try trial.store.graph.reimported(parts, roots)
    #expect(again.content == trial.store.graph.content.filter { $0.hasPrefix("Part") })
  }

  @Test func `gives an object without a name none that is another value's`() throws {
    let trial = try trial(Self.named)
    let transaction = trial.store.begin()
    let part = try #require(
      try trial.store.graph.object("Part", identifiedBy: ["n": .string("b")]))
    try #require(transaction.set(part.id, 1, nil))
    _ = try trial.store.commit(transaction)
    for entity in ["Owner", "Part"] {
      let error = try #require(trial.exportFailure(entity))
      #expect(error.kind == .invalidValue)
      #expect((error.entity, error.property, error.object) == ("Part", "key", part.id))
      #expect(
        error.message.hasPrefix(
          #"Part "b": key: the object is found under this value (@key), which is no name"#))
    }
  }

  @Test func `gives no two objects one name`() throws {
    let trial = try trial(
      Self.named, #"[{"id":2,"parts":{"1":{"n":"c"}}}, {"id":3,"parts":{"p":"a","q":"c"}}]"#)
    for entity in ["Owner", "Part"] {
      let error = try #require(trial.exportFailure(entity))
      #expect(error.kind == .invalidValue)
      #expect(
        error.message.hasPrefix(
          #"Part "c": key: the object is found under this value (@key), as is another"#))
    }
    let lines = try trial.export("Part") { $0.isNDJSON = true }
    #expect(
      lines == "{\"1\":{\"n\":\"a\"}}\n{\"x\":{\"n\":\"b\"}}\n{\"1\":{\"n\":\"c\"}}\n")
  }

  @Test func `gives a bare identity any name that is free`() throws {
    let trial = try trial(#"[{"id":1,"parts":{"1":{"n":"a"},"z":"b"}}]"#)
    let json = #"[{"id":1,"parts":{"1":{"n":"a"},"1-2":"b"}}]"#
    #expect(try trial.export("Owner") == json)
    let again = try self.trial(json)
    #expect(again.store.graph.content == trial.store.graph.content)
  }
}
