import Testing

@testable import Graft
@testable import GraftTestSupport

/// An object that is passed over takes along what cannot be found again, and nothing else.
@Suite struct `A skipped object or value` {
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
    try trial.load(#"[{"leaf":{"text":"a"}}]"#, .with { $0.entities.missingIdentity = .skip })
    #expect(trial.lines == [])
  }

  @Test func `leaves its children with an identity whole`() throws {
    try trial.load(
      #"[{"id":1,"next":{"id":2,"leaf":{"text":"b"}},"version":"x"}]"#,
      .with { $0.errorPolicy = .skipObject })
    #expect(trial.lines == [#"Leaf/1 text: "b""#, "Node/1 id: 2, leaf: Leaf/1"])
  }

  @Test func `leaves its children whole that refer to themselves`() throws {
    try trial.load(
      #"[{"version":"x","nodes":[{"id":2,"next":2,"leaf":{"text":"b"},"nodes":[3]}]}]"#,
      .with { $0.errorPolicy = .skipObject })
    #expect(
      trial.lines == [
        #"Leaf/1 text: "b""#, "Node/1 id: 2, leaf: Leaf/1, next: Node/1, nodes: [Node/2]",
        "Node/2 id: 3",
      ])
  }

  @Test(arguments: [
    (#"[{"nodes":[3,3]}]"#, []), (#"[{"nodes":[3],"next":3}]"#, []),
    (#"[{"next":{"nodes":[3]},"nodes":[3]}]"#, []), (#"[{"nodes":[3],"next":{"next":3}}]"#, []),
    (#"[{"next":{"id":2,"next":3},"nodes":[3]}]"#, ["Node/1 id: 3", "Node/2 id: 2, next: Node/1"]),
    (#"[{"nodes":[3],"next":{"id":2,"next":3}}]"#, ["Node/1 id: 3", "Node/2 id: 2, next: Node/1"]),
  ])
  func `leaves no stub that only it names, however often`(json: String, lines: [String]) throws {
    try trial.load(json, .with { $0.errorPolicy = .skipObject })
    #expect(trial.lines == lines)
  }

  @Test(arguments: [AbsentPolicy.clear, .error])
  func `is not absent`(policy: AbsentPolicy) throws {
    try trial.load(#"[{"id":1,"next":2,"nodes":[3]}]"#)
    let report = try trial.load(
      #"[{"id":1,"version":5,"leaf":null,"next":{"version":"x"},"nodes":[]}]"#,
      .with {
        $0.errorPolicy = .skipObject
        $0.relationships.onAbsent = policy
      })
    #expect(report.issueCount == 1)
    #expect(
      trial.lines == ["Node/1 id: 2", "Node/2 id: 3", "Node/3 id: 1, next: Node/1, version: 5"])
  }

  @Test func `leaves no stub that has become one of a sub-entity`() throws {
    let trial = try ImportTrial([
      .make(
        "Owner", [.make("n", .integer64)],
        [.make("vehicle", to: "Vehicle"), .make("car", to: "Car")]),
      .make("Vehicle"), .make("Car", identity: "", parent: "Vehicle"),
    ])
    try trial.load(
      #"[{"id":1,"vehicle":7,"car":7,"n":"bad"}]"#, .with { $0.errorPolicy = .skipObject })
    #expect(trial.lines == [])
  }

  @Test func `by insert-only leaves no children behind`() throws {
    try trial.load(#"{"id":1,"leaf":{"text":"a"}}"#)
    try trial.load(#"{"id":1,"leaf":{"text":"b"}}"#, .with { $0.mode = .insertOnly })
    #expect(trial.lines == [#"Leaf/1 text: "a""#, "Node/1 id: 1, leaf: Leaf/1"])
  }

  @Test(arguments: [ImportOptions.ErrorPolicy.skipObject, .skipValue])
  func `is not missing`(policy: ImportOptions.ErrorPolicy) throws {
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
      #"[{"a":"x"},{"a":"x","b":null}]"#, .with { $0.entities.missingIdentity = .insert })
    #expect(trial.lines == [#"Card/1 a: "x""#, #"Card/2 a: "x""#])
  }

  @Test(arguments: [
    #"[{"id":1,"next":5},{"id":1,"next":{"id":7}},{"id":5}]"#,
    #"[{"id":1,"next":5,"next":{"id":7}},{"id":5}]"#,
  ])
  func `until the end gives way to what came later`(json: String) throws {
    try trial.load(json, .with { $0.relationships.reference = .defer })
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
        $0.relationships.collection = .union
        $0.relationships.onAbsent = .clear
      })
    #expect(trial.lines == ["Node/1 id: 1"])
  }

  /// The key `x` is read twice, and so is what lies in it: once as an object that can be imported.
  @Test(arguments: [#"{"id":7,"b":{"k":[{"n":1}]}}"#, #"{"id":7,"b":{"k":{"n":1}}}"#])
  func `leaves what others have read from the same place`(json: String) throws {
    for names in [["A", "B"], ["B", "A"]] {
      let many = json.contains("[")
      let trial = try ImportTrial([
        .make(
          "Top", [],
          [
            .make(names[0], to: "A", ["JSONKeyPath": "b"]),
            .make(names[1], to: "B", ["JSONKeyPath": "b"]),
          ]),
        .make("A", identity: "", [], [.make("leaf", to: "Leaf", many: many, ["JSONKeyPath": "k"])]),
        .make(
          "B", identity: "code", [.make("code")],
          [
            .make("leaf", to: "Leaf", many: many, ["JSONKeyPath": "k"]),
            .make("own", to: "Own", many: many, ["JSONKeyPath": "k"]),
          ]),
        .make("Leaf", identity: "", [.make("n", .integer64)]),
        .make("Own", identity: "", [.make("n", .integer64)]),
      ])
      try trial.load(json, .with { $0.entities.missingIdentity = .skip })
      let leaf = many ? "[Leaf/1]" : "Leaf/1"
      #expect(
        trial.lines == [
          "A/1 leaf: \(leaf)", "Leaf/1 n: 1", "Top/1 \(names[0]): A/1, id: 7",
        ])
    }
  }

  @Test func `leaves what an object around it has read through it`() throws {
    let trial = try ImportTrial([
      .make(
        "Top", [],
        [
          .make("inner", to: "Inner"),
          .make("leaves", to: "Leaf", many: true, ["JSONKeyPath": "inner.leaves"]),
        ]),
      .make("Inner", identity: "code", [.make("code")]),
      .make("Leaf", identity: "", [.make("n", .integer64)]),
    ])
    try trial.load(
      #"{"id":1,"inner":{"leaves":[{"n":1}]}}"#, .with { $0.entities.missingIdentity = .skip })
    #expect(trial.lines == ["Leaf/1 n: 1", "Top/1 id: 1, leaves: [Leaf/1]"])
  }

  @Test(arguments: [
    (#"[{"id":1,"next":2,"version":"x"}]"#, []),
    (
      #"[{"id":1,"nodes":[2,3],"version":"x"},{"id":4,"next":3}]"#,
      ["Node/1 id: 3", "Node/2 id: 4, next: Node/1"]
    ),
    (
      #"[{"id":1,"next":{"id":5,"next":2},"version":"x"}]"#,
      ["Node/1 id: 2", "Node/2 id: 5, next: Node/1"]
    ),
    (
      #"[{"id":1,"nodes":[2,{"id":5,"next":2}],"version":"x"}]"#,
      ["Node/1 id: 2", "Node/2 id: 5, next: Node/1"]
    ),
    (#"[{"id":1,"nodes":[2,{"id":2}],"version":"x"}]"#, ["Node/1 id: 2"]),
    (
      #"[{"id":6,"nodes":[2,{"id":1,"next":2,"version":"x"}]}]"#,
      ["Node/1 id: 2", "Node/2 id: 6, nodes: [Node/1]"]
    ),
    (
      #"[{"id":6,"nodes":[{"id":1,"next":2,"version":"x"},2]}]"#,
      ["Node/1 id: 2", "Node/2 id: 6, nodes: [Node/1]"]
    ),
  ])
  func `leaves no stubs that nothing else has named`(json: String, lines: [String]) throws {
    try trial.load(json, .with { $0.errorPolicy = .skipObject })
    #expect(trial.lines == lines)
  }

  @Test func `leaves no stubs named by its key`() throws {
    let trial = try ImportTrial([
      .make(
        "Stock", identity: "sku",
        [
          .make("sku", .string, ["JSONKeyPath": "@key"]),
          .make("count", .integer64, ["JSONKeyPath": "@value"]),
        ],
        [.make("product", to: "Product", ["JSONKeyPath": "@key"])]),
      .make("Product", identity: "sku", [.make("sku")]),
    ])
    try trial.load(#"{"a":"x","b":1}"#, at: "*", .with { $0.errorPolicy = .skipObject })
    #expect(
      trial.lines == [#"Product/1 sku: "b""#, #"Stock/1 count: 1, product: Product/1, sku: "b""#])
  }
}
