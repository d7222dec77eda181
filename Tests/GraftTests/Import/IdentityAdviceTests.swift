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

  private static let tickets = [
    EntityDescription.make(
      "Ticket", identity: "",
      [
        .make("place", .string, ["JSONKeyPath": "@index"]), .make("text"), .make("row"),
        .make("seat", .integer64), .make("price", .double),
      ])
  ]

  /// Returns tickets with different seats.
  private static func seats(_ count: Int, repeated: Bool = false) -> String {
    let all = (0..<count).map { number in
      let seat = number == count - 1 && repeated ? 0 : number
      return
        #"{"row": "r\#(number / 2)", "seat": \#(seat), "price": \#(number).5, "text": "\#(String(repeating: "x", count: 60 + number))"}"#
    }
    return "[" + all.joined(separator: ",") + "]"
  }

  @Test(arguments: [20, 30, 1_500], [nil, 25, 700])
  func `is a notice where an attribute never repeats`(count: Int, save: Int?) throws {
    let found = try notices(
      Self.tickets, Self.seats(count), .with { $0.savePolicy.objects = save })
    let compared = min(count, 1_000, save.map { count > $0 ? max($0, 20) : count } ?? count)
    #expect(
      found == [
        "Ticket has no identity, so each import inserts its objects anew, though no two of \(compared) have the"
          + " same \"seat\"; make it the identity, or let the entity's policy for a missing identity be \"insert\""
      ])
  }

  @Test(arguments: [(19, false), (20, true), (40, true)])
  func `is none where each repeats, or there are few`(count: Int, repeated: Bool) throws {
    #expect(try notices(Self.tickets, Self.seats(count, repeated: repeated)) == [])
    var meant = Self.tickets
    meant[0].userInfo["JSONMissingIdentity"] = "insert"
    #expect(try notices(meant, Self.seats(40)) == [])
  }

  @Test func `compares what an import inserts, and not what was there`() throws {
    let trial = try ImportTrial(Self.tickets)
    for _ in 0..<2 { #expect(try trial.load(Self.seats(30)).noticeCount == 1) }
    #expect(try trial.load(Self.seats(19)).noticeCount == 0)
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
