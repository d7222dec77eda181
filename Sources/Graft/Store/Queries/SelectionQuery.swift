import Foundation

/// The search of a selection: objects of some entities or of a relationship, conditions, and
/// orders.
///
/// Of several conditions, the one whose index finds the fewest objects is searched, and the others
/// are checked for each object. Unless another index is searched, a sole order by an attribute with
/// an index is read from that index, so that the first objects do not wait for a sort.
struct SelectionQuery: Sendable {
  private enum Base {
    case entities
    case members(of: ObjectID, relationship: Int)
  }

  let graph: Graph
  /// The entities whose objects are searched.
  let entities: [Int]
  private let base: Base
  private var conditions: [SelectionPlan] = []
  /// The orders of the objects; a later one takes precedence over an earlier one.
  private var orders: [SelectionPlan] = []

  /// Looks for all objects of some entities.
  init(graph: Graph, entities: [Int]) {
    self.graph = graph
    self.entities = entities
    base = .entities
  }

  /// Looks for the objects that a to-many relationship leads to.
  init(graph: Graph, membersOf owner: ObjectID, _ relationship: Int) {
    self.graph = graph
    let schema = graph.schema
    let destination = schema.entities[owner.entity].relationships[relationship].destination
    entities = schema.entities[destination].family
    base = .members(of: owner, relationship: relationship)
  }

  /// Returns the plan of a search by an attribute, before its conditions and order are added.
  func plan(_ attribute: Int) -> SelectionPlan {
    SelectionPlan(graph: graph, entities: entities, attribute: attribute)
  }

  /// Limits the query to objects that a plan finds.
  ///
  /// All objects of an entity come in the order of the plan then, others keep theirs.
  mutating func add(_ condition: SelectionPlan) {
    if case .entities = base, conditions.isEmpty, orders.isEmpty, condition.order != nil {
      orders.append(condition)
    }
    conditions.append(condition)
  }

  /// Orders the objects by a plan.
  mutating func add(order: SelectionPlan) { orders.append(order) }

  /// The number of objects.
  var count: Int {
    expectRead()
    if conditions.isEmpty {
      switch base {
      case .entities: return entities.reduce(0) { $0 + graph.liveCount($1) }
      case .members(let owner, let relationship):
        return graph.memberCount(owner, relationship: relationship)
      }
    }
    let search = bestSearch
    if conditions.count == 1, let search { return search.runs.objectCount }
    return unordered(search).reduce(0) { count, _ in count + 1 }
  }

  func makeIterator() -> AnyIterator<ObjectID> {
    expectRead()
    let search = bestSearch
    guard let order = orders.last, !conditions.contains(where: \.isNeverMet) else {
      return unordered(search)
    }
    if case .entities = base, orders.count == 1, order.isIndexed {
      guard let search else { return walk(order) }
      if conditions[search.condition].attribute == order.attribute { return walk(order, search) }
    }
    return AnyIterator(orders.reduce(Array(unordered(search))) { $1.sorted($0) }.makeIterator())
  }

  /// Stops the program if the compared values were not read: an index would skip them.
  private func expectRead() {
    guard case .entities = base else { return }
    for plan in conditions + orders { graph.expectRead(plan.attribute, ofAll: entities) }
  }

  /// Returns the part that must be read for an attribute of the objects; nil if it was read.
  private func unreadPart(_ attribute: Int) -> UnreadPart? {
    guard case .members(let owner, let relationship) = base else {
      return graph.unreadPart(attribute, ofAll: entities)
    }
    return graph.unreadPart(owner, relationship: relationship)
      ?? graph.members(of: owner, relationship).lazy
      .compactMap { graph.unreadPart($0, attribute: attribute) }.first
  }

  /// A condition that is searched by its index, and what the index finds.
  private typealias Search = (condition: Int, runs: IndexRuns)

  /// The search that finds the fewest objects; nil if no condition has an index.
  private var bestSearch: Search? {
    guard case .entities = base else { return nil }
    let searches = conditions.indices.compactMap { position -> Search? in
      conditions[position].indexedBounds.map { (position, IndexRuns(conditions[position], $0)) }
    }
    guard searches.count > 1 else { return searches.first }
    return searches.min { $0.runs.objectCount < $1.runs.objectCount }
  }

  /// Returns the objects that meet the conditions, before the query's orders are applied.
  ///
  /// - Parameter search: The search of a condition by its index.
  /// - Returns: The objects.
  private func unordered(_ search: Search?) -> AnyIterator<ObjectID> {
    if conditions.contains(where: \.isNeverMet) { return AnyIterator { nil } }
    switch base {
    case .members(let owner, let relationship):
      return filter(AnyIterator(graph.members(of: owner, relationship).makeIterator()))
    case .entities:
      guard let search else {
        return filter(AnyIterator(RowSequence(graph: graph, entities: entities)))
      }
      let objects = search.runs.lazy.flatMap(\.objects)
      return filter(AnyIterator(objects.makeIterator()), meeting: search.condition)
    }
  }

  /// Returns the objects that meet the conditions, by value as an index has them.
  ///
  /// - Parameters:
  ///   - order: The order; its attribute has an index.
  ///   - search: A search by the same index. Without one, objects without a value come last.
  /// - Returns: The objects.
  private func walk(_ order: SelectionPlan, _ search: Search? = nil) -> AnyIterator<ObjectID> {
    var merge = RunMerge(
      search?.runs ?? IndexRuns(order, .everything), isReversed: order.order == .reverse)
    var rows = search == nil ? RowSequence(graph: graph, entities: entities) : nil
    let objects = AnyIterator { [graph] in
      if let object = merge.next() { return object }
      while let object = rows?.next() {
        if graph.value(object, attribute: order.attribute).isNull { return object }
      }
      return nil
    }
    return filter(objects, meeting: search?.condition)
  }

  /// Returns the objects that meet the conditions.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - condition: The position of a condition that they are known to meet.
  /// - Returns: Those of them.
  private func filter(
    _ objects: AnyIterator<ObjectID>, meeting condition: Int? = nil
  ) -> AnyIterator<ObjectID> {
    let tests = conditions.indices.filter { $0 != condition }.map { conditions[$0].isMet }
    guard !tests.isEmpty else { return objects }
    return AnyIterator {
      while let object = objects.next() {
        if tests.allSatisfy({ $0(object) }) { return object }
      }
      return nil
    }
  }
}

// Conditions by name.
extension SelectionQuery {
  /// Returns the plan of a search by an attribute.
  ///
  /// - Throws: ``StoreError`` if the entity has no such attribute, or it was not read of an object.
  func plan(_ attribute: String) throws(StoreError) -> SelectionPlan {
    let entity = entity
    guard let number = entity.attributeNumber(named: attribute) else {
      throw entity.unknownAttribute(attribute)
    }
    if graph.isPartial, let part = unreadPart(number) { throw graph.error(for: part) }
    return plan(number)
  }

  /// Returns a value in the form in which it is searched.
  ///
  /// - Throws: ``StoreError`` if the value is not of the attribute's type.
  func search(
    _ value: AttributeValue, _ plan: SelectionPlan
  ) throws(StoreError) -> SearchValue {
    let normal = entity.attributes[plan.attribute].normalized(value)
    if let value = SearchValue(normal, in: plan.type) { return value }
    throw entity.wrongType(value, attribute: plan.attribute)
  }

  /// The entity above the others.
  private var entity: EntitySchema {
    let schema = graph.schema.entities
    let top = entities.first { !entities.contains(schema[$0].superentity ?? -1) }
    return schema[top ?? entities[0]]
  }
}
