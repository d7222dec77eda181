import Foundation
import Graft
import Testing

@testable import GraftTestSupport

/// Checks the messages for mistakes that only show at run time: mistakes of the program end it, and
/// mistakes that data may cause are errors.
@Suite(.isToldAtOnce) struct `A mistake at run time` {
  private func expect(_ text: String, in result: ExitTest.Result?) {
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains(text), "\(message)")
  }

  private static let foreign =
    "an object of another store is used: an ObjectID is valid in the store that it came from; find "
    + "the object in this one by its identity"

  @Test func `with a handle of another store ends the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tweet = try Tweet.store().graph.objects(Tweet.self).first
      try Tweet.store().write { graph in
        if let tweet { graph.object(tweet)?.text = "Hm" }
      }
    }
    expect("a graph or an object of another store is used", in: result)
  }

  @Test func `with an identifier of another store ends the program when it is read`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      guard let id = try Tweet.store().graph.objects(Tweet.self).first?.objectID else { return }
      _ = try Tweet.store().graph.object(id, as: Tweet.self)
    }
    expect(Self.foreign, in: result)
  }

  @Test func `with an identifier of another store ends the program when it is written`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      guard let id = try Tweet.store().graph.objects(Tweet.self).first?.objectID else { return }
      try Tweet.store().write { graph in graph.object(id, as: Tweet.self)?.text = "Hm" }
    }
    expect(Self.foreign, in: result)
  }

  @Test func `with an identifier of another store ends the program when it is observed`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      guard let id = try Tweet.store().graph.objects(Tweet.self).first?.objectID else { return }
      _ = try Tweet.store().changes(of: id)
    }
    expect(Self.foreign, in: result)
  }

  @Test func `with a literal that is no path ends the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ImportRoot(Tweet.self, at: "statuses[")
    }
    expect("\"statuses[\"", in: result)
  }

  @Test func `with an object after its write ends the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var object: MutableObject<Tweet>?
      try Tweet.store().write { object = try $0.object(Tweet.self, id: 1) }
      object?.text = "Hm"
    }
    expect("is used after its closure has ended; return the object's id", in: result)
  }

  @Test(arguments: [
    ("issueLimit", -1, 0), ("bufferLimit", -1, 0), ("savePolicy.objects", 0, 1),
  ])
  func `with a limit that cannot be kept is an error`(
    _ name: String, _ value: Int, _ least: Int
  ) throws {
    var options = ImportOptions()
    switch name {
    case "issueLimit": options.issueLimit = value
    case "bufferLimit": options.bufferLimit = value
    default: options.savePolicy.objects = value
    }
    let error = try #require(throws: ImportError.self) {
      try GraphStore(for: Tweet.self).makeImporter(Tweet.self, options: options)
    }
    #expect(error.message == "the option \(name) is \(value), expected \(least) or more")
  }

  @Test func `with an entity that the store was not made for ends the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Stranger: Entity { let name = Attribute<String>() }
      _ = try Tweet.store().graph.objects(Stranger.self)
    }
    expect("the store's model was not made from Stranger; name it", in: result)
  }

  @Test func `with a name that the entity lacks ends the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Tweet.store().graph.objects("Tweet").first?["txet"]
    }
    expect("unknown attribute \"txet\" of Tweet, did you mean \"text\"?", in: result)
  }

  @Test func `with a write inside a write ends the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Tweet.store()
      try store.write { _ in try store.write { _ in } }
    }
    expect("use the graph that its closure is given", in: result)
  }

  @Test func `with an object that is deleted is an error`() throws {
    let store = try Tweet.store()
    let error = #expect(throws: StoreError.self) {
      try store.write { graph in
        let tweet = try graph.object(Tweet.self, id: 1)
        try tweet?.delete()
        tweet?.text = "Hm"
      }
    }
    #expect(error?.kind == .missingObject)
    #expect(
      error?.message == "Tweet/1 has been deleted in this write, by itself or with an object that "
        + "it belonged to; do what is to be done with it before, or ask isDeleted")
  }

  @Test func `with an object that was deleted since is none`() throws {
    let store = try Tweet.store()
    let tweet = try #require(store.graph.objects(Tweet.self).first)
    try store.write { graph in
      try graph.object(tweet)?.delete()
      #expect(graph.object(tweet) == nil)
    }
    #expect(store.graph.object(tweet.objectID, as: Tweet.self) == nil)
    #expect(tweet.text == "Look west")
  }

  @Test func `with an unknown entity is an error with the nearest name`() throws {
    let store = try Tweet.store()
    let error = #expect(throws: StoreError.self) { try store.graph.objects("Tweat") }
    #expect(error?.message == "unknown entity \"Tweat\", did you mean \"Tweet\"?")
    let importing = #expect(throws: ImportError.self) {
      try store.importJSON(entity: "Hashtg", from: Data("[]".utf8))
    }
    #expect(importing?.message == "unknown entity \"Hashtg\", did you mean \"Hashtag\"?")
    struct Stranger: Entity { let name = Attribute<String>() }
    let stranger = #expect(throws: ImportError.self) {
      try store.importJSON(Stranger.self, from: Data("[]".utf8))
    }
    #expect(
      stranger?.message
        == "unknown entity \"Stranger\"; known: \"Hashtag\", \"Tweet\", \"User\"")
  }

  @Test(.waits, .enabled(if: Compiler.isUsable, "no compiler is found"))
  func `is told in an optimised program as well`() throws {
    let misuse = SourceTree.root.appendingPathComponent("Sources/Graft/Support/Misuse.swift")
    let message = try Compiler.errorOutput(
      ofOptimised:
        "let count = CommandLine.arguments.count\nif count > 0 { misuse(\"use \\(count)\") }",
      and: misuse)
    #expect(message.contains("Fatal error: use 1"), "\(message)")
  }
}
