import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A wrong use of a write` {
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var message: String
    var kind: StoreError.Kind
    var body: @Sendable (MutableGraph) throws -> Void

    init(
      _ message: String, _ kind: StoreError.Kind,
      _ body: @escaping @Sendable (MutableGraph) throws -> Void
    ) {
      self.message = message
      self.kind = kind
      self.body = body
    }

    var testDescription: String { message }
  }

  private static let thrown = [
    Mistake(#"unknown entity "Bok", did you mean "Book"?"#, .unknownEntity) {
      try $0.insert("Bok")
    },
    Mistake(#"unknown attribute "titel" of Book, did you mean "title"?"#, .unknownProperty) {
      try $0.insert("Book", ["titel": .string("Emma")])
    },
    Mistake(#"Item is abstract; insert an object of "Book", "Film""#, .abstractEntity) {
      try $0.insert("Item")
    },
    Mistake(
      #"Book.copies is of type Integer 16, which "3" is not; "#
        + #"give it an integer between -32768 and 32767"#,
      .wrongType
    ) { try $0.insert("Book", ["copies": .string("3")]) },
    Mistake(
      "Book.copies is of type Integer 16, which 70000 is not; "
        + "give it an integer between -32768 and 32767",
      .wrongType
    ) { try $0.insert("Book").setValue(.integer(70_000), of: "copies") },
    Mistake(
      #"Film(code: "x") exists already, and identities are unique; it is no Book"#,
      .duplicateIdentity
    ) {
      try $0.insert("Film", ["code": .string("x")])
      try $0.findOrInsert("Book", identifiedBy: ["code": .string("x")])
    },
    Mistake(
      #"Film(code: "x") exists already, and identities are unique; "#
        + #"use findOrInsert(_:identifiedBy:) to write to it"#,
      .duplicateIdentity
    ) {
      try $0.insert("Film", ["code": .string("x")])
      try $0.insert("Film", ["code": .string("x")])
    },
    Mistake(
      #"Book(code: "y"): cannot take the identity of Film(code: "x"); identities are unique"#,
      .duplicateIdentity
    ) {
      try $0.insert("Film", ["code": .string("x")])
      try $0.insert("Book", ["code": .string("y")]).setValue(.string("x"), of: "code")
    },
    Mistake(
      #"Film(code: "x") exists already, and identities are unique; it is no Book"#,
      .duplicateIdentity
    ) {
      try $0.insert("Film", ["code": .string("x")])
      try $0.insert("Book").setValue(.string("x"), of: "code")
    },
    Mistake(
      #"the identity of Shelf is "room", "number"; a value for "number" is missing"#,
      .unknownProperty
    ) { try $0.findOrInsert("Shelf", identifiedBy: ["room": .string("A")]) },
    Mistake(
      "Book.authors is to-many: "
        + "use objects(_:), setObjects(_:of:), add(_:to:) and remove(_:from:)",
      .wrongRelationship
    ) { try $0.insert("Book").setObject(nil, of: "authors") },
    Mistake("Book.shelf is to-one: use object(_:) and setObject(_:of:)", .wrongRelationship) {
      try $0.insert("Book").setObjects([], of: "shelf")
    },
    Mistake("Person.books has no order; add the object without a position", .wrongRelationship) {
      try $0.insert("Person").insert($0.insert("Book"), at: 0, into: "books")
    },
    Mistake(
      "Book.authors has 0 other objects; expected a place from 0 to 0, found 1",
      .indexOutOfRange
    ) { try $0.insert("Book").insert($0.insert("Person"), at: 1, into: "authors") },
    Mistake(#"Book.shelf leads to Shelf, which Film(code: "x") is not"#, .wrongType) {
      try $0.insert("Book").setObject($0.insert("Film", ["code": .string("x")]), of: "shelf")
    },
    Mistake(
      #"Shelf(room: "A", number: nil): cannot be deleted while "books" leads to Book(code: "b"); "#
        + #"delete that as well, or unlink it first"#,
      .deletionDenied
    ) {
      let shelf = try $0.insert("Shelf", ["room": .string("A")])
      try shelf.add($0.insert("Book", ["code": .string("b")]), to: "books")
      try shelf.delete()
    },
    Mistake(
      "Book/1 has been deleted in this write, by itself or with an object that it belonged to; "
        + "do what is to be done with it before, or ask isDeleted",
      .missingObject
    ) {
      let book = try $0.insert("Book")
      try book.delete()
      try $0.insert("Person").add(book, to: "books")
    },
  ]

  @Test(arguments: thrown)
  func `is thrown where it happens, says what is right, and changes nothing`(
    _ mistake: Mistake
  ) throws {
    let error = #expect(throws: StoreError.self) { try store.write(mistake.body) }
    #expect(error?.message == mistake.message)
    #expect(error?.kind == mistake.kind)
    #expect(store.graph.lines == [])
  }

  private static let noted = [
    Mistake(#"unknown attribute "titel" of Book, did you mean "title"?"#, .unknownProperty) {
      try $0.insert("Book")["titel"] = .string("Emma")
    },
    Mistake(#"unknown attribute "titel" of Book, did you mean "title"?"#, .unknownProperty) {
      let book = try $0.insert("Book")
      #expect(book.value("titel") == nil)
    },
    Mistake(#"unknown relationship "author" of Book, did you mean "authors"?"#, .unknownProperty) {
      let book = try $0.insert("Book")
      #expect(book.objects("author") == [])
    },
    Mistake("Book.shelf is to-one: use object(_:) and setObject(_:of:)", .wrongRelationship) {
      let book = try $0.insert("Book")
      #expect(book.objects("shelf") == [])
    },
    Mistake(
      "Book/1 has been deleted in this write, by itself or with an object that it belonged to; "
        + "do what is to be done with it before, or ask isDeleted",
      .missingObject
    ) {
      let book = try $0.insert("Book")
      try book.delete()
      #expect(book.isDeleted)
      #expect(book["title"] == nil)
    },
    Mistake(
      #"Person.born is of type Integer 32, which "1775" is not; "#
        + "give it an integer between -2147483648 and 2147483647",
      .wrongType
    ) {
      let person = try $0.insert("Person")
      person["born"] = .string("1775")
      person["name"] = .integer(7)
    },
  ]

  @Test(arguments: noted)
  func `that cannot be thrown is thrown at the end, the first of several`(
    _ mistake: Mistake
  ) throws {
    let error = #expect(throws: StoreError.self) { try store.write(mistake.body) }
    #expect(error?.message == mistake.message)
    #expect(error?.kind == mistake.kind)
    #expect(store.graph.lines == [])
  }

  @Test func `that is caught leaves nothing behind, and the write goes on`() throws {
    try store.write { graph in
      let jane = try graph.insert("Person", ["name": .string("Jane"), "born": .integer(1)])
      _ = try? graph.insert("Person", ["name": .string("Anne"), "born": .string("x")])
      _ = try? graph.insert("Person", ["name": .string("Jane")])
      _ = try? jane.setValue(.boolean(true), of: "name")
      let books = try (0..<2).map { try graph.insert("Book", ["code": .string("\($0)")]) }
      try books[1].delete()
      _ = try? jane.setObjects(books, of: "books")
      #expect(jane.objects("books") == [])
      try books[0].delete()
    }
    #expect(store.graph.lines == [#"Person(name: "Jane", born: 1)"#])
  }
}
