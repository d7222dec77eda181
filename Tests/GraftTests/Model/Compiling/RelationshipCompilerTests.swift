import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct RelationshipCompilerTests {
  func errorText(_ relationship: RelationshipDescription) -> String {
    errors([EntityDescription(name: "Hero", relationships: [relationship])])
  }

  @Test(
    arguments: [
      (true, 0, 0, nil), (true, 2, 0, nil), (true, 2, 2, nil), (false, 1, 1, nil),
      (true, 3, 2, "the minimum count 3 is above the maximum count 2"),
      (true, -1, 0, "a count is negative"), (false, 0, 2, "has at most one member"),
    ] as [(Bool, Int, Int, String?)])
  func `counts are in order and fit the kind of relationship`(
    isToMany: Bool, least: Int, most: Int, fault: String?
  ) {
    let text = errorText(
      RelationshipDescription(
        name: "r", destination: "Hero", isToMany: isToMany, minimumCount: least,
        maximumCount: most))
    #expect(text.isEmpty == (fault == nil), "\(text)")
    if let fault { #expect(text.contains(fault), "\(text)") }
  }

  @Test func `a destination must be an entity of the model`() {
    #expect(
      errorText(.make("r", to: "Heroe"))
        == "Hero.r: unknown destination \"Heroe\", did you mean \"Hero\"?")
    #expect(errorText(.make("r", to: "")).contains("has no destination"))
  }

  @Test func `only a relationship to many keeps its counts and order`() throws {
    let many = RelationshipDescription(
      name: "many", destination: "Hero", isToMany: true, isOrdered: true, minimumCount: 2,
      maximumCount: 5, deleteRule: .cascade)
    let one = RelationshipDescription(
      name: "one", destination: "Hero", isOrdered: true, isOptional: false)
    let model = try GraphModel(
      entities: [EntityDescription(name: "Hero", relationships: [many, one])])
    let compiled = try model.compiled("Hero").relationships
    #expect(compiled.map(\.isOrdered) == [true, false])
    #expect(compiled.map(\.minimumCount) == [2, 1])
    #expect(compiled.map(\.maximumCount) == [5, 1])
    #expect(compiled.map(\.deleteRule) == [.cascade, .nullify])
  }

  @Test func `an order and wildcards of a relationship to one are warned of`() throws {
    let model = try GraphModel(entities: [
      EntityDescription(
        name: "E",
        relationships: [
          RelationshipDescription(name: "a", destination: "E", isOrdered: true),
          .make("b", to: "E", ["JSONKeyPath": "bs[*]"]),
          .make("rest", to: "E", ["JSONKeyPath": "bs[1:]"]),
          .make("c", to: "E", many: true, ["JSONKeyPath": "cs[*]"]),
        ])
    ])
    #expect(model.warnings.map(\.property) == ["a", "b", "rest"])
    #expect(model.warningText.contains("E.a: an order has no effect on a relationship to one"))
    #expect(model.warningText.contains("E.b: the path \"bs[*]\" has a wildcard"))
    #expect(model.warningText.contains("E.rest: the path \"bs[1:]\" has a wildcard"))
  }

  @Test(arguments: ["@key", "@index", "@value", "a.@key"])
  func `a relationship to many is not found at a single value`(path: String) {
    let text = errors([
      EntityDescription(
        name: "E", relationships: [.make("r", to: "E", many: true, ["JSONKeyPath": path])])
    ])
    #expect(text.hasPrefix("E.r: \"@key\", \"@index\" and \"@value\" are single values"))
  }
}
