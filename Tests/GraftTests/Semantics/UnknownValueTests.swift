import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

private enum Mood: String, CaseIterable, Codable {
  case happy, sad, other
}

private enum Level: Int, CaseIterable {
  case low = 1
  case high = 2
}

private struct Person: Entity {
  let id = Attribute<Int>()
  let mood = Attribute<Mood>(default: .happy, unknown: .other)
  let level = Attribute<Level?>(unknown: .low)
  let strict = Attribute<Mood?>()
  static let identity = [\Self.id]
}

private struct Shape: Entity {
  let id = Attribute<Int>()
  static let identity = [\Self.id]
  static let options = EntityOptions<Self>(
    subentities: [Circle.self], discriminator: "type", unknown: Shape.self)
}

private struct Circle: Entity {
  typealias Superentity = Shape
}

@Suite struct `An unknown value of an enumeration` {
  private static func model(_ notes: [String: String]) -> [EntityDescription] {
    [
      .make(
        "Task",
        [.make("state", .string, notes), .make("rank", .integer16, ["JSONValues": "1 | 2 | 3"])])
    ]
  }

  private static let states = ["JSONValues": "open | in progress | done"]

  @Test func `is an error that names the known ones`() throws {
    let trial = try ImportTrial(Self.model(Self.states))
    #expect(
      trial.failure(#"{"id":1,"state":"lost"}"#)
        == #"1:17: $.state: expected one of "open", "in progress", "done", found "lost""#)
    #expect(
      trial.failure(#"{"id":1,"rank":"4"}"#) == "1:16: $.rank: expected one of 1, 2, 3, found 4")
    try trial.load(#"{"id":1,"state":"in progress","rank":"3"}"#)
    #expect(trial.lines == [#"Task/1 id: 1, rank: 3, state: "in progress""#])
  }

  @Test(arguments: [
    Self.states, ["JSONValues": "open|done|other"], [:],
  ])
  func `is replaced by a stated value, with a notice`(values: [String: String]) throws {
    var notes = values.merging(["JSONUnknownValue": "other"]) { $1 }
    notes["JSONKeyPath"] = "s"
    var model = Self.model(notes)
    // A pattern says what is known as well.
    if values.isEmpty { model[0].attributes[1].pattern = "open|done|other" }
    let trial = try ImportTrial(model)
    let report = try trial.load(
      #"[{"id":1,"s":"open"},{"id":2,"s":"lost"},{"id":3,"s":7},{"id":4,"s":null}]"#,
      .with { $0.issueLimit = 1 })
    #expect(
      trial.lines == [
        #"Task/1 id: 1, state: "open""#, #"Task/2 id: 2, state: "other""#,
        #"Task/3 id: 3, state: "other""#, "Task/4 id: 4",
      ])
    #expect(report.issueCount == 0)
    #expect(report.noticeCount == 2)
    let notice = try #require(report.notices.first)
    #expect(
      notice.description.hasPrefix(
        #"1:34: $[1].s: "lost" is unknown, so "other" is taken: expected "#))
    #expect(!notice.description.contains(#""other", "other""#))
    #expect(notice.error.property == "state")
    #expect(notice.error.found == #""lost""#)
    #expect(report.notices.count == 1)
    let exported = try JSONExporter(model: trial.store.model).data(.graph(trial.store.graph))
    #expect(String(decoding: exported, as: UTF8.self).contains(#"{"id":2,"s":"other""#))
  }

  @Test(arguments: [
    (#"{"id":1,"s":"open","t":"lost"}"#, "open", []),
    (#"{"t":"lost","s":"open","id":1}"#, "open", []),
    (#"{"t":"lost","id":1}"#, "other", ["$.t"]),
    (#"{"id":1,"t":"open","s":"lost"}"#, "other", ["$.s"]),
    (#"{"id":1,"t":"lost","s":"gone"}"#, "other", ["$.s"]),
    (#"{"id":1,"s":null,"t":"lost"}"#, "", []),
  ])
  func `is told of at the path that counts`(json: String, state: String, places: [String]) throws {
    let notes = [
      "JSONValues": "open | other", "JSONUnknownValue": "other", "JSONKeyPath": "s | t",
    ]
    let trial = try ImportTrial(Self.model(notes))
    let report = try trial.load(json)
    #expect(report.notices.map(\.error.path) == places)
    #expect(trial.lines == [state.isEmpty ? "Task/1 id: 1" : #"Task/1 id: 1, state: "\#(state)""#])
  }

  @Test(arguments: [
    (["JSONUnknownValue": "x"], "Task.state: JSONUnknownValue has no effect where"),
    (["JSONValues": "|"], "Task.state: JSONValues names no value"),
  ])
  func `has no effect where nothing is known, which is a warning`(
    notes: [String: String], message: String
  ) throws {
    let model = try GraphModel(entities: Self.model(notes))
    #expect(model.warnings.map(\.description).contains { $0.contains(message) })
  }

  @Test func `must be replaced by one of the type and the rules, and never in an identity`() {
    func error(_ attribute: AttributeDescription) -> String {
      let model = [EntityDescription.make("Task", [attribute])]
      return "\(#expect(throws: ModelError.self) { try GraphModel(entities: model) }, default: "")"
    }
    #expect(
      error(.make("rank", .integer16, ["JSONUnknownValue": "many", "JSONValues": "1|few"]))
        .contains(#"JSONValues: "few" is no Integer 16"#))
    let ruled = AttributeDescription(
      name: "rank", type: .integer16, maximum: "3", unknownValue: .integer(9))
    #expect(error(ruled).contains("JSONUnknownValue 9 breaks the attribute's own rules: expected"))
    let model = [
      EntityDescription.make(
        "Task", [.make("id", .string, ["JSONValues": "a", "JSONUnknownValue": "b"])])
    ]
    let message = #expect(throws: ModelError.self) { try GraphModel(entities: model) }
    #expect(message?.description.contains("would give several objects one identity") == true)
  }

  @Test func `of a Swift type is replaced by a stated case`() throws {
    let store = try GraphStore(for: Person.self)
    let report = try store.importJSON(
      Person.self,
      from: Data(#"[{"id":1,"mood":"sad","level":2},{"id":2,"mood":"angry","level":7}]"#.utf8))
    #expect(store.graph.objects(Person.self).map(\.mood) == [.sad, .other])
    #expect(store.graph.objects(Person.self).map(\.level) == [.high, .low])
    #expect(
      report.notices.map(\.description) == [
        #"1:49: $[1].mood: "angry" is unknown, so "other" is taken: expected a Mood ("happy", "sad","#
          + #" "other"), found "angry""#,
        "1:65: $[1].level: 7 is unknown, so 1 is taken: expected a Level (1, 2), found 7",
      ])
    #expect(throws: ImportError.self) {
      try store.importJSON(Person.self, from: Data(#"{"id":1,"strict":"angry"}"#.utf8))
    }
  }

  @Test func `is no value where the string is empty`() throws {
    let store = try GraphStore(for: Person.self)
    let json = Data(#"{"id":1,"mood":"","level":"","strict":""}"#.utf8)
    #expect(try store.importJSON(Person.self, from: json).noticeCount == 0)
    #expect(store.graph.objects(Person.self).map(\.strict) == [nil])
    #expect(store.graph.objects(Person.self).map(\.mood) == [.happy])
    #expect(throws: ImportError.self) {
      try store.importJSON(
        Person.self, from: json, options: .with { $0.refusesEmptyStrings = true })
    }
  }
}

@Suite struct `An unknown discriminator` {
  private static func model(_ notes: [String: String]) -> [EntityDescription] {
    [
      .make("Owner", [], [.make("shape", to: "Shape")]),
      .make("Shape", [], [], ["JSONDiscriminator": "type"].merging(notes) { $1 }),
      .make("Circle", identity: "", parent: "Shape"), .make("Other", identity: "", parent: "Shape"),
    ]
  }

  @Test(arguments: ["Other", "Shape"])
  func `makes an object of a stated entity, with a notice`(name: String) throws {
    let trial = try ImportTrial(Self.model(["JSONUnknownValue": name]))
    let report = try trial.load(
      #"[{"id":1,"shape":{"id":1,"type":"Blob"}},{"id":2,"shape":{"type":"Circle","id":2}}]"#)
    #expect(
      trial.lines
        == [
          "Circle/1 id: 2", "\(name)/1 id: 1", "Owner/1 id: 1, shape: \(name)/1",
          "Owner/2 id: 2, shape: Circle/1",
        ].sorted())
    #expect(
      report.notices.map(\.description) == [
        #"1:33: $[0].shape.type: the string "Blob" is unknown, so \#(name) is taken: expected a"#
          + #" sub-entity of Shape ("Circle", "Other", "Shape"), found the string "Blob""#
      ])
  }

  @Test(arguments: [
    (
      ["JSONUnknownValue": "Owner"], #"JSONUnknownValue names "Owner", expected Shape or an entity"#
    ),
    (["JSONUnknownValue": "Othr"], #"did you mean "Other"?"#),
  ])
  func `must name an entity of the family`(notes: [String: String], message: String) {
    let error = #expect(throws: ModelError.self) {
      try GraphModel(entities: Self.model(notes))
    }
    #expect(error?.description.contains(message) == true)
  }

  @Test func `of a Swift type makes an object of a stated one`() throws {
    let store = try GraphStore(for: Shape.self)
    let report = try store.importJSON(
      Shape.self, from: Data(#"[{"id":1,"type":"Blob"},{"id":2,"type":"Circle"}]"#.utf8))
    #expect(report.noticeCount == 1)
    #expect(try store.graph.count(of: "Circle") == 1)
    #expect(store.graph.objects(Shape.self).map(\.id).sorted() == [1, 2])
  }
}
