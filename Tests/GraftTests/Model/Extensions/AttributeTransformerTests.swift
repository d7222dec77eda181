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
