@testable import Graft

extension Graph {
  /// The objects with their values and what they lead to, and how many there are of each: what does
  /// not depend on the order in which objects were inserted.
  func content(depth: Int) throws -> [String: Int] {
    var result: [String: Int] = [:]
    for entity in schema.entities where entity.superentity == nil {
      for object in try objects(entity.name) {
        result[Self.describe(object, depth: depth), default: 0] += 1
      }
    }
    return result
  }

  private static func describe(_ object: GraphObject, depth: Int) -> String {
    let entity = object.schema
    var parts = entity.attributes.map { "\($0.name)=\(String(describing: object[$0.name]))" }
    parts.append("stub=\(object.isStub)")
    for relationship in entity.relationships where depth > 0 {
      let targets =
        relationship.isToMany
        ? object.objects(relationship.name)
        : object.object(relationship.name).map { [$0] } ?? []
      let texts = targets.map { describe($0, depth: depth - 1) }
      parts.append("\(relationship.name)=\(relationship.isOrdered ? texts : texts.sorted())")
    }
    return entity.name + parts.description
  }
}
