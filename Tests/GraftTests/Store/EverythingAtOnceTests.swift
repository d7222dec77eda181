import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Readers, imports, a writer and observers on one store at the same time.
///
/// Every graph that anybody sees is to be whole. Run with `--sanitize=thread`, the sanitizer is to
/// be silent.
@Suite(.timeLimit(.minutes(2))) struct `Everything at once` {
  private static let rounds = 20
  private static let books = 40
  /// The book that comes last.
  private static let end: [String: AttributeValue] = ["code": .string("end")]
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  @Test func `leaves every graph whole, and loses and doubles nothing`() async throws {
    let seen = try await withThrowingTaskGroup(of: Set<ObjectID>?.self) { group in
      let sequences = [store.changes, try store.changes(of: "Book"), store.changes]
      for sequence in sequences { group.addTask { await Self.observe(sequence) } }
      for _ in 0..<8 {
        group.addTask {
          try await Self.read(store)
          return nil
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { work in
        work.addTask { try Self.importBooks(into: store, title: "first", saveInterval: nil) }
        work.addTask { try Self.importBooks(into: store, title: "second", saveInterval: 7) }
        work.addTask { try await Self.write(to: store) }
        try await work.waitForAll()
      }
      try store.write { try $0.insert("Book", Self.end) }
      var seen: [Set<ObjectID>] = []
      for try await books in group { if let books { seen.append(books) } }
      return seen
    }
    let graph = store.graph
    Self.expectWhole(graph)
    let books = Set(try graph.objects("Book").map(\.id))
    #expect(books.count == Self.books + 1)
    #expect(seen == [books, books, books])
    let people = try graph.objects("Person").map { $0["name"] }
    #expect(people.count == 5 && Set(people).count == 5)
    for number in 0..<Int64(Self.books) {
      let code: [String: AttributeValue] = ["code": .string("b\(number)")]
      #expect(try graph.object("Book", identifiedBy: code)?["copies"] == .integer(20))
    }
  }

  /// Imports the same books several times, each by an author of a few.
  private static func importBooks(
    into store: GraphStore, title: String, saveInterval: Int?
  ) throws {
    var options = ImportOptions()
    options.savePolicy.objects = saveInterval
    for round in 0..<rounds {
      let objects = (0..<books).map { number in
        let author = #"{"name":"p\#((number + round) % 5)","born":\#(round)}"#
        return #"{"code":"b\#(number)","title":"\#(title) \#(round)","authors":[\#(author)]}"#
      }
      let json = Data("[\(objects.joined(separator: ","))]".utf8)
      _ = try store.importJSON(entity: "Book", from: json, options: options)
    }
  }

  /// Counts each book up once per round, and inserts and deletes others.
  private static func write(to store: GraphStore) async throws {
    for round in 1...rounds {
      let film = try store.write { graph in
        for number in 0..<books {
          let book = try graph.findOrInsert(
            "Book", identifiedBy: ["code": .string("b\(number)")])
          let isNew = round == 1
          guard case .integer(let copies)? = isNew ? .integer(0) : book["copies"] else { continue }
          book["copies"] = .integer(copies + 1)
        }
        let film = try graph.insert("Film", ["code": .string("f\(round)")])
        try film.setObject(graph.object("Book", identifiedBy: ["code": .string("b0")]), of: "after")
        return film.id
      }
      await Task.yield()
      try store.write { try $0.object(film)?.delete() }
    }
  }

  private static func read(_ store: GraphStore) async throws {
    while try store.graph.object("Book", identifiedBy: end) == nil {
      expectWhole(store.graph)
      await Task.yield()
    }
  }

  /// Follows the books by the changes alone, until the last one comes.
  private static func observe(_ sequence: GraphChangeSequence) async -> Set<ObjectID> {
    var books: Set<ObjectID> = []
    for await change in sequence {
      expectWhole(change.graph)
      let inserted = change.inserted.compactMap { change.graph.object($0) }
      #expect(inserted.count == change.inserted.count)
      #expect(change.deleted.allSatisfy { change.graph.object($0) == nil })
      let insertedBooks = inserted.filter { $0.entityName == "Book" }
      books.formUnion(insertedBooks.map(\.id))
      books.subtract(change.deleted)
      if insertedBooks.contains(where: { $0["code"] == end["code"] }) { break }
    }
    return books
  }

  /// Links agree on both sides, counts agree with what is there, identities are unique.
  private static func expectWhole(_ graph: Graph) {
    guard let books = try? graph.objects("Book"), let people = try? graph.objects("Person") else {
      Issue.record("the model lacks an entity")
      return
    }
    var links = 0
    for book in books {
      for author in book.objects("authors") {
        links += 1
        if !author.objects("books").contains(book) { Issue.record("\(author) lacks \(book)") }
      }
    }
    let back = people.reduce(0) { $0 + $1.objects("books").count }
    let codes = Set(books.map { $0["code"] })
    if links != back || codes.count != books.count || books.count != Array(books).count {
      Issue.record("\(links) and \(back) links, \(codes.count) codes of \(books.count) books")
    }
  }
}
