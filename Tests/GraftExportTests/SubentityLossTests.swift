import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Checks the losses of sub-entities that an import of the output does not find.
@Suite struct `A sub-entity in an export` {
  private static func entities(
    identity: String = "id", _ notes: [String: String] = [:]
  ) -> [EntityDescription] {
    [
      .make(
        "P", identity: identity,
        (identity.isEmpty ? [] : [.make("id", .integer64)]) + [.make("n", .integer64)], [], notes),
      .make("Q", identity: "", parent: "P", [.make("x", .integer64)]),
      .make(
        "Box", [],
        [
          .make("p", to: "P"), .make("ps", to: "P", many: true), .make("q", to: "Q"),
        ]),
    ]
  }

  private static func mapper(
    _ choose: @escaping @Sendable ([String: JSONValue]) -> String?
  )
    -> ModelExtensions
  {
    ModelExtensions(entityMappers: ["M": EntityMapper { choose($0) }])
  }

  private static let byX = mapper { $0["x"] == nil ? nil : "Q" }

  private static func trial(
    identity: String = "id", _ notes: [String: String] = [:],
    _ extensions: ModelExtensions = ModelExtensions()
  ) throws -> ImportTrial {
    let trial = try ImportTrial(
      entities(identity: identity, notes), extensions: extensions)
    try trial.store.write { graph in
      func values(_ id: Int64, _ others: [String: AttributeValue]) -> [String: AttributeValue] {
        identity.isEmpty ? others : others.merging(["id": .integer(id)]) { $1 }
      }
      let q = try graph.insert(
        "Q",
        values(1, identity == "id, n" ? ["x": .integer(7), "n": .integer(1)] : ["x": .integer(7)]))
      let p = try graph.insert("P", values(2, ["n": .integer(5)]))
      let box = try graph.insert("Box", ["id": .integer(3)])
      try box.setObject(q, of: "p")
      try box.setObjects([q, p], of: "ps")
    }
    return trial
  }

