// An object without identity can be distinguished from others only by its place. When the whole
// graph is written, the object is nested once in an object that leads to it, and is an element of
// its entity's array only if no object leads to it. An object that reads values of enclosing
// objects (`@parent`) is nested too, even if it can be referred to elsewhere.
//
// Two rules follow. Objects without identity that lead to one another are all nested in the first
// of them, because only nesting shows that they belong together. A list of an object with an
// identity is written whole or not at all, because an import would take a part of it for the
// removal of the rest. If some members are already nested elsewhere, each member names its owner by
// the inverse instead.
//
// With owners A and B and notes without identity, where A.notes is [1, 2] and B.notes is [2, 3]: A is
// written with both of its notes. B's list is declined, as 2 is nested in A; so 3 is an element of
// the array of notes, and both 2 and 3 refer to B by the inverse.

import Graft

/// Finds the owners in which objects without identity are nested, when the whole graph is written.
struct AnonymousReachability {
  /// A relationship of an object.
  struct Link: Hashable {
    var owner: ObjectID
    var relationship: Int
  }

  /// The objects without identity that are elements of their entities' arrays.
  private(set) var outermost: ObjectSet
  /// The relationships of objects with an identity that are not written, because some of their
  /// members are nested elsewhere.
  private(set) var declined: Set<Link> = []
  /// The stubs that are not written, because an import makes them of the values that refer to them (`JSONRelatedBy`).
  private(set) var valueStubs: [ObjectID] = []
  /// The stubs to which no value refers any more, and which no import takes.
  private(set) var orphanedStubs: [ObjectID] = []
  private var reached: ObjectSet
  private let plan: ExportPlan
  private let graph: Graph
  /// The relationships that may lead to objects without identity, by entity.
  private let relationships: [[RelationshipStep]]

  /// Finds a place for each object.
  ///
  /// - Complexity: O(*n*) in the number of objects and links; a bit or two for each object, and
  ///   some bytes for each list that is not written.
  init(plan: ExportPlan, graph: Graph) {
    self.plan = plan
    self.graph = graph
    relationships = plan.entities.map { entity in
      entity.relationships.map { plan.relationships[$0] }.filter(\.mayLeadToAnonymous)
    }
    let count = plan.schema.entities.count
    outermost = ObjectSet(entityCount: count)
    reached = ObjectSet(entityCount: count)
    let anonymous = (0..<count).filter { entity in
      graph.liveCount(entity) > 0
        && (plan.entities[entity].mayBeAnonymous || plan.entities[entity].readsOuterValues)
    }
    guard !anonymous.isEmpty else { return }
    var nested = ObjectSet(entityCount: count)
    // Objects that share the JSON object of their owner come first: they are always written there.
    for entity in 0..<count where !plan.entities[entity].sharedObjects.isEmpty {
      for id in graph.rows(entity) where !graph.isIdentityOnly(id) {
        for target in sharedTargets(of: id) {
          _ = nested.insert(target)
          if !isNested(id) { reach(target) }
        }
      }
    }
    // Links without inverse are next: they can be written nowhere else.
    for isInverseWritten in [false, true] {
      for entity in 0..<count {
        let relationships = relationships[entity].filter {
          $0.nestsAnonymous && $0.isInverseWritten == isInverseWritten
        }
        guard !relationships.isEmpty else { continue }
        // A stub is written as its identity only, and nests nothing.
        for id in graph.rows(entity) where !graph.isIdentityOnly(id) {
          let isIdentified = !isNested(id)
          for relationship in relationships {
            let targets = nestedTargets(of: id, relationship)
            if isIdentified { nest(targets, in: id, relationship) }
            for target in targets where target != id { _ = nested.insert(target) }
          }
        }
      }
    }
    (valueStubs, orphanedStubs) = findStubs()
    for stub in valueStubs + orphanedStubs { _ = reached.insert(stub) }
    // Begin with the objects that no relationship could nest. The others left over are in declined
    // lists and circles.
    for includesAll in [false, true] {
      for entity in anonymous {
        for id in graph.rows(entity) where isNested(id) && !reached.contains(id) {
          guard includesAll || !nested.contains(id) else { continue }
          _ = outermost.insert(id)
          reach(id)
        }
      }
    }
  }

