import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct SyncDialectTests {
  func model(
    _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = []
  ) throws -> GraphModel {
    try GraphModel(
      entities: [
        EntityDescription(name: "User", attributes: attributes, relationships: relationships)
      ],
      dialect: .sync)
  }

  @Test(arguments: [
    ("name", ["name"]), ("postedAt", ["posted_at", "postedAt"]),
    ("remoteURL", ["remote_url", "remoteURL", "remoteUrl"]),
    ("userID", ["user_id", "userID", "userId"]), ("userIDs", ["user_ids", "userIDs", "userIds"]),
    ("uuid", ["uuid"]), ("pdfURLString", ["pdf_url_string", "pdfURLString", "pdfUrlString"]),
    ("first_name", ["first_name", "firstName"]), ("userType", ["type", "user_type", "userType"]),
    ("userDescription", ["description", "user_description", "userDescription"]),
    ("userSigned", ["signed", "user_signed", "userSigned"]),
    ("otherType", ["other_type", "otherType"]), ("line2", ["line2", "line_2"]),
  ])
  func `a local name means its snake_case and camelCase forms`(
    name: String, keys: [String]
  ) throws {
    #expect(try model([.make(name)]).paths("User", name) == keys)
  }

  @Test(arguments: ["sync.remoteKey", "hyper.remoteKey"])
  func `a remote key comes first, and the name still counts`(annotation: String) throws {
    let model = try model(
      [.make("postedAt", .date, [annotation: "meta.posted"])],
      [.make("bestFriend", to: "User", [annotation: "friend"])])
    #expect(try model.paths("User", "postedAt") == ["meta.posted", "posted_at", "postedAt"])
    #expect(try model.paths("User", "bestFriend") == ["friend", "best_friend", "bestFriend"])
  }

  @Test func `identifiers stand under the relationship's name with _id or _ids`() throws {
    let model = try model(
      [.make("id")], [.make("bestFriend", to: "User"), .make("notes", to: "User", many: true)])
    #expect(
      try model.relationship("User", "bestFriend").identifierPaths.map(\.description)
        == ["best_friend_id"])
    #expect(
      try model.relationship("User", "notes").identifierPaths.map(\.description) == ["notes_ids"])
  }

  @Test func `identity is annotated, or else remoteID, or else id`() throws {
    #expect(try model([.make("id"), .make("remoteID")]).identity(of: "User") == ["remoteID"])
    #expect(try model([.make("id"), .make("x")]).identity(of: "User") == ["id"])
    #expect(try model([.make("x")]).identity(of: "User") == [])
    let annotated = try model([.make("id"), .make("x", .string, ["sync.isPrimaryKey": "YES"])])
    #expect(try annotated.identity(of: "User") == ["x"])
    #expect(try model([.make("remoteID")]).paths("User", "remoteID").first == "id")
  }

  @Test func `only YES and true make a primary key, and only the first counts`() throws {
    let odd = try model([.make("id"), .make("x", .string, ["sync.isPrimaryKey": "1"])])
    #expect(try odd.identity(of: "User") == ["id"])
    #expect(odd.warningText.contains("expected YES or true"))
    let two = try model(["x", "y"].map { .make($0, .string, ["hyper.isPrimaryKey": "true"]) })
    #expect(try two.identity(of: "User") == ["x"])
    #expect(two.warningText.contains("only \"x\" counts"))
  }

  @Test func `an inherited primary key goes before a convention`() throws {
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Base", attributes: [.make("key", .string, ["sync.isPrimaryKey": "YES"])]),
        EntityDescription(name: "Sub", superentity: "Base", attributes: [.make("id")]),
      ], dialect: .sync)
    #expect(try model.identity(of: "Sub") == ["key"])
    #expect(try model.compiled("Sub").identityRoot == 0)
  }

  @Test func `what is not exportable is imported all the same`() throws {
    let model = try model(
      [.make("x", .string, ["sync.nonExportable": "YES", "sync.valueTransformer": "trim"])],
      [.make("r", to: "User", ["hyper.nonExportable": ""])])
    #expect(try model.attribute("User", "x").policies.export == .omit)
    #expect(try model.attribute("User", "x").transformer == .trim)
    #expect(try model.paths("User", "x") == ["x"])
    #expect(try model.relationship("User", "r").policies.export == .omit)
  }
}
