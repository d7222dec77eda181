import Foundation
import Graft
import Testing

@testable import GraftTestSupport

private enum Mood: String, Sendable { case calm, wild }
private enum Level: Int, CaseIterable, Sendable {
  case low = 1
  case high
}
private struct Spot: Codable, Hashable, Sendable {
  var x: Int
  var y: Int
}

private struct Everything: Entity {
  let int = Attribute<Int>()
  let int8 = Attribute<Int8>()
  let int16 = Attribute<Int16>()
  let int32 = Attribute<Int32>()
  let int64 = Attribute<Int64>()
  let uint = Attribute<UInt>()
  let uint8 = Attribute<UInt8>()
  let uint16 = Attribute<UInt16>()
  let uint32 = Attribute<UInt32>()
  let uint64 = Attribute<UInt64>()
  let float = Attribute<Float>()
  let double = Attribute<Double>()
  let decimal = Attribute<Decimal>()
  let string = Attribute<String>()
  let bool = Attribute<Bool>()
  let date = Attribute<Date>()
  let data = Attribute<Data>()
  let uuid = Attribute<UUID>()
  let url = Attribute<URL>()
  let mood = Attribute<Mood>(default: .calm)
  let level = Attribute<Level>()
  let maybe = Attribute<Int?>()
  let maybeMood = Attribute<Mood?>()
  let spot = Attribute<Spot?>()
  let tags = Attribute<[String]>()
}

@Suite struct `Typed values` {
  private static let values = """
    "int": -5, "int8": -128, "int16": 32767, "int32": -2147483648, "int64": 9223372036854775807,
    "uint": 18446744073709551615, "uint8": 255, "uint16": 65535, "uint32": 4294967295,
    "uint64": 18446744073709551615, "float": 0.5, "double": 1e300, "decimal": 0.1,
    "string": "é", "bool": true, "date": "1970-01-01T00:00:01Z", "data": "AAE=",
    "uuid": "00000000-0000-0000-0000-000000000001", "url": "https://example.org/a",
    "mood": "wild", "level": 2, "maybe": 3, "maybeMood": "calm", "spot": {"y": 2, "x": 1},
    "tags": ["a", "b"]
    """

  private func everything(_ json: String) throws -> Object<Everything> {
    let store = try GraphStore(for: Everything.self)
    try store.importJSON(Everything.self, from: Data(json.utf8))
    return try #require(store.graph.objects(Everything.self).first)
  }

  @Test func `are read as they were written`() throws {
    let object = try everything("{\(Self.values)}")
    #expect(object.int == -5)
    #expect(object.int8 == .min)
    #expect(object.int16 == .max)
    #expect(object.int32 == .min)
    #expect(object.int64 == .max)
    #expect(object.uint == .max)
    #expect(object.uint8 == .max)
    #expect(object.uint16 == .max)
    #expect(object.uint32 == .max)
    #expect(object.uint64 == .max)
    #expect(object.float == 0.5)
    #expect(object.double == 1e300)
    #expect(object.decimal == Decimal(string: "0.1"))
    #expect(object.string == "é")
    #expect(object.bool)
    #expect(object.date == Date(timeIntervalSince1970: 1))
    #expect(object.data == Data([0, 1]))
    #expect(object.uuid.uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(object.url.absoluteString == "https://example.org/a")
    #expect(object.mood == .wild)
    #expect(object.level == .high)
    #expect(object.maybe == 3)
    #expect(object.maybeMood == .calm)
    #expect(object.spot == Spot(x: 1, y: 2))
    #expect(object.tags == ["a", "b"])
  }