  @Test func `that nothing names is a loss where an import expects the entity above`() throws {
    let trial = try Self.trial()
    let found = try trial.losses("P")
    #expect(found.map(\.entity) == ["Q"])
    #expect(found.map(\.property) == [""])
    #expect(found.map(\.count) == [1])
    #expect(
      found.first?.message
        == "Q: the sub-entity is not written, because no discriminator names it, and an import makes an object of"
        + " an entity above; name a discriminator (JSONDiscriminator), or export the objects of the sub-entity"
        + " (Q 1)")
    let boxes = try trial.losses("Box")
    #expect(boxes.map(\.entity) == ["Q"])
    #expect(boxes.map(\.count) == [1])
    let again = try ImportTrial(Self.entities())
    try again.load(try trial.export("P"))
    #expect(again.lines == ["P/1 id: 2, n: 5", "P/2 id: 1"])
  }

  @Test func `that is written at a place of its own entity is no loss`() throws {
    let trial = try Self.trial()
    #expect(try trial.losses("Q").isEmpty)
    #expect(try losses(trial, .graph(trial.store.graph)).isEmpty)
    #expect(
      try losses(trial, .entity("P", of: trial.store.graph, includesSubentities: false)).isEmpty)
    let q = try #require(try trial.store.graph.objects("Q").first)
    #expect(try losses(trial, .object(q)).isEmpty)
    let both: [(String, ExportContent)] = [
      ("Q", .entity("Q", of: trial.store.graph)), ("Box", .entity("Box", of: trial.store.graph)),
    ]
    #expect(try losses(trial, .members(both)).isEmpty)
    let again = try ImportTrial(Self.entities())
    try again.load(
      try trial.export(.members(both)), [ImportRoot("Q", at: "Q"), ImportRoot("Box", at: "Box")])
    #expect(again.lines == trial.lines)
    // An import that has made an object of the entity above refuses the same object as one of the sub-entity.
    #expect(try losses(trial, .members(both.reversed())).map(\.entity) == ["Q"])
    try trial.store.write { graph in
      let box = try graph.objects("Box").first
      try box?.setObject(graph.objects("Q").first, of: "q")
      try box?.setObject(nil, of: "p")
      try box?.setObjects([], of: "ps")
    }
    #expect(try trial.losses("Box").isEmpty)
  }

  @Test(arguments: [["P", "Q"], ["Q", "P"], ["Q", "P", "Q"]])
  func `is a loss in an array of several entities, whichever comes first`(
    _ entities: [String]
  ) throws {
    let trial = try Self.trial()
    let objects = try entities.map { try #require(try trial.store.graph.objects($0).first) }
    let found = try losses(trial, .objects(objects))
    #expect(found.map(\.entity) == ["Q"])
    #expect(found.map(\.count) == [1])
    let alone = try losses(trial, .objects(objects.filter { $0.entityName == "Q" }))
    #expect(alone.isEmpty)
  }

  @Test func `that is nested because it has no identity is a loss in the whole graph too`() throws {
    let trial = try Self.trial(identity: "")
    let found = try losses(trial, .graph(trial.store.graph)).filter { $0.property.isEmpty }
    #expect(found.filter { $0.message.contains("the sub-entity is not") }.map(\.entity) == ["Q"])
  }

  @Test func `is a loss where the object is referred to by several values of an identity`() throws {
    let trial = try Self.trial(identity: "id, n")
    let boxes = ExportContent.entity("Box", of: trial.store.graph)
    #expect(try losses(trial, boxes) { $0.depth = 0 }.map(\.entity) == ["Q"])
    #expect(try losses(trial, .graph(trial.store.graph)).isEmpty)
  }

  @Test func `that a discriminator names is no loss`() throws {
    let trial = try Self.trial(["JSONDiscriminator": "kind"])
    #expect(try trial.losses("P").isEmpty)
    #expect(try trial.losses("Box").isEmpty)
  }

  @Test func `that the table of a mapper does not name is a loss`() throws {
    func trial(_ entities: [String: String]) throws -> ImportTrial {
      let mapper = EntityMapper(discriminator: "kind", entities: entities)
      return try Self.trial(
        ["entityMapperName": "M"], ModelExtensions(entityMappers: ["M": mapper]))
    }
    #expect(try trial(["p": "P"]).losses("P").map(\.entity) == ["Q"])
    #expect(try trial(["p": "P", "q": "Q"]).losses("P").isEmpty)
  }

  @Test(arguments: [false, true])
  func `that a mapper finds in what is written is no loss`(isPretty: Bool) throws {
    let trial = try Self.trial(["entityMapperName": "M"], Self.byX)
    for content in [
      ExportContent.entity("P", of: trial.store.graph), .entity("Box", of: trial.store.graph),
      .entity("Q", of: trial.store.graph), .graph(trial.store.graph),
      .objects(try trial.store.graph.objects("P")),
    ] {
      #expect(try losses(trial, content) { $0.isPretty = isPretty }.isEmpty)
    }
    let again = try ImportTrial(
      Self.entities(["entityMapperName": "M"]), extensions: Self.byX)
    try again.load(try trial.export("Box") { $0.isPretty = isPretty }, as: "Box")
    #expect(again.text == trial.text)
  }

  @Test func `that a mapper does not find in what is written is a loss`() throws {
    let byKind = Self.mapper { $0["kind"]?.text }
    let trial = try Self.trial(["entityMapperName": "M"], byKind)
    for content in ["P", "Box"] {
      let found = try trial.losses(content)
      #expect(found.map(\.entity) == ["Q"])
      #expect(
        found.first?.message
          == "Q: an import asks the entity mapper (entityMapperName), which gives another entity for what is"
          + " written; write an attribute that it reads, or name a discriminator (JSONDiscriminator) (Q 1)"
      )
    }
    #expect(try trial.losses("Q").isEmpty)
    #expect(try losses(trial, .graph(trial.store.graph)).isEmpty)
    let again = try ImportTrial(Self.entities(["entityMapperName": "M"]), extensions: byKind)
    try again.load(try trial.export("P"))
    #expect(again.lines == ["P/1 id: 2, n: 5", "P/2 id: 1"])
  }

  @Test func `is a loss where a mapper that reads too little finds another one`() throws {
    let byN = Self.mapper { $0["n"] == .null ? "Q" : nil }
    let trial = try Self.trial(["entityMapperName": "M"], byN)
    #expect(try trial.losses("P").isEmpty)
    try trial.store.write { try $0.objects("P").first { $0.entityName == "P" }?["n"] = nil }
    #expect(try trial.losses("P").map(\.entity) == ["P"])
  }

  @Test func `is what a mapper finds after the dictionary transformer of the object`() throws {
    let code = ModelExtensions(
      entityMappers: ["M": EntityMapper { $0["kind"]?.text }],
      dictionaryTransformers: [
        "D": DictionaryTransformer { object in
          object["x"] == nil ? nil : object.merging(["kind": "Q"]) { $1 }
        }
      ])
    let trial = try Self.trial(
      ["entityMapperName": "M", "JSONDictionaryTransformerName": "D"], code)
    #expect(try trial.losses("P").isEmpty)
  }

  @Test func `whose mapper the model lacks may be a loss`() throws {
    let trial = try Self.trial(
      ["entityMapperName": "M"], ModelExtensions(toleratesMissing: true))
    let found = try trial.losses("P")
    #expect(found.map(\.entity) == ["Q"])
    #expect(
      found.first?.message.contains(
        "the model lacks its code, so that nobody knows whether it gives this entity") == true)
    #expect(try losses(trial, .graph(trial.store.graph)).isEmpty)
  }

  @Test func `is asked for in objects that are longer than a chunk`() throws {
    let code = Self.mapper { $0["x"] == nil ? nil : "Q" }
    let trial = try ImportTrial(
      [
        .make(
          "P", [.make("text")], [.make("parts", to: "P", many: true)], ["entityMapperName": "M"]),
        .make("Q", identity: "", parent: "P", [.make("x", .integer64)]),
      ], extensions: code)
    let text = String(repeating: "long ", count: 10_000)
    let parts = (2..<20).map { #"{"id":\#($0),"text":"\#(text)","x":\#($0)}"# }
    try trial.load(#"[{"id":1,"parts":[\#(parts.joined(separator: ","))],"x":1}]"#)
    let again = ImportTrial(trial.store.model, entity: "P")
    try again.load(try trial.export("P"))
    #expect(again.text == trial.text)
    #expect(try trial.losses("P").isEmpty)
  }
}
