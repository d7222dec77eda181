import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Unknown key` {
  private static let model: [EntityDescription] = [
    .make("Hero", [.make("name")], [.make("boss", to: "Hero")])
  ]

  private static let document =
    #"{"id":1,"nmae":{"id":[1,{}]},"boss":{"other":null,"id":2,"name":"b"}}"#
  private static let lines = [#"Hero/1 id: 2, name: "b""#, "Hero/2 boss: Hero/1, id: 1"]

  @Test(arguments: Dialect.allCases)
  func `is skipped by default, with all that it holds`(dialect: Dialect) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    let report = try trial.load(Self.document)
    #expect(trial.lines == Self.lines)
    #expect(report.noticeCount == 0)
    #expect(report.issueCount == 0)
  }

  @Test(arguments: Dialect.allCases)
  func `is skipped and listed where that is asked for`(dialect: Dialect) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    let report = try trial.load(Self.document, .with { $0.unknownKeys = .report })
    #expect(trial.lines == Self.lines)
    #expect(report.issueCount == 0)
    #expect(
      report.notices.map(\.description) == [
        #"1:9: $.nmae: no property of Hero reads the key "nmae", did you mean "name"?"#,
        #"1:38: $.boss.other: no property of Hero reads the key "other""#,
      ])
  }

  @Test(arguments: Dialect.allCases, ImportOptions.ErrorPolicy.allCases)
  func `is an error where that is asked for, which the error policy may forgive`(
    dialect: Dialect, policy: ImportOptions.ErrorPolicy
  ) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    let options = ImportOptions.with {
      $0.unknownKeys = .error
      $0.errorPolicy = policy
    }
    guard policy != .fail else {
      #expect(
        try trial.outcome(of: Self.document, options)
          == [#"! 1:9: $.nmae: no property of Hero reads the key "nmae", did you mean "name"?"#])
      return
    }
    let report = try trial.load(Self.document, options)
    #expect(report.issueCount == 2)
    #expect(trial.lines == (policy == .skipValue ? Self.lines : []))
  }

  @Test(arguments: [
    (
      #"{"id": 1, "life": "long"}"#,
      [#"1:19: $.life: no property of Hero reads the string "long" here"#]
    ),
    (#"{"id": 1, "life": 5}"#, ["1:19: $.life: no property of Hero reads the number 5 here"]),
    (#"{"id": 1, "life": {"born": 3}}"#, []), (#"{"id": 1, "life": []}"#, []),
  ])
  func `is also one under which no property reads a value of this kind`(
    json: String, notices: [String]
  ) throws {
    let trial = try ImportTrial([
      .make("Hero", [.make("born", .integer64, ["JSONKeyPath": "life.born"])])
    ])
    for policy in [ImportOptions.UnknownKeyPolicy.report, .error] {
      for chunk in [1, 1000] {
        let report = try trial.load(json, .with { $0.unknownKeys = policy }, chunk: chunk)
        #expect(report.notices.map(\.description) == notices)
      }
    }
    #expect(try trial.load(json).noticeCount == 0)
  }

  @Test(arguments: [
    (#"{"id": 1, "meta": {"kind": "Villain", "note": "x"}}"#, []),
    (
      #"{"id": 1, "meta": {"kind": "Villain", "knid": 1}, "kind": 2}"#,
      [
        #"1:39: $.meta.knid: no property of Villain reads the key "knid", did you mean "kind"?"#,
        #"1:51: $.kind: no property of Villain reads the key "kind""#,
      ]
    ),
  ])
  func `is none that says which entity an object is of, at whatever depth`(
    json: String, notices: [String]
  ) throws {
    for attributes: [AttributeDescription] in [
      [.make("note", .string, ["JSONKeyPath": "meta.note"])], [],
    ] {
      let trial = try ImportTrial([
        .make("Hero", attributes, [], ["JSONDiscriminator": "meta.kind"]),
        .make("Villain", parent: "Hero"),
      ])
      let expected =
        attributes.isEmpty && json.contains("note")
        ? [#"1:39: $.meta.note: no property of Villain reads the key "note""#]
        : notices
      let report = try trial.load(json, .with { $0.unknownKeys = .report })
      #expect(report.notices.map(\.description) == expected)
    }
  }
}
