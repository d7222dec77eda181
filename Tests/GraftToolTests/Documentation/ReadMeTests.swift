import Foundation
import Graft
import Testing

@testable import GraftTestSupport

@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: Fixture.timeline),
    "the README's paths begin at the package's root, and the tests run elsewhere"))
struct `The README` {
  private let output = Page.named("README.md").texts("text").first ?? ""

  @Test func `prints what it says`() async throws {
    let printed = try await ReadMe.transcript { _ = try await ReadMe.typed() }
    #expect(printed == output)
    let tweets = output.split(separator: "\n").dropFirst().joined(separator: "\n")
    let url = Fixture.url(Fixture.timeline)
    #expect(try await ReadMe.transcript { try await ReadMe.named(url) } == tweets)
  }

  @Test func `takes chunks, writes, observes and exports`() async throws {
    let store = try await ReadMe.typed()
    let chunk = try Data(contentsOf: Fixture.url(Fixture.timeline))
    #expect(try ReadMe.pushed(chunk, into: store).insertedCount == 0)
    let (changes, json) = try ReadMe.written(store)
    let change = try #require(await changes.first { _ in true })
    #expect(change.updated(ReadMe.Tweet.self).first?.hashtags.last?.text == "aeroplane")
    let copy = try GraphStore(for: ReadMe.Tweet.self)
    try copy.importJSON(ReadMe.Tweet.self, from: json)
    #expect(copy.graph.count(of: ReadMe.Tweet.self) == 22)
  }
}
