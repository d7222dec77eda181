import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// An import that fails publishes nothing, whatever the point of failure.
@Suite struct `A failed import` {
  static let model: [EntityDescription] = [
    .make(
      "Hero", [.make("name"), .make("raw", .transformable), .make("born", .date)],
      [
        .make("boss", to: "Hero", inverse: "reports"),
        .make("reports", to: "Hero", many: true, inverse: "boss", ["JSONKeyPath": "-"]),
        .make("powers", to: "Power", many: true, inverse: "heroes", ["JSONRemoved": "delete"]),
        .make("notes", to: "Note", many: true),
      ]),
    .make("Power", [.make("name")], [.make("heroes", to: "Hero", many: true, inverse: "powers")]),
    .make("Note", identity: "", [.make("text")]),
  ]

  /// Touches everything that an import can do to a store.
  static let document =
    #" [{"id":1,"name":"Zoë\u00e9\ud83d\ude00","powers":[{"id":9,"name":"x"},4],"raw":{"a":[1,null]}},"#
    + #"{"boss":{"id":7,"notes":[{"text":"n"}],"born":"2012-09-24"},"unknown":[{"a":1.5e2}],"id":"3"}] "#

  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial(Self.model)
    try trial.load(
      #"[{"id":1,"name":"Ada","powers":[4,5],"boss":2},{"id":2,"notes":[{"text":"old"}]}]"#)
  }

  @Test func `may be cut short at any byte`() throws {
    let before = trial.store.graph
    let text = trial.text
    let bytes = Data(Self.document.utf8)
    for count in 0..<bytes.count - 1 {
      let importer = try trial.store.makeImporter(entity: "Hero")
      try importer.parse(bytes.prefix(count))
      let error = #expect(throws: ImportError.self, "cut after \(count) bytes") {
        try importer.finish()
      }
      #expect(error?.kind == .invalidJSON)
      #expect(error?.location?.offset == count)
    }
    #expect(trial.store.graph.storage === before.storage)
    #expect(trial.text == text)
    try trial.load(Self.document)
    #expect(trial.text != text)
  }

  /// An import that ends while events wait must not keep itself, and with it the store, in memory.
  @Test(arguments: [
    #"{"id":1,"#, #"{"id":1,"type":"Shape","late":{"id":2,"#, #"{"id":1,"type":"#,
    #"{"id":1,"late":[{"id":2}],"type":"Blob"}"#, #"[{"id":1},{"id":2,"late":"#,
  ])
  func `keeps nothing in memory`(json: String) throws {
    weak var store: GraphStore?
    do {
      let trial = try ImportTrial([
        .make(
          "Shape", [], [.make("next", to: "Shape", ["JSONKeyPath": "first | late"])],
          ["JSONDiscriminator": "type"]), .make("Circle", identity: "", parent: "Shape"),
      ])
      store = trial.store
      let importer = try trial.store.makeImporter([ImportRoot("Shape")])
      #expect(throws: ImportError.self) {
        try importer.parse(Data(json.utf8))
        _ = try importer.finish()
      }
      let abandoned = try trial.store.makeImporter([ImportRoot("Shape")])
      _ = try? abandoned.parse(Data(json.utf8))
    }
    #expect(store == nil)
  }

  @Test func `may be spoilt at any byte`() throws {
    let before = trial.store.graph
    let bytes = Array(Self.document.utf8)
    var failures = 0
    for position in bytes.indices {
      var spoilt = bytes
      spoilt[position] = 0x01
      let importer = try trial.store.makeImporter(entity: "Hero")
      #expect(throws: ImportError.self, "spoilt at \(position)") {
        try importer.parse(Data(spoilt))
        _ = try importer.finish()
      }
      failures += 1
    }
    #expect(failures == bytes.count)
    #expect(trial.store.graph.storage === before.storage)
  }

  @Test(arguments: [
    #"{"id":true}"#, #"{"boss":{"name":[]}}"#, #"{"powers":{}}"#, #"{"born":"never"}"#,
    #"{"name":"x"}"#, #"{"id":8,"boss":{"powers":[{"id":10},{"id":[]}]}}"#, "[[]]", #""x""#,
  ])
  func `may have a wrong value at any place`(wrong: String) {
    let good = Self.document.trimmingCharacters(in: .whitespaces).dropFirst().dropLast()
    for json in [
      "[\(wrong),\(good)]", "[\(good),\(wrong)]", #"[\#(good),{"id":1,"boss":\#(wrong)}]"#,
    ] {
      #expect(trial.failure(json) != "")
    }
  }

  @Test func `may break a rule of the model that only the commit knows`() throws {
    let owner = RelationshipDescription(name: "owner", destination: "Owner", isOptional: false)
    let trial = try ImportTrial([.make("Pet", [], [owner]), .make("Owner")])
    let message = trial.failure(#"[{"id":1,"owner":1},{"id":2}]"#)
    #expect(message.contains("owner"), "\(message)")
    try trial.load(#"[{"id":1,"owner":1}]"#)
    #expect(trial.failure(#"[{"id":1,"owner":null}]"#).contains("owner"))
  }

  @Test func `leaves its importer and the store ready for the next`() throws {
    _ = trial.failure(#"[{"id":1},{"id":true}]"#)
    try trial.load(#"{"id":1,"name":"Bob"}"#)
    #expect(
      try trial.store.graph.object("Hero", identifiedBy: ["id": .integer(1)])?["name"]
        == .string("Bob"))
  }
}
