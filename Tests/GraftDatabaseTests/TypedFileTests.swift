import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

/// A database that was opened with the model in its file, which was made from no types.
@Suite struct `A file that is opened without types` {
  private struct Bird: Entity {
    let id = Attribute<Int>()
    let name = Attribute<String?>()
    static let identity = [\Self.id]
  }

  private struct Fish: Entity {
    let id = Attribute<Int>()
    static let identity = [\Self.id]
  }

  private let file = TemporaryDatabase()

  @Test func `answers what asks by a type with an error that says how to open it`() throws {
    let typed = try GraphDatabase(for: Bird.self, at: file.url, configuration: .quick)
    try typed.write { try $0.insert("Bird", ["id": .integer(1), "name": .string("wren")]) }
    let database = try GraphDatabase(contentsOf: file.url, configuration: .quick)
    let message =
      "\(file.url.path): the model was not made from the type Bird, by which \"Bird\" could be read; open the database"
      + " with GraphDatabase(for: Bird.self, …), or read by the entity's name"
    func refuses(_ query: () throws -> Void, _ expected: String) {
      let error = #expect(throws: StoreError.self) { try query() }
      #expect(error?.kind == .unknownEntity)
      #expect(error?.message == expected)
    }
    refuses({ _ = try database.objects(Bird.self) }, message)
    refuses({ _ = try database.graph(of: Bird.self) }, message)
    refuses({ _ = try database.object(Bird.self, id: 1) }, message)
    refuses(
      { _ = try database.object(Fish.self, id: 1) }, "unknown entity \"Fish\"; known: \"Bird\"")
    refuses(
      { try database.write { _ = try $0.objects(Bird.self, where: "id = \(1)") } },
      "the database's model was not made from the type Bird; open it with GraphDatabase(for: Bird.self, …), or find"
        + " the objects by the entity's name")
    #expect(try database.objects("Bird").map { $0["name"] } == [.string("wren")])
    let data = try JSONExporter(model: database.model).data(.entity(Bird.self, of: database))
    #expect(String(decoding: data, as: UTF8.self).contains("wren"))
  }
}

/// The code of a type, of which a file keeps the name.
@Suite struct `A file that was made by types with transformers` {
  private struct Shop: Entity {
    let id = Attribute<Int>()
    let fee = Attribute<Int?>(
      transformer: AttributeTransformer { value in
        guard case .string(let text)? = value else { return value }
        return Int64(text.dropLast()).map { .integer($0) }
      } reverse: { value in
        value.map { .string("\($0.text)%") }
      })
    let name = Attribute<String?>(transformer: .trim)
    static let identity = [\Self.id]
  }

  private struct Town: Entity {
    let id = Attribute<Int>()
    let name = Attribute<String?>(transformer: .trim)
    static let identity = [\Self.id]
  }

  private let file = TemporaryDatabase()
  private static let shops = #"[{"id":1,"fee":"12%","name":" x "}]"#

  @Test func `exports its values as they are stored without them, and says so`() throws {
    let typed = try GraphDatabase(for: Shop.self, at: file.url, configuration: .quick)
    try typed.importJSON(Shop.self, from: Data(Self.shops.utf8))
    func export(_ database: GraphDatabase) throws -> (String, [ExportLoss]) {
      var report = ExportReport()
      let data = try JSONExporter(model: database.model)
        .data(.entity("Shop", of: database), report: &report)
      return (String(decoding: data, as: UTF8.self), report.losses)
    }
    #expect(try export(typed) == (#"[{"id":1,"fee":"12%","name":"x"}]"#, []))
    let database = try GraphDatabase(contentsOf: file.url, configuration: .quick)
    #expect(database.model.warnings.map(\.message).count { $0.contains("\"Shop.fee\"") } == 1)
    let (text, losses) = try export(database)
    #expect(text == #"[{"id":1,"fee":12,"name":"x"}]"#)
    #expect(losses.map(\.property) == ["fee"])
    #expect(losses.first?.message.contains("transformer") == true)
  }

