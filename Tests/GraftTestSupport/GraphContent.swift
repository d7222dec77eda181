import Foundation

@testable import Graft

extension Graph {
  /// The objects with their values and what they lead to, and how many there are of each: what does
  /// not depend on the order in which objects were inserted.
  func content(depth: Int) throws -> [String: Int] {
    var result: [String: Int] = [:]
    var known: [ObjectID: [Int: String]] = [:]
    for entity in schema.entities where entity.superentity == nil {
      for object in try objects(entity.name) {
        result[Self.describe(object, depth, &known), default: 0] += 1
      }
    }
    return result
  }

  /// An object as text; `known` holds the texts made so far, by object and depth.
  private static func describe(
    _ object: GraphObject, _ depth: Int, _ known: inout [ObjectID: [Int: String]]
  ) -> String {
    if let result = known[object.id]?[depth] { return result }
    let entity = object.schema
    var parts = entity.attributes.map { "\($0.name)=\(text(of: object[$0.name]))" }
    parts.append("stub=\(object.isStub)")
    for relationship in entity.relationships where depth > 0 {
      let targets =
        relationship.isToMany
        ? object.objects(relationship.name)
        : object.object(relationship.name).map { [$0] } ?? []
      let texts = targets.map { describe($0, depth - 1, &known) }
      let list = relationship.isOrdered ? texts : texts.sorted()
      parts.append("\(relationship.name)=[\(list.joined(separator: "; "))]")
    }
    let result = "\(entity.name) \(parts.joined(separator: ", "))"
    known[object.id, default: [:]][depth] = result
    return result
  }

  // Not by reflection, which is slow.
  private static func text(of value: AttributeValue?) -> String {
    switch value {
    case nil: "-"
    case .date(let date)?: "\(date.timeIntervalSinceReferenceDate)"
    case .binary(let data)?: data.base64EncodedString()
    case let value?: value.text
    }
  }
}
