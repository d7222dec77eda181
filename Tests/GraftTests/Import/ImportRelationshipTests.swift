import Testing

@testable import Graft
@testable import GraftTestSupport

/// Objects inside objects, and what stands where an object or an array belongs.
@Suite struct `A relationship` {
  static let model: [EntityDescription] = [
    .make(
      "Hero", [.make("name")],
      [
        .make("publisher", to: "Publisher", inverse: "heroes"),
        .make("powers", to: "Power", many: true, inverse: "heroes"),
        RelationshipDescription(
          name: "friends", destination: "Hero", isToMany: true, isOrdered: true),
      ]),
    .make("Power", [.make("name")], [.make("heroes", to: "Hero", many: true, inverse: "powers")]),
    .make(
      "Publisher", [.make("name")],
      [.make("heroes", to: "Hero", many: true, inverse: "publisher")]),
    .make("Pair", identity: "a,b", [.make("a"), .make("b")], [.make("next", to: "Pair")]),
    .make("Note", identity: "", [.make("text")], [.make("notes", to: "Note", many: true)]),
  ]

  private let trial: ImportTrial

  init() throws { trial = try ImportTrial(Self.model) }

  @Test func `to one leads to the object that stands there, and back`() throws {
    try trial.load(#"{"publisher":{"name":"DC","id":10},"id":1}"#)
    #expect(
      trial.lines == [
        "Hero/1 id: 1, publisher: Publisher/1",
        #"Publisher/1 heroes: [Hero/1], id: 10, name: "DC""#,
      ])
  }

  @Test func `to many leads to the objects of its array, each once`() throws {
    try trial.load(
      #"[{"id":1,"powers":[{"id":4},{"id":9},{"id":4}]},{"id":2,"powers":[{"id":9}]}]"#)
    #expect(
      trial.lines == [
        "Hero/1 id: 1, powers: [Power/1, Power/2]", "Hero/2 id: 2, powers: [Power/2]",
        "Power/1 heroes: [Hero/1], id: 4", "Power/2 heroes: [Hero/1, Hero/2], id: 9",
      ])
  }

  @Test func `that is ordered keeps the order of the payload, and each member's first place`()
    throws
  {
    try trial.load("[1,2,3]")
    try trial.load(#"{"id":1,"friends":[3,1,2,3,{"id":2}]}"#)
    #expect(trial.lines.first == "Hero/1 friends: [Hero/3, Hero/1, Hero/2], id: 1")
    try trial.load(#"{"id":1,"friends":[2,3,1]}"#)
    #expect(trial.lines.first == "Hero/1 friends: [Hero/2, Hero/3, Hero/1], id: 1")
  }

  @Test(arguments: [
    (#""publisher":null"#, "powers: [Power/1, Power/2]"),
    (#""powers":null"#, "publisher: Publisher/1"), (#""powers":[]"#, "publisher: Publisher/1"),
    (#""powers":[9]"#, "powers: [Power/2], publisher: Publisher/1"),
    (#""powers":[null,4,null]"#, "powers: [Power/1], publisher: Publisher/1"),
    (#""powers":[null]"#, "publisher: Publisher/1"),
    (#""publisher":11"#, "powers: [Power/1, Power/2], publisher: Publisher/2"),
    (#""publisher":{"id":10,"heroes":[]}"#, "powers: [Power/1, Power/2], publisher: Publisher/1"),
    (#""name":null"#, "powers: [Power/1, Power/2], publisher: Publisher/1"),
    (#""powers":[4],"powers":[9]"#, "powers: [Power/2], publisher: Publisher/1"),
    (#""powers":[4],"powers":null"#, "publisher: Publisher/1"),
    (#""publisher":11,"publisher":null"#, "powers: [Power/1, Power/2]"),
  ])
  func `is cleared, replaced or kept as its key says`(member: String, links: String) throws {
    try trial.load(#"{"id":1,"publisher":10,"powers":[4,9]}"#)
    try trial.load(#"{"id":1,\#(member)}"#)
    #expect(trial.lines.first == "Hero/1 id: 1, \(links)")
  }

  @Test func `counts the nulls of arrays`() throws {
    let report = try trial.load(#"[null,{"id":1,"powers":[null,4,null]},null]"#)
    #expect(report.skippedNullCount == 4)
    #expect(report.issueCount == 0)
    #expect(report.roots.map(\.objects) == [1])
  }

  @Test(arguments: [
    (
      #"{"publisher":[{"id":1}]}"#,
      "1:14: $.publisher: expected an object of Publisher, found an array"
    ),
    (#"{"powers":{"id":4}}"#, "1:11: $.powers: expected an array of Power, found an object"),
    (#"{"powers":4}"#, "1:11: $.powers: expected an array of Power, found the number 4"),
    (#"{"powers":"4"}"#, #"1:11: $.powers: expected an array of Power, found the string "4""#),
    (
      #"{"powers":[[4]]}"#,
      "1:12: $.powers[0]: expected an array of Power, found an array inside an array"
    ),
    (
      #"{"powers":[4,true]}"#,
      "1:14: $.powers[1]: expected an object of Power or its identity, an integer of 64 bits, found true"
    ),
    (
      #"{"publisher":"DC"}"#,
      "1:14: $.publisher: expected an object of Publisher or its identity,"
        + #" an integer of 64 bits, found the string "DC""#
    ),
    (#"{"name":{}}"#, "1:9: $.name: expected a string, found an object"),
    (#"{"name":[]}"#, "1:9: $.name: expected a string, found an array"),
    (
      "\n [\n  {\"id\":1.5}\n]",
      "3:9: $[0].id: expected an integer of 64 bits, found the number 1.5"
    ),
    (
      #"[[{"id":1}]]"#,
      "1:2: $[0]: expected an object or an array of Hero, found an array inside an array"
    ),
  ])
  func `of the wrong shape says where, what was expected and what was found`(
    json: String, message: String
  ) {
    #expect(trial.failure(json) == message)
  }

  @Test(arguments: [
    (
      #"{"next":"x"}"#,
      "1:9: $.next: expected an object of Pair, found the string \"x\"; "
        + "Pair has an identity of 2 attributes, which a single value cannot give", "Pair"
    ),
    (
      #"{"notes":["x"]}"#,
      "1:11: $.notes[0]: expected an object of Note, found the string \"x\"; "
        + "Note has no identity that a value could give", "Note"
    ),
  ])
  func `takes no bare identifier where no one value names an object`(
    json: String, message: String, entity: String
  ) {
    #expect(trial.failure(json, as: entity) == message)
  }

  @Test func `wraps a single object where that is asked for`() throws {
    let options = ImportOptions.with { $0.relationships.wrapsSingleObjects = true }
    try trial.load(#"{"id":1,"powers":{"id":4,"name":"Agility"}}"#, options)
    #expect(trial.lines.first == "Hero/1 id: 1, powers: [Power/1]")
    try trial.load(#"{"id":1,"powers":{"id":9}}"#, options)
    #expect(trial.lines.first == "Hero/1 id: 1, powers: [Power/2]")
  }

  @Test func `nests to any depth`() throws {
    let depth = 200
    let json = (1...depth).reversed().reduce("") { inner, number in
      #"{"text":"\#(number)","notes":[\#(inner)]}"#
    }
    let report = try trial.load(json, as: "Note", chunk: 7)
    #expect(report.insertedCount == depth)
    var note = try #require(try trial.store.graph.objects("Note").last)
    for number in 1..<depth {
      #expect(note["text"] == .string("\(number)"))
      note = try #require(note.objects("notes").first)
    }
    #expect(note.objects("notes").isEmpty)
  }
}
