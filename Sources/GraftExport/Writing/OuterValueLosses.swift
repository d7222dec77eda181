// Finds the values that an import reads from the enclosing objects of an object that is being
// written (`@parent`).

import Graft

extension ObjectWriter {
  /// Notes the values that an import would find differently around an object; for a reference, the values that it
  /// would find and the object does not have.
  @inline(never)
  mutating func noteOuterLosses(_ id: ObjectID, isReference: Bool) {
    for outer in plan.outerValues[id.entity].outer {
      guard let owner = object(outer.object, of: id) else { continue }
      let found = outerText(outer)
      if text(of: outer, owner) != found, found != nil || !isReference && !outer.isWritten {
        note(outer.isWritten ? .shadowed : .noOwner, outer.property, of: owner)
      }
    }
  }

  /// Returns the text of a property's value; nil without a value.
  private func text(of outer: OuterStep, _ id: ObjectID) -> [UInt8]? {
    switch outer.property {
    case .attribute: return outer.step.flatMap { unquotedText(of: $0, id) }
    case .relationship(let number):
      guard let target = traversal.graph.toOne(id, relationship: number) else { return nil }
      // An object without a single identifying value is not found.
      return outer.step.map { unquotedText(of: $0, target) ?? [] } ?? []
    }
  }

  /// Returns the text that an import finds in enclosing objects at a property's paths.
  private mutating func outerText(_ outer: OuterStep) -> [UInt8]? {
    for source in outer.sources {
      switch source {
      case .constant(let text): return text
      case .outer(let place):
        if let text = text(at: place) { return text }
      }
    }
    return nil
  }

  /// Returns the text that is written at a place in an enclosing object.
  private mutating func text(at place: OuterPlace) -> [UInt8]? {
    var levels = place.levels
    var index = enclosing.count - 1
    while index > 0, let relationship = enclosing[index].relationship {
      let way = plan.places[relationship]
      guard levels > way.objects.count else {
        return text(at: place.path, inside: way.objects[levels - 1], way, ofObjectIn: index)
      }
      levels -= way.objects.count
      index -= 1
    }
    return nil
  }

  /// Returns the text that is written at a path in a JSON object on the way from an owner to one of
  /// its objects.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - count: The number of steps from the owner to the JSON object.
  ///   - way: The way.
  ///   - index: The index, among the open objects, of the object at the end of the way.
  /// - Returns: The value, as it is in a JSON string; nil if there is none.
  private mutating func text(
    at path: JSONPath, inside count: Int, _ way: RelationshipPlace, ofObjectIn index: Int
  ) -> [UInt8]? {
    let owner = enclosing[index - 1]
    if path.steps == [.key] {
      if count == 0 { return owner.key }
      switch way.steps[count - 1] {
      case .member(let name): return Array(JSONWriter.quoted(name).dropFirst().dropLast())
      case .eachMember: return enclosing[index].groupKey
      default: return nil
      }
    }
    if path.steps == [.index] {
      guard count == 0, case .element(let position) = owner.place, position >= 0 else { return nil }
      return Array("\(position)".utf8)
    }
    let inOwner = JSONPath(Array(way.steps.prefix(count)) + path.steps)
    guard let value = plan.outerValues[owner.id.entity].readInside[inOwner] else { return nil }
    return text(of: value, inObjectIn: index - 1)
  }

  private mutating func text(of value: OuterValue, inObjectIn index: Int) -> [UInt8]? {
    let owner = enclosing[index].id
    switch value {
    case .attribute(let step, let number):
      return object(number, of: owner).flatMap { unquotedText(of: step, $0) }
    case .constant(let text): return text
    case .identity(let relationship, let step):
      return traversal.graph.toOne(owner, relationship: relationship).flatMap {
        unquotedText(of: step, $0)
      }
    case .related(let relationship, let step, let isIdentity):
      let number = plan.relationships[relationship].number
      guard let target = traversal.graph.toOne(owner, relationship: number) else { return nil }
      switch traversal.form(of: target, relationship, isElement: false) {
      case .inFull: return unquotedText(of: step, target)
      case .reference(.object): return isIdentity ? unquotedText(of: step, target) : nil
      case .reference(.bare), .leftOut: return nil
      }
    case .hoisted(let number):
      return holder(ofHoisted: number, inObjectAt: index).flatMap {
        unquotedText(of: plan.hoisted[number].attribute, $0)
      }
    }
  }

  /// Returns the object whose value is hoisted into one of the open objects: the first object with
  /// a value that is written inside it.
  ///
  /// - Parameters:
  ///   - number: The number of the hoisted value in the plan.
  ///   - index: Its index among the open objects.
  /// - Returns: The object; nil if none has a value.
  mutating func holder(ofHoisted number: Int, inObjectAt index: Int) -> ObjectID? {
    if let known = enclosing[index].holders[number] { return known }
    let hoisted = plan.hoisted[number]
    let relationship = plan.outerValues[enclosing[index].id.entity].relationships.first {
      plan.relationships[$0].number == hoisted.relationship
    }
    var holder: ObjectID?
    if let relationship, let owner = object(hoisted.object, of: enclosing[index].id) {
      holder = targets(owner, hoisted.relationship).first { target in
        guard hasValue(target, hoisted.attribute.number),
          case .inFull = traversal.form(of: target, relationship, isElement: true)
        else { return false }
        return true
      }
    }
    enclosing[index].holders[number] = .some(holder)
    return holder
  }
}
