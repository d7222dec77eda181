import Foundation
import Graft
import GraftExport
import Testing

@testable import GraftTestSupport

typealias AnyDecodable = Decodable & SendableMetatype

private enum Mood: String, Codable, Sendable, CaseIterable { case calm, wild }

private struct Spot: Codable, Equatable, Sendable {
  var x: Int
  var y: Int
}

private struct Thing: Entity {
  let int = Attribute<Int?>()
  let double = Attribute<Double?>()
  let float = Attribute<Float?>()
  let decimal = Attribute<Decimal?>()
  let big = Attribute<UInt64?>()
  let text = Attribute<String?>()
  let flag = Attribute<Bool?>()
  let date = Attribute<Date?>()
  let data = Attribute<Data?>()
  let uuid = Attribute<UUID?>()
  let url = Attribute<URL?>()
  let mood = Attribute<Mood?>()
  let spot = Attribute<Spot?>()
}

/// The value of one property.
private struct Property<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let name = try #require(PropertyName.current)
    value = try decoder.container(keyedBy: Name.self).decode(
      Value.self, forKey: Name(stringValue: name))
  }
}

private enum PropertyName { @TaskLocal static var current: String? }

private struct Name: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

@Suite struct `A decoded attribute` {
  private func thing(_ json: String) throws -> Object<Thing> {
    let store = try GraphStore(for: Thing.self)
    try store.importJSON(Thing.self, from: Data(json.utf8))
    return try #require(store.graph.objects(Thing.self).first)
  }

  private func decode<Value: Decodable>(
    _ name: String, _ json: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let thing = try thing("{\"\(name)\": \(json)}")
    return try PropertyName.$current.withValue(name) {
      try thing.decoded(as: Property<Value>.self).value
    }
  }

  @Test func `is what it is`() throws {
    #expect(try decode("int", "-5") == -5)
    #expect(try decode("double", "0.1") == 0.1)
    #expect(try decode("text", "\"é\"") == "é")
    #expect(try decode("flag", "true") == true)
    #expect(try decode("date", "1") == Date(timeIntervalSince1970: 1))
    #expect(try decode("data", "\"AAE=\"") == Data([0, 1]))
    #expect(try decode("decimal", "0.1") == Decimal(string: "0.1"))
    #expect(try decode("url", "\"https://a.b/c\"") == URL(string: "https://a.b/c"))
    let uuid = UUID()
    #expect(try decode("uuid", "\"\(uuid)\"") == uuid)
    #expect(try decode("mood", "\"wild\"") == Mood.wild)
    #expect(try decode("spot", "{\"x\": 1, \"y\": 2}") == Spot(x: 1, y: 2))
    #expect(try decode("spot", "{\"x\": 1, \"y\": 2}") == ["x": 1, "y": 2])
    #expect(try decode("big", "18446744073709551615") == UInt64.max)
  }

  @Test func `becomes any number that holds it exactly`() throws {
    #expect(try decode("int", "127", as: Int8.self) == 127)
    #expect(try decode("int", "7", as: Double.self) == 7)
    #expect(try decode("int", "7", as: Decimal.self) == 7)
    #expect(try decode("double", "3", as: Int.self) == 3)
    #expect(try decode("double", "0.5", as: Float.self) == 0.5)
    #expect(try decode("double", "0.1", as: Decimal.self) == Decimal(string: "0.1"))
    #expect(try decode("decimal", "0.1", as: Double.self) == 0.1)
    #expect(try decode("decimal", "12", as: UInt16.self) == 12)
    #expect(try decode("float", "0.5", as: Double.self) == 0.5)
    #expect(try decode("int", "-1", as: Int128.self) == -1)
  }

  @Test(
    arguments: [
      ("int", "128", Int8.self), ("int", "-1", UInt.self), ("int", "16777217", Float.self),
      ("int", "9007199254740993", Double.self), ("double", "0.5", Int.self),
      ("double", "0.1", Float.self), ("decimal", "0.12345678901234567890", Double.self),
      ("decimal", "0.5", Int.self), ("double", "1e300", Decimal.self), ("big", "256", UInt8.self),
    ] as [(String, String, any AnyDecodable.Type)])
  func `becomes no number that does not`(
    _ name: String, _ json: String, _ type: any AnyDecodable.Type
  ) throws {
    func attempt<T: Decodable>(_ type: T.Type) throws { _ = try decode(name, json, as: type) }
    let error = #expect(throws: DecodingError.self) { try attempt(type) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("not about the data: \(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("Thing.\(name) is "))
    #expect(context.debugDescription.contains("\(type) cannot hold exactly"))
    #expect(context.codingPath.map(\.stringValue) == [name])
  }

  @Test(
    arguments: [
      ("int", "1", String.self), ("int", "1", Bool.self), ("text", "\"1\"", Int.self),
      ("text", "\"x\"", Date.self), ("date", "1", Double.self), ("flag", "true", Int.self),
      ("data", "\"AAE=\"", String.self), ("int", "1", [Int].self), ("int", "1", Spot.self),
      ("uuid", "\"9E8A3B66-0E7C-4A9C-8A55-0C3F6B0F3C11\"", URL.self),
      ("flag", "true", Decimal.self),
    ] as [(String, String, any AnyDecodable.Type)])
  func `of another type is an error that names it`(
    _ name: String, _ json: String, _ type: any AnyDecodable.Type
  ) throws {
    func attempt<T: Decodable>(_ type: T.Type) throws { _ = try decode(name, json, as: type) }
    let error = #expect(throws: DecodingError.self) { try attempt(type) }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("not about the type: \(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("Thing.\(name) is "))
  }

  @Test(arguments: ["int", "text", "date", "spot", "decimal"])
  func `that is missing is nil, or an error`(_ name: String) throws {
    #expect(try decode(name, "null", as: String?.self) == nil)
    for type in [Int.self, Date.self, Spot.self, [Int].self]
      as [any AnyDecodable.Type]
    {
      func attempt<T: Decodable>(_ type: T.Type) throws { _ = try decode(name, "null", as: type) }
      let error = #expect(throws: DecodingError.self) { try attempt(type) }
      guard case .valueNotFound(_, let context) = error else {
        Issue.record("not about a lack: \(String(describing: error))")
        return
      }
      #expect(context.debugDescription.contains("Thing.\(name) has no value"))
    }
  }

  @Test func `within JSON is named with the property that keeps it`() throws {
    struct Other: Decodable {
      var spot: Inner
      struct Inner: Decodable { var z: Int }
    }
    let thing = try thing(#"{"spot": {"x": 1, "y": 2}}"#)
    let error = #expect(throws: DecodingError.self) { try thing.decoded(as: Other.self) }
    guard case .keyNotFound(let key, let context) = error else {
      Issue.record("not about a key: \(String(describing: error))")
      return
    }
    #expect(key.stringValue == "z")
    #expect(context.codingPath.map(\.stringValue) == ["spot"])
    #expect(context.debugDescription.hasPrefix("Thing.spot: "))
  }

  @Test func `that the entity lacks is an error with the nearest name`() throws {
    struct Misspelt: Decodable { var txt: String }
    let thing = try thing(#"{"text": "a"}"#)
    let error = #expect(throws: DecodingError.self) { try thing.decoded(as: Misspelt.self) }
    #expect("\(try #require(error))".contains("Thing has no property"))
    #expect("\(try #require(error))".contains("did you mean"))
    struct Lenient: Decodable {
      var text: String?
      var txt: String?
    }
    #expect(try thing.decoded(as: Lenient.self).txt == nil)
  }
}
