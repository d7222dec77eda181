import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite(.timeLimit(.minutes(1))) struct `The changes of a store` {
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  @Test func `come one per commit, with what it inserted, changed and deleted`() async throws {
    var changes = store.changes.makeAsyncIterator()
    let start = store.graph
    let (jane, book) = try store.write { graph in
      let jane = try graph.insert("Person", ["name": .string("Jane"), "born": .integer(1)])
      return (jane.id, try graph.insert("Book", ["code": .string("b1")]).id)
    }
    try store.write { graph in
      let emma = graph.object(book)
      emma?["title"] = .string("Emma")
      emma?["copies"] = .integer(1)
      try emma?.setObjects([try #require(graph.object(jane))], of: "authors")
    }
    try store.write { try #require($0.object(jane)).delete() }

    let first = await changes.next()
    #expect(first?.inserted == [book, jane])
    #expect(first?.updated == [] && first?.deleted == [])
    #expect(first?.previous.storage === start.storage)

    let second = await changes.next()
    #expect(second?.updated.map(\.object) == [book, jane])
    #expect(second?.updated.map(\.properties) == [["title", "authors"], ["books"]])
    #expect(second?.inserted == [] && second?.deleted == [])
    #expect(second?.previous.storage === first?.graph.storage)
    #expect(second?.graph.object(book)?["title"] == .string("Emma"))

    let third = await changes.next()
    #expect(third?.deleted == [book, jane])
    #expect(third?.inserted == [] && third?.updated == [])
    #expect(third?.previous.object(book)?["title"] == .string("Emma"))
    #expect(third?.graph.storage === store.graph.storage)
  }

  @Test func `come from imports too, one per save`() async throws {
    var changes = store.changes.makeAsyncIterator()
    var options = ImportOptions()
    options.savePolicy.objects = 2
    let json = (1...6).map { #"{"code":"b\#($0)"}"# }.joined(separator: ",")
    _ = try store.importJSON(entity: "Film", from: Data("[\(json)]".utf8), options: options)
    var counts: [Int] = []
    while counts.reduce(0, +) < 6, let change = await changes.next() {
      counts.append(change.inserted.count)
    }
    #expect(counts == [2, 2, 2])
  }

  @Test func `come from an import that was laid onto another commit`() async throws {
    let importer = try store.makeImporter(entity: "Film")
    try importer.parse(Data(#"[{"code":"f1"},{"code":"f2"}]"#.utf8))
    let film = try store.write { try $0.insert("Film", ["code": .string("f1")]).id }
    var changes = store.changes.makeAsyncIterator()
    _ = try importer.finish()
    let change = await changes.next()
    #expect(change?.inserted.map { store.graph.object($0)?["code"] } == [.string("f2")])
    #expect(change?.updated == [])
    #expect(change?.graph.object(film) != nil)
  }

  @Test func `tell a stub that is filled, even with nothing`() async throws {
    _ = try store.importJSON(entity: "Shelf", from: Data("[]".utf8))
    let json = #"[{"code":"b1","authors":["Jane"]}]"#
    _ = try store.importJSON(entity: "Book", from: Data(json.utf8))
    var changes = store.changes.makeAsyncIterator()
    let jane = #"[{"name":"Jane","born":1775}]"#
    _ = try store.importJSON(entity: "Person", from: Data(jane.utf8))
    let change = await changes.next()
    #expect(change?.updated.map(\.isFilled) == [true])
    #expect(change?.updated.map(\.properties) == [["born"]])
    #expect(change?.updated.map(\.description) == ["Person/1: born"])
  }

  @Test func `begin when the sequence is made, for each loop`() async throws {
    let sequence = store.changes
    try store.write { try $0.insert("Film", ["code": .string("f1")]) }
    try store.write { try $0.insert("Film", ["code": .string("f2")]) }
    for _ in 0..<2 {
      var changes = sequence.makeAsyncIterator()
      #expect(await changes.next()?.inserted.count == 2)
    }
  }

  @Test func `begin after a graph that has been seen already`() async throws {
    let seen = store.graph
    try store.write { try $0.insert("Film", ["code": .string("f1")]) }
    var changes = store.changes(since: seen).makeAsyncIterator()
    try store.write { try $0.insert("Film", ["code": .string("f2")]) }
    #expect(await changes.next()?.inserted.count == 1)
    #expect(await changes.next()?.inserted.count == 1)
  }

  @Test func `of an entity are those of its objects and of the entities below`() async throws {
    var items = try store.changes(of: "Item").makeAsyncIterator()
    var books = try store.changes(of: "Book").makeAsyncIterator()
    try store.write { try $0.insert("Person", ["born": .integer(1)]) }
    let film = try store.write { try $0.insert("Film", ["code": .string("f")]).id }
    let book = try store.write { try $0.insert("Book", ["code": .string("b")]).id }
    #expect(await items.next()?.inserted == [film])
    #expect(await items.next()?.inserted == [book])
    #expect(await books.next()?.inserted == [book])
    let error = #expect(throws: StoreError.self) { try store.changes(of: "Bok") }
    #expect(error?.message == #"unknown entity "Bok", did you mean "Book"?"#)
  }

  @Test func `of an object are its own, and end with its deletion`() async throws {
    let (one, other) = try store.write { graph in
      (try graph.insert("Book").id, try graph.insert("Book").id)
    }
    let sequence = store.changes(of: one)
    let observer = Task {
      var properties: [[String]] = []
      for await change in sequence {
        properties.append(change.updated.flatMap(\.properties))
        #expect(change.deleted == (change.graph.object(one) == nil ? [one] : []))
      }
      return properties
    }
    var told = store.changes(of: one).makeAsyncIterator()
    try store.write { $0.object(other)?["copies"] = .integer(5) }
    try store.write { $0.object(one)?["copies"] = .integer(5) }
    #expect(await told.next()?.updated.map(\.properties) == [["copies"]])
    try store.write { try $0.object(one)?.delete() }
    #expect(await told.next()?.deleted == [one])
    #expect(await told.next() == nil)
    #expect(await observer.value.last == [])
    var late = store.changes(of: one).makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `of an object that is newer than what was seen begin with its insertion`() async throws
  {
    let seen = store.graph
    let book = try store.write { try $0.insert("Book").id }
    var changes = store.changes(of: book, since: seen).makeAsyncIterator()
    try store.write { $0.object(book)?["copies"] = .integer(5) }
    #expect(await changes.next()?.inserted == [book])
    #expect(await changes.next()?.updated.map(\.properties) == [["copies"]])
    try store.write { try $0.object(book)?.delete() }
    #expect(await changes.next()?.deleted == [book])
    #expect(await changes.next() == nil)
    var late = store.changes(of: book, since: seen).makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `end when the task is cancelled`() async throws {
    let sequence = store.changes
    let observer = Task {
      var count = 0
      for await _ in sequence { count += 1 }
      return count
    }
    observer.cancel()
    #expect(await observer.value == 0)
  }

  @Test func `end when the store is let go, after what was committed`() async throws {
    var store: GraphStore? = try LibrarySample.store()
    let sequence = try #require(store?.changes)
    let waiting = Task {
      var count = 0
      for await change in sequence { count += change.inserted.count }
      return count
    }
    try store?.write { try $0.insert("Film") }
    store = nil
    #expect(await waiting.value == 1)
  }

  @Test func `reach one who waits for them`() async throws {
    let store = store
    let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
    let observer = Task {
      var changes = store.changes.makeAsyncIterator()
      continuation.finish()
      return await changes.next()?.inserted.count
    }
    for await _ in ready {}
    try await Task.sleep(for: .milliseconds(20))
    try store.write { try $0.insert("Film") }
    #expect(await observer.value == 1)
  }
}
