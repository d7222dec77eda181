import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A policy` {
  @Test func `is settled by the nearest level that answers`() throws {
    func policies(property: NullPolicy?, options: NullPolicy?) throws -> SettledPolicies {
      let model = try GraphModel(entities: [
        EntityDescription(
          name: "E",
          attributes: [
            AttributeDescription(name: "a", type: .string, policies: Policies(onNull: property))
          ])
      ])
      return model.schema.policies(
        of: try model.attribute("E", "a").policies, options: Policies(onNull: options))
    }
    #expect(try policies(property: .keep, options: .default).onNull == .keep)
    #expect(try policies(property: nil, options: .default).onNull == .default)
    #expect(try policies(property: nil, options: nil).onNull == .clear)
  }

  @Test func `of each level is that of the next where it is nil`() {
    let near = Policies(onNull: .keep, reference: .ignore, wrapsSingleObjects: false)
    let far = Policies(
      onNull: .error, onAbsent: .clear, collection: .union, removed: .delete, reference: .defer,
      export: .omit, missingIdentity: .skip, wrapsSingleObjects: true)
    #expect(near.over(Policies()) == near)
    #expect(Policies().over(far) == far)
    #expect(
      near.over(far)
        == Policies(
          onNull: .keep, onAbsent: .clear, collection: .union, removed: .delete,
          reference: .ignore, export: .omit, missingIdentity: .skip, wrapsSingleObjects: false))
  }

  /// A policy that is read from an annotation is written back as the same annotation, for each
  /// owner and value.
  @Test(arguments: PolicyAnnotation.all.map(\.name))
  func `is read from its annotation and written back`(_ name: String) throws {
    let policy = try #require(PolicyAnnotation.all.first { $0.name == name })
    for owner in [AnnotationOwner.entity, .attribute, .relationship] {
      for value in policy.values(on: owner) {
        let log = IssueLog()
        let reader = AnnotationReader(
          EntityDescription(name: "E", userInfo: [name: value]), log: log)
        let policies = reader.policies(on: owner)
        #expect(policy.value(in: policies) == value)
        #expect(log.errors.isEmpty && log.warnings.isEmpty)
      }
    }
  }

  @Test func `that is given as a value is held to the same rules as an annotation`() throws {
    let entity = EntityDescription(
      name: "E",
      relationships: [
        RelationshipDescription(
          name: "r", destination: "E", policies: Policies(onNull: .default))
      ])
    #expect(errors([entity]) == "E.r: JSONNull is \"default\", expected clear, keep or error")
    let model = try GraphModel(entities: [
      EntityDescription(
        name: "E",
        attributes: [
          AttributeDescription(name: "a", type: .string, policies: Policies(collection: .union))
        ],
        relationships: [
          RelationshipDescription(
            name: "r", destination: "E", policies: Policies(collection: .union))
        ])
    ])
    #expect(
      model.warnings.map(\.description) == [
        "E.a: JSONCollection has no effect on an attribute; remove it",
        "E.r: JSONCollection has no effect on a relationship to one; remove it",
      ])
  }
}