  @Test(arguments: [
    (#""uint8": 256"#, "an integer between 0 and 255"),
    (#""int8": -129"#, "an integer between -128 and 127"),
    (#""uint64": -1"#, "an integer between 0 and 18446744073709551615"),
    (#""mood": "mad""#, "a Mood"),
    (#""level": 3"#, "a Level (1, 2)"),
    (#""maybeMood": "mad""#, "a Mood"),
    (#""spot": {"x": 1}"#, "the JSON of the type Spot"),
    (#""tags": [1]"#, "the JSON of the type Array<String>"),
  ])
  func `that the type cannot hold are errors of the document`(
    _ member: String, _ expectation: String
  ) throws {
    let error = #expect(throws: ImportError.self) { try everything("{\(Self.values), \(member)}") }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains("expected \(expectation), found"), "\(message)")
  }

  @Test(arguments: ["maybe", "maybeMood", "spot"])
  func `that are missing are nil`(_ name: String) throws {
    let object = try everything("{\(Self.values), \"\(name)\": null}")
    #expect(GraphObject(object).value(name) == nil)
  }
}

private struct PersonID: RawRepresentable, AttributeConvertible, Hashable {
  var rawValue: Int

  static var attributeCodec: AttributeCodec<PersonID> {
    AttributeCodec(storedAs: String.self, placeholder: PersonID(rawValue: 0)) { text in
      Int(text.dropFirst()).map { PersonID(rawValue: $0) }
    } encode: {
      "P\($0.rawValue)"
    }
  }
}

private struct Person: Entity {
  let id = Attribute<PersonID>()
  let friend = ToOne<Person>()
  let former = Attribute<PersonID?>()
  static let identity = [\Self.id]
}

/// A type that makes one value of several raw values.
private struct Lower: RawRepresentable, Hashable {
  let rawValue: String
  init(rawValue: String) { self.rawValue = rawValue.lowercased() }
}

private struct Tag: Entity {
  let name = Attribute<Lower>(default: Lower(rawValue: ""))
  static let identity = [\Self.name]
}

@Suite struct `A type that says itself how it is kept` {
  @Test func `is read, found and refused by its own rule`() throws {
    let store = try GraphStore(for: Person.self)
    try store.importJSON(Person.self, from: Data(#"[{"id": "P7"}]"#.utf8))
    #expect(try store.graph.object(Person.self, id: PersonID(rawValue: 7))?.id.rawValue == 7)
    let error = #expect(throws: ImportError.self) {
      try store.importJSON(Person.self, from: Data(#"[{"id": "Px"}]"#.utf8))
    }
    #expect("\(error, default: "")".contains("expected a PersonID, found \"Px\""))
  }

  @Test func `is kept in one form, whoever writes it`() throws {
    let store = try GraphStore(for: Person.self, Tag.self)
    try store.write { graph in
      _ = try graph.insert("Person", ["id": .string("P07")])
      _ = try graph.findOrInsert("Person", identifiedBy: ["id": .string("P007")])
      try graph.findOrInsert("Person", identifiedBy: ["id": .string("P8")])["former"] = .string(
        "P09")
      _ = try graph.insert(Tag.self) { $0.name = Lower(rawValue: "RED") }
      _ = try graph.findOrInsert("Tag", identifiedBy: ["name": .string("rEd")])
    }
    #expect(store.graph.count(of: Person.self) == 2 && store.graph.count(of: Tag.self) == 1)
    #expect(
      store.graph.objects(Person.self).where(\.former, equals: PersonID(rawValue: 9)).count == 1)
    #expect(
      try store.graph.objects("Person").where("former", equals: .string("P009")).count == 1)
    let report = try store.importJSON(
      Tag.self, from: Data(#"[{"name": "Red"}, {"name": "red"}]"#.utf8))
    #expect(report.unchangedCount == 1 && report.insertedCount == 0)
    #expect(throws: StoreError.self) {
      try store.write { _ = try $0.findOrInsert("Person", identifiedBy: ["id": .string("Px")]) }
    }
  }

  @Test func `is checked where a hook gives it`() throws {
    let store = try GraphStore(for: Person.self)
    func load(_ value: String) throws {
      var options = ImportOptions()
      options.hooks["Person"] = ImportHooks(willImport: { $0.values["former"] = .string(value) })
      try store.importJSON(Person.self, from: Data(#"{"id": "P1"}"#.utf8), options: options)
    }
    try load("P007")
    #expect(store.graph.objects(Person.self).map { GraphObject($0)["former"] } == [.string("P7")])
    let error = #expect(throws: ImportError.self) { try load("Px") }
    #expect(error?.message == #"former: expected a PersonID, found "Px" from a hook"#)
  }

  @Test func `obeys the attribute's rules in the form in which it is kept`() throws {
    struct Strict: Entity {
      let id = Attribute<PersonID>(pattern: "P[0-9]")
      static let identity = [\Self.id]
    }
    let store = try GraphStore(for: Strict.self)
    try store.importJSON(Strict.self, from: Data(#"{"id": "P0007"}"#.utf8))
    #expect(store.graph.objects(Strict.self).map(\.id.rawValue) == [7])
    #expect(throws: ImportError.self) {
      try store.importJSON(Strict.self, from: Data(#"{"id": "P0017"}"#.utf8))
    }
  }

  @Test func `is kept in one form, whichever the document has`() throws {
    let store = try GraphStore(for: Person.self)
    let report = try store.importJSON(
      Person.self,
      from: Data(
        #"[{"id": "P07", "former": "P010"}, {"id": "P8", "friend": "P007"}, {"id": "p7"}]"#.utf8))
    #expect(report.insertedCount == 2 && report.issues.isEmpty)
    let seventh = try #require(try store.graph.object(Person.self, id: PersonID(rawValue: 7)))
    #expect(try store.graph.object(Person.self, id: PersonID(rawValue: 8))?.friend == seventh)
    #expect(
      store.graph.objects(Person.self).where(\.former, equals: PersonID(rawValue: 10)).count == 1)
    #expect(GraphObject(seventh)["former"] == .string("P10"))
  }
}

private enum Rank: String, CaseIterable, Codable, Sendable { case low, high }

private struct Player: Entity {
  let rank = Attribute<Rank>()
  let best = Attribute<Rank?>()
  let ranks = Attribute<[Rank]>()
  let id = Attribute<PersonID?>()
}

@Suite struct `A type that can be kept in several ways` {
  @Test func `is kept by its own rule before its raw value, and as JSON last`() throws {
    let store = try GraphStore(for: Player.self)
    let json = #"{"rank": "low", "best": "high", "ranks": ["high"], "id": "P7"}"#
    try store.importJSON(Player.self, from: Data(json.utf8))
    let player = try #require(store.graph.objects(Player.self).first)
    let dynamic = GraphObject(player)
    #expect(player.rank == .low && dynamic.value("rank") == .string("low"))
    #expect(player.best == .high && dynamic.value("best") == .string("high"))
    #expect(player.ranks == [.high] && dynamic.value("ranks") == .json(#"["high"]"#))
    #expect(player.id?.rawValue == 7 && dynamic.value("id") == .string("P7"))
  }
}

private struct Part: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String>()
  let count = Attribute<Int>(default: 4)
  let level = Attribute<Level>()
  let wholes = ToMany<Whole>(.nowhere)
  static let identity = \Self.id
}

private struct Whole: Entity {
  let parts = ToManyOrdered<Part>(inverse: \.wholes)
}

@Suite struct `An object with nothing but an identity` {
  @Test func `reads as its defaults and the empty values of its types`() throws {
    let store = try GraphStore(for: Whole.self)
    try store.importJSON(Whole.self, from: Data(#"{"parts": [3, 1]}"#.utf8))
    let whole = try #require(store.graph.objects(Whole.self).first)
    let part = whole.parts[0]
    #expect(part.isStub)
    #expect(part.id == 3)
    #expect(part.name == "")
    #expect(part.count == 4)
    #expect(part.level == .low)
    #expect(part.wholes.first == whole)
  }
}