  /// Returns whether an object cannot be referred to.
  func isAnonymous(_ id: ObjectID) -> Bool { plan.isAnonymous(id, in: graph) }

  /// Returns whether an object is nested in another one if any leads to it.
  func isNested(_ id: ObjectID) -> Bool {
    plan.entities[id.entity].readsOuterValues && !graph.isIdentityOnly(id) || isAnonymous(id)
  }

  /// Finds the stubs without identity, and those among them that other objects refer to by a value.
  private func findStubs() -> (referred: [ObjectID], orphaned: [ObjectID]) {
    var referred = ObjectSet(entityCount: plan.schema.entities.count)
    for entity in relationships.indices {
      for relationship in relationships[entity] {
        guard let relatedBy = relationship.relatedBy else { continue }
        for id in graph.rows(entity) {
          for target in targets(of: id, relationship)
          where target != id && plan.refersByValue(to: target, relatedBy, in: graph) {
            _ = referred.insert(target)
          }
        }
      }
    }
    let stubs = plan.schema.entities.indices.filter { plan.entities[$0].mayBeAnonymous }
      .flatMap { graph.rows($0).filter { graph.isStub($0) && isAnonymous($0) } }
    return (stubs.filter(referred.contains), stubs.filter { !referred.contains($0) })
  }

  /// Nests the members of a list in its owner, unless some are nested elsewhere.
  private mutating func nest(
    _ targets: [ObjectID], in owner: ObjectID, _ relationship: RelationshipStep
  ) {
    if relationship.isInverseWritten,
      targets.contains(where: { reached.contains($0) && isAnonymous($0) })
    {
      declined.insert(Link(owner: owner, relationship: relationship.number))
    } else {
      for target in targets { reach(target) }
    }
  }

  /// Marks an object without identity, and all such objects that it leads to.
  private mutating func reach(_ id: ObjectID) {
    guard reached.insert(id) else { return }
    var waiting = [id]
    while let id = waiting.popLast() {
      for relationship in relationships[id.entity] {
        for target in nestedTargets(of: id, relationship) where reached.insert(target) {
          waiting.append(target)
        }
      }
      for target in sharedTargets(of: id) where reached.insert(target) { waiting.append(target) }
    }
  }

  /// Returns the objects without identity that share the JSON object of an object.
  func sharedTargets(of id: ObjectID) -> [ObjectID] {
    let shared = plan.entities[id.entity].sharedObjects
    guard !shared.isEmpty else { return [] }
    var objects: [ObjectID?] = [id]
    for object in shared {
      objects.append(
        objects[object.owner].flatMap { graph.toOne($0, relationship: object.relationship) })
    }
    return objects.dropFirst().compactMap(\.self).filter { $0 != id && isAnonymous($0) }
  }

  private func nestedTargets(of id: ObjectID, _ step: RelationshipStep) -> [ObjectID] {
    targets(of: id, step).filter { isNested($0, by: step) }
  }

  private func targets(of id: ObjectID, _ step: RelationshipStep) -> [ObjectID] {
    plan.schema.entities[id.entity].relationships[step.number].isToMany
      ? graph.withToMany(id, relationship: step.number) { Array($0) }
      : graph.toOne(id, relationship: step.number).map { [$0] } ?? []
  }

  private func isNested(_ id: ObjectID, by relationship: RelationshipStep) -> Bool {
    if let relatedBy = relationship.relatedBy, plan.refersByValue(to: id, relatedBy, in: graph) {
      return false
    }
    return isAnonymous(id) || relationship.canHoldReaders && isNested(id)
  }
}
