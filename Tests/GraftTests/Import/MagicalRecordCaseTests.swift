import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// MagicalRecord's own tests of its import, with its model and fixtures, in the order of its test
/// files.
@Suite(.enabled(if: PeerModels.isPresent, PeerModels.absence))
struct `MagicalRecord's case` {
  private static let plain = "SingleEntityWithNoRelationships"
  private static let toMany = "SingleEntityRelatedToManyMappedEntitiesUsingMappedPrimaryKey"
  private static let byKey = "SingleEntityRelatedToMappedEntityUsingMappedPrimaryKey"
  private static let byDefaults = "SingleEntityRelatedToMappedEntityUsingDefaults"

  private func trial(_ entity: String) throws -> ImportTrial {
    ImportTrial(
      try GraphModel(
        contentsOf: PeerModels.folder.appending(path: "magicalrecord/TestModel.xcdatamodeld")),
      entity: entity)
  }

  private func fixture(_ name: String) throws -> String {
    let text = try String(
      contentsOf: PeerModels.folder.appending(path: "magicalrecord/\(name).json"), encoding: .utf8)
    // One of the files has commas that JSON does not allow.
    return text.replacing(#/,(\s*[\]}])/#) { "\($0.output.1)" }
  }

  /// The one object that a fixture makes of the entity of the same name.
  private func object(_ entity: String) throws -> GraphObject {
    let trial = try trial(entity)
    try trial.load(try fixture(entity))
    #expect(try trial.store.graph.count(of: entity) == 1)
    return try #require(try trial.store.graph.objects(entity).first)
  }

  static let attributes: [(String, String, AttributeValue?)] = [
    ("M02", "stringTestAttribute", .string("This is a test value")),
    ("M03", "int16TestAttribute", .integer(256)), ("M04", "int32TestAttribute", .integer(32)),
    ("M05", "int64TestAttribute", .integer(10_158_365_420_975_381)),
    ("M06", "decimalTestAttribute", Decimal(string: "1.2").map { .decimal($0) }),
    ("M07", "doubleTestAttribute", .double(124.3)),
    ("M08", "floatTestAttribute", .float(10_000_000_000)),
    ("M09", "booleanTestAttribute", .boolean(false)),
    ("M10", "mappedStringAttribute", .string("Mapped value")), ("M11", "nullTestAttribute", nil),
    ("M12", "numberAsStringTestAttribute", .string("10248909829")),
    ("M13", "booleanAsStringTestAttribute", .boolean(true)),
    ("M14", "notInJsonAttribute", .string("Set From Core Data Model Editor")),
    ("M16", "dateTestAttribute", .date(Date(timeIntervalSince1970: 1_311_460_240))),
    ("M17", "dateWithCustomFormat", .date(Date(timeIntervalSince1970: 1_312_509_364))),
    ("M18", "unixTimeTestAttribute", .date(Date(timeIntervalSince1970: 1_388_349_428))),
    ("M19", "unixTime13TestAttribute", .date(Date(timeIntervalSince1970: 1_388_349_427.543))),
  ]

  @Test(arguments: attributes)
  func `M01 to M19, an attribute of each kind`(
    number: String, attribute: String, value: AttributeValue?
  ) throws {
    #expect(try object(Self.plain)[attribute] == value, "\(number)")
  }

  @Test func `M05, an integer beyond 53 bits is exact as a text too`() throws {
    let trial = try trial(Self.plain)
    try trial.load(#"{"int64TestAttribute": "10158365420975381"}"#)
    #expect(trial.lines.first?.contains("int64TestAttribute: 10158365420975381") == true)
  }

  @Test func `M15, a colour`() throws {
    #expect(try object(Self.plain)["colorTestAttribute"] == .json("\"#4080e1\""))
  }

  @Test func `M20, objects without identity`() throws {
    let trial = try trial(Self.plain)
    try trial.load(try fixture("MultipleEntitiesWithNoPrimaryKey"))
    #expect(
      try trial.store.graph.objects(Self.plain).map { $0["stringTestAttribute"] }
        == Array(repeating: .string("This is a test value"), count: 4))
  }

  @Test func `M21, related objects`() throws {
    let owner = try object(Self.toMany)
    #expect(
      owner.objects("mappedEntities").map { $0["testMappedEntityID"] }
        == [1, 2, 3, 4].map { .integer($0) })
    #expect(
      owner.objects("mappedEntities").map { $0["sampleAttribute"] }
        == (1...4).map { .string("Sample Attribute Value \($0)") })
  }

  @Test func `M22, absence keeps related objects, and null clears them`() throws {
    let trial = try trial(Self.toMany)
    // There the owner is at hand; here its identity says that it is the same.
    let members = try fixture(Self.toMany).replacing(#/^\s*{/#, with: #"{"testPrimaryKey": 1,"#)
    for (json, count) in [
      (members, 4), (#"{"testPrimaryKey": 1}"#, 4),
      (#"{"testPrimaryKey": 1, "mappedEntities": null}"#, 0),
    ] {
      try trial.load(json)
      let owner = try #require(try trial.store.graph.objects(Self.toMany).first)
      #expect(owner.objects("mappedEntities").count == count)
    }
    #expect(try trial.store.graph.count(of: Self.toMany) == 1)
  }

  @Test func `M23, a related object by the name that its entity gives its identity`() throws {
    let trial = try trial(Self.byDefaults)
    try trial.load(#"{"mappedEntityID": 42}"#, as: "MappedEntity")
    try trial.load(try fixture(Self.byDefaults))
    #expect(try trial.store.graph.count(of: "MappedEntity") == 1)
    let owner = try #require(try trial.store.graph.objects(Self.byDefaults).first)
    #expect(owner.object("mappedEntity")?["mappedEntityID"] == .integer(42))
    #expect(
      owner.object("mappedEntity")?["sampleAttribute"]
        == .string("This is from the sample json file"))
  }

  @Test func `M24 and M25, a related object by the attribute that the relationship names`() throws {
    let trial = try trial(Self.byKey)
    try trial.load(#"{"id": 42, "sampleAttribute": "before"}"#, as: "MappedEntity")
    try trial.load(try fixture(Self.byKey))
    #expect(try trial.store.graph.count(of: Self.byKey) == 1)
    #expect(try trial.store.graph.count(of: "MappedEntity") == 1)
    let owner = try #require(try trial.store.graph.objects(Self.byKey).first)
    #expect(owner.object("mappedEntity")?["testMappedEntityID"] == .integer(42))
    #expect(
      owner.object("mappedEntity")?["sampleAttribute"]
        == .string("This is from the sample json file"))
  }

  @Test func `M26, a value inside a nested object`() throws {
    let owner = try object("SingleEntityRelatedToMappedEntityWithNestedMappedAttributes")
    #expect(
      owner.object("mappedEntity")?["nestedAttribute"] == .string("This is a nested value"))
  }

  @Test func `M27, fallback keys, of a relationship too`() throws {
    let owner = try object("SingleEntityRelatedToMappedEntityWithSecondaryMappings")
    #expect(
      owner["secondaryMappedAttribute"] == .string("mapped value from sample json file"))
    #expect(
      owner.object("mappedRelationship")?["sampleAttribute"]
        == .string("actualMappedRelationship value from sample json file"))
  }

  static let related = [
    ("M28", "testAbstractToOneRelationship", "AbstractRelatedEntity", 1),
    ("M29", "testAbstractToManyRelationship", "AbstractRelatedEntity", 2),
    ("M30", "testConcreteToOneRelationship", "ConcreteRelatedEntity", 1),
    ("M31", "testConcreteToManyRelationship", "ConcreteRelatedEntity", 3),
  ]

  @Test(arguments: related)
  func `M28 to M31, related objects of an abstract entity and of one below it`(
    number: String, relationship: String, entity: String, count: Int
  ) throws {
    let owner = try object("SingleRelatedEntity")
    let objects =
      number == "M28" || number == "M30"
      ? [try #require(owner.object(relationship))] : Array(owner.objects(relationship))
    #expect(objects.count == count)
    for object in objects {
      #expect(object.entityName == entity)
      guard case .string(let base)? = object["sampleBaseAttribute"] else {
        Issue.record("no sampleBaseAttribute")
        continue
      }
      #expect(base.contains("BASE"))
      guard entity == "ConcreteRelatedEntity" else { continue }
      guard case .string(let own)? = object["sampleConcreteAttribute"] else {
        Issue.record("no sampleConcreteAttribute")
        continue
      }
      #expect(own.contains("DESCENDANT"))
    }
  }

  @Test func `M32, identifiers join the related object that is there`() throws {
    let trial = try trial(Self.toMany)
    let seeds = (0...9).map { #"{"id": \#($0), "sampleAttribute": "test attribute \#($0)"}"# }
    try trial.load("[\(seeds.joined(separator: ","))]", as: "MappedEntity")
    try trial.load(#"{"testPrimaryKey": 84, "mappedEntities": [9]}"#)
    try trial.load(
      try fixture("SingleEntityRelatedToManyMappedEntitiesUsingListOfPrimaryKeys"))
    #expect(try trial.store.graph.count(of: "MappedEntity") == 10)
    #expect(try trial.store.graph.count(of: Self.toMany) == 1)
    let owner = try #require(try trial.store.graph.objects(Self.toMany).first)
    #expect(
      Set(owner.objects("mappedEntities").map { $0["sampleAttribute"] })
        == Set([1, 2, 3, 4, 9].map { .string("test attribute \($0)") }))
  }
}
