import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A required relationship` {
  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make(
        "Post", [.make("title")],
        [
          .required("author", to: "User"), .make("reviewer", to: "User"),
          .make("notes", to: "Note", many: true),
        ]),
      .make(
        "User", [.make("name")],
        [
          .make("team", to: "Team"), .make("drafts", to: "Draft", many: true, inverse: "writer"),
        ]),
      .make("Draft", [.make("title")], [.required("writer", to: "User", inverse: "drafts")]),
      .make("Team", [.make("name")], [.required("lead", to: "User")]),
      .make("Note", identity: "", [.make("text")]),
    ])
  }

  private static let skipping: [ImportOptions.ErrorPolicy] = [.skipObject, .skipValue]

  private func skip(_ policy: ImportOptions.ErrorPolicy = .skipObject) -> ImportOptions {
    .with { $0.errorPolicy = policy }
  }

  @Test(arguments: skipping)
  func `that is null, or whose object was skipped, skips its object`(
    policy: ImportOptions.ErrorPolicy
  ) throws {
    let report = try trial.load(
      "[{\"id\":1,\"author\":7},\n {\"id\":2,\"author\":null},\n {\"id\":3,\"author\":{\"id\":\"?\"}}]",
      skip(policy))
    #expect(trial.lines == ["Post/1 author: User/1, id: 1", "User/1 id: 7"])
    let expected = "expected an object for author of Post (required), found none"
    #expect(
      report.issues.map { "\($0.error)" } == [
        "2:2: $[1]: \(expected)",
        "3:25: $[2].author.id: expected an integer of 64 bits, found the string \"?\"",
        "3:2: $[2]: \(expected)",
      ])
    #expect(report.roots.map(\.objects) == [1])
  }

  @Test func `of a nested object skips that, and what requires it`() throws {
    let report = try trial.load(
      #"""
      [{"id":1,"author":{"id":7,"team":{"id":3,"lead":null}}},
       {"id":2,"author":null,"notes":[{"text":"a"}],"reviewer":{"id":8}},
       {"id":3,"author":{"id":9,"name":"Ann"}}]
      """#, skip())
    #expect(
      trial.lines == [
        "Post/1 author: User/1, id: 1", "Post/2 author: User/3, id: 3", "User/1 id: 7",
        "User/2 id: 8", #"User/3 id: 9, name: "Ann""#,
      ])
    #expect(report.issues.map(\.error.path) == ["$[0].author.team", "$[1]"])
  }

  @Test(arguments: [
    #"[{"id":1},{"id":1,"author":7}]"#, #"[{"id":1,"author":null,"author":7}]"#,
    #"[{"id":1,"author":7},{"id":1,"title":null}]"#,
  ])
  func `may be filled later`(json: String) throws {
    let report = try trial.load(json, skip())
    #expect(trial.lines == ["Post/1 author: User/1, id: 1", "User/1 id: 7"])
    #expect(report.issues.isEmpty)
  }

  @Test(arguments: [
    #"[{"id":7,"drafts":[{"id":1}]}]"#, #"[{"drafts":[{"id":1,"writer":null}],"id":7}]"#,
  ])
  func `may be filled from its other end`(json: String) throws {
    for policy in [.fail] + Self.skipping {
      for _ in 0..<2 {
        let report = try trial.load(json, as: "User", skip(policy))
        #expect(
          trial.lines == ["Draft/1 id: 1, writer: User/1", "User/1 drafts: [Draft/1], id: 7"])
        #expect(report.issues.isEmpty)
      }
    }
  }

  @Test func `may wait for its object`() throws {
    let options = ImportOptions.with {
      $0.errorPolicy = .skipObject
      $0.relationships.reference = .defer
    }
    let roots = [ImportRoot("Post", at: "posts"), ImportRoot("User", at: "users")]
    try trial.load(#"{"posts":[{"id":1,"author":7}],"users":[{"id":7}]}"#, roots, options)
    #expect(trial.lines == ["Post/1 author: User/1, id: 1", "User/1 id: 7"])
  }

  @Test(arguments: skipping)
  func `keeps the object that it has`(policy: ImportOptions.ErrorPolicy) throws {
    try trial.load(#"[{"id":1,"author":7,"title":"a"}]"#)
    let report = try trial.load(#"[{"id":1,"author":null,"title":"b"}]"#, skip(policy))
    let title = policy == .skipObject ? "a" : "b"
    #expect(
      trial.lines == [#"Post/1 author: User/1, id: 1, title: "\#(title)""#, "User/1 id: 7"])
    #expect(report.issues.map(\.error.path) == ["$[0]"])
    try trial.load(#"[{"id":1,"author":{"id":"?"},"title":"c"}]"#, skip(policy))
    #expect(trial.lines.first == #"Post/1 author: User/1, id: 1, title: "c""#)
  }

  @Test(arguments: skipping, ["null", "[]"])
  func `to many keeps its objects, with a union too`(
    policy: ImportOptions.ErrorPolicy, value: String
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Post", [],
        [
          RelationshipDescription(
            name: "authors", destination: "User", isToMany: true, isOptional: false,
            userInfo: ["JSONCollection": "union"])
        ]), .make("User"),
    ])
    try trial.load(#"[{"id":1,"authors":[7]}]"#)
    let report = try trial.load(
      #"[{"id":1,"authors":\#(value)},{"id":2,"authors":\#(value)}]"#, skip(policy))
    #expect(trial.lines == ["Post/1 authors: [User/1], id: 1", "User/1 id: 7"])
    #expect(report.issueCount == (value == "null" ? 2 : 1))
  }

  @Test func `of a stub leaves it one`() throws {
    try trial.load(#"[{"id":1,"name":"A"}]"#, as: "User")
    try trial.load(#"[{"id":7,"team":3}]"#, as: "User")
    let report = try trial.load(#"[{"id":3,"name":"T","lead":null}]"#, as: "Team", skip())
    #expect(trial.lines.contains("Team/1 id: 3"))
    #expect(report.issues.count == 1)
  }

  @Test(arguments: [#"[{"id":2}]"#, #"[{"id":2,"author":null}]"#])
  func `without an object ends the import by default`(json: String) {
    #expect(
      trial.failure(json)
        == #"Post(id: 2): "author" is required and leads to no object; link one, or make the relationship optional"#
    )
  }
}

extension RelationshipDescription {
  fileprivate static func required(
    _ name: String, to destination: String, inverse: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isOptional: false)
  }
}
