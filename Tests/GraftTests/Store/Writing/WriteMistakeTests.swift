import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite(.isToldAtOnce) struct `A mistake of the program in a write` {
  private func message(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `is to use its graph after its end`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var book: MutableGraphObject?
      try LibrarySample.store().write { book = try $0.insert("Book") }
      book?["title"] = .string("too late")
    }
    #expect(message(result).contains("return the object's id from the closure"))
  }

  @Test func `is to begin another write in it`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try LibrarySample.store()
      try store.write { _ in try store.write { _ in } }
    }
    #expect(message(result).contains("use the graph that its closure is given"))
  }

  @Test func `is to import in it`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try LibrarySample.store()
      try store.write { _ in
        _ = try store.importJSON(entity: "Film", from: Data(#"[{"code":"x"}]"#.utf8))
      }
    }
    #expect(message(result).contains("use the graph that its closure is given"))
  }

  @Test func `is to use an object of another store`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try LibrarySample.store().write { one in
        try LibrarySample.store().write { other in
          try one.insert("Person").add(other.insert("Book"), to: "books")
        }
      }
    }
    #expect(message(result).contains("an object of another store is used"))
  }
}
