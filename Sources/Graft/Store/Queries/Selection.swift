public import Foundation

/// The objects that a query finds in one snapshot.
///
/// It never changes. Each call narrows or orders what the call before it found:
///
/// ```swift
/// let tweets = store.graph.objects(Tweet.self)
/// let newest = tweets.where(\.language, equals: "en").ordered(by: \.postedAt, .reverse).prefix(10)
/// print(tweets.where(\.retweets, in: 1_000...).count)
/// ```
///
/// A condition on an attribute with an index comes first, in any order of the calls; the others are
/// checked for each object that it finds.
public struct Selection<Element: Sendable>: Sendable, Sequence {
  let query: SelectionQuery
  private let makeElement: @Sendable (ObjectID, Graph) -> Element

  init(
    _ query: SelectionQuery, _ makeElement: @escaping @Sendable (ObjectID, Graph) -> Element
  ) {
    self.query = query
    self.makeElement = makeElement
  }

  /// The number of objects; no handles are made for it.
  ///
  /// - Complexity: With an index O(log *n*) in the number of the entity's objects for each 32768 of
  ///   them; without, with several conditions, or where objects without a value are among them,
  ///   O(*n*).
  public var count: Int { query.count }

  /// Whether there are no objects.
  public var isEmpty: Bool { first == nil }

  /// The first object; nil if there is none.
  public var first: Element? { makeIterator().next() }

  /// Returns an iterator over the objects.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> AnyIterator<Element> {
    let rows = query.makeIterator()
    return AnyIterator { [graph = query.graph, makeElement] in
      rows.next().map { makeElement($0, graph) }
    }
  }

  func changing(_ change: (inout SelectionQuery) -> Void) -> Selection {
    var query = query
    change(&query)
    return Selection(query, makeElement)
  }
}

/// Objects of one snapshot that can be searched by their attributes: the ``Objects`` of an entity,
/// the ``RelatedObjects`` of a relationship, a ``Selection`` of either, and ``GraphObjects``.
///
/// Numbers and dates are compared by size, strings by their code points, decimals by all their
/// digits, and other values by their stored bytes; false comes before true. A NaN comes after all
/// numbers and is equal to itself. It is in no range, nor is an object without a value.
///
/// A condition leaves the objects in their order, with one exception: a range gives the objects of a
/// whole entity by value, the least first, and by insertion if values are equal.
///
/// Graft's own types conform to it; yours need not.
public protocol SelectableObjects: Sequence, Sendable where Element: Sendable {
  /// The objects as a selection that can be narrowed and ordered.
  var selection: Selection<Element> { get }
}

extension Selection: SelectableObjects {
  /// The selection itself.
  public var selection: Selection { self }
}

extension GraphObjects: SelectableObjects {
  /// The objects, by entity and insertion.
  public var selection: Selection<GraphObject> {
    Selection(SelectionQuery(graph: graph, entities: entities)) { GraphObject(id: $0, graph: $1) }
  }
}

extension Objects: SelectableObjects {
  /// The objects, by entity and insertion.
  public var selection: Selection<Object<E>> {
    Selection(SelectionQuery(graph: base.graph, entities: base.entities)) { [type] in
      Object($0, in: $1, as: type)
    }
  }
}

extension RelatedObjects: SelectableObjects {
  /// The objects, in the order of the relationship.
  public var selection: Selection<Object<E>> {
    Selection(SelectionQuery(graph: graph, membersOf: owner, relationship)) { [type] in
      Object($0, in: $1, as: type)
    }
  }
}

extension SelectableObjects where Element == GraphObject {
  /// Returns the objects whose attribute equals a value, in their present order.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The objects, found when they are asked for.
  /// - Throws: ``StoreError`` if the entity has no such attribute, or the value is not of its type.
  /// - Complexity: With an index O(log *n*) for each 32768 objects, when they are asked for;
  ///   without, or for nil, O(*n*).
  public func `where`(
    _ attribute: String, equals value: AttributeValue?
  ) throws(StoreError) -> Selection<GraphObject> {
    let selection = selection
    var plan = try selection.query.plan(attribute)
    if let value {
      plan.values = .within(ValueBounds(only: try selection.query.search(value, plan)))
    } else {
      plan.includesMissing = true
    }
    return selection.changing { $0.add(plan) }
  }

  /// Returns the objects whose attribute is in a range.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - range: The range, such as `5...` or `"a"..<"b"`, in values of the attribute's type.
  /// - Returns: The objects, found when they are asked for.
  /// - Throws: ``StoreError`` if the entity has no such attribute, or the range is not of its type.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first object; without,
  ///   O(*n*), and the objects in the range are sorted.
  public func `where`<Range: RangeExpression & Sendable>(
    _ attribute: String, in range: Range
  ) throws(StoreError) -> Selection<GraphObject> where Range.Bound: AttributeConvertible {
    let selection = selection
    let plan = try selection.query.plan(attribute)
    let codec = Range.Bound.attributeCodec
    if let ends = RangeEnds(range) {
      for end in [ends.lower, ends.upper] {
        if let end, let value = try? codec.encode(end) {
          _ = try selection.query.search(value, plan)
        }
      }
    }
    let condition = plan.within(range, decode: codec.decode, encode: codec.encode)
    return selection.changing { $0.add(condition) }
  }