  @Test func `refuses an import without them`() throws {
    let typed = try GraphDatabase(for: Shop.self, at: file.url, configuration: .quick)
    try typed.importJSON(Shop.self, from: Data(Self.shops.utf8))
    let database = try GraphDatabase(contentsOf: file.url, configuration: .quick)
    let error = #expect(throws: ImportError.self) {
      try database.importJSON([ImportRoot("Shop")], from: Data(#"[{"id":2,"fee":"1%"}]"#.utf8))
    }
    #expect(error?.kind == .model)
    #expect(error?.message.contains("\"Shop.fee\"") == true)
    #expect(try database.count(of: "Shop") == 1)
  }

  @Test func `has the ready-made ones`() throws {
    _ = try GraphDatabase(for: Town.self, at: file.url, configuration: .quick)
    let database = try GraphDatabase(contentsOf: file.url, configuration: .quick)
    #expect(database.model.warnings.isEmpty)
    try database.importJSON([ImportRoot("Town")], from: Data(#"[{"id":1,"name":" y "}]"#.utf8))
    #expect(try database.objects("Town").map { $0["name"] } == [.string("y")])
  }

  @Test func `is no other model for the types, and takes the names if it lacks them`() throws {
    let model = try GraphModel(for: Shop.self)
    var entities = model.entities
    for index in entities[0].attributes.indices { entities[0].attributes[index].transformer = nil }
    _ = try GraphDatabase(
      model: GraphModel(entities: entities, dialect: model.dialect), at: file.url,
      configuration: .quick)
    let typed = try GraphDatabase(for: Shop.self, at: file.url, configuration: .quick)
    try typed.importJSON(Shop.self, from: Data(Self.shops.utf8))
    let database = try GraphDatabase(contentsOf: file.url, configuration: .quick)
    #expect(!database.model.warnings.isEmpty)
    try typed.importJSON(Shop.self, from: Data(Self.shops.utf8))
  }
}

/// The sign of zero, which SQLite loses in a column of the type REAL.
@Suite struct `A double of minus zero` {
  @Test(arguments: DatabaseKind.present, [AttributeType.double, .float])
  func `stays what it is, so that the next import changes nothing`(
    kind: DatabaseKind, type: AttributeType
  ) throws {
    let place = try TrialDatabase(kind)
    let model = try GraphModel(
      entities: [.make("Point", [.make("x", type), .make("y", type)])], dialect: .graft)
    let database = try place.open(model)
    func load() throws -> ImportReport {
      let importer = try database.makeImporter([ImportRoot("Point")])
      try importer.parse(
        Data(#"[{"id": 1, "x": -0.0, "y": 0.0}, {"id": 2, "x": 3.0, "y": 2.5}]"#.utf8))
      return try importer.finish()
    }
    #expect(try load().insertedCount == 2)
    func signs() throws -> [FloatingPointSign] {
      try database.objects("Point", where: "x = 0").flatMap { point in
        ["x", "y"].compactMap { name -> FloatingPointSign? in
          switch point[name] {
          case .double(let value)?: value.sign
          case .float(let value)?: value.sign
          default: nil
          }
        }
      }
    }
    #expect(try signs() == [.minus, .plus])
    #expect(try load().updatedCount == 0)
    #expect(try signs() == [.minus, .plus])
    #expect(try database.objects("Point", where: "x >= 0 AND x < 4").count == 2)
  }
}

/// NaN, for which SQLite has no value.
@Suite struct `A number that is none` {
  @Test(arguments: [AttributeType.double, .float, .date])
  func `is refused by SQLite with its place, and leaves everything as it was`(
    type: AttributeType
  ) throws {
    let file = TemporaryDatabase()
    let model = try GraphModel(
      entities: [.make("Point", [.make("x", type)])], dialect: .graft)
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    let nan: AttributeValue =
      type == .date ? .date(Date(timeIntervalSinceReferenceDate: .nan)) : .double(.nan)
    try database.write { try $0.insert("Point", ["id": .integer(1)]) }
    let error = #expect(throws: StoreError.self) {
      try database.write { graph in
        _ = try graph.findOrInsert(
          "Point", identifiedBy: ["id": .integer(1)], setting: ["x": nan])
      }
    }
    #expect(error?.property == "x")
    #expect(error?.message.contains("NaN as \"x\"") == true)
    #expect(try database.objects("Point").map { $0["x"] } == [nil])
    let failure = #expect(throws: ImportError.self) {
      try database.importJSON(
        [ImportRoot("Point")], from: Data(#"[{"id": 2}]"#.utf8),
        options: .with { $0.hooks["Point"] = ImportHooks(willImport: { $0["x"] = nan }) })
    }
    #expect(failure?.message.contains("NaN as \"x\"") == true)
    #expect(try database.count(of: "Point") == 1)
  }
}
