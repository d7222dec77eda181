import Foundation
import Testing

@testable import GraftTestSupport

/// Real documents, far larger than the fixtures; what they must give was counted by other means.
@Suite(
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"),
  .enabled(if: Fixture.hasShared, "the real documents are not there: ../shared"))
struct `Real documents` {
  private typealias Entity = [[String: Any]]

  @Test func `twitter.json by ZDSStreamJSONParser's own model`() async throws {
    let graph = try await graph([
      "--model", shared("peers/zds/FJImporter.xcdatamodeld"), "--dialect", "zds",
      "Tweet@statuses=\(shared("data/twitter.json"))",
    ])
    #expect(graph["Tweet"]?.count == 100)
    #expect(graph["User"]?.count == 100)
    #expect(graph["Tweet"]?.allSatisfy { $0["author"] is String && $0["text"] is String } == true)
  }

  @Test func `twitter.json, uniqued, and the same however it is cut`() async throws {
    var outputs: Set<String> = []
    for chunkSize in ["1", "65536"] {
      let run = try await GraftTool.run([
        "import", "--model", Fixture.timelineModel, "--output", "graph", "--chunk-size", chunkSize,
        "Tweet@statuses=\(shared("data/twitter.json"))",
      ])
      outputs.insert(run.output)
    }
    #expect(outputs.count == 1)
    let graph = try parse(outputs.first ?? "")
    #expect(graph["Tweet"]?.count == 115)
    #expect(graph["User"]?.count == 115)
    #expect(graph["Hashtag"]?.count == 7)
    #expect(graph["Tweet"]?.count { $0["original"] is String } == 73)
  }

  @Test func `citm_catalog.json in one pass with several roots`() async throws {
    let graph = try await graph([
      "--model", Fixture.catalogModel,
      "\(Fixture.catalogRoots)=\(shared("data/citm_catalog.json"))",
    ])
    #expect(
      graph.mapValues(\.count) == [
        "Event": 184, "Performance": 243, "Price": 907, "SeatCategory": 907, "Area": 8685,
      ])
    #expect(graph["Performance"]?.allSatisfy { $0["event"] is String } == true)
    #expect(graph["Event"]?.allSatisfy { $0["name"] is String } == true)
  }

  @Test func `Groot's characters, then their update, which lacks a required name`() async throws {
    let groot = [
      "--model", shared("peers/groot/Model.xcdatamodeld"),
      "--transformer", "GrootTests.Transformer=string-integer",
      "--mapper", "GrootTests.Abstract=type:A=ConcreteA,B=ConcreteB",
    ]
    let characters = "Character=\(shared("peers/groot/json/characters.json"))"
    let update = "Character=\(shared("peers/groot/json/characters_update.json"))"
    let graph = try await graph(groot + [characters])
    #expect(graph["Character"]?.count == 2)
    let run = try await GraftTool.run(["import"] + groot + [characters, update])
    #expect(run.status == 3)
    #expect(run.errors.contains("realName"))
  }

  @Test func `Groot's cards, which two attributes identify together`() async throws {
    // Both files have a comma too many, which Foundation once let pass.
    let files = try ["cards.json", "cards_update.json"].map { name in
      let url = Fixture.shared.appendingPathComponent("peers/groot/json/\(name)")
      let text = try String(contentsOf: url, encoding: .utf8)
      return try TemporaryFile(text.replacing(/,\s*\]\s*$/, with: "]"))
    }
    let graph = try await graph([
      "--model", shared("peers/groot/Model.xcdatamodeld"),
      "--transformer", "GrootTests.Transformer=string-integer",
      "--mapper", "GrootTests.Abstract=type:A=ConcreteA,B=ConcreteB",
      "--entity", "Card", files[0].path, files[1].path,
    ])
    let cards = graph["Card"]?.map { "\($0["value"] ?? "") of \($0["suit"] ?? "")" }
    #expect(cards == ["Three of Diamonds", "Jack of Hearts", "Three of Clubs"])
    #expect(graph["Card"]?.map { $0["numberOfTimesPlayed"] as? Int } == [2, 4, 1])
  }

  private func shared(_ path: String) -> String {
    Fixture.shared.appendingPathComponent(path).path
  }

  private func graph(_ arguments: [String]) async throws -> [String: Entity] {
    let run = try await GraftTool.run(["import", "--output", "graph"] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    return try parse(run.output)
  }

  private func parse(_ text: String) throws -> [String: Entity] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Entity])
  }
}
