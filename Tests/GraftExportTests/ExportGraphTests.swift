import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `An export of related objects` {
  /// People with a boss and reports, friends, and a country that many share.
  private static let people: [EntityDescription] = [
    .make(
      "Person", [.make("name")],
      [
        .make("boss", to: "Person", inverse: "reports"),
        .make("reports", to: "Person", many: true, inverse: "boss"),
        .make("country", to: "Country", inverse: "people"),
        .make("partner", to: "Person"),
      ]),
    .make(
      "Country", identity: "code", [.make("code"), .make("name")],
      [.make("people", to: "Person", many: true, inverse: "country")]),
  ]

  private func trial(_ json: String, as entity: String = "Person") throws -> ImportTrial {
    let trial = try ImportTrial(Self.people)
    try trial.load(json, as: entity)
    return trial
  }

  private func person(_ id: Int, _ graph: Graph) throws -> ExportContent {
    .object(
      try #require(try graph.object("Person", identifiedBy: ["id": .integer(Int64(id))])))
  }

  @Test func `leaves out what leads back to the owner`() throws {
    let trial = try trial(#"[{"id": 1, "reports": [{"id": 2, "boss": 1}]}]"#)
    let json = try trial.export(person(1, trial.store.graph)) { $0.writesNull = false }
    #expect(json == #"{"id":1,"reports":[{"id":2,"reports":[]}]}"#)
    let other = try trial.export(person(2, trial.store.graph)) { $0.writesNull = false }
    #expect(other == #"{"id":2,"boss":{"id":1},"reports":[]}"#)
  }

  @Test func `ends a circle with the identity`() throws {
    let trial = try trial(#"[{"id": 1, "partner": {"id": 2, "partner": {"id": 3, "partner": 1}}}]"#)
    let json = try trial.export(person(1, trial.store.graph)) {
      $0.writesNull = false
      $0.writesEmpty = false
    }
    #expect(json == #"{"id":1,"partner":{"id":2,"partner":{"id":3,"partner":1}}}"#)
  }

  @Test func `writes siblings in full, whatever they share`() throws {
    let trial = try trial(
      #"""
      [{"id": 1, "reports": [{"id": 2, "country": {"code": "fr", "name": "France"}},
                             {"id": 3, "country": "fr"}]}]
      """#)
    let json = try trial.export(person(1, trial.store.graph)) {
      $0.writesNull = false
      $0.writesEmpty = false
    }
    let country = #""country":{"code":"fr","name":"France"}"#
    #expect(json == #"{"id":1,"reports":[{"id":2,\#(country)},{"id":3,\#(country)}]}"#)
  }

  @Test(arguments: [
    (0, #"{"id":1,"reports":[2]}"#), (1, #"{"id":1,"reports":[{"id":2,"reports":[3]}]}"#),
    (2, #"{"id":1,"reports":[{"id":2,"reports":[{"id":3}]}]}"#),
  ])
  func `nests as deep as it is told`(depth: Int, expected: String) throws {
    let trial = try trial(#"[{"id": 1, "reports": [{"id": 2, "reports": [{"id": 3}]}]}]"#)
    let json = try trial.export(person(1, trial.store.graph)) {
      $0.depth = depth
      $0.writesNull = false
      $0.writesEmpty = false
    }
    #expect(json == expected)
  }

  @Test func `writes a relationship as the call says before the model`() throws {
    let trial = try trial(
      #"[{"id": 1, "boss": {"id": 2}, "partner": {"id": 3}, "country": {"code": "fr"}}]"#)
    let json = try trial.export(person(1, trial.store.graph)) {
      $0.relationships = .identifier
      $0.styles = ["Person": ["boss": .nested, "country": .omit, "name": .omit]]
      $0.writesNull = false
      $0.writesEmpty = false
    }
    #expect(json == #"{"id":1,"boss":{"id":2},"partner":3}"#)
  }

  @Test func `writes a repeated object as often as it is told`() throws {
    let trial = try trial(
      #"[{"id": 1, "country": {"code": "fr"}}, {"id": 2, "country": "fr"}]"#)
    let full = #"{"code":"fr"}"#
    for (repeats, second) in [
      (ExportOptions.RepeatPolicy.automatic, full), (.nested, full), (.identifier, #""fr""#),
    ] {
      let json = try trial.export("Person") {
        $0.repeats = repeats
        $0.writesNull = false
        $0.writesEmpty = false
      }
      #expect(json == #"[{"id":1,"country":\#(full)},{"id":2,"country":\#(second)}]"#)
    }
  }

  @Test func `repeats no object that holds others without identity`() throws {
    let trial = try ImportTrial([
      .make("Order", [], [.make("customer", to: "Customer")]),
      .make("Customer", [], [.make("address", to: "Address")]),
      .make("Address", identity: "", [.make("city")]),
    ])
    let json =
      #"[{"id":1,"customer":{"id":7,"address":{"city":"c"}}},{"id":2,"customer":7}]"#
    try trial.load(json)
    #expect(try trial.export("Order") == json)
    #expect(try trial.export("Order") { $0.repeats = .nested }.contains(#"2,"customer":{"id":7"#))
  }

  @Test func `names an object by all of a composite identity, and what an import requires`() throws
  {
    var title = AttributeDescription.make("title")
    title.isOptional = false
    let trial = try ImportTrial([
      .make(
        "Card", identity: "suit,value",
        [.make("suit"), .make("value", .integer64), title, .make("note")],
        [.make("next", to: "Card")])
    ])
    try trial.load(
      #"""
      [{"suit": "H", "value": 1, "title": "a", "note": "n",
        "next": {"suit": "H", "value": 2, "title": "b",
                 "next": {"suit": "H", "value": 1, "title": "a"}}}]
      """#)
    let json = try trial.export("Card") { $0.writesNull = false }
    let first = #""suit":"H","value":1,"title":"a""#
    #expect(json.contains(#""title":"b","next":{\#(first)}}"#))
    let graph = try trial.store.graph.reimported(json, [ImportRoot("Card")])
    #expect(graph.content == trial.store.graph.content)
  }

  @Test func `writes what leads to a stub and has no identity`() throws {
    let trial = try ImportTrial([
      .make("Thing", [], [.make("notes", to: "Note", many: true, inverse: "thing")]),
      .make(
        "Note", identity: "", [.make("text")], [.make("thing", to: "Thing", inverse: "notes")]),
    ])
    try trial.load(#"[{"text":"precious","thing":3}]"#, as: "Note")
    let json = try trial.exportAll()
    #expect(json == #"{"Thing":[3],"Note":[{"text":"precious","thing":3}]}"#)
    #expect(try trial.store.graph.reimported(json).content == trial.store.graph.content)
  }

  @Test func `writes an object in its owner's JSON there alone, where it has no identity`() throws {
    let trial = try ImportTrial([
      .make("Order", [], [.make("address", to: "Address", ["JSONKeyPath": "$"])]),
      .make(
        "Address", identity: "", [.make("street")],
        [.make("town", to: "Town", ["JSONKeyPath": "$"]), .make("notes", to: "Note", many: true)]),
      .make("Town", identity: "", [.make("name")]),
      .make("Note", identity: "", [.make("text")]),
    ])
    try trial.load(
      #"[{"id": 1, "street": "A", "name": "Rome", "notes": [{"text": "x"}]}, {"id": 2, "street": "B"}]"#
    )
    #expect(try trial.afterExport().content == trial.store.graph.content)
    #expect(try trial.losses(.graph(trial.store.graph)) == [])
  }

  @Test func `announces an object without identity in the JSON of two owners`() throws {
    let trial = try ImportTrial([
      .make("Order", [], [.make("address", to: "Address", ["JSONKeyPath": "$"])]),
      .make("Address", identity: "", [.make("street")]),
    ])
    try trial.store.write { graph in
      let address = try graph.insert("Address", ["street": .string("A")])
      for number in 1...2 {
        let order = try graph.insert("Order", ["id": .integer(Int64(number))])
        try order.setObject(address, of: "address")
      }
    }
    let losses = try trial.losses(.graph(trial.store.graph))
    #expect(losses.map(\.entity) == ["Address"] && losses.first?.count == 1)
  }

  @Test(arguments: [ReferencePolicy.ignore, .error, .stub])
  func `announces an object's link to itself that an import does not find`(
    policy: ReferencePolicy
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Person", [],
        [
          .make(
            "friends", to: "Person", many: true, inverse: "friends",
            ["JSONReference": policy.rawValue])
        ])
    ])
    try trial.load(#"[{"id": 1, "friends": [{"id": 1}]}]"#)
    for content in [
      ExportContent.graph(trial.store.graph), .entity("Person", of: trial.store.graph),
    ] {
      #expect(try trial.losses(content).map(\.property) == (policy == .stub ? [] : ["friends"]))
    }
  }

  @Test(arguments: ["default", "keep", "clear"])
  func `leaves out an attribute without value where only absence clears it`(null: String) throws {
    var number = AttributeDescription.make(
      "number", .integer64, ["JSONNull": null, "JSONAbsent": "clear"])
    number.defaultValue = .integer(5)
    let trial = try ImportTrial([.make("Thing", [number])])
    try trial.load(#"[{"id": 1}, {"id": 2, "number": 3}]"#)
    #expect(try trial.afterExport().content == trial.store.graph.content)
  }

  @Test func `writes a stub as its identity, wherever it is`() throws {
    let trial = try trial(#"[1, {"id": 2, "boss": 3}]"#)
    let json = try trial.export("Person") {
      $0.writesNull = false
      $0.writesEmpty = false
    }
    #expect(json == #"[1,3,{"id":2,"boss":3}]"#)
  }

  @Test func `tells an order that the owner's side does not`() throws {
    let trial = try ImportTrial([
      .make("Tag", [], [.make("posts", to: "Post", many: true, inverse: "tags")]),
      .make(
        "Post", [],
        [
          RelationshipDescription(
            name: "tags", destination: "Tag", inverse: "posts", isToMany: true, isOrdered: true)
        ]),
    ])
    try trial.load(#"[{"id": 1}, {"id": 2, "posts": [{"id": 9, "tags": [2, 1]}]}]"#)
    let json = try trial.export("Tag")
    #expect(json.contains(#""posts":[{"id":9,"tags":[2,1]}]"#))
    #expect(
      try trial.store.graph.reimported(json, [ImportRoot("Tag")]).content
        == trial.store.graph.content)
  }

  @Test func `stops where objects nest without end`() throws {
    let chain = (1...300).map { #"{"id": \#($0), "partner": \#($0 + 1)}"# }
    let trial = try trial("[\(chain.joined(separator: ","))]")
    let error = #expect(throws: ExportError.self) {
      try trial.export(person(1, trial.store.graph))
    }
    #expect(error?.kind == .limit)
    #expect(
      error?.message == "Person 257: objects nest more than 256 deep; bound the depth, or raise the"
        + " nestingLimit where the stack has 2 KiB for each level")
    #expect(try trial.export("Person") { $0.depth = 3 }.count > 1000)
  }

  @Test(arguments: [300, 999, 1000])
  func `nests as deep as an import reads, where it is asked to`(depth: Int) throws {
    let objects = (1..<depth).map { #"{"id":\#($0),"partner":"# }
    let json = objects.joined() + #"{"id":\#(depth)}"# + String(repeating: "}", count: depth - 1)
    let trial = try trial(json)
    let graph = trial.store.graph
    #expect(throws: ExportError.self) { try trial.export(person(1, graph)) }
    let written = try trial.export(person(1, graph)) {
      $0.nestingLimit = 5000
      $0.writesNull = false
      $0.writesEmpty = false
    }
    #expect(written == json)
  }

  @Test func `stops where an import would, whatever is asked`() throws {
    let chain = (1...1001).map { #"{"id": \#($0), "partner": \#($0 + 1)}"# }
    let trial = try trial("[\(chain.joined(separator: ","))]")
    let error = #expect(throws: ExportError.self) {
      try trial.export(person(1, trial.store.graph)) { $0.nestingLimit = 5000 }
    }
    #expect(
      error?.message == "Person 1001: objects nest more than 1000 deep; bound the depth")
  }

  @Test func `stops where paths through a graph are too many`() throws {
    let trial = try ImportTrial([
      .make("Node", [], [.make("links", to: "Node", many: true)])
    ])
    let all = Array(1...12).description
    try trial.load(
      "[" + (1...12).map { #"{"id": \#($0), "links": \#(all)}"# }.joined(separator: ",") + "]")
    let error = trial.exportFailure("Node") { $0.objectLimit = 1000 }
    #expect(error?.kind == .limit)
    #expect(error?.message.contains("more than 1000 objects nest in one") == true)
    #expect(try trial.export("Node") { $0.repeats = .identifier }.count < 2000)
  }
}
