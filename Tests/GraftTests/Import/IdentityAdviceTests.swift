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
  }

  @Test func `is none where its objects are found inside others alone`() throws {
    let model: [EntityDescription] = [
      .make("Post", [], [.make("notes", to: "Note", many: true)]),
      .make("Note", identity: "", [.make("id")]),
    ]
    #expect(try notices(model, #"{"id": 1, "notes": [{"id": "a"}]}"#) == [])
  }
}
