import Observation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Observed objects` {
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  /// Waits for the next change of the objects, while `body` makes it.
  private func change(
    of observed: ObservedObjects<GraphObject>, _ body: () throws -> Void
  ) async throws {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = observed.objects
    } onChange: {
      continuation.finish()
    }
    try body()
    for await _ in changes {}
    // The tracking is told before the value is set, on the main actor.
    await Task.yield()
  }

  @Test func `are there at once, and change after a commit that touches them`() async throws {
    try store.write { try $0.insert("Book", ["code": .string("b1")]) }
    let books = try ObservedObjects("Book", in: store)
    #expect(books.objects.map { $0["code"] } == [.string("b1")])
    try await change(of: books) {
      try store.write { graph in
        for book in try graph.objects("Book") { book["code"] = .string("b2") }
        try graph.insert("Book", ["code": .string("b3")])
      }
    }
    #expect(books.objects.map { $0["code"] } == [.string("b2"), .string("b3")])
  }

  @Test func `are chosen and sorted as asked`() async throws {
    let books = try ObservedObjects(
      "Item", in: store,
      where: { $0.entityName == "Book" },
      sortedBy: { $0["code"]?.text ?? "" > $1["code"]?.text ?? "" })
    try await change(of: books) {
      try store.write { graph in
        for code in ["a", "c", "b"] { try graph.insert("Book", ["code": .string(code)]) }
        try graph.insert("Film", ["code": .string("f")])
      }
    }
    #expect(books.objects.map { $0["code"] } == [.string("c"), .string("b"), .string("a")])
  }

  @Test func `are left alone by commits elsewhere`() async throws {
    let isTold = Mutex(false)
    let books = try ObservedObjects("Book", in: store)
    withObservationTracking {
      _ = books.objects
    } onChange: {
      isTold.withLock { $0 = true }
    }
    let people = try ObservedObjects("Person", in: store)
    try await change(of: people) {
      _ = try store.write { try $0.insert("Person", ["born": .integer(1)]) }
    }
    #expect(!isTold.withLock { $0 })
    #expect(books.objects == [])
  }

  @Test func `end with their owner, and keep no store alive`() async throws {
    weak var weakStore: GraphStore?
    weak var weakObserved: ObservedObjects<GraphObject>?
    do {
      let store = try LibrarySample.store()
      let observed = try ObservedObjects("Book", in: store)
      (weakStore, weakObserved) = (store, observed)
      #expect(observed.objects == [])
    }
    #expect(weakStore == nil)
    #expect(weakObserved == nil)
  }

  @Test func `of an unknown entity are an error`() {
    let error = #expect(throws: StoreError.self) { try ObservedObjects("Bok", in: store) }
    #expect(error?.kind == .unknownEntity)
  }
}

extension AttributeValue {
  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
