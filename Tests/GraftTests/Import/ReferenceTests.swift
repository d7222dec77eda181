import Testing

@testable import Graft
@testable import GraftTestSupport

/// A bare identifier that stands for an object.
@Suite struct `A bare identifier` {
  private let trial: ImportTrial

  private static func model(_ userInfo: [String: String] = [:]) -> [EntityDescription] {
    let name = AttributeDescription(name: "name", type: .string, isOptional: false)
    return [
      .make(
        "Hero", [name, .make("age", .integer64)],
        [
          .make("boss", to: "Hero", userInfo),
          RelationshipDescription(
            name: "team", destination: "Hero", isToMany: true, isOrdered: true, userInfo: userInfo),
        ])
    ]
  }

  init() throws { trial = try ImportTrial(Self.model()) }

  @Test func `makes an object that has only its identity, and is listed until it is filled`() throws
  {
    let report = try trial.load(#"{"id":1,"name":"Ada","boss":2,"team":[3,"2"]}"#)
    #expect(report.unfilledStubCount == 2)
    #expect(
      report.unfilledStubs.map { trial.store.graph.object($0)?["id"] } == [
        .integer(2), .integer(3),
      ])
    #expect(report.insertedCount == 3)
    #expect(
      trial.lines == [
        "Hero/1 id: 2", "Hero/2 id: 3",
        #"Hero/3 boss: Hero/1, id: 1, name: "Ada", team: [Hero/2, Hero/1]"#,
      ])
    #expect(try trial.store.graph.objects("Hero").map(\.isStub) == [true, true, false])
  }

  @Test func `is filled later in the same document, with nothing left to list`() throws {
    let report = try trial.load(
      #"[{"id":1,"name":"Ada","boss":2},{"id":2,"name":"Bob","boss":1}]"#)
    #expect(report.unfilledStubCount == 0)
    #expect(report.count(of: "Hero").inserted == 2)
    #expect(
      trial.lines == [
        #"Hero/1 boss: Hero/2, id: 2, name: "Bob""#, #"Hero/2 boss: Hero/1, id: 1, name: "Ada""#,
      ])
  }

  @Test func `is filled by a later import, which counts it as updated`() throws {
    try trial.load("[2]")
    let report = try trial.load(#"{"id":2,"name":"Bob"}"#)
    #expect(report.count(of: "Hero").updated == 1)
    #expect(try trial.store.graph.objects("Hero").map(\.isStub) == [false])
  }

  @Test func `must be filled with all that is required`() throws {
    try trial.load("[2]")
    #expect(
      trial.failure(#"{"id":2}"#)
        == #"1:1: $: expected a value for name of Hero (required, read from "name"), found none"#)
  }

  @Test func `never overwrites what is known`() throws {
    try trial.load(#"{"id":2,"name":"Bob","age":7}"#)
    let report = try trial.load(#"[2,{"id":1,"name":"Ada","boss":2}]"#)
    #expect(report.unfilledStubCount == 0)
    #expect(report.count(of: "Hero").unchanged == 1)
    #expect(trial.lines.first == #"Hero/1 age: 7, id: 2, name: "Bob""#)
  }

  @Test func `that is no identity is an error`() {
    #expect(
      trial.failure(#"{"id":1,"name":"Ada","boss":"x"}"#)
        == "1:29: $.boss: expected an object of Hero or its identity, an integer of 64 bits,"
        + #" found the string "x""#)
  }

  /// An unknown identifier is no value, be there an object or not.
  @Test(arguments: [false, true])
  func `that waits and names nothing clears the link that was there`(isNew: Bool) throws {
    if !isNew {
      try trial.load(#"[{"id":2,"name":"Bob"},{"id":1,"name":"Ada","boss":2,"team":[2]}]"#)
    }
    let report = try trial.load(
      #"[{"id":1,"name":"Ada","boss":9,"team":[8,3,7,1]},{"id":3,"name":"Cyd"}]"#,
      .with {
        $0.relationships.reference = .defer
        $0.relationships.onNull = .keep
      })
    #expect(
      trial.lines.filter { $0.contains("Ada") }.map { $0.drop { $0 != " " } } == [
        #" id: 1, name: "Ada", team: [Hero/\#(isNew ? 2 : 3), Hero/\#(isNew ? 1 : 2)]"#
      ])
    #expect(
      report.notices.map(\.description)
        == [
          (30, "boss", 9), (40, "team[0]", 8), (44, "team[2]", 7),
        ].map { column, path, number in
          "1:\(column): $[0].\(path): expected the identity of an existing object of Hero, found the"
            + " number \(number), which identifies no object"
        })
  }

  @Test func `that is unknown may wait for the end, and is linked in its place`() throws {
    let report = try trial.load(
      #"[{"id":1,"name":"Ada","boss":9,"team":[2,9,1]},{"id":2,"name":"Bob","team":[1]}]"#,
      .with { $0.relationships.reference = .defer })
    #expect(
      trial.lines == [
        #"Hero/1 id: 1, name: "Ada", team: [Hero/2, Hero/1]"#,
        #"Hero/2 id: 2, name: "Bob", team: [Hero/1]"#,
      ])
    #expect(report.ignoredReferenceCount == 2)
    #expect(report.noticeCount == 2)
    #expect(report.count(of: "Hero") == .init(entity: "Hero", inserted: 2))
  }

  @Test func `that waits takes the place of a link that the same object had`() throws {
    let options = ImportOptions.with { $0.relationships.reference = .defer }
    try trial.load(#"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob","boss":1,"team":[1]}]"#)
    try trial.load(#"[{"id":2,"boss":3,"team":[3,2]},{"id":3,"name":"Cyd"}]"#, options)
    #expect(
      trial.lines[1] == #"Hero/2 boss: Hero/3, id: 2, name: "Bob", team: [Hero/3, Hero/2]"#)
  }

  @Test(arguments: [
    (#"[{"id":1,"name":"Ada","boss":9},{"id":1,"boss":null}]"#, 0),
    (#"[{"id":1,"name":"Ada","boss":9},{"id":1,"boss":1}]"#, 0),
    (#"[{"id":1,"name":"Ada","boss":9,"boss":1}]"#, 0),
    (#"[{"id":1,"name":"Ada","boss":9},{"id":1,"boss":8}]"#, 1),
    (#"[{"id":1,"name":"Ada","team":[1,9,8]},{"id":1,"team":[7]}]"#, 1),
    (#"[{"id":1,"name":"Ada","team":[1,9,8]},{"id":1,"team":[1]}]"#, 0),
    (#"[{"id":1,"name":"Ada","team":[1,9,8]},{"id":1,"boss":null}]"#, 2),
    (#"[{"id":1,"name":[],"boss":9}]"#, 0),
  ])
  func `that waits is missed only where its place is still its own`(
    json: String, count: Int
  )
    throws
  {
    let report = try trial.load(
      json,
      .with {
        $0.relationships.reference = .defer
        $0.errorPolicy = .skipObject
      })
    #expect(report.ignoredReferenceCount == count)
    #expect(report.noticeCount == count)
  }

  @Test func `of an abstract entity finds objects of its sub-entities, and makes none`() throws {
    let trial = try ImportTrial([
      .make("Owner", [], [.make("pet", to: "Animal")]), .make("Animal", isAbstract: true),
      .make("Dog", identity: "", parent: "Animal", [.make("name")]),
    ])
    try trial.load(#"{"id":7,"name":"Rex"}"#, as: "Dog")
    try trial.load(#"{"id":1,"pet":7}"#)
    #expect(trial.lines == [#"Dog/1 id: 7, name: "Rex""#, "Owner/1 id: 1, pet: Dog/1"])
    #expect(
      trial.failure(#"{"id":1,"pet":8}"#)
        == "1:15: $.pet: expected the identity of an existing object of Animal, found the number 8,"
        + " which identifies no object; Animal is abstract, so none can be made of it")
    #expect(
      trial.failure(#"{"id":1,"pet":{"id":9}}"#)
        == "1:15: $.pet: Animal is abstract, and nothing says which of its sub-entities (Dog)"
        + " this object is")
  }

  @Test func `by another attribute than the identity finds the object that has the value now`()
    throws
  {
    let trial = try ImportTrial(
      [
        .make(
          "Owner", identity: "", [.make("ownerID", .integer64)],
          [.make("pet", to: "Pet", ["relatedByAttribute": "chip"])]),
        .make("Pet", identity: "", [.make("petID", .integer64), .make("chip", .integer64)]),
      ], dialect: .magicalrecord)
    try trial.load(#"[{"petID":1,"chip":5}]"#, as: "Pet")
    try trial.load(
      #"{"first":{"ownerID":1,"pet":5},"pets":[{"petID":1,"chip":6},{"petID":2,"chip":5}],"#
        + #""last":{"ownerID":2,"pet":5}}"#,
      [
        ImportRoot("Owner", at: "first"), ImportRoot("Pet", at: "pets"),
        ImportRoot("Owner", at: "last"),
      ])
    #expect(
      trial.lines == [
        "Owner/1 ownerID: 1, pet: Pet/1", "Owner/2 ownerID: 2, pet: Pet/2",
        "Pet/1 chip: 6, petID: 1", "Pet/2 chip: 5, petID: 2",
      ])
  }
}

/// A family of entities that share their identities, and a relationship to one of them.
@Suite struct `A bare identifier of an object of another entity` {
  private func trial(inverse: String?) throws -> ImportTrial {
    try ImportTrial([
      .make(
        "Base", [], [.make("any", to: "Base", ["JSONReference": "stub"])],
        ["JSONDiscriminator": "kind"]),
      .make(
        "Shelf", identity: "", parent: "Base", [],
        [.make("books", to: "Book", many: true, ["JSONKeyPath": "-"])]),
      .make(
        "Book", identity: "", parent: "Base", [],
        [.make("shelf", to: "Shelf", inverse: inverse)]),
    ])
  }

  private static let documents = [
    #"[{"id": 1, "kind": "Book", "shelf": 2}, {"id": 2}]"#,
    #"[{"id": 2}, {"id": 1, "kind": "Book", "shelf": 2}]"#,
  ]

  @Test(arguments: documents, ["books", nil])
  func `is an error, also where it waited for the end of the document`(
    document: String, inverse: String?
  ) throws {
    let trial = try trial(inverse: inverse)
    for reference in [ReferencePolicy.defer, .error] {
      guard reference == .defer || document == Self.documents[1] else { continue }
      var options = ImportOptions()
      options.relationships.reference = reference
      let failure = trial.failure(document, options)
      #expect(
        failure.hasSuffix(
          ".shelf: expected an object of Shelf, found the identity of an object of Base"))
      options.errorPolicy = .skipValue
      let other = try self.trial(inverse: inverse)
      let report = try other.load(document, options)
      #expect(report.issueCount == 1)
      #expect(other.lines.sorted() == ["Base/1 id: 2", "Book/1 id: 1"])
    }
  }

  @Test(arguments: [ReferencePolicy.stub, .defer])
  func `mentions that object, which is not missing`(reference: ReferencePolicy) throws {
    let trial = try trial(inverse: "books")
    try trial.load(#"[{"id": 2}, {"id": 3}]"#)
    try trial.load(
      #"[{"id": 1, "kind": "Book", "shelf": 2}]"#,
      .with {
        $0.relationships.reference = reference
        $0.errorPolicy = .skipValue
        $0.deletesMissing = true
      })
    #expect(trial.lines.sorted() == ["Base/1 id: 2", "Book/1 id: 1"])
  }

  @Test func `makes a stub narrower that waits for its object`() throws {
    let trial = try trial(inverse: "books")
    let options = ImportOptions.with { $0.relationships.reference = .defer }
    try trial.load(
      #"[{"id": 1, "kind": "Book", "shelf": 2}, {"id": 3, "any": 2}, {"id": 4, "any": 2}]"#, options
    )
    #expect(
      trial.lines == [
        "Base/1 any: Shelf/1, id: 3", "Base/2 any: Shelf/1, id: 4", "Book/1 id: 1, shelf: Shelf/1",
        "Shelf/1 books: [Book/1], id: 2",
      ])
  }
}
