import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

private struct Author: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String?>()
  static let identity = [\Self.id]
}

@Suite struct `The contents of an export` {
  @Test(arguments: [ExportOptions.RepeatPolicy.automatic, .nested, .identifier])
  func `may be of several snapshots with different values`(
    repeats: ExportOptions.RepeatPolicy
  ) throws {
    let trial = try ImportTrial([.make("E", [.make("text")])])
    try trial.load(#"[{"id": 1, "text": "a"}]"#)
    let old = trial.store.graph
    try trial.load(#"[{"id": 1, "text": "b"}]"#)
    let objects = try [old, trial.store.graph].map {
      try #require(try $0.object("E", identifiedBy: ["id": .integer(1)]))
    }
    let (before, after) = (#"{"id":1,"text":"a"}"#, #"{"id":1,"text":"b"}"#)
    let members = ExportContent.members([
      ("before", .object(objects[0])), ("after", .object(objects[1])),
    ])
    #expect(
      try trial.export(members) { $0.repeats = repeats }
        == #"{"before":\#(before),"after":\#(after)}"#)
    #expect(
      try trial.export(.objects(objects)) { $0.repeats = repeats } == "[\(before),\(after)]")
  }

  @Test func `may repeat in a whole graph what was written before it`() throws {
    let trial = try ImportTrial([
      .make("Line", identity: "", [.make("text")], [.make("note", to: "Note", inverse: "line")]),
      .make("Note", identity: "", [.make("text")], [.make("line", to: "Line", inverse: "note")]),
    ])
    try trial.load(#"[{"text": "l", "note": {"text": "n"}}]"#)
    let graph = trial.store.graph
    let all = try trial.exportAll()
    #expect(all.contains(#"{"text":"n","line":{"text":"l"}}"#))
    let json = try trial.export(
      .members([("lines", .entity("Line", of: graph)), ("all", .graph(graph))]))
    #expect(json.hasSuffix(#","all":\#(all)}"#), "\(json)")
  }

  @Test func `may be typed objects, one, several or all of an entity`() throws {
    let store = try GraphStore(for: Author.self)
    let (ann, bob) = (#"{"id":1,"name":"Ann"}"#, #"{"id":2,"name":"Bob"}"#)
    try store.importJSON(Author.self, from: Data("[\(ann),\(bob)]".utf8))
    let exporter = try JSONExporter(model: store.model)
    let authors = store.graph.objects(Author.self)
    let first = try #require(authors.first)
    for (content, json) in [
      (ExportContent.object(first), ann), (.objects(authors), "[\(ann),\(bob)]"),
      (.objects(authors.filter { $0.name == "Bob" }), "[\(bob)]"),
      (.entity(Author.self, of: store.graph), "[\(ann),\(bob)]"),
    ] {
      #expect(try String(decoding: exporter.data(content), as: UTF8.self) == json)
    }
  }
}
