import Testing

@testable import Graft

/// What is passed over takes along what cannot be found again, and nothing else.
@Suite struct `What is passed over` {
  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make(
        "Node", [.make("version", .integer64)],
        [
          .make("next", to: "Node"), .make("leaf", to: "Leaf"),
          RelationshipDescription(
            name: "nodes", destination: "Node", isToMany: true, isOrdered: true),
        ]),
      .make("Leaf", identity: "", [.make("text")]),
    ])
  }

  @Test func `for want of an identity leaves no children behind`() throws {
    try trial.load(#"[{"leaf":{"text":"a"}}]"#, .with { $0.missingIdentity = .skip })
    #expect(trial.lines == [])
  }

  @Test func `leaves its children with an identity whole`() throws {
    try trial.load(
      #"[{"id":1,"next":{"id":2,"leaf":{"text":"b"}},"version":"x"}]"#,
      .with { $0.errorPolicy = .skipObject })
    #expect(trial.lines == [#"Leaf/1 text: "b""#, "Node/1 id: 2, leaf: Leaf/1"])
  }

  @Test func `by insert-only leaves no children behind`() throws {
    try trial.load(#"{"id":1,"leaf":{"text":"a"}}"#)
    try trial.load(#"{"id":1,"leaf":{"text":"b"}}"#, .with { $0.mode = .insertOnly })
    #expect(trial.lines == [#"Leaf/1 text: "a""#, "Node/1 id: 1, leaf: Leaf/1"])
  }

  @Test(arguments: [ErrorPolicy.skipObject, .skipValue])
  func `is not missing`(policy: ErrorPolicy) throws {
    try trial.load("[1,2]")
    try trial.load(
      #"[{"id":1,"version":"x"}]"#,
      .with {
        $0.errorPolicy = policy
        $0.deletesMissing = true
      })
    #expect(trial.lines == ["Node/1 id: 1"])
  }

  @Test func `by update-only is left as it is, and whom it mentions is not missing`() throws {
    try trial.load("[1,2,4]")
    try trial.load(
      #"[{"next":{"id":2,"version":7},"nodes":[4],"id":3}]"#,
      .with {
        $0.mode = .updateOnly
        $0.deletesMissing = true
      })
    #expect(trial.lines == ["Node/1 id: 2", "Node/2 id: 4"])
  }

  @Test func `of an identity in part is kept where it is inserted`() throws {
    let trial = try ImportTrial([.make("Card", identity: "a,b", [.make("a"), .make("b")])])
    try trial.load(
      #"[{"a":"x"},{"a":"x","b":null}]"#, .with { $0.missingIdentity = .insert })
    #expect(trial.lines == [#"Card/1 a: "x""#, #"Card/2 a: "x""#])
  }

  @Test(arguments: [
    #"[{"id":1,"next":5},{"id":1,"next":{"id":7}},{"id":5}]"#,
    #"[{"id":1,"next":5,"next":{"id":7}},{"id":5}]"#,
  ])
  func `until the end gives way to what came later`(json: String) throws {
    try trial.load(json, .with { $0.reference = .defer })
    let first = try #require(
      try trial.store.graph.object("Node", identifiedBy: ["id": .integer(1)]))
    #expect(first.object("next")?["id"] == .integer(7))
  }

  @Test(arguments: [#"{"id":1,"nodes":null}"#, #"{"id":1}"#])
  func `by a union is not what is cleared`(json: String) throws {
    try trial.load(#"{"id":1,"nodes":[1]}"#)
    try trial.load(
      json,
      .with {
        $0.collection = .union
        $0.relationshipAbsent = .clear
      })
    #expect(trial.lines == ["Node/1 id: 1"])
  }
}
