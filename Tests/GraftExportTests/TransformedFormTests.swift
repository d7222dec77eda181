import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Attributes that have a transformer beside a format or a written form.
@Suite struct `What a transformer makes for an export` {
  private static let same = AttributeTransformer(forward: { $0 }, reverse: { $0 })

  private static func trial(
    _ type: AttributeType, _ notes: [String: String], _ transformer: AttributeTransformer = same
  ) throws -> ImportTrial {
    let notes = notes.merging(["JSONTransformerName": "T"]) { $1 }
    return try ImportTrial(
      [.make("E", [.make("v", type, notes)])],
      extensions: ModelExtensions(transformers: ["T": transformer]))
  }

  @Test(
    arguments: [
      ("yyyy-MM-dd", #""1980-01-02""#), ("dd/MM/yyyy HH:mm", #""02/01/1980 03:04""#),
      ("iso8601", #""1980-01-02T03:04:05Z""#), ("unix", "315630245"), ("unix", "315630245.5"),
      ("unix-ms", "315630245500"), (nil, #""1980-01-02T03:04:05.500Z""#),
    ] as [(String?, String)])
  func `is a date in the format of its attribute`(format: String?, value: String) throws {
    let notes = format.map { ["JSONDateFormat": $0] } ?? [:]
    let trial = try Self.trial(.date, notes)
    let json = #"[{"id":1,"v":\#(value)}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
    #expect(try trial.afterExport().content == trial.store.graph.content)
    #expect(try trial.losses("E").isEmpty)
  }

  @Test(
    arguments: [
      (AttributeType.integer64, [:], #""12""#), (.integer16, [:], #""12""#),
      (.double, [:], #""0.5""#), (.float, [:], #""0.5""#), (.decimal, [:], #""0.25""#),
      (.boolean, [:], #""true""#), (.date, ["JSONDateFormat": "unix"], #""315630245.5""#),
      (.date, ["JSONDateFormat": "unix-ms"], #""315630245500""#),
    ] as [(AttributeType, [String: String], String)])
  func `is a string where its attribute is written as one`(
    type: AttributeType, notes: [String: String], value: String
  ) throws {
    let trial = try Self.trial(type, notes.merging(["JSONWrittenAs": "string"]) { $1 })
    let json = #"[{"id":1,"v":\#(value)}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  @Test func `is a string as it is, whatever the format`() throws {
    let spelled = AttributeTransformer(
      forward: { value in
        guard case .string(let text)? = value else { return value }
        return .string(text.replacing("on ", with: ""))
      },
      reverse: { value in
        guard case .date(let date)? = value else { return value }
        return .string("on \(date.ISO8601Format().prefix(10))")
      })
    let trial = try Self.trial(
      .date, ["JSONDateFormat": "yyyy-MM-dd"], spelled)
    let json = #"[{"id":1,"v":"on 1980-01-02"}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
    #expect(try trial.losses("E").isEmpty)
  }

  @Test func `is a number that is no date as it is`() throws {
    let days = AttributeTransformer(
      forward: { value in
        guard case .integer(let days)? = value else { return value }
        return .date(Date(timeIntervalSince1970: Double(days) * 86_400))
      },
      reverse: { value in
        guard case .date(let date)? = value else { return value }
        return .integer(Int64(date.timeIntervalSince1970 / 86_400))
      })
    let trial = try Self.trial(.date, ["JSONDateFormat": "yyyy-MM-dd"], days)
    let json = #"[{"id":1,"v":3653}]"#
    try trial.load(json)
    #expect(try trial.export("E") == json)
    #expect(try trial.losses("E").isEmpty)
  }

  @Test func `loses the part of a date that its pattern does not show, with a notice`() throws {
    let trial = try Self.trial(.date, ["JSONDateFormat": "yyyy-MM-dd"])
    try trial.load(#"[{"id":1,"v":"1980-01-02"}]"#)
    try trial.store.write { graph in
      try graph.objects("E").first?["v"] = .date(Date(timeIntervalSince1970: 315_630_245))
    }
    #expect(try trial.export("E") == #"[{"id":1,"v":"1980-01-02"}]"#)
    let found = try trial.losses("E")
    #expect(found.map(\.property) == ["v"])
    #expect(found.first?.message.contains("part of the date is not written") == true)
  }

  @Test func `is a date in its format where it is the identity of a related object`() throws {
    let trial = try ImportTrial(
      [
        .make(
          "Day", identity: "on",
          [.make("on", .date, ["JSONDateFormat": "yyyy-MM-dd", "JSONTransformerName": "T"])]),
        .make("Note", [], [.make("day", to: "Day")]),
      ], extensions: ModelExtensions(transformers: ["T": Self.same]))
    let json = #"{"Day":[{"on":"1980-01-02"}],"Note":[{"id":1,"day":"1980-01-02"}]}"#
    try trial.load(json, [ImportRoot("Day", at: "Day"), ImportRoot("Note", at: "Note")])
    #expect(try trial.exportAll() == json)
  }

  @Test func `is compared with the objects of a relationship at the same place`() throws {
    let trial = try ImportTrial(
      [
        .make(
          "E",
          [
            .make(
              "list", .transformable, ["JSONKeyPath": "nodes", "JSONTransformerName": "T"])
          ], [.make("nodes", to: "Node", many: true)]), .make("Node"),
      ], extensions: ModelExtensions(transformers: ["T": Self.same]))
    try trial.load(#"[{"id":1,"nodes":[7,8]}]"#, .with { $0.relationships.reference = .stub })
    #expect(try trial.export("E") == #"[{"id":1,"nodes":[7,8]}]"#)
    #expect(try trial.losses("E").isEmpty)
  }

  @Test func `of typed attributes reads back`() throws {
    let store = try GraphStore(for: Dated.self)
    let json = #"[{"id":1,"d":"1980-01-02","n":"12"}]"#
    try store.importJSON(Dated.self, from: Data(json.utf8))
    let written = try JSONExporter(model: store.model).data(.entity(Dated.self, of: store.graph))
    #expect(String(decoding: written, as: UTF8.self) == json)
  }

  private struct Dated: Entity {
    static let same = AttributeTransformer(forward: { $0 }, reverse: { $0 })
    let id = Attribute<Int64>()
    let d = Attribute<Date?>(format: "yyyy-MM-dd", transformer: same)
    let n = Attribute<Int64?>(transformer: same, writtenAs: .string)
    static let identity = [\Self.id]
  }
}
