import Testing

@testable import Graft
@testable import GraftTestSupport

/// A setting that changes nothing is a warning with a remedy.
@Suite struct `A setting without effect` {
  private func warnings(_ entities: EntityDescription...) throws -> [String] {
    try GraphModel(entities: entities, dialect: .graft).warnings.map(\.description)
  }

  @Test func `concerns the identity of an entity that has none`() throws {
    let identified = EntityDescription.make("Tag")
    #expect(
      try warnings(
        .make(
          "Note", identity: "", [.make("text"), .make("changed", .date)], [],
          ["JSONModified": "changed", "JSONMissingIdentity": "insert"]),
        .make(
          "Book", [],
          [
            .make("notes", to: "Note", many: true, ["JSONReference": "ignore"]),
            .make("note", to: "Note", ["JSONExport": "identifier"]),
            .make("tag", to: "Tag", ["JSONExport": "identifier", "JSONReference": "defer"]),
          ], ["JSONMissingIdentity": "skip"]), identified) == [
          "Note: JSONModified has no effect, since Note has no identity; give it one, or remove this",
          "Note: JSONMissingIdentity has no effect, since Note has no identity; give it one, or remove this",
          "Book.notes: JSONReference has no effect, since Note has no identity; give it one, or remove this",
          "Book.note: JSONExport has no effect, since Note has no identity; give it one, or remove this",
        ])
  }

  @Test func `is none where a sub-entity or a relationship finds the objects`() throws {
    #expect(
      try warnings(
        .make(
          "Media", identity: "", [.make("url"), .make("changed", .date)], [],
          ["JSONModified": "changed", "JSONMissingIdentity": "insert"]),
        .make("Photo", identity: "url", parent: "Media"),
        .make("Place", identity: "", [.make("code")]),
        .make(
          "Trip", [],
          [.make("place", to: "Place", ["JSONRelatedBy": "code", "JSONReference": "ignore"])])
      ).filter { $0.contains("no effect") } == [])
  }

  @Test(arguments: [
    (
      "a | -",
      "\"-\" beside other paths is a key of this name; remove it, or quote the key: ['-']"
    ),
    (
      "a. b",
      "the path \"a. b\" has a space in a key beside its dot; remove it, or quote the key"
    ),
    (
      "x | a .b",
      "the path \"a .b\" has a space in a key beside its dot; remove it, or quote the key"
    ),
    ("-", nil), ("a | ['-']", nil), ("first name.last name", nil), ("a[' b'].c", nil),
  ])
  func `is a path that was hardly meant`(path: String, warning: String?) throws {
    #expect(
      try warnings(.make("E", [.make("name", .string, ["JSONKeyPath": path])]))
        == [warning].compactMap { $0.map { "E.name: \($0)" } })
  }
}
