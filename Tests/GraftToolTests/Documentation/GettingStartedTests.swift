import Foundation
import Graft
import Testing

@testable import GraftTestSupport

/// The steps of the tutorial, one after the other, with its documents and what it says they print.
@Suite struct `The tutorial` {
  private typealias Guide = GettingStarted
  private let page = Page.named("GettingStarted")

  @Test func `prints what it says`() async throws {
    let texts = page.texts("json")
    try #require(texts.count == 3)
    let feed = try TemporaryFile(texts[0], name: "feed.json")
    let later = try TemporaryFile(texts[1], name: "later.json")
    let broken = try TemporaryFile(texts[2], name: "broken.json")
    #expect(
      Guide.files().map(\.lastPathComponent)
        == [feed, later, broken].map(\.url.lastPathComponent))

    let store = try await Guide.importing(feed.url)
    let printed = [
      try await Guide.transcript { _ = try await Guide.importing(feed.url) },
      try await Guide.transcript { _ = try Guide.reading(store) },
      try await Guide.transcript {
        try await Guide.updating(store, store.graph, from: later.url)
      },
      try await Guide.transcript { try await Guide.failing(store, from: broken.url) },
      try await Guide.transcript { try await Guide.passingOver(store, from: broken.url) },
      try await Guide.transcript { try await Guide.observing(store) },
      try await Guide.transcript {
        try Guide.writing(store)
        try Guide.exporting(store)
      },
    ]
    let promised = page.texts("text")
    try #require(promised.count == printed.count)
    for (printed, promised) in zip(printed, promised) { #expect(printed == promised) }
  }

  @Test(
    .enabled(
      if: Compiler.isUsable,
      "the compiler or the module Graft is not where it is looked for, beside the tests"))
  func `compiles as one file, as it is printed`() throws {
    let blocks = page.texts("swift").filter { !$0.contains("import PackageDescription") }
    try #require(blocks.count == 13)
    #expect(try Compiler.messages(for: blocks.joined(separator: "\n\n"), named: "main.swift") == "")
  }

  @Test func `writes what it says`() async throws {
    let feed = try TemporaryFile(try #require(page.texts("json").first), name: "feed.json")
    let store = try await Guide.importing(feed.url)
    try Guide.writing(store)
    let show = try #require(try store.graph.object(Guide.Show.self, id: 2))
    #expect(show.episodes.map(\.title) == ["Squid", "Whales"])
    #expect(show.episodes.last?.show == show)
    let error = #expect(throws: StoreError.self) { try Guide.writing(store) }
    #expect(error?.kind == .duplicateIdentity)
    #expect(store.graph.count(of: Guide.Episode.self) == 4)
  }
}
