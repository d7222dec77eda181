import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite(.enabled(if: PeerModels.isPresent, PeerModels.absence))
struct PeerModelTests {
  @Test func `Groot's model`() throws {
    let model = try PeerModels.model("groot/Model.xcdatamodeld")
    #expect(model.dialect == .groot)
    #expect(model.schema.entities.count == 8)
    #expect(try model.identity(of: "Card") == ["suit", "value"])
    #expect(try model.identity(of: "ConcreteA") == ["identifier"])
    #expect(try model.compiled("ConcreteA").identityRoot == model.compiled("Abstract").number)
    #expect(try model.compiled("ConcreteB").entityMapperName == "GrootTests.Abstract")
    #expect(try model.paths("Character", "realName") == ["real_name"])
    #expect(try model.paths("Power", "characters") == [])
    #expect(try model.attribute("Card", "numberOfTimesPlayed").defaultValue == .integer(0))
    #expect(model.warnings.count == 4)
  }

  @Test func `Groot's model is refused as long as its code is not registered`() throws {
    let url = PeerModels.folder.appending(path: "groot/Model.xcdatamodeld")
    let error = #expect(throws: ModelError.self) { try GraphModel(contentsOf: url) }
    #expect(error?.issues.count == 4)
    let mapper = EntityMapper(
      discriminator: JSONPath([.member("type")]), entities: ["A": "ConcreteA", "B": "ConcreteB"])
    let model = try GraphModel(
      contentsOf: url,
      extensions: ModelExtensions(
        transformers: ["GrootTests.Transformer": .stringInteger],
        entityMappers: ["GrootTests.Abstract": mapper]))
    #expect(model.warnings.isEmpty)
    #expect(try model.compiled("Abstract").discriminated.count == 2)
  }

  @Test func `MagicalRecord's model`() throws {
    let model = try PeerModels.model("magicalrecord/TestModel.xcdatamodeld")
    #expect(model.dialect == .magicalrecord)
    #expect(try model.identity(of: "MappedEntity") == [])
    #expect(model.warnings.map(\.entity) == ["MappedEntity"])
    let owner = "SingleEntityRelatedToMappedEntityUsingMappedPrimaryKey"
    let mapped = try model.compiled("MappedEntity")
    let relationship = try model.relationship(owner, "mappedEntity")
    #expect(relationship.relatedBy.map { mapped.attributes[$0].name } == "testMappedEntityID")
    #expect(relationship.isOptional)
    #expect(try model.paths(owner, "mappedEntity") == ["someRandomAttributeName"])
    let plain = "SingleEntityWithNoRelationships"
    #expect(try model.attribute(plain, "nullTestAttribute").defaultValue == .integer(100))
    #expect(try model.attribute(plain, "colorTestAttribute").transformer == .hexColor)
    #expect(try model.attribute(plain, "unixTime13TestAttribute").dateFormat == .unixMilliseconds)
  }

  @Test func `ZDS's model`() throws {
    let model = try PeerModels.model("zds/FJImporter.xcdatamodeld")
    #expect(model.dialect == .zds)
    #expect(try model.paths("Tweet", "createdAt") == ["created_at"])
    #expect(try model.paths("Tweet", "identifier") == ["id_str"])
    #expect(try model.paths("Tweet", "author") == ["user"])
    #expect(try model.paths("Tweet", "text") == ["text"])
    #expect(try model.relationship("Tweet", "author").inverse == 1)
    #expect(try model.relationship("User", "tweets").deleteRule == .cascade)
    #expect(model.warnings.isEmpty)
  }
}
