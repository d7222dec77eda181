import Foundation

@testable import Graft
@testable import GraftTestSupport

/// A library for the tests of writing: an abstract entity and those below it, an identity of two
/// attributes, an ordered relationship, a deletion that may be denied, bounds and patterns.
enum LibrarySample {
  static func store() throws -> GraphStore {
    GraphStore(model: try GraphModel(entities: [item, book, film, person, shelf], dialect: .graft))
  }

  private static let item = EntityDescription(
    name: "Item", isAbstract: true,
    attributes: [AttributeDescription(name: "code", type: .string)],
    userInfo: ["identityAttributes": "code"])

  private static let book = EntityDescription(
    name: "Book", superentity: "Item",
    attributes: [
      AttributeDescription(
        name: "title", type: .string, isOptional: false, defaultValue: .string("Untitled"),
        minimum: "2", maximum: "20"),
      AttributeDescription(
        name: "copies", type: .integer16, defaultValue: .integer(1), minimum: "0", maximum: "99"),
      AttributeDescription(name: "isbn", type: .string, pattern: "[0-9]{3}-[0-9]{1,7}"),
      AttributeDescription(
        name: "printed", type: .date, maximum: "2030-01-01T00:00:00Z"),
    ],
    relationships: [
      RelationshipDescription(
        name: "authors", destination: "Person", inverse: "books", isToMany: true, isOrdered: true),
      RelationshipDescription(name: "shelf", destination: "Shelf", inverse: "books"),
    ])

  private static let film = EntityDescription(
    name: "Film", superentity: "Item",
    relationships: [RelationshipDescription(name: "after", destination: "Book")])

  private static let person = EntityDescription(
    name: "Person",
    attributes: [
      AttributeDescription(name: "name", type: .string),
      AttributeDescription(name: "born", type: .integer32, isOptional: false),
    ],
    relationships: [
      RelationshipDescription(
        name: "books", destination: "Book", inverse: "authors", isToMany: true,
        deleteRule: .cascade)
    ],
    userInfo: ["identityAttributes": "name"])

  private static let shelf = EntityDescription(
    name: "Shelf",
    attributes: [
      AttributeDescription(name: "room", type: .string),
      AttributeDescription(name: "number", type: .integer32),
    ],
    relationships: [
      RelationshipDescription(
        name: "books", destination: "Book", inverse: "shelf", isToMany: true, deleteRule: .deny)
    ],
    userInfo: ["identityAttributes": "room,number"])
}

extension Graph {
  /// All objects as text, by entity and insertion.
  var lines: [String] {
    model.schema.entities.flatMap { entity in
      ((try? objects(entity.name, includesSubentities: false)).map { Array($0) } ?? [])
        .map(\.description)
    }
  }
}
