import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks the details of single dialects.
@Suite struct `Dialects, more exactly` {
  @Test func `magicalrecord, an identity that names no attribute means no identity`() throws {
    let trial = try ImportTrial(
      [
        EntityDescription(
          name: "Hero", attributes: [.make("n", .integer64)],
          userInfo: ["relatedByAttribute": "heroID"])
      ], dialect: .magicalrecord)
    #expect(trial.store.model.warnings.count == 1)
    try trial.load(#"[{"n":1},{"n":1}]"#)
    #expect(trial.lines == ["Hero/1 n: 1", "Hero/2 n: 1"])
  }

  @Test func `magicalrecord, each relationship finds its objects by its own attribute`() throws {
    let trial = try ImportTrial(
      [
        EntityDescription(
          name: "Pet", attributes: [.make("chip", .integer64), .make("name")],
          userInfo: ["relatedByAttribute": "name"]),
        EntityDescription(
          name: "Owner",
          relationships: [
            .make("dog", to: "Pet", ["relatedByAttribute": "chip"]),
            .make("cat", to: "Pet", ["relatedByAttribute": "name"]),
          ]),
      ], dialect: .magicalrecord)
    try trial.load(#"[{"chip":7,"name":"Rex"},{"chip":8,"name":"Tom"}]"#)
    try trial.load(#"{"dog":{"chip":"7"},"cat":{"name":"Tom"}}"#, as: "Owner")
    try trial.load(#"{"dog":8,"cat":"Rex"}"#, as: "Owner")
    #expect(
      trial.lines == [
        "Owner/1 cat: Pet/2, dog: Pet/1", "Owner/2 cat: Pet/1, dog: Pet/2",
        #"Pet/1 chip: 7, name: "Rex""#, #"Pet/2 chip: 8, name: "Tom""#,
      ])
  }

  private static let sync: [EntityDescription] = [
    EntityDescription(
      name: "User", attributes: [.make("id", .integer64), .make("firstName")],
      relationships: [
        .make("homeAddress", to: "Address"), .make("bestFriend", to: "User"),
        .make("notes", to: "Note", many: true),
      ]),
    EntityDescription(
      name: "Address", attributes: [.make("id", .integer64), .make("town"), .make("street")]),
    EntityDescription(name: "Note", attributes: [.make("id", .integer64)]),
  ]

  @Test func `sync, a to-one object without identity fills the present target, or makes one`()
    throws
  {
    let trial = try ImportTrial(Self.sync, dialect: .sync)
    try trial.load(#"{"id":1,"home_address":{"town":"Ulm","street":"A"}}"#)
    try trial.load(#"{"id":1,"homeAddress":{"town":"Bonn"}}"#)
    #expect(
      trial.lines == [
        #"Address/1 street: "A", town: "Bonn""#, "User/1 homeAddress: Address/1, id: 1",
      ])
    try trial.load(#"{"id":1,"home_address":{"id":5,"town":"Kiel"}}"#)
    #expect(trial.lines.contains(#"Address/2 id: 5, town: "Kiel""#))
    #expect(trial.lines.last == "User/1 homeAddress: Address/2, id: 1")
  }

  @Test func `sync, identifiers under their own names find objects, and make none`() throws {
    let trial = try ImportTrial(Self.sync, dialect: .sync)
    try trial.load("[{\"id\":1},{\"id\":2}]", as: "Note")
    try trial.load(
      #"[{"id":9,"first_name":"Ann"},{"id":1,"best_friend_id":9,"notes_ids":[2,3,"1"]}]"#)
    #expect(trial.lines.last == "User/2 bestFriend: User/1, id: 1, notes: [Note/1, Note/2]")
    try trial.load(#"{"id":1,"best_friend_id":null,"notes_ids":[]}"#)
    #expect(trial.lines.last == "User/2 id: 1")
    #expect(trial.lines.count == 4)
  }

  @Test(arguments: [
    (#""handle":"a","firstName":"b""#, "a"), (#""first_name":"b","handle":"a""#, "a"),
    (#""firstName":"b""#, "b"), (#""first_name":"b""#, "b"),
  ])
  func `sync, the plain name still counts beside a remote key, which comes first`(
    members: String, expected: String
  ) throws {
    var entities = Self.sync
    entities[0].attributes[1].userInfo = ["hyper.remoteKey": "handle"]
    let trial = try ImportTrial(entities, dialect: .sync)
    try trial.load(#"{"id":1,\#(members)}"#)
    #expect(trial.lines == [#"User/1 firstName: "\#(expected)", id: 1"#])
  }

  private static func dandy(_ key: String, _ mapping: String? = nil) -> [EntityDescription] {
    [
      EntityDescription(
        name: "Hat",
        attributes: [
          .make("id", .integer64, mapping.map { ["@mapping": $0] } ?? [:]), .make("name"),
          .make("secret", .string, ["@mapping": "@false"]),
          .make("town", .string, ["@mapping": "meta.town"]),
        ], userInfo: ["@primaryKey": key])
    ]
  }

  @Test func `dandy, properties stand elsewhere, or nowhere`() throws {
    let trial = try ImportTrial(Self.dandy("id"), dialect: .dandy)
    try trial.load(#"{"id":1,"secret":"x","meta":{"town":"Ulm"},"town":"Bonn"}"#)
    #expect(trial.lines == [#"Hat/1 id: 1, town: "Ulm""#])
  }

  @Test func `dandy, there is one object of a singleton`() throws {
    let trial = try ImportTrial(Self.dandy("@singleton"), dialect: .dandy)
    try trial.load(#"[{"id":1,"name":"a"},{"name":"b"}]"#)
    try trial.load(#"{"id":2}"#)
    #expect(trial.lines == [#"Hat/1 id: 2, name: "b""#])
  }

  @Test func `dandy, a singleton that is skipped is not missing`() throws {
    let trial = try ImportTrial(Self.dandy("@singleton"), dialect: .dandy)
    try trial.load(#"{"id":1,"name":"a"}"#)
    let report = try trial.load(
      #"{"id":"bad","name":"b"}"#,
      .with {
        $0.errorPolicy = .skipObject
        $0.deletesMissing = true
      })
    #expect(trial.lines == [#"Hat/1 id: 1, name: "a""#])
    #expect(report.issueCount == 1)
  }

  @Test func `dandy, objects lack an identity that is kept out of JSON`() throws {
    let trial = try ImportTrial(Self.dandy("id", "@false"), dialect: .dandy)
    #expect(trial.store.model.warnings.count == 1)
    let report = try trial.load(#"[{"id":1,"name":"a"}]"#)
    #expect(trial.lines == [])
    #expect(report.issueCount == 1)
  }

  @Test func `zds, the entity's map gives keys to properties, and every object is new`() throws {
    let trial = try ImportTrial(
      [
        EntityDescription(
          name: "Tweet", attributes: [.make("text"), .make("createdAt", .date)],
          relationships: [.make("author", to: "User")],
          userInfo: ["created_at": "createdAt", "user": "author"]),
        EntityDescription(name: "User", attributes: [.make("name")]),
      ], dialect: .zds)
    try trial.load(
      #"[{"text":"a","created_at":0,"user":{"name":"x"}},{"user":{"name":"x"},"author":7}]"#)
    #expect(
      trial.lines == [
        #"Tweet/1 author: User/1, createdAt: "1970-01-01T00:00:00Z", text: "a""#,
        "Tweet/2 author: User/2", #"User/1 name: "x""#, #"User/2 name: "x""#,
      ])
  }

  @Test func `groot, what is not annotated is not in JSON`() throws {
    let trial = try ImportTrial(
      [
        EntityDescription(
          name: "Hero",
          attributes: [.make("id", .integer64, ["JSONKeyPath": "id"]), .make("name")],
          relationships: [.make("boss", to: "Hero")], userInfo: ["identityAttribute": "id"])
      ], dialect: .groot)
    try trial.load(#"{"id":1,"name":"a","boss":{"id":2}}"#)
    #expect(trial.lines == ["Hero/1 id: 1"])
  }
}
