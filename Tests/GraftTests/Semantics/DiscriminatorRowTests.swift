import Testing

@testable import Graft

@Suite struct `Discriminator` {
  private static func model(isAbstract: Bool) -> [EntityDescription] {
    [
      .make(
        "Shape", isAbstract: isAbstract, [.make("name")], [.make("inner", to: "Shape")],
        ["JSONDiscriminator": "meta.type"]),
      .make("Circle", identity: "", parent: "Shape", [.make("size", .double)]),
      .make(
        "Label", identity: "", parent: "Shape", [.make("size")], [], ["JSONDiscriminatorValue": "7"]
      ),
    ]
  }

  @Test(arguments: [
    #"{"id":1,"size":2}"#, #"{"id":1,"meta":{"type":null}}"#, #"{"id":1,"meta":{}}"#,
  ])
  func `that is absent means the entity itself`(json: String) throws {
    #expect(try outcome(of: json, for: Self.model(isAbstract: false)) == ["Shape/1 id: 1"])
    #expect(
      try outcome(of: json, for: Self.model(isAbstract: true)).first?.contains("is abstract")
        == true)
  }

  @Test(arguments: [
    #"{"meta":{"type":"Circle"},"id":1,"size":2}"#, #"{"size":2,"id":1,"meta":{"type":"Circle"}}"#,
    #"{"size":2,"meta":{"x":[],"type":"Circle"},"id":1}"#,
  ])
  func `names a sub-entity, first or last`(json: String) throws {
    for isAbstract in [true, false] {
      #expect(
        try outcome(of: json, for: Self.model(isAbstract: isAbstract)) == [
          "Circle/1 id: 1, size: 2"
        ])
    }
  }

  @Test(arguments: ["7", #""7""#])
  func `has the value that is annotated, as a text or a number`(value: String) throws {
    #expect(
      try outcome(
        of: #"{"size":"x","meta":{"type":\#(value)},"id":1}"#, for: Self.model(isAbstract: true))
        == [#"Label/1 id: 1, size: "x""#])
  }

  @Test(arguments: ErrorPolicy.allCases)
  func `of an unknown value is an error of that object`(policy: ErrorPolicy) throws {
    let trial = try ImportTrial(Self.model(isAbstract: false))
    let options = ImportOptions.with { $0.errorPolicy = policy }
    let json = #"[{"id":1,"meta":{"type":"Square"}},{"id":2,"meta":{"type":"Circle"}}]"#
    guard policy != .fail else {
      #expect(
        try trial.outcome(of: json, options) == [
          "! 1:25: $[0].meta.type: expected a sub-entity of Shape"
            + #" ("7", "Circle", "Shape"), found the string "Square""#
        ])
      return
    }
    #expect(try trial.load(json, options).issueCount == 1)
    #expect(trial.lines == ["Circle/1 id: 2"])
  }

  @Test func `need not stand again where identity finds the object`() throws {
    #expect(
      try outcome(
        of: #"{"id":1,"size":2,"meta":{"type":"Circle"}}"#, #"{"size":3,"id":"1"}"#,
        for: Self.model(isAbstract: true)) == ["Circle/1 id: 1, size: 3"])
  }
}
