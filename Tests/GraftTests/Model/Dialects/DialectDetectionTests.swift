import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct DialectDetectionTests {
  func model(
    dialect: Dialect? = nil, entity: [String: String] = [:], attribute: [String: String] = [:],
    relationship: [String: String] = [:]
  ) throws -> GraphModel {
    try GraphModel(
      entities: [
        EntityDescription(
          name: "E", attributes: [.make("a", .string, attribute), .make("id")],
          relationships: [.make("r", to: "E", relationship)], userInfo: entity)
      ], dialect: dialect)
  }

  @Test(
    arguments: [
      ([:], [:], .graft),
      ([:], ["JSONKeyPath": "x"], .groot),
      (["identityAttributes": "id"], [:], .groot),
      (["identityAttributes": "id"], ["JSONNull": "keep"], .graft),
      (["RKEntityIdentificationAttributes": "id"], [:], .graft),
      (["relatedByAttribute": "id"], [:], .magicalrecord),
      ([:], ["mappedKeyName.1": "x"], .magicalrecord),
      ([:], ["hyper.remoteKey": "x"], .sync),
      (["@primaryKey": "id"], [:], .dandy),
      (["id_str": "id"], [:], .zds),
      (["id_str": "identifier"], [:], .graft),
      (["renamingIdentifier": "id"], [:], .graft),
      ([:], ["note": "id"], .graft),
    ] as [([String: String], [String: String], Dialect)])
  func `the annotations that are present tell the dialect`(
    entity: [String: String], attribute: [String: String], dialect: Dialect
  ) throws {
    let model = try model(entity: entity, attribute: attribute)
    #expect(model.dialect == dialect)
    #expect(model.warnings.filter { $0.entity == nil }.isEmpty)
  }

  @Test func `a misspelt identity is not taken for a map`() throws {
    let model = try model(entity: ["identityAttribtes": "id"])
    #expect(model.dialect == .graft)
    #expect(model.warningText.contains("did you mean \"identityAttributes\"?"))
  }

  @Test func `a model that mixes importers is told so, and the one with most names wins`() throws {
    let model = try model(
      entity: ["relatedByAttribute": "id"], attribute: ["mappedKeyName": "x"],
      relationship: ["sync.remoteKey": "y"])
    #expect(model.dialect == .magicalrecord)
    #expect(model.warningText.contains("mixes annotations of several importers"))
    #expect(model.warningText.contains("those of sync are not read"))
  }

  @Test func `a chosen dialect that reads none of the annotations is told so`() throws {
    let model = try model(dialect: .dandy, attribute: ["mappedKeyName": "x"])
    #expect(model.dialect == .dandy)
    #expect(
      model.warningText
        == "the model has annotations of magicalrecord, which dialect dandy does not read; "
        + "name that dialect")
  }

  @Test func `Groot's names under Graft's dialect are no mixture`() throws {
    #expect(try model(dialect: .graft, attribute: ["JSONKeyPath": "x"]).warnings.isEmpty)
  }
}
