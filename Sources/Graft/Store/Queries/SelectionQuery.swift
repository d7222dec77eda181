import Foundation

/// The search of a selection: objects of some entities or of a relationship, conditions, and an
/// order.
///
/// One condition, one order, or both on the same attribute, are a search in one column, which an
/// index answers. Of several conditions, the one whose index finds the fewest objects is searched,
/// and the others are checked for each object. If no index helps, the index of a sole order is
/// walked, so that the first objects do not wait for a sort.
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
    if case .entities = base, conditions.isEmpty, orders.isEmpty,
      condition.arrangement != .byInsertion
    {
      orders.append(plan(condition.attribute).ordered(.forward))
    }
    var condition = condition
    condition.arrangement = .byInsertion
    conditions.append(condition)
  }

  /// Orders the objects by a plan.
  mutating func add(order: SelectionPlan) { orders.append(order) }

  /// The number of objects.
  var count: Int {
    expectRead()
    if let plan = soleCondition { return plan.count }
    if conditions.isEmpty {
      switch base {
      case .entities: return entities.reduce(0) { $0 + graph.liveCount($1) }
      case .members(let owner, let relationship):
        return graph.memberCount(owner, relationship: relationship)
      }
    }
    var objects = unordered
    var count = 0
    while objects.next() != nil { count += 1 }
    return count
  }

  func makeIterator() -> Iterator {
    expectRead()
    if let plan = solePlan { return Iterator(SelectionRows(plan), []) }
    guard let order = orders.last else { return unordered }
    if case .entities = base, orders.count == 1, order.isIndexed, indexed == nil {
      return Iterator(SelectionRows(order), conditions)
    }
    var objects: [ObjectID] = []
    var iterator = unordered
    while let object = iterator.next() { objects.append(object) }
    return Iterator(orders.reduce(objects) { $1.sorted($0) }, [])
  }

  /// Stops the program if the compared values were not read: a search in a column would skip them.
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

  /// The search in a column, if the query consists of one search; nil otherwise.
  private var solePlan: SelectionPlan? {
    guard case .entities = base, conditions.count <= 1, orders.count <= 1 else { return nil }
    guard var plan = conditions.first else { return orders.first }
    guard let order = orders.first else { return plan }
    guard order.attribute == plan.attribute else { return nil }
    plan.arrangement = order.arrangement
    return plan
  }

  private var soleCondition: SelectionPlan? {
    guard case .entities = base, conditions.count == 1 else { return nil }
    return conditions[0]
  }

  /// The position of the condition whose index finds the fewest objects; nil if none has an index.
  private var indexed: Int? {
    let usable = conditions.indices.filter { conditions[$0].usesIndex }
    guard usable.count > 1 else { return usable.first }
    return usable.min { conditions[$0].count < conditions[$1].count }
  }

  /// The objects that meet the conditions, before the query's orders are applied.
  private var unordered: Iterator {
    if case .members(let owner, let relationship) = base {
      let members = graph.members(of: owner, relationship)
      return Iterator(members, conditions)
    }
    guard let first = indexed ?? conditions.indices.first else {
      return Iterator(RowSequence(graph: graph, entities: entities))
    }
    var others = conditions
    let plan = others.remove(at: first)
    return Iterator(SelectionRows(plan), others)
  }
}

extension SelectionQuery {
  /// The objects of a query in its order.
  struct Iterator {
    // The result of a search, all objects of some entities, or a list; only one of the three is set.
    private var found: SelectionRows?
    private var all: RowSequence?
    private var list: ArraySlice<ObjectID> = []
    private let conditions: [SelectionPlan]

    fileprivate init(_ found: SelectionRows, _ conditions: [SelectionPlan]) {
      self.found = found
      self.conditions = conditions
    }

    fileprivate init(_ all: RowSequence) {
      self.all = all
      conditions = []
    }

    fileprivate init(_ list: [ObjectID], _ conditions: [SelectionPlan]) {
      self.list = list[...]
      self.conditions = conditions
    }

    mutating func next() -> ObjectID? {
      while let object = found?.next() ?? all?.next() ?? list.popFirst() {
        if conditions.allSatisfy({ $0.isMet(by: object) }) { return object }
      }
      return nil
    }
  }
}

extension SelectionPlan {
  /// Whether an index finds the objects; those without a value are found by a look at each row.
  fileprivate var usesIndex: Bool {
    guard isIndexed, !includesMissing, case .within = values else { return false }
    return true
  }

  /// Returns whether an object has a wanted value.
  fileprivate func isMet(by object: ObjectID) -> Bool {
    let value = graph.value(object, attribute: attribute)
    guard !value.isNull else { return includesMissing }
    return switch values {
    case .none: false
    case .within(let bounds): bounds.contains(ValueOrder(type).key(of: value), value)
    case .satisfying(let isWanted): isWanted(value)
    }
  }

  /// Returns objects sorted by their values; objects with equal values keep their order.
  fileprivate func sorted(_ objects: [ObjectID]) -> [ObjectID] {
    let order = ValueOrder(type)
    let isReversed = arrangement == .descending
    let values = objects.map { graph.value($0, attribute: attribute) }
    let keys = values.map { $0.isNull ? 0 : order.key(of: $0) }
    let positions = objects.indices.sorted { first, second in
      if values[first].isNull || values[second].isNull {
        if values[first].isNull != values[second].isNull { return values[second].isNull }
        return first < second
      }
      if keys[first] != keys[second] { return (keys[first] < keys[second]) != isReversed }
      let comparison = order.compare(values[first], values[second])
      if comparison != 0 { return (comparison < 0) != isReversed }
      return first < second
    }
    return positions.map { objects[$0] }
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
    if let value = SearchValue(value, in: plan.type) { return value }
    throw entity.wrongType(value, attribute: plan.attribute)
  }

  /// The entity above the others.
  private var entity: EntitySchema {
    let schema = graph.schema.entities
    let top = entities.first { !entities.contains(schema[$0].superentity ?? -1) }
    return schema[top ?? entities[0]]
  }
}
