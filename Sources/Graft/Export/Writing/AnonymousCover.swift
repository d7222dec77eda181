// An object without identity can only be told by where it stands. When the whole graph is written it
// stands inside the object whose relationship carries it, and in its entity's array only if nothing
// carries it. Where such objects carry one another in a circle, the first of them stands in the array.

/// Which objects without identity stand in their entities' arrays when the whole graph is written.
struct AnonymousCover {
  /// Those that do.
  private(set) var outermost: ObjectSet
  private var reached: ObjectSet
  private let plan: ExportPlan
  private let graph: Graph
  /// The numbers of the relationships that carry objects, by entity.
  private let carriers: [[Int]]

  /// Finds them.
  ///
  /// - Complexity: O(*n*) in the number of objects and links; a bit or two for each object.
  init(plan: ExportPlan, graph: Graph) {
    self.plan = plan
    self.graph = graph
    let count = plan.schema.entities.count
    outermost = ObjectSet(entityCount: count)
    reached = ObjectSet(entityCount: count)
    carriers = (0..<count).map { entity in
      plan.entities[entity].steps.indices.compactMap { index in
        let step = plan.steps[index]
        guard step.isRelationship, step.slot == 0 else { return nil }
        return plan.relationships[Int(step.detail)].carries ? Int(step.number) : nil
      }
    }
    let anonymous = (0..<count).filter { entity in
      graph.liveCount(entity) > 0 && plan.entities[entity].mayBeAnonymous
    }
    guard !anonymous.isEmpty else { return }
    var carried = ObjectSet(entityCount: count)
    for entity in 0..<count where !carriers[entity].isEmpty {
      for id in graph.rows(entity) {
        forEachCarried(by: id) { if $0 != id { _ = carried.insert($0) } }
      }
    }
    for entity in 0..<count where !carriers[entity].isEmpty {
      for id in graph.rows(entity) where !isAnonymous(id) { follow(id) }
    }
    for entity in anonymous {
      for id in graph.rows(entity) where isAnonymous(id) && !carried.contains(id) { place(id) }
    }
    for entity in anonymous {
      for id in graph.rows(entity) where isAnonymous(id) && !reached.contains(id) { place(id) }
    }
  }

  /// Whether an object cannot be named.
  func isAnonymous(_ id: ObjectID) -> Bool {
    let entity = plan.entities + id.entity
    guard entity.pointee.mayBeAnonymous else { return false }
    guard entity.pointee.hasIdentity else { return true }
    return plan.schema.entities[id.entity].identity.contains {
      graph.value(id, attribute: $0).isNull
    }
  }

  private mutating func place(_ id: ObjectID) {
    _ = outermost.insert(id)
    _ = reached.insert(id)
    follow(id)
  }

  /// Marks all that an object carries, and what that carries in turn.
  private mutating func follow(_ id: ObjectID) {
    var waiting = [id]
    while let id = waiting.popLast() {
      var found: [ObjectID] = []
      forEachCarried(by: id) { found.append($0) }
      for target in found where reached.insert(target) { waiting.append(target) }
    }
  }

  /// Calls `body` with the objects without identity that stand inside an object.
  private func forEachCarried(by id: ObjectID, _ body: (ObjectID) -> Void) {
    let entity = plan.schema.entities[id.entity]
    for number in carriers[id.entity] {
      if entity.relationships[number].isToMany {
        graph.withToMany(id, relationship: number) { members in
          for member in members where isAnonymous(member) { body(member) }
        }
      } else if let target = graph.toOne(id, relationship: number), isAnonymous(target) {
        body(target)
      }
    }
  }
}
