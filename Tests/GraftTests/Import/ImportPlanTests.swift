import Testing

@testable import Graft
@testable import GraftTestSupport

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

  @Test func `of 40 entities that are each related to all is compiled`() throws {
    let entities = (0..<40).map { number in
      EntityDescription.make(
        "E\(number)", [.make("id")], (0..<40).map { .make("r\($0)", to: "E\($0)") })
    }
    let trial = try ImportTrial(entities)
    try trial.load(#"{"id":"a","r39":{"id":"b","r0":{"id":"a"}}}"#)
    #expect(trial.lines == [#"E0/1 id: "a", r39: E39/1"#, #"E39/1 id: "b", r0: E0/1"#])
  }

  @Test func `of entities that are each related to all holds what is inside each of them once`()
    throws
  {
    func tables(_ count: Int) throws -> Int {
      let model = try GraphModel(
        entities: (0..<count).map { number in
          .make("E\(number)", [.make("id")], (0..<count).map { .make("r\($0)", to: "E\($0)") })
        }, dialect: .graft)
      let builder = PlanBuilder(
        schema: model.schema, roots: [ImportRoot("E0")], options: ImportOptions())
      _ = try builder.compileRoots()
      #expect(builder.tables.containers.count > count * count)
      return builder.tables.keyTables.count
    }
    // One for each entity, and those of places in which nothing is known.
    let (few, many) = (try tables(8), try tables(16))
    #expect(many - few <= 16)
  }

  @Test func `of an entity with 2,000 sub-entities is compiled`() throws {
    let animals = (0..<2_000).map {
      EntityDescription.make("A\($0)", identity: "", parent: "Animal")
    }
    let animal = EntityDescription.make("Animal", [.make("id")], [], ["JSONDiscriminator": "kind"])
    let trial = try ImportTrial([animal] + animals)
    try trial.load(#"[{"kind": "A1999", "id": "x"}, {"id": "y", "kind": "A0"}]"#)
    #expect(trial.lines == [#"A0/1 id: "y""#, #"A1999/1 id: "x""#])
  }

  @Test func `in which the sub-entities of several entities multiply is refused`() throws {
    let entities = ["A", "B"].flatMap { name in
      [EntityDescription.make(name, [.make("id")], [], ["JSONDiscriminator": "kind\(name)"])]
        + (0..<40).map { .make("\(name)\($0)", identity: "", parent: name) }
    }
    let owner = EntityDescription.make(
      "Owner", [.make("id")],
      ["A", "B"].map { .make("r\($0)", to: $0, ["JSONKeyPath": "thing"]) })
    let trial = try ImportTrial([owner] + entities)
    #expect(
      trial.failure(#"{"id":"a"}"#)
        == "more than 1024 combinations of sub-entities read the same JSON object; let fewer"
        + " relationships read the same path")
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

  /// Changes of one number each, after which the engine would read what is not there, or something else
  /// than it takes it for.
  static let mistakes: [@Sendable (inout PlanTables) -> Void] = [
    { $0.values[0].object = 1_000 }, { $0.values[0].scalars.count += 1_000 },
    { $0.containers[0].handOffs.start = 1_000 }, { $0.containers[0].otherwise = -2 },
    { $0.containers[0].decision = 7 },
    { $0.changeScalars { $0.property = 1_000 } }, { $0.changeScalars { $0.number = 1_000 } },
    { $0.changeScalars { $0.levelsUp = -1 } },
    { $0.changeScalars { if $0.isAttribute { $0.effect = .toOne } } },
    { $0.changeScalars { if $0.isToOne { $0.effect = .attribute } } },
    { $0.changeScalars { if $0.isToOne { $0.effect = .late(node: 1_000) } } },
    { $0.changeScalars { if $0.isToOne { $0.effect = .object(handOff: 9, isIdentity: false) } } },
    { $0.changeScalars { $0.origin = .constant(0) } },
    { $0.changeScalars { $0.origin = .outer(slot: 0, levels: 1) } },
    { $0.scalars[0] = .outer(slot: 0, steps: 0) }, { $0.scalars[0] = .captured(0) },
    { tables in
      for index in tables.handBacks.indices where tables.handBacks[index].kind == .toOne {
        tables.handBacks[index].kind = .element
      }
    },
    { tables in
      if case .property(var start) = tables.starts[0] {
        start.number = -1
        tables.starts[0] = .property(start)
      }
    }, { $0.starts[0] = .outer(slot: 0, steps: 0) }, { $0.handOffs[0].entity = 9 },
    { $0.handOffs[0].relatedBy = 9 },
    { $0.keyTables.append(KeyTable([(Array("name".utf8), 1_000)])) },
  ]

  @Test(arguments: mistakes.indices)
  func `is followed only if all its numbers lead to what they should`(mistake: Int) throws {
    let model = try GraphModel(
      entities: [
        .make(
          "Hero", [.make("name")],
          [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
      ], dialect: .graft)
    let roots = [ImportRoot("Hero")]
    let builder = PlanBuilder(schema: model.schema, roots: roots, options: ImportOptions())
    let root = try builder.compileRoots()
    try PlanCheck.run(
      builder.tables, root: root, builder.entities, rootCount: 1, outerCount: 0, capturedCount: 0)
    var tables = builder.tables
    Self.mistakes[mistake](&tables)
    let error = #expect(throws: ImportError.self) {
      try PlanCheck.run(
        tables, root: root, builder.entities, rootCount: 1, outerCount: 0, capturedCount: 0)
    }
    #expect(error?.message.hasSuffix("which is a mistake of the plan's compiler") == true)
  }
}

extension PlanTables {
  /// Changes the actions of all scalars that belong to a property.
  fileprivate func changeScalars(_ change: (inout PropertyAction) -> Void) {
    for index in scalars.indices {
      guard case .property(var action) = scalars[index] else { continue }
      change(&action)
      scalars[index] = .property(action)
    }
  }
}
