import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Attributes that keep a JSON object as it is, beside attributes that are read from inside it.
@Suite struct `A kept JSON object` {
  struct Event: Entity {
    let id = Attribute<Int>()
    let raw = Attribute<JSONText?>("$")
    let latitude = Attribute<Double?>("place.lat")
    let place = Attribute<JSONText?>()
    let venue = ToOne<Venue>()
    static let identity = [\Self.id]
  }

  struct Venue: Entity {
    let id = Attribute<Int>()
    let raw = Attribute<JSONText?>("$")
    static let identity = [\Self.id]
  }

  static let first =
    #"{"id":1,"place":{"lat":1.50,"lon":"2"},"tags":["a",{"b":null}],"venue":{"id":7,"x":"\u00e9"}}"#
  static let second = #"{"venue":7,"id":2,"place":null}"#

  private static func store(_ json: String, chunk: Int = .max) throws -> GraphStore {
    let store = try GraphStore(for: Event.self)
    let importer = try store.makeImporter(Event.self)
    let bytes = Array(json.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + min(chunk, bytes.count))
      try importer.parse(Data(bytes[start..<end]))
      start = end
    }
    _ = try importer.finish()
    return store
  }

  @Test(arguments: [1, 7, .max])
  func `holds all that was found, beside what is read of it`(chunk: Int) throws {
    let store = try Self.store("[\(Self.first), \(Self.second)]", chunk: chunk)
    let events = store.graph.objects(Event.self)
    #expect(events.map(\.raw?.text) == [Self.first.replacing("\\u00e9", with: "é"), Self.second])
    #expect(events.map(\.latitude) == [1.5, nil])
    #expect(events.map(\.place?.text) == [#"{"lat":1.50,"lon":"2"}"#, nil])
    #expect(events.map(\.venue?.id) == [7, 7])
    let venue = try #require(try store.graph.object(Venue.self, id: 7))
    #expect(venue.raw?.text == #"{"id":7,"x":"é"}"#)
  }

  @Test func `of an object whose entity is decided late holds all that was found`() throws {
    let trial = try ImportTrial([
      .make(
        "Animal", [.make("id"), .make("raw", .transformable, ["JSONKeyPath": "$"])], [],
        ["JSONDiscriminator": "kind"]),
      .make("Dog", identity: "", parent: "Animal", [.make("bark")]),
    ])
    let json = #"{"id":"a","bark":"loud","more":[1,{"x":2}],"kind":"Dog"}"#
    try trial.load(json)
    let dog = try #require(try trial.store.graph.objects("Dog").first)
    #expect(dog["raw"] == .json(json))
    #expect(dog["bark"] == .string("loud"))
  }

  @Test func `at a key goes out and comes back with what is read inside it`() throws {
    let store = try Self.store("[\(Self.first), \(Self.second)]")
    let exporter = try JSONExporter(model: store.model)
    var report = ExportReport()
    let written = try exporter.data(.entity(Event.self, of: store.graph), report: &report)
    let again = try Self.store(String(decoding: written, as: UTF8.self))
    #expect(again.graph.objects(Event.self).map(\.latitude) == [1.5, nil])
    #expect(
      again.graph.objects(Event.self).map(\.place?.text) == [#"{"lat":1.50,"lon":"2"}"#, nil])
    // The whole object is written by its properties, and a notice says so.
    #expect(Set(report.losses.map(\.property)) == ["raw"])
    #expect(
      report.losses.first?.message.contains("the object is written by its properties") == true)
  }

  @Test func `at its own path is for values that are kept as JSON alone`() throws {
    #expect(
      errors([.make("Box", [.make("v", .string, ["JSONKeyPath": "$"])])])
        .contains(#"an attribute at "$" would be the object itself"#))
    #expect(errors([.make("Box", [.make("v", .transformable, ["JSONKeyPath": "$"])])]) == "")
  }

  @Test(arguments: [
    (#"{"a":1}"#, true), ("[1,2]", true), ("null", true), (#""x""#, true), ("1.50", true),
    ("1e400", true),
    (String(repeating: "[", count: 600) + String(repeating: "]", count: 600), true),
    ("{", false), ("", false), ("abc", false), ("[1,]", false), (#"{"a":1,}"#, false),
    ("\u{FEFF}1", false), ("1 2", false),
  ])
  func `made in code is JSON, as an import reads it`(text: String, isJSON: Bool) throws {
    #expect((JSONText(text) != nil) == isJSON)
    // A hook gives the same, and no other.
    let trial = try ImportTrial([.make("Box", [.make("v", .transformable)])])
    let options = ImportOptions.with {
      $0.errorPolicy = .skipValue
      $0.hooks["Box"] = ImportHooks(willImport: { $0["v"] = .json(text) })
    }
    let report = try trial.load(#"{"id": 1}"#, options)
    #expect(report.issueCount == (isJSON ? 0 : 1))
    #expect(try trial.store.graph.objects("Box").map { $0["v"] } == [isJSON ? .json(text) : nil])
  }
}
