import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks properties with several paths: the first path that is present counts.
@Suite struct `Alternative paths` {
  private func trial() throws -> ImportTrial {
    try ImportTrial([
      .make(
        "Post",
        [
          .make("id", .integer64, ["JSONKeyPath": "id | legacy_id | @key"]),
          .make("title", .string, ["JSONKeyPath": "title['@value'] | title"]),
          .make("tags", .transformable, ["JSONKeyPath": "tags | labels.list"]),
        ],
        [
          .make("author", to: "User", ["JSONKeyPath": "author | old.author"]),
          .make(
            "readers", to: "User", many: true, ["JSONKeyPath": "readers | old.readers[*].user"]),
        ]),
      .make("User", [.make("age", .integer64)]),
    ])
  }

  private static let rich =
    #"{"id":1,"legacy_id":"no number","title":"A","tags":[1],"labels":{"list":"no"},"#
    + #""author":{"id":3,"age":30},"readers":[{"id":4}],"#
    + #""old":{"author":{"id":9,"age":"no number"},"readers":[{"user":{"id":true}},{"user":8}]}}"#

  @Test(arguments: [1, 7, 1000])
  func `neither convert nor refuse nor import what lies at the later ones`(chunk: Int) throws {
    let trial = try trial()
    let report = try trial.load(Self.rich, chunk: chunk)
    #expect(
      trial.lines == [
        #"Post/1 author: User/1, id: 1, readers: [User/2], tags: [1], title: "A""#,
        "User/1 age: 30, id: 3", "User/2 id: 4",
      ])
    #expect(report.issueCount == 0 && report.unfilledStubCount == 0)
  }

  @Test func `give the same graph in any order of keys`() throws {
    let members = [
      #""id":1"#, #""legacy_id":"no number""#, #""author":{"id":3}"#,
      #""old":{"readers":[{"user":5}],"author":{"id":9,"age":"no number"}}"#, #""readers":[4]"#,
    ]
    var graphs: Set<[String]> = []
    for shift in members.indices {
      let trial = try trial()
      let order = Array(members[shift...] + members[..<shift])
      try trial.load("{\(order.joined(separator: ","))}")
      graphs.insert(trial.lines.map { $0.replacing(#/User/\d/#, with: "User") }.sorted())
    }
    #expect(
      graphs == [["Post/1 author: User, id: 1, readers: [User]", "User id: 3", "User id: 4"]])
  }

  @Test func `are tried in order where the first is not there`() throws {
    let trial = try trial()
    try trial.load(
      #"{"7":{"title":{"@value":"B"},"labels":{"list":["x"]},"old":{"author":{"id":3,"age":4}}},"#
        + #""x":{"legacy_id":8,"old":{"readers":[{"user":{"id":5,"age":6}},{"user":3},{"user":null}]}}}"#,
      at: "$.*", chunk: 3)
    #expect(
      trial.lines == [
        #"Post/1 author: User/1, id: 7, tags: ["x"], title: "B""#,
        "Post/2 id: 8, readers: [User/1, User/2]", "User/1 age: 4, id: 3", "User/2 age: 6, id: 5",
      ])
  }

  @Test func `stop at an explicit null`() throws {
    let trial = try trial()
    try trial.load(#"{"id":1,"author":3,"readers":[3]}"#)
    try trial.load(
      #"{"id":1,"old":{"author":4,"readers":[{"user":5}]},"author":null,"readers":null}"#)
    #expect(trial.lines == ["Post/1 id: 1", "User/1 id: 3"])
  }

  @Test func `stop at a null that keeps the value`() throws {
    let trial = try ImportTrial([
      .make("Post", [.make("rank", .integer64, ["JSONKeyPath": "a | b", "JSONNull": "keep"])])
    ])
    try trial.load(#"{"id":1,"a":5}"#)
    try trial.load(#"{"id":1,"b":6,"a":null}"#)
    #expect(trial.lines == ["Post/1 id: 1, rank: 5"])
  }

  @Test(arguments: [
    (
      #"{"id":1,"title":{"@value":[2]}}"#,
      "1:27: $.title['@value']: expected a string, found an array"
    ),
    (
      #"{"legacy_id":"no number"}"#,
      #"1:14: $.legacy_id: expected an integer of 64 bits, found the string "no number""#
    ),
    (
      #"{"id":1,"old":{"author":{"id":3,"age":"x"}}}"#,
      #"1:39: $.old.author.age: expected an integer of 64 bits, found the string "x""#
    ),
    (
      #"{"id":1,"old":{"readers":[{},{"user":{"id":[]}}]}}"#,
      "1:44: $.old.readers[1].user.id: expected an integer of 64 bits, found an array"
    ),
    (
      #"{"old":{"author":3},"id":null}"#,
      #"1:1: $: expected a value for id of Post (identity, read from "id"), found none"#
    ),
  ])
  func `name the place of an error, whichever counts`(json: String, message: String) throws {
    #expect(try trial().failure(json) == message)
  }

  @Test func `take the next one where a value is skipped`() throws {
    let trial = try trial()
    let options = ImportOptions.with { $0.errorPolicy = .skipValue }
    let report = try trial.load(
      #"{"id":"x","legacy_id":2,"title":{"@value":[]},"author":{"id":"y"},"old":{"author":6}}"#,
      options)
    #expect(trial.lines == ["Post/1 author: User/1, id: 2", "User/1 id: 6"])
    #expect(
      report.issues.map(\.error.path) == ["$.author.id", "$.id", "$.title['@value']"])
  }

  @Test(
    arguments: [ImportOptions.ErrorPolicy.fail, .skipObject, .skipValue],
    [#""old":{"author":{"id":3}}"#, #""old":{"author":3}"#])
  func `leave out the link to an object that is skipped, unless values are`(
    policy: ImportOptions.ErrorPolicy, later: String
  ) throws {
    let dropped = #""author":{"id":7,"age":30}"#
    for members in [[dropped, later], [later, dropped]] {
      let trial = try trial()
      var options = ImportOptions.with { $0.errorPolicy = policy }
      options.hooks["User"] = ImportHooks(shouldImport: { $0.values["age"] == nil })
      let report = try trial.load("{\"id\":1,\(members.joined(separator: ","))}", options)
      #expect(report.issueCount == 0)
      let author = trial.lines.first { $0.hasPrefix("Post") }
      #expect(author == (policy == .skipValue ? "Post/1 author: User/1, id: 1" : "Post/1 id: 1"))
      #expect(trial.lines.contains { $0.hasSuffix("id: 3") } == (policy == .skipValue))
    }
  }

  @Test(
    arguments: ["[]", "true", #""x""#], [#""old":{"author":{"id":3}}"#, #""old":{"author":3}"#])
  func `import no object at a later one for an object that is skipped`(
    value: String, later: String
  ) throws {
    for members in [["\"author\":\(value)", later], [later, "\"author\":\(value)"]] {
      let trial = try trial()
      let report = try trial.load(
        "{\"id\":1,\(members.joined(separator: ","))}", .with { $0.errorPolicy = .skipObject })
      #expect(trial.lines == [] && report.issueCount == 1)
    }
  }

  @Test func `take no neighbouring property with a value that is skipped`() throws {
    let trial = try ImportTrial([
      .make(
        "Post",
        [
          .make("place", .string), .make("city", .string, ["JSONKeyPath": "place.city"]),
          .make("all", .transformable, ["JSONKeyPath": "place"]),
        ], [.make("home", to: "Place", ["JSONKeyPath": "place"])]),
      .make("Place", identity: "city", [.make("city")]),
    ])
    let options = ImportOptions.with { $0.errorPolicy = .skipValue }
    let report = try trial.load(#"{"id":1,"place":{"city":"Ulm"}}"#, options)
    #expect(
      trial.lines == [
        #"Place/1 city: "Ulm""#,
        #"Post/1 all: {"city":"Ulm"}, city: "Ulm", home: Place/1, id: 1"#,
      ])
    #expect(report.issues.map(\.error.path) == ["$.place"])
  }

  @Test func `of a required attribute need a value where it counts`() throws {
    let trial = try ImportTrial([
      .make(
        "Post",
        [
          AttributeDescription(
            name: "rank", type: .integer64, isOptional: false,
            userInfo: ["JSONKeyPath": "a | b", "JSONNull": "keep"])
        ])
    ])
    #expect(
      trial.failure(#"{"id":1,"b":6,"a":null}"#)
        == #"1:1: $: expected a value for rank of Post (required, read from "a"), found none"#)
  }

  @Test(arguments: [1, 9, 1000])
  func `keep whole objects as JSON inside each other, in the order of the document`(
    chunk: Int
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Node", identity: "", [.make("raw", .transformable, ["JSONKeyPath": "$"])],
        [
          .make("one", to: "Node", ["JSONKeyPath": "one | other"]),
          .make("kids", to: "Node", many: true, ["JSONKeyPath": "kids | children"]),
        ])
    ])
    let inner = #"{"other":{"a":1,"children":[{"b":2}]},"c":3}"#
    try trial.load(#"[{"one":\#(inner),"u":2}]"#, chunk: chunk)
    #expect(
      trial.lines == [
        #"Node/1 raw: {"b":2}"#,
        #"Node/2 kids: [Node/1], raw: {"a":1,"children":[{"b":2}]}"#,
        #"Node/3 one: Node/2, raw: \#(inner)"#,
        #"Node/4 one: Node/3, raw: {"one":\#(inner),"u":2}"#,
      ])
  }

  @Test func `hold back no more than the limit allows`() throws {
    let trial = try trial()
    let options = ImportOptions.with { $0.bufferLimit = 2_000 }
    let many = (1...50).map { #"{"user":\#($0)}"# }.joined(separator: ",")
    #expect(
      trial.failure(#"{"old":{"readers":[\#(many)]},"id":1}"#, options)
        .contains("more than 2000 bytes were found at later paths"))
  }
}
