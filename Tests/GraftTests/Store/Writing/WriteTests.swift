import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A write` {
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  @Test func `publishes at its end what its closure did, and returns what that returned`() throws {
    let before = store.graph
    let id = try store.write { graph in
      let book = try graph.insert("Book", ["code": .string("b1"), "title": .string("Emma")])
      book["copies"] = .integer(3)
      #expect(try graph.count(of: "Item") == 1)
      #expect(try store.graph.count(of: "Item") == 0)
      return book.id
    }
    #expect(before.lines == [])
    #expect(store.graph.lines == [#"Book(code: "b1", title: "Emma", copies: 3)"#])
    #expect(store.graph.object(id)?["title"] == .string("Emma"))
  }

  @Test func `that changes nothing publishes nothing`() throws {
    try store.write { try $0.insert("Person", ["born": .integer(1775)]) }
    let before = store.graph
    try store.write { graph in
      for person in try graph.objects("Person") { person["born"] = .integer(1775) }
    }
    #expect(store.graph.storage === before.storage)
  }

  struct Refusal: Error {}

  @Test func `that throws is undone whole`() throws {
    try store.write { try $0.insert("Book", ["code": .string("b1")]) }
    let before = store.graph
    #expect(throws: Refusal.self) {
      try store.write { graph in
        for book in try graph.objects("Book") {
          book["title"] = .string("Changed")
          try book.delete()
        }
        try graph.insert("Film", ["code": .string("b1")])
        throw Refusal()
      }
    }
    #expect(store.graph.storage === before.storage)
    let book = try store.graph.object("Book", identifiedBy: ["code": .string("b1")])
    #expect(book?["title"] == .string("Untitled"))
  }

  @Test func `sees what it has written, and what the one before committed`() throws {
    try store.write { graph in
      let person = try graph.insert("Person", ["name": .string("Jane"), "born": .integer(1775)])
      let found = try graph.object("Person", identifiedBy: ["name": .string("Jane")])
      #expect(found == person)
      #expect(graph.object(person.id) == person)
      #expect(person.description == #"Person(name: "Jane", born: 1775)"#)
    }
    try store.write { graph in
      let jane = try graph.object("Person", identifiedBy: ["name": .string("Jane")])
      #expect(jane?["born"] == .integer(1775))
      #expect(jane?.entityName == "Person")
      try jane?.delete()
      #expect(jane?.isDeleted == true)
      #expect(try graph.object("Person", identifiedBy: ["name": .string("Jane")]) == nil)
    }
    #expect(store.graph.lines == [])
  }

  @Test func `gives a new object its defaults, and the given values instead of them`() throws {
    try store.write { graph in
      try graph.insert("Book")
      try graph.insert("Book", ["copies": .integer(7)])
    }
    #expect(
      store.graph.lines == [
        #"Book(title: "Untitled", copies: 1)"#, #"Book(title: "Untitled", copies: 7)"#,
      ])
  }

  @Test func `finds an object by its identity, or inserts it, in one call`() throws {
    for round in 1...2 {
      try store.write { graph in
        for number in 1...3 as ClosedRange<Int64> {
          try graph.findOrInsert(
            "Shelf", identifiedBy: ["room": .string("A"), "number": .integer(number % 2)])
        }
        try graph.findOrInsert(
          "Book", identifiedBy: ["code": .string("b1")],
          setting: ["copies": .integer(Int64(round))])
      }
    }
    #expect(
      store.graph.lines == [
        #"Book(code: "b1", title: "Untitled", copies: 2)"#,
        #"Shelf(room: "A", number: 1)"#, #"Shelf(room: "A", number: 0)"#,
      ])
  }

  @Test func `finds an object of a sub-entity by the identity of the entity above`() throws {
    try store.write { graph in
      let film = try graph.insert("Film", ["code": .string("x")])
      #expect(try graph.findOrInsert("Item", identifiedBy: ["code": .string("x")]) == film)
      #expect(try graph.object("Book", identifiedBy: ["code": .string("x")]) == nil)
    }
  }

  @Test func `goes through objects that it inserts and deletes`() throws {
    try store.write { graph in
      let books = try (0..<5).map {
        try graph.insert("Book", ["code": .string("b\($0)")])
      }
      var met: [AttributeValue?] = []
      for item in try graph.objects("Item") {
        met.append(item["code"])
        try graph.insert("Book")
        try graph.insert("Film")
        if item == books[1] { try graph.delete(books[2...3]) }
      }
      #expect(met == ["b0", "b1", "b4"].map { .string($0) })
      #expect(try graph.count(of: "Item") == 9)
      #expect(try graph.count(of: "Item", includesSubentities: false) == 0)
    }
  }

  @Test func `takes a snapshot's handle for the object as it is now`() throws {
    try store.write { try $0.insert("Person", ["born": .integer(1)]) }
    let person = try #require(try store.graph.objects("Person").first)
    try store.write { $0.object(person)?["born"] = .integer(2) }
    #expect(person["born"] == .integer(1))
    #expect(store.graph.object(person.id)?["born"] == .integer(2))
    try store.write { try $0.object(person)?.delete() }
    try store.write { #expect($0.object(person) == nil) }
  }

  @Test func `deletes by the rules, and says how many`() throws {
    try store.write { graph in
      let jane = try graph.insert("Person", ["born": .integer(1775)])
      let books = try (0..<3).map { _ in try graph.insert("Book") }
      let film = try graph.insert("Film")
      try film.setObject(books[0], of: "after")
      try jane.setObjects(books, of: "books")
      #expect(try graph.delete(jane) == 4)
      #expect(try graph.delete(jane) == 0)
      #expect(film.object("after") == nil)
    }
    #expect(store.graph.lines == ["Film()"])
  }
}
