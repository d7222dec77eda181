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
    (#"{"id":1,"best_friend_id":{"id":2}}"#, "expected the identity of User, found an object"),
    (#"{"id":1,"notes_ids":[{"id":2}]}"#, "[0]: expected the identity of Note, found an object"),
    (#"{"id":1,"notes_ids":{"id":2}}"#, "expected an array of identities of Note, found an object"),
    (#"{"id":1,"notes_ids":["x"]}"#, "[0]: expected the identity of Note, an integer of 64 bits,"),
  ])
  func `sync, an object in the place of an identifier is told as one`(
    json: String, message: String
  ) throws {
    #expect(try ImportTrial(Self.sync, dialect: .sync).failure(json).contains(message))
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

  /// A user with a profile that has no identity, as Sync fills it.
  private static func profiles(
    _ profile: [AttributeDescription] = [], _ badge: [String: String] = [:]
  ) -> [EntityDescription] {
    [
      EntityDescription(
        name: "User", attributes: [.make("id", .integer64), .make("name")],
        relationships: [
          .make("profile", to: "Profile", inverse: "user"), .make("second", to: "Profile"),
        ]),
      EntityDescription(
        name: "Profile",
        attributes: [
          .make("bio"), .make("code"),
          AttributeDescription(
            name: "level", type: .integer32, isOptional: false, defaultValue: .integer(1)),
        ] + profile,
        relationships: [
          .make("user", to: "User", inverse: "profile"), .make("badge", to: "Badge"),
          .make("boss", to: "User"), .make("tags", to: "Tag", many: true),
        ]),
      EntityDescription(name: "Badge", attributes: [.make("color"), .make("size", .integer64)]),
      EntityDescription(name: "Tag", attributes: [.make("id", .integer64)]),
    ]
  }

  @Test func `sync, what a document does not mention of the present target is kept`() throws {
    let trial = try ImportTrial(Self.profiles(), dialect: .sync)
    try trial.load(
      #"{"id":1,"profile":{"bio":"x","level":5,"code":"c","tags":[{"id":1},{"id":2}]}}"#)
    try trial.load(#"{"id":1,"profile":{"code":"d"}}"#)
    #expect(
      trial.lines.first
        == #"Profile/1 bio: "x", code: "d", level: 5, tags: [Tag/1, Tag/2], user: User/1"#)
    let report = try trial.load(#"{"profile":{"bio":null,"tags":[]},"id":1}"#)
    #expect(trial.lines.first == #"Profile/1 code: "d", level: 5, user: User/1"#)
    #expect(report.count(of: "Profile").updated == 1)
    let again = try trial.load(#"{"profile":{"bio":null,"tags":[]},"id":1}"#)
    #expect(again.insertedCount == 0 && again.updatedCount == 0)
    try trial.load(#"{"profile":{},"id":1,"profile":null}"#)
    #expect(trial.lines.first == #"Profile/1 code: "d", level: 5"#)
  }

  @Test func `sync, a stub stays that a skipped object without identity has named first`() throws {
    let trial = try ImportTrial(
      [
        .make(
          "User", identity: "", [.make("id", .integer64)],
          [.make("friend", to: "User"), .make("pet", to: "Pet")]),
        .make(
          "Pet", identity: "",
          [AttributeDescription(name: "name", type: .string, isOptional: false)],
          [.make("vet", to: "User")]),
      ], dialect: .sync)
    let options = ImportOptions.with {
      $0.errorPolicy = .skipObject
      $0.relationships.reference = .stub
    }
    try trial.load(#"{"id": 1, "pet": {"vet": 7}, "friend": 7}"#, options)
    #expect(trial.lines == ["User/1 id: 7", "User/2 friend: User/1, id: 1"])
  }

  @Test(arguments: [
    #"{"id":1,"profile":{"bio":"y","badge":{"size":2}},"second":{"bio":"z"}}"#,
    #"{"second":{"bio":"z"},"profile":{"badge":{"size":2},"bio":"y"},"id":1}"#,
    #"{"profile":{"bio":"a","code":"lost","badge":{"size":9}},"second":{"bio":"z"},"id":1,"#
      + #""profile":{"badge":{"size":2},"bio":"y"}}"#,
  ])
  func `sync, the present target is filled in any order of the keys, and at any depth`(
    json: String
  ) throws {
    let trial = try ImportTrial(Self.profiles(), dialect: .sync)
    try trial.load(#"{"id":1,"profile":{"bio":"x","badge":{"color":"red","size":1}}}"#)
    for _ in 0..<2 {
      try trial.load(json)
      #expect(
        trial.lines == [
          #"Badge/1 color: "red", size: 2"#,
          #"Profile/1 badge: Badge/1, bio: "y", level: 1, user: User/1"#,
          #"Profile/2 bio: "z", level: 1"#, "User/1 id: 1, profile: Profile/1, second: Profile/2",
        ])
    }
    let fresh = try ImportTrial(Self.profiles(), dialect: .sync)
    try fresh.load(json)
    #expect(fresh.lines.count == 4)
  }

  @Test func `sync, a reference of the present target waits for the end of the document`() throws {
    let trial = try ImportTrial(Self.profiles(), dialect: .sync)
    let options = ImportOptions.with { $0.relationships.reference = .defer }
    try trial.load(#"{"id":1,"profile":{"bio":"x","boss_id":1}}"#)
    try trial.load(
      #"[{"id":1,"profile":{"bio":"y","boss_id":9,"tags_ids":[4]}},{"id":9}]"#, options)
    #expect(trial.lines.first == #"Profile/1 bio: "y", boss: User/2, level: 1, user: User/1"#)
  }

  @Test func `sync, only a new target must have the required values`() throws {
    let required = AttributeDescription(name: "key", type: .string, isOptional: false)
    let trial = try ImportTrial(Self.profiles([required]), dialect: .sync)
    try trial.load(#"{"id":1,"profile":{"key":"k"}}"#)
    try trial.load(#"{"id":1,"profile":{"code":"d"}}"#)
    #expect(trial.lines.first == #"Profile/1 code: "d", key: "k", level: 1, user: User/1"#)
    let json = #"[{"id":3},{"profile":{"code":"d","badge":{"size":1}},"id":2,"name":"n"}]"#
    let failure = trial.failure(json)
    #expect(failure.contains(#"1:22: $[1].profile: expected a value for key of Profile"#))
    let report = try trial.load(json, .with { $0.errorPolicy = .skipObject })
    #expect(report.issueCount == 1)
    #expect(trial.lines.last == #"User/3 id: 2, name: "n""#)
    #expect(trial.lines.count == 4)
  }

  @Test func `sync, update only fills the present target, and makes none`() throws {
    let trial = try ImportTrial(Self.profiles(), dialect: .sync)
    let options = ImportOptions.with { $0.mode = .updateOnly }
    try trial.load(#"[{"id":1,"profile":{"bio":"x"}},{"id":2}]"#)
    let report = try trial.load(
      #"[{"profile":{"bio":"y"},"second":{},"id":1},{"id":2,"profile":{}},{"id":3,"profile":{}}]"#,
      options)
    #expect(report.insertedCount == 0 && report.updatedCount == 1)
    #expect(trial.lines.first == #"Profile/1 bio: "y", level: 1, user: User/1"#)
    #expect(trial.lines.count == 3)
    try trial.load(
      #"{"id":1,"profile":{"bio":"z"}}"#, .with { $0.mode = .insertOnly })
    #expect(trial.lines.first == #"Profile/1 bio: "y", level: 1, user: User/1"#)
  }

  @Test func `sync, an object that fills no target leaves no trace with a skipped owner`() throws {
    let trial = try ImportTrial(Self.profiles(), dialect: .sync)
    let report = try trial.load(
      #"[{"profile":{"badge":{"size":1},"tags":[{"id":7}]},"id":"x"},{"id":2,"profile":{"bio":"b"}}]"#,
      .with { $0.errorPolicy = .skipObject })
    #expect(report.issueCount == 1)
    #expect(
      trial.lines == [
        #"Profile/1 bio: "b", level: 1, user: User/1"#, "Tag/1 id: 7",
        "User/1 id: 2, profile: Profile/1",
      ])
  }

  @Test func `sync, hooks receive an object together with the target that it fills`() throws {
    let trial = try ImportTrial(Self.profiles(), dialect: .sync)
    try trial.load(#"{"id":1,"profile":{"bio":"x"}}"#)
    var hooks = ImportHooks()
    hooks.willImport = { $0.values["code"] = .string("w") }
    hooks.validate = { candidate in
      #expect(candidate["bio"] == .string("x"))
      #expect(candidate.path == "$.profile")
    }
    hooks.didImport = { object in
      #expect(object.outcome == .updated)
      #expect(object.path == "$.profile")
    }
    let options = ImportOptions.with { $0.hooks["Profile"] = hooks }
    let report = try trial.load(#"{"profile":{"level":2},"id":1}"#, options)
    #expect(report.updatedCount == 1)
    #expect(trial.lines.first == #"Profile/1 bio: "x", code: "w", level: 2, user: User/1"#)
    let refusal = ImportHooks(shouldImportRelationship: { name, _ in name != "profile" })
    try trial.load(
      #"{"id":1,"name":"n","profile":{"level":3}}"#, .with { $0.hooks["User"] = refusal })
    #expect(
      trial.lines == [
        #"Profile/1 bio: "x", code: "w", level: 2, user: User/1"#,
        #"User/1 id: 1, name: "n", profile: Profile/1"#,
      ])
  }

  @Test func `sync, an object that fills a target is one of a root`() throws {
    let trial = try ImportTrial(Self.profiles(), dialect: .sync)
    let roots = [
      ImportRoot("User", at: "users"), ImportRoot("Profile", at: "users[*].profile"),
    ]
    for bio in ["x", "y"] {
      let report = try trial.load(
        #"{"users":[{"profile":{"bio":"\#(bio)"},"id":1},{"profile":{"bio":"\#(bio)"},"id":2}]}"#,
        roots,
        .with { $0.listsRootObjects = true })
      #expect(report.roots.map(\.objects) == [2, 2])
      #expect(report.roots.map(\.ids.count) == [2, 2])
    }
    #expect(
      trial.lines.prefix(2) == [
        #"Profile/1 bio: "y", level: 1, user: User/1"#,
        #"Profile/2 bio: "y", level: 1, user: User/2"#,
      ])
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
