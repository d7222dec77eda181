import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Object for to-many, array for to-one` {
  private static let model: [EntityDescription] = [
    .make("Hero", [], [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
  ]

  private static let wrapped = ["Hero/1 id: 2", "Hero/2 id: 1, team: [Hero/1]"]
  private static let refused = ["! 1:16: $.team: expected an array of Hero, found an object"]
  private static let single = #"{"id":1,"team":{"id":2}}"#

  @Test(arguments: Dialect.allCases)
  func `is an error, or wraps the object in the dialects of MagicalRecord and ZDS`(
    dialect: Dialect
  ) throws {
    let wraps = [.magicalrecord, .zds].contains(dialect)
    #expect(
      try outcome(of: Self.single, in: dialect, for: Self.model)
        == (wraps ? Self.wrapped : Self.refused))
  }

  @Test(arguments: Dialect.allCases, [true, false])
  func `does what the option says in every dialect`(dialect: Dialect, wraps: Bool) throws {
    let options = ImportOptions.with { $0.relationships.wrapsSingleObjects = wraps }
    #expect(
      try outcome(of: Self.single, in: dialect, for: Self.model, options)
        == (wraps ? Self.wrapped : Self.refused))
  }

  @Test(arguments: Dialect.allCases, [true, false])
  func `is an error for an array where one object belongs`(dialect: Dialect, wraps: Bool) throws {
    let options = ImportOptions.with { $0.relationships.wrapsSingleObjects = wraps }
    for array in ["[]", #"[{"id":2}]"#, "[2]"] {
      #expect(
        try outcome(of: #"{"id":1,"boss":\#(array)}"#, in: dialect, for: Self.model, options)
          == ["! 1:16: $.boss: expected an object of Hero, found an array"])
    }
  }

  @Test func `says where an array is inside an array`() throws {
    let trial = try ImportTrial([.make("Box", [], [.make("boxes", to: "Box", many: true)])])
    #expect(
      trial.failure(#"{"id":1,"boxes":[[2]]}"#)
        == "1:18: $.boxes[0]: expected an array of Box, found an array inside an array")
    #expect(
      trial.failure("[[1]]")
        == "1:2: $[0]: expected an object or an array of Box, found an array inside an array")
  }
}
