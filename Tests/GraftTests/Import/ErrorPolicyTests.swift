import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks the handling of values and objects that cannot be imported.
@Suite struct `An error policy` {
  static let model: [EntityDescription] = [
    .make(
      "Hero",
      [
        AttributeDescription(name: "name", type: .string, isOptional: false),
        .make("age", .integer16),
      ],
      [
        .make("boss", to: "Hero"),
        RelationshipDescription(name: "team", destination: "Hero", isToMany: true, isOrdered: true),
        .make("notes", to: "Note", many: true),
      ]),
    .make("Note", identity: "", [.make("text"), .make("at", .date)], [.make("hero", to: "Hero")]),
  ]

  private let trial: ImportTrial

  init() throws { trial = try ImportTrial(Self.model) }

  @Test(arguments: [
    (#"{"id":1,"name":"A","age":"x"}"#, [#"Hero/1 id: 1, name: "A""#], [] as [String]),
    (#"{"id":1,"name":"A","age":70000}"#, [#"Hero/1 id: 1, name: "A""#], []),
    (#"{"id":1,"name":"A","boss":"x"}"#, [#"Hero/1 id: 1, name: "A""#], []),
    (#"{"id":1,"name":"A","boss":[{"id":2}]}"#, [#"Hero/1 id: 1, name: "A""#], []),
    (#"{"id":1,"name":"A","team":{"id":2}}"#, [#"Hero/1 id: 1, name: "A""#], []),
    (
      #"{"id":1,"name":"A","notes":[{"text":"a","at":"x"}]}"#,
      [#"Hero/1 id: 1, name: "A", notes: [Note/1]"#, #"Note/1 text: "a""#],
      [#"Hero/1 id: 1, name: "A""#]
    ),
    (
      #"{"id":1,"name":"A","team":[{"id":2,"name":"B","age":[]},{"id":3,"name":"C"}]}"#,
      [
        #"Hero/1 id: 2, name: "B""#, #"Hero/2 id: 3, name: "C""#,
        #"Hero/3 id: 1, name: "A", team: [Hero/1, Hero/2]"#,
      ], [#"Hero/1 id: 3, name: "C""#, #"Hero/2 id: 1, name: "A", team: [Hero/1]"#]
    ),
    (
      #"{"id":1,"boss":{"id":2,"name":"B"}}"#, [#"Hero/1 id: 2, name: "B""#],
      [#"Hero/1 id: 2, name: "B""#]
    ),
    (#"{"name":"A"}"#, [], []), (#"{"id":"x","name":"A"}"#, [], []), (#""x""#, [], []),
  ])
  func `skips the value, or the object that has it`(
    json: String, withoutValue: [String], withoutObject: [String]
  ) throws {
    for (policy, expected) in [
      (ImportOptions.ErrorPolicy.skipValue, withoutValue), (.skipObject, withoutObject),
    ] {
      for chunk in [1, 1000] {
        let trial = try ImportTrial(Self.model)
        let options = ImportOptions.with { $0.errorPolicy = policy }
        let report = try trial.load("[\(json),null]", options, chunk: chunk)
        #expect(trial.lines == expected, "\(policy)")
        #expect(report.issueCount >= 1)
        #expect(report.insertedCount == expected.count)
      }
    }
    #expect(trial.failure("[\(json)]") != "")
  }

  @Test(arguments: [#""x""#, "{}", "[1]", "1.5", #"{},"id":3"#, #""x","id":3"#])
  func `lists an object without a readable identity once`(id: String) throws {
    for policy in [MissingIdentityPolicy.error, .insert, .skip] {
      let trial = try ImportTrial([
        EntityDescription(
          name: "Hero", attributes: [.make("id", .integer64), .make("name")], identity: ["id"],
          missingIdentity: policy)
      ])
      let report = try trial.load(
        #"[{"id":\#(id),"name":"A"},{"id":2,"name":"B"}]"#, .with { $0.errorPolicy = .skipValue })
      #expect(trial.lines == [#"Hero/1 id: 2, name: "B""#], "\(policy)")
      #expect(report.issueCount == 1, "\(policy)")
    }
  }

  @Test func `that skips an object keeps its children that have an identity, and no others`() throws
  {
    let report = try trial.load(
      """
      [{"id":1,"name":"A","notes":[{"text":"a","hero":{"id":2,"name":"B"}}],
        "team":[{"id":3,"name":"C"}],"age":"x"},
       {"id":4,"name":"D","notes":[{"text":"d"}]}]
      """, .with { $0.errorPolicy = .skipObject })
    #expect(report.issueCount == 1)
    #expect(report.roots.map(\.objects) == [1])
    #expect(report.insertedCount == 4)
    #expect(
      try trial.store.graph.objects("Hero").map { $0["id"] } == [2, 3, 4].map { .integer($0) })
    #expect(try trial.store.graph.objects("Note").map { $0["text"] } == [.string("d")])
  }

  @Test func `that skips an object leaves one that is there as it is`() throws {
    try trial.load(#"{"id":1,"name":"A","age":1,"team":[1]}"#)
    let before = trial.text
    let report = try trial.load(
      #"[{"id":1,"name":"B","team":[],"age":"x"}]"#, .with { $0.errorPolicy = .skipObject })
    #expect(trial.text == before)
    #expect(report.updatedCount == 0)
  }

  @Test func `that skips values does not make a required one optional`() throws {
    let report = try trial.load(
      #"[{"id":1,"name":{}},{"id":2,"name":"B"}]"#, .with { $0.errorPolicy = .skipValue })
    #expect(trial.lines == [#"Hero/1 id: 2, name: "B""#])
    #expect(
      report.issues.map(\.description) == [
        "1:17: $[0].name: expected a string, found an object",
        #"1:2: $[0]: expected a value for name of Hero (required, read from "name"), found none"#,
      ])
  }

  @Test func `that skips a value keeps what an object has`() throws {
    try trial.load(#"{"id":1,"name":"A","age":1,"boss":1,"team":[1]}"#)
    try trial.load(
      #"{"id":1,"age":"x","boss":"x","team":7}"#, .with { $0.errorPolicy = .skipValue })
    #expect(trial.lines == [#"Hero/1 age: 1, boss: Hero/1, id: 1, name: "A", team: [Hero/1]"#])
  }
}
