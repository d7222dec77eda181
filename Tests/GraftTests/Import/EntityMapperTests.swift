import Testing

@testable import Graft
@testable import GraftTestSupport

/// Objects whose entity the program's code chooses.
@Suite struct `An entity mapper` {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "neither fish nor fowl" }
  }

  private let trial: ImportTrial

  init() throws {
    let mapper = EntityMapper { object in
      if object["fins"] != nil { return "Fish" }
      if object["wings"]?.integer == 2 { return "Bird" }
      if let name = object["entity"]?.text { return name }
      if object["fur"] != nil { throw Refusal() }
      return nil
    }
    trial = try ImportTrial(
      [
        .make(
          "Animal", isAbstract: true, [.make("name")], [.make("prey", to: "Animal")],
          ["entityMapperName": "kind"]),
        .make("Fish", identity: "", parent: "Animal", [.make("fins", .integer64)]),
        .make("Bird", identity: "", parent: "Animal", [.make("wings", .integer64)]),
        .make("Stone"),
      ], extensions: ModelExtensions(entityMappers: ["kind": mapper]))
  }

  @Test func `chooses the entity of each object, nested ones too`() throws {
    for chunk in [1, 6, nil] {
      try trial.load(
        #"[{"wings":2,"id":1,"prey":{"id":2,"fins":4}},{"id":3,"name":"x","fins":1}]"#, chunk: chunk
      )
      #expect(
        trial.lines == [
          "Bird/1 id: 1, prey: Fish/1, wings: 2", "Fish/1 fins: 4, id: 2",
          #"Fish/2 fins: 1, id: 3, name: "x""#,
        ])
    }
  }

  @Test func `leaves it to the identity where it says nothing`() throws {
    try trial.load(#"{"id":1,"fins":4}"#)
    let report = try trial.load(#"{"id":1,"name":"Wanda"}"#)
    #expect(report.updatedCount == 1)
    #expect(trial.lines == [#"Fish/1 fins: 4, id: 1, name: "Wanda""#])
  }

  @Test(arguments: [
    (
      "[\n {\"id\":1,\"entity\":\"Brid\"}]",
      #"2:2: $[0]: the entity mapper "kind" names "Brid", expected Animal or an entity below it"#
        + #", did you mean "Bird"?"#
    ),
    (
      "[\n {\"id\":1,\"entity\":\"Stone\"}]",
      #"2:2: $[0]: the entity mapper "kind" names "Stone", expected Animal or an entity below it"#
    ),
    (
      "{\"id\":1,\"fins\":1,\n  \"prey\":{\"fur\":true}}",
      #"2:10: $.prey: the entity mapper "kind" threw an error: neither fish nor fowl"#
    ),
    (
      "[\n {\"id\":1}]",
      "2:2: $[0]: Animal is abstract, and nothing says which of its sub-entities (Fish, Bird)"
        + " this object is"
    ),
  ])
  func `that names no fitting entity is an error of the object`(json: String, message: String) {
    #expect(trial.failure(json) == message)
  }

  @Test func `may cost an object, and no other`() throws {
    let report = try trial.load(
      #"[{"id":1,"entity":"Stone"},{"id":2,"fins":3,"prey":{"fur":1}}]"#,
      .with { $0.errorPolicy = .skipObject })
    #expect(report.issueCount == 2)
    #expect(trial.lines == ["Fish/1 fins: 3, id: 2"])
  }
}
