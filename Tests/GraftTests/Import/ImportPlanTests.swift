import Testing

@testable import Graft

/// Models that lead to many positions.
@Suite struct `A plan` {
  @Test func `of a chain of 3,200 entities is compiled`() throws {
    let entities = (0..<3_200).map { number in
      EntityDescription.make(
        "E\(number)", [.make("id")],
        number == 3_199 ? [] : [.make("next", to: "E\(number + 1)")])
    }
    let trial = try ImportTrial(entities)
    try trial.load(#"{"id":"a","next":{"id":"b","next":{"id":"c"}}}"#)
    #expect(
      trial.lines == [
        #"E0/1 id: "a", next: E1/1"#, #"E1/1 id: "b", next: E2/1"#, #"E2/1 id: "c""#,
      ])
  }

  @Test func `of 60 entities that are each related to all is compiled`() throws {
    let entities = (0..<60).map { number in
      EntityDescription.make(
        "E\(number)", [.make("id")], (0..<60).map { .make("r\($0)", to: "E\($0)") })
    }
    let trial = try ImportTrial(entities)
    try trial.load(#"{"id":"a","r59":{"id":"b","r0":{"id":"a"}}}"#)
    #expect(trial.lines == [#"E0/1 id: "a", r59: E59/1"#, #"E59/1 id: "b", r0: E0/1"#])
  }

  @Test func `that makes ever more objects of one JSON object is refused`() throws {
    let entities = (0..<20).map { number in
      EntityDescription.make(
        "E\(number)", [.make("id")],
        number == 19
          ? []
          : ["left", "right"].map { .make($0, to: "E\(number + 1)", ["JSONKeyPath": "$"]) })
    }
    let trial = try ImportTrial(entities)
    #expect(
      trial.failure(#"{"id":"a"}"#)
        == #"relationships at "$" make more than 1024 objects of one JSON object of E0; name another"#
        + " path for some of them")
  }
}
