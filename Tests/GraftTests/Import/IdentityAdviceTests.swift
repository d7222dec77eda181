import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `An entity without identity` {
  private func notices(
    _ entities: [EntityDescription], _ json: String, dialect: Dialect = .graft,
    _ options: ImportOptions = ImportOptions()
  ) throws -> [String] {
    try ImportTrial(entities, dialect: dialect).load(json, options).notices.map(\.description)
  }

  @Test(arguments: ["id", "uuid", "_id", "noteID", "note_id", "Identifier", "GUID"])
  func `is a notice where an attribute is called like one`(name: String) throws {
    let model = [EntityDescription.make("Note", identity: "", [.make("text"), .make(name)])]
    #expect(
      try notices(model, #"[{"text": "a"}]"#) == [
        "Note has no identity, so each import inserts its objects anew, though \"\(name)\" may tell them"
          + " apart; make it the identity, or let the entity's policy for a missing identity be \"insert\""
      ])
    #expect(try notices(model, "[]") == [])
    #expect(try notices(model, "[{}]", .with { $0.mode = .updateOnly }) == [])
    #expect(try notices(model, #"[{"text": "a"}]"#, dialect: .zds) == [])
  }

  @Test(arguments: ["text", "valid", "key", "userID"])
  func `is none where nothing is`(name: String) throws {
    let model = [EntityDescription.make("Note", identity: "", [.make(name)])]
    #expect(try notices(model, "[{}]") == [])
  }

  @Test func `is none where it is meant`() throws {
    let insert = [
      EntityDescription.make(
        "Note", identity: "", [.make("id")], [], ["JSONMissingIdentity": "insert"])
    ]
    #expect(try notices(insert, "[{}]") == [])
    let inferred = [
      EntityDescription.make("Note", identity: "", [.make("id")], [], ["inferred": "2 objects"])
    ]
    #expect(try notices(inferred, "[{}]") == [])
    let number = [EntityDescription.make("Note", identity: "", [.make("id", .double)])]
    #expect(try notices(number, "[{}]") == [])
    let place = [
      EntityDescription.make(
        "Note", identity: "", [.make("id", .string, ["JSONKeyPath": "@index"])])
    ]
    #expect(try notices(place, "[{}]") == [])
  }

  @Test(arguments: [("id", true), ("uuid", false), ("noteID", false)])
  func `is a notice where its objects are found only inside others and have an id`(
    name: String, isNotice: Bool
  ) throws {
    let model: [EntityDescription] = [
      .make("Post", [], [.make("notes", to: "Note", many: true)]),
      .make("Note", identity: "", [.make(name)]),
    ]
    let notices = try notices(model, #"{"id": 1, "notes": [{"\#(name)": "a"}]}"#)
    #expect(notices.count == (isNotice ? 1 : 0))
    #expect(notices.allSatisfy { $0.hasPrefix("Note has no identity") })
  }

  // MARK: Documents

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `is in no fixture, by its model`(folder: String) throws {
    let trial = try FixtureTrial.of(folder)
    let report = try trial.load(into: GraphStore(model: trial.model), chunk: 1000)
    #expect(report.notices.filter { $0.error.kind == .missingIdentity }.map(\.description) == [])
  }

  @Test(arguments: LawDocument.fixtures + (Fixture.hasShared ? LawDocument.shared : []))
  func `is in no document of people, by its model`(document: LawDocument) throws {
    let roots = try document.loadRoots()
    let trial = ImportTrial(try document.loadModel(), entity: roots[0].entity)
    let report = try trial.load(try document.loadText(), roots)
    #expect(report.notices.filter { $0.error.kind == .missingIdentity }.map(\.description) == [])
  }
}