  /// Returns the objects by the values of an attribute.
  ///
  /// Objects with the same value keep the order that they have, in reverse as well. Objects without
  /// a value come last, whichever the order.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - order: Whether the least value comes first, or the greatest.
  /// - Returns: The objects, sorted when they are asked for.
  /// - Throws: ``StoreError`` if the entity has no such attribute.
  /// - Complexity: With an index a look at each 32768 objects until the first, when it is asked
  ///   for; without, O(*n* log *n*).
  public func ordered(
    by attribute: String, _ order: SortOrder = .forward
  ) throws(StoreError) -> Selection<GraphObject> {
    let plan = try selection.query.plan(attribute)
    return selection.changing { $0.add(order: plan.ordered(order)) }
  }
}

extension SelectableObjects {
  /// Returns the objects whose attribute equals a value, in their present order.
  ///
  /// Values kept as JSON are decoded and compared by `==`.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects, when they are asked for;
  ///   without, for nil, or for values that are kept as JSON, O(*n*).
  public func `where`<E: Entity, Value: Equatable>(
    _ attribute: KeyPath<E, Attribute<Value>>, equals value: Value
  ) -> Selection<Element> where Element == Object<E> {
    let core = EntityType<E>.shared.prototype[keyPath: attribute].core
    return selection.changing { $0.add($0.plan(core.number).equal(to: value, core.codec)) }
  }

  /// Returns the objects whose attribute is in a range.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: The range, such as `5...` or `"a"..<"b"`.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first object; without,
  ///   O(*n*), and the objects in the range are sorted.
  public func `where`<E: Entity, Value: Comparable, Range: RangeExpression<Value> & Sendable>(
    _ attribute: KeyPath<E, Attribute<Value>>, in range: Range
  ) -> Selection<Element> where Element == Object<E> {
    let core = EntityType<E>.shared.prototype[keyPath: attribute].core
    return selection.changing {
      $0.add(
        $0.plan(core.number)
          .within(range, decode: core.codec.decode, encode: core.codec.encode))
    }
  }

  /// Returns the objects whose attribute, which may lack a value, is in a range.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: The range, such as `5...` or `"a"..<"b"`.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first object; without,
  ///   O(*n*), and the objects in the range are sorted.
  public func `where`<E: Entity, Value: Comparable, Range: RangeExpression<Value> & Sendable>(
    _ attribute: KeyPath<E, Attribute<Value?>>, in range: Range
  ) -> Selection<Element> where Element == Object<E> {
    let core = EntityType<E>.shared.prototype[keyPath: attribute].core
    return selection.changing {
      $0.add(
        $0.plan(core.number)
          .within(range, decode: { core.codec.decode($0) ?? nil }, encode: core.codec.encode))
    }
  }

  /// Returns the objects by the values of an attribute.
  ///
  /// Objects with the same value keep the order that they have, in reverse as well. Objects without
  /// a value come last, whichever the order.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - order: Whether the least value comes first, or the greatest.
  /// - Returns: The objects, sorted when they are asked for.
  /// - Complexity: With an index a look at each 32768 objects until the first, when it is asked
  ///   for; without, O(*n* log *n*).
  public func ordered<E: Entity, Value>(
    by attribute: KeyPath<E, Attribute<Value>>, _ order: SortOrder = .forward
  ) -> Selection<Element> where Element == Object<E> {
    let number = EntityType<E>.shared.prototype[keyPath: attribute].core.number
    return selection.changing { $0.add(order: $0.plan(number).ordered(order)) }
  }
}

extension GraphObject {
  /// Returns the objects that a to-many relationship leads to, to be narrowed and ordered.
  ///
  /// ```swift
  /// let popular = try user.selection(of: "tweets").where("retweets", in: 1_000...).ordered(by: "postedAt")
  /// ```
  ///
  /// - Parameter relationship: The relationship's name.
  /// - Returns: The objects, in the order of ``objects(_:)``; none is looked up before the first is asked for.
  /// - Precondition: The entity has the relationship, and it is to-many.
  /// - Complexity: O(1).
  public func selection(of relationship: String) -> Selection<GraphObject> {
    let number = numberOf(relationship, isToMany: true)
    return Selection(SelectionQuery(graph: graph, membersOf: id, number)) {
      GraphObject(id: $0, graph: $1)
    }
  }
}
