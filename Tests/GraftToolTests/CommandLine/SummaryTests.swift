import Foundation
import Testing

@testable import CommandLineSupport
@testable import Graft
@testable import GraftTestSupport

@Suite struct SummaryTests {
  @Test func `a summary shows entities, properties, places, identity and warnings in columns`()
    throws
  {
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Tweet",
          attributes: [
            AttributeDescription(
              name: "id", type: .integer64, isOptional: false, userInfo: ["JSONKeyPath": "id_str"]),
            AttributeDescription(
              name: "text", type: .string, maximum: "280", userInfo: ["JSONKeypath": "x"]),
            AttributeDescription(name: "at", type: .date, userInfo: ["JSONDateFormat": "unix"]),
            AttributeDescription(name: "count", type: .integer16, defaultValue: .integer(0)),
          ],
          relationships: [
            .make("author", to: "User", inverse: "tweets", ["JSONKeyPath": "user | owner"])
          ], userInfo: ["identityAttributes": "id"]),
        EntityDescription(
          name: "User", isAbstract: true,
          relationships: [
            RelationshipDescription(
              name: "tweets", destination: "Tweet", isToMany: true, isOrdered: true,
              deleteRule: .cascade, userInfo: ["JSONKeyPath": "-"])
          ]),
        EntityDescription(name: "Bot", superentity: "User"),
      ])
    #expect(
      model.summary == """
        3 entities, dialect graft

        Tweet  (identity id)
          id      Integer 64  required                  ← id_str  (JSONKeyPath)
          text    String      optional, ≤ 280           ← text
          at      Date        optional, format unix     ← at
          count   Integer 16  optional, default 0       ← count
          author  → User      optional, inverse tweets  ← user | owner  (JSONKeyPath)

        User  (abstract; no identity)
          tweets  ⇉ Tweet  optional, ordered, inverse author, delete: cascade  not in JSON  (JSONKeyPath)

        Bot : User  (no identity)
          tweets  ⇉ Tweet  optional, ordered, inverse author, delete: cascade  not in JSON  (JSONKeyPath)

        warning: Tweet.text: unknown annotation "JSONKeypath", did you mean "JSONKeyPath"?
        warning: Bot: nothing in JSON says that an object of User is one of Bot, so only an import with the \
        root Bot makes one; annotate User with JSONDiscriminator
        """)
  }

  @Test(arguments: Dialect.allCases)
  func `a summary tells in what a dialect differs`(dialect: Dialect) throws {
    let model = try GraphModel(entities: [EntityDescription(name: "E")], dialect: dialect)
    #expect(model.summary.contains("unless annotated:") == (dialect != .graft))
  }

  @Test func `a summary has words for every policy`() {
    let policies = Policies(
      onNull: .keep, onAbsent: .clear, collection: .union, removed: .delete, reference: .stub,
      export: .omit, writtenAs: .string, missingIdentity: .skip, wrapsSingleObjects: true)
    #expect(
      policies.words == [
        "null: keep", "absent: clear", "collection: union", "removed: delete",
        "single object: wrap", "reference: stub", "export: omit", "written as: string",
        "missing identity: skip",
      ])
  }
}
