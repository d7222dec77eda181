// An object without identity can only be told by where it stands. When the whole graph is written,
// it stands inside an object that leads to it, once, and in its entity's array only if none does.
//
// Objects without identity that lead to one another stand all inside the first of them, since
// nothing else could tell that they belong together. Objects with an identity lead to them in
// lists, and a list is written whole or not at all: a part of it would say that the rest is gone.
// What a list does not say, because its members stand elsewhere already, they say themselves by
// the inverse.

/// Where objects without identity stand when the whole graph is written.
struct AnonymousCover {
  /// A relationship of an object.
  struct Link: Hashable {
    var owner: ObjectID
    var relationship: Int32
  }

  /// Those that stand in their entities' arrays.
  private(set) var outermost: ObjectSet
  /// The relationships of objects with an identity whose members stand elsewhere.
  private(set) var declined: Set<Link> = []
  private var reached: ObjectSet
  private let plan: ExportPlan
  private let graph: Graph

  /// Finds them.
  ///
  /// - Complexity: O(*n*) in the number of objects and links; a bit or two for each object, and
  ///   some bytes for each list that is not written.
  init(plan: ExportPlan, graph: Graph) {
    self.plan = plan
    self.graph = graph
    let count = plan.schema.entities.count
    outermost = ObjectSet(entityCount: count)
    reached = ObjectSet(entityCount: count)
    let anonymous = (0..<count).filter { entity in
      graph.liveCount(entity) > 0 && plan.entities[entity].mayBeAnonymous
    }
    guard !anonymous.isEmpty else { return }
    var carried = ObjectSet(entityCount: count)
    for entity in 0..<count {
      let links = links(of: entity)
      guard !links.isEmpty else { continue }
      for id in graph.rows(entity) {
        let isNamed = !isAnonymous(id)
        for link in links where link.export.carries {
          let targets = anonymousTargets(of: id, link.number)
          if isNamed { enter(targets, from: id, link) }
          for target in targets where target != id { _ = carried.insert(target) }
        }
      }
    }
    for isCircle in [false, true] {
      for entity in anonymous {
        for id in graph.rows(entity) where isAnonymous(id) && !reached.contains(id) {
          guard isCircle || !carried.contains(id) else { continue }
          _ = outermost.insert(id)
          follow(id)
        }
      }
    }
  }

  /// Whether an object cannot be named.
  func isAnonymous(_ id: ObjectID) -> Bool { plan.isAnonymous(id, in: graph) }

  /// Takes the members of a list into it, unless some stand elsewhere.
  private mutating func enter(
    _ targets: [ObjectID], from owner: ObjectID, _ link: (number: Int, export: RelationshipExport)
  ) {
    if link.export.isAnswered, targets.contains(where: { reached.contains($0) }) {
      declined.insert(Link(owner: owner, relationship: Int32(link.number)))
    } else {
      for target in targets { follow(target) }
    }
  }

  /// Marks an object without identity, and all such objects that it leads to.
  private mutating func follow(_ id: ObjectID) {
    guard reached.insert(id) else { return }
    var waiting = [id]
    while let id = waiting.popLast() {
      for link in links(of: id.entity) {
        for target in anonymousTargets(of: id, link.number) where reached.insert(target) {
          waiting.append(target)
        }
      }
    }
  }

  /// The relationships of an entity that may lead to objects without identity.
  private func links(of entity: Int) -> [(number: Int, export: RelationshipExport)] {
    plan.entities[entity].steps.indices.compactMap { index in
      let step = plan.steps[index]
      guard step.isRelationship, step.slot == 0 else { return nil }
      let export = plan.relationships[Int(step.detail)]
      return export.mayLeadToAnonymous ? (Int(step.number), export) : nil
    }
  }

  private func anonymousTargets(of id: ObjectID, _ number: Int) -> [ObjectID] {
    let relationship = plan.schema.entities[id.entity].relationships[number]
    guard relationship.isToMany else {
      let target = graph.toOne(id, relationship: number)
      return target.map { isAnonymous($0) ? [$0] : [] } ?? []
    }
    return graph.withToMany(id, relationship: number) { $0.filter { isAnonymous($0) } }
  }
}

extension ExportPlan {
  /// Whether an object cannot be named.
  func isAnonymous(_ id: ObjectID, in graph: Graph) -> Bool {
    guard entities[id.entity].mayBeAnonymous else { return false }
    return !entities[id.entity].hasIdentity
      || schema.entities[id.entity].identity.contains { graph.value(id, attribute: $0).isNull }
  }
}
