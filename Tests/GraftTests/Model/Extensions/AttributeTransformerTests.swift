import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct AttributeTransformerTests {
  func entities(_ name: String, _ type: AttributeType = .integer64) -> [EntityDescription] {
    [
      EntityDescription(
        name: "Hero", attributes: [.make("id", type, ["JSONTransformerName": name])])
    ]
  }

  @Test(arguments: AttributeTransformer.names)
  func `a ready-made transformer needs no registration`(name: String) throws {
    let ready = try #require(AttributeTransformer.named(name))
    let model = try GraphModel(entities: entities(name, .string))
    #expect(try model.attribute("Hero", "id").transformer == ready.kind)
  }

  @Test func `a name is bound to what is registered under it`() throws {
    let doubled = AttributeTransformer { value in
      guard case .integer(let number)? = value else { return value }
      return .integer(2 * number)
    }
    let extensions = ModelExtensions(transformers: ["App.Id": .stringInteger, "trim": doubled])
    let model = try GraphModel(entities: entities("App.Id"), extensions: extensions)
    #expect(try model.attribute("Hero", "id").transformer == .stringInteger)
    let overridden = try GraphModel(entities: entities("trim"), extensions: extensions)
    #expect(try overridden.attribute("Hero", "id").transformer == doubled.kind)
  }

  @Test func `a name that is not registered is an error, or a warning where that is wanted`() throws
  {
    #expect(
      errors(entities("Trimm"), extensions: ModelExtensions(transformers: ["Trim": .trim]))
        == "Hero.id: no transformer \"Trimm\" is registered, did you mean \"Trim\"?")
    let model = try GraphModel(
      entities: entities("App.Id"), extensions: ModelExtensions(toleratesMissing: true))
    #expect(model.warningText.contains("no transformer \"App.Id\" is registered"))
    #expect(try model.attribute("Hero", "id").transformer == nil)
  }
}

@Suite struct `The value of a transformer` {
  private func trial(
    _ type: AttributeType, format: String? = nil, _ transformer: AttributeTransformer
  ) throws -> ImportTrial {
    try ImportTrial([
      EntityDescription(
        name: "Hero",
        attributes: [
          AttributeDescription(name: "v", type: type, dateFormat: format, transformer: transformer)
        ])
    ])
  }

  @Test(arguments: ["19.99", "0.1234567890123456789012", "12345678901234567890", "7", "1e2"])
  func `is an exact decimal for an attribute of decimals`(number: String) throws {
    let trial = try trial(.decimal, AttributeTransformer { $0 })
    try trial.load(#"{"v": \#(number)}"#)
    let decimal = try #require(Decimal(string: number))
    #expect(try trial.store.graph.objects("Hero").map { $0["v"] } == [.decimal(decimal)])
  }

  @Test
  func `is no decimal where that would lose digits, and no value where an empty string is none`()
    throws
  {
    let long = try trial(.decimal, AttributeTransformer { $0 })
    let digits = String(repeating: "123456789", count: 6)
    #expect(long.failure(#"{"v": 0.\#(digits)}"#).contains("not a value of type Decimal"))
    let empty = try trial(.integer64, AttributeTransformer { _ in .string("") })
    try empty.load(#"{"v": 1}"#)
    #expect(try empty.store.graph.objects("Hero").map { $0["v"] } == [nil])
    let strict = ImportOptions.with { $0.refusesEmptyStrings = true }
    #expect(empty.failure(#"{"v": 1}"#, strict).contains("returned \"\""))
  }

  @Test(
    arguments: [
      (AttributeType.date, "dd/MM/yyyy", "\" 24/12/2026 \"", "2026-12-24T00:00:00Z"),
      (.integer64, nil, "\" 12 \"", "12"), (.boolean, nil, "\" true\"", "true"),
    ] as [(AttributeType, String?, String, String)])
  func `may be a string, which is converted like one of the document`(
    type: AttributeType, format: String?, json: String, expected: String
  ) throws {
    let trimmed = AttributeTransformer { value in
      guard case .string(let text)? = value else { return value }
      return .string(text.trimmingCharacters(in: .whitespaces))
    }
    let trial = try trial(type, format: format, trimmed)
    try trial.load(#"{"v": \#(json)}"#)
    #expect(try trial.store.graph.objects("Hero").map { $0["v"]?.shortText } == [expected])
    #expect(trial.failure(#"{"v": "x"}"#).contains("returned \"x\", which is not a value of type"))
  }

  @Test(arguments: [Double.nan, .infinity, 1e300])
  func `is named where it is no date that can be shown`(seconds: Double) throws {
    let date = AttributeTransformer { _ in
      .date(Date(timeIntervalSince1970: seconds))
    }
    let failure = try trial(.integer64, date).failure(#"{"v": 1}"#)
    #expect(failure.contains("seconds since 1970, which is not a value of type"))
  }

  @Test func `is shortened in messages`() throws {
    let long = AttributeTransformer { _ in .string(String(repeating: "x", count: 100_000)) }
    #expect(try trial(.integer64, long).failure(#"{"v": 1}"#).utf8.count < 300)
  }
}
