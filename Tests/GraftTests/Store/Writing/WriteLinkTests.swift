import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Links in a write` {
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  /// Runs `body` with one person and four books, and returns the books of the person and the first
  /// author's name for each book, as they are published.
  private func authors(
    after body: (MutableGraphObject, [MutableGraphObject]) throws -> Void
  ) throws -> (person: [AttributeValue?], books: [Int]) {
    let id = try store.write { graph in
      let jane = try graph.insert("Person", ["name": .string("Jane"), "born": .integer(1775)])
      let books = try (0..<4).map { try graph.insert("Book", ["code": .string("b\($0)")]) }
      try body(jane, books)
      return jane.id
    }
    let graph = store.graph
    let books = graph.object(id)?.objects("books").map { $0["code"] } ?? []
    return (books, try graph.objects("Book").map { $0.objects("authors").count })
  }

  @Test func `are kept on both sides, whichever is set`() throws {
    let outcome = try authors { jane, books in
      try jane.setObjects(books[1...2], of: "books")
      try books[0].add(jane, to: "authors")
      try books[2].remove(jane, from: "authors")
      #expect(jane.objects("books") == [books[0], books[1]])
      #expect(books[1].objects("authors") == [jane])
    }
    #expect(outcome.person == [.string("b0"), .string("b1")])
    #expect(outcome.books == [1, 1, 0, 0])
  }

  @Test func `to one move the object, and nil unlinks it`() throws {
    try store.write { graph in
      let shelves = try (0..<2).map {
        try graph.insert("Shelf", ["room": .string("A"), "number": .integer($0)])
      }
      let book = try graph.insert("Book")
      try book.setObject(shelves[0], of: "shelf")
      try shelves[1].add(book, to: "books")
      #expect(book.object("shelf") == shelves[1])
      #expect(shelves[0].objects("books") == [])
      try book.setObject(nil, of: "shelf")
      #expect(book.object("shelf") == nil)
      #expect(shelves[1].objects("books") == [])
    }
  }

  @Test(arguments: [
    (0, "cab"), (1, "acb"), (2, "abc"),
  ])
  func `of an ordered relationship take the place they are given`(
    _ index: Int, _ expected: String
  ) throws {
    try store.write { graph in
      let book = try graph.insert("Book")
      let people = try ["a", "b", "c"].map {
        try graph.insert("Person", ["name": .string($0), "born": .integer(0)])
      }
      for person in people { try book.add(person, to: "authors") }
      try book.insert(people[2], at: index, into: "authors")
      #expect(book.objects("authors").map { $0["name"] } == expected.map { .string(String($0)) })
      try book.add(people[0], to: "authors")
      #expect(book.objects("authors").count == 3)
      try book.remove(people[1], from: "authors")
      try book.remove(people[1], from: "authors")
      #expect(Set(book.objects("authors")) == [people[0], people[2]])
    }
  }

  @Test func `without inverse end with what they lead to`() throws {
    let film = try store.write { graph in
      let film = try graph.insert("Film", ["code": .string("f")])
      try film.setObject(try graph.insert("Book", ["code": .string("b")]), of: "after")
      return film.id
    }
    #expect(store.graph.object(film)?.object("after")?["code"] == .string("b"))
    try store.write { graph in
      try graph.delete(try graph.objects("Book"))
      #expect(graph.object(film)?.object("after") == nil)
    }
    #expect(store.graph.object(film)?.object("after") == nil)
  }
}
