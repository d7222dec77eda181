import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Abstract entity` {
  private static let model: [EntityDescription] = [
    .make("Owner", [], [.make("pet", to: "Animal")]), .make("Animal", isAbstract: true),
    .make("Dog", identity: "", parent: "Animal", [.make("bark")]),
  ]

  @Test(arguments: Dialect.allCases)
  func `has no objects, except in MagicalRecord's dialect`(dialect: Dialect) throws {
    let result = try outcome(
      of: #"{"id":1,"pet":{"id":2,"bark":"loud"}}"#, in: dialect, for: Self.model)
    #expect(
      result
        == (dialect == .magicalrecord
          ? ["Animal/1 id: 2", "Owner/1 id: 1, pet: Animal/1"]
          : [
            "! 1:15: $.pet: Animal is abstract, and nothing says which of its sub-entities (Dog)"
              + " this object is"
          ]))
  }

  @Test(arguments: Dialect.identifying)
  func `finds objects of its sub-entities, and reads their keys wherever they stand`(
    dialect: Dialect
  ) throws {
    for json in [
      #"{"id":1,"pet":{"id":2,"bark":"loud"}}"#, #"{"pet":{"bark":"loud","id":"2"},"id":1}"#,
    ] {
      for chunk in [1, 1000] {
        let trial = try ImportTrial(Self.model, speaking: dialect)
        try trial.load(#"{"id":2,"bark":"low"}"#, as: "Dog")
        try trial.load(json, chunk: chunk)
        #expect(trial.lines == [#"Dog/1 bark: "loud", id: 2"#, "Owner/1 id: 1, pet: Dog/1"])
      }
    }
  }

  @Test(arguments: Dialect.identifying)
  func `is no entity of a bare identifier that names nothing, except in MagicalRecord's dialect`(
    dialect: Dialect
  ) throws {
    let result = try outcome(
      of: #"{"id":1,"pet":2}"#, in: dialect, for: Self.model,
      .with { $0.relationships.reference = .stub })
    if dialect == .magicalrecord {
      #expect(result == ["Animal/1 id: 2", "Owner/1 id: 1, pet: Animal/1"])
    } else {
      #expect(result.first?.contains("Animal is abstract, so none can be made of it") == true)
    }
  }
}
