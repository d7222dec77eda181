public import Foundation

/// The objects that a query finds in one snapshot.
///
/// It never changes. It is lazy: nothing is looked up before the first object, or the number of
/// objects, is requested, and each request looks again.
///
/// ```swift
/// let tweets = store.graph.objects(Tweet.self)
/// for tweet in tweets.ordered(by: \.postedAt, .reverse).prefix(10) {
///   print(tweet.text)
/// }
/// print(tweets.where(\.retweets, in: 1_000...).count)
/// ```
public struct Selection<Element: Sendable>: Sendable, Sequence {
  private let plan: SelectionPlan
  private let makeElement: @Sendable (ObjectID, Graph) -> Element

  init(
    _ plan: SelectionPlan, _ makeElement: @escaping @Sendable (ObjectID, Graph) -> Element
  ) {
    self.plan = plan
    self.makeElement = makeElement
  }

  /// The number of objects; no handles are made for it.
  ///
  /// - Complexity: With an index O(log *n*) in the number of the entity's objects for each 32768 of
  ///   them; without, or where objects without a value are among them, O(*n*).
  public var count: Int { plan.count }

  /// Whether there are no objects.
  public var isEmpty: Bool { first == nil }

  /// The first object; nil if there is none.
  public var first: Element? {
    var iterator = makeIterator()
    return iterator.next()
  }

  /// Returns an iterator over the objects.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator {
    Iterator(rows: SelectionRows(plan), makeElement: makeElement)
  }

  /// An iterator over the objects that a query found.
  public struct Iterator: IteratorProtocol {
    private var rows: SelectionRows
    private let makeElement: @Sendable (ObjectID, Graph) -> Element

    init(
      rows: SelectionRows, makeElement: @escaping @Sendable (ObjectID, Graph) -> Element
    ) {
      self.rows = rows
      self.makeElement = makeElement
    }

    /// Advances to the next object.
    ///
    /// - Returns: The object; nil behind the last.
    public mutating func next() -> Element? {
      rows.next().map { makeElement($0, rows.plan.graph) }
    }
  }
}

extension GraphObjects {
  /// Returns the objects whose attribute has a value, by entity and insertion.
  ///
  /// Strings are equal if they have the same code points, numbers if they have the same size, and a
  /// NaN is equal to a NaN. JSON is compared by its text.
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
    var plan = try plan(attribute)
    if let value {
      plan.values = .within(ValueBounds(only: try search(value, plan)))
    } else {
      plan.includesMissing = true
    }
    return Selection(plan) { GraphObject(id: $0, graph: $1) }
  }

  /// Returns the objects whose attribute is in a range, the least value first and by insertion
  /// where values are the same.
  ///
  /// Numbers and dates are compared by size, strings by their code points, decimals by all their
  /// digits, anything else by its bytes. Objects without a value are in no range, nor is a NaN.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - range: The range, such as `5...` or `"a"..<"b"`, in values of the attribute's type.
  /// - Returns: The objects, found when they are asked for.
  /// - Throws: ``StoreError`` if the entity has no such attribute, or the range is not of its type.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first, when it is
  ///   asked for; without, O(*n*), and those in the range are sorted.
  public func `where`<Range: RangeExpression & Sendable>(
    _ attribute: String, in range: Range
  ) throws(StoreError) -> Selection<GraphObject> where Range.Bound: AttributeConvertible {
    let plan = try plan(attribute)
    let codec = Range.Bound.attributeCodec
    if let ends = RangeEnds(range) {
      for end in [ends.lower, ends.upper] {
        if let end, let value = try? codec.encode(end) { _ = try search(value, plan) }
      }
    }
    return Selection(plan.within(range, decode: codec.decode, encode: codec.encode)) {
      GraphObject(id: $0, graph: $1)
    }
  }

  /// Returns the objects by the values of an attribute.
  ///
  /// Objects with the same value keep the order of entity and insertion, in reverse as well.
  /// Objects without a value come last, whichever the order. Numbers and dates are compared by
  /// size, with a NaN behind them, strings by their code points, decimals by all their digits,
  /// false before true, anything else by its bytes.
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
    Selection(try plan(attribute).ordered(order)) { GraphObject(id: $0, graph: $1) }
  }

  private func plan(_ attribute: String) throws(StoreError) -> SelectionPlan {
    let entity = entity
    guard let number = entity.attributes.firstIndex(where: { $0.name == attribute }) else {
      throw entity.unknownAttribute(attribute)
    }
    return SelectionPlan(graph: graph, entities: entities, attribute: number)
  }

  /// A value in the form in which it is searched.
  private func search(
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

extension Objects {
  /// Returns the objects whose attribute has a value, by entity and insertion.
  ///
  /// Strings are equal if they have the same code points, numbers if they have the same size, and a
  /// NaN is equal to a NaN; values that are kept as JSON are decoded and compared by `==`.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects, when they are asked for;
  ///   without, for nil, or for values that are kept as JSON, O(*n*).
  public func `where`<Value: Equatable>(
    _ attribute: KeyPath<E, Attribute<Value>>, equals value: Value
  ) -> Selection<Object<E>> {
    let core = type.prototype[keyPath: attribute].core
    return select(core.number) { $0.equal(to: value, core.codec) }
  }

  /// Returns the objects whose attribute is in a range, the least value first and by insertion
  /// where values are the same.
  ///
  /// Numbers and dates are compared by size, strings by their code points, decimals by all their
  /// digits, anything else by the form in which it is kept. Objects without a value are in no
  /// range, nor is a NaN.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: The range, such as `5...` or `"a"..<"b"`.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first, when it is
  ///   asked for; without, O(*n*), and those in the range are sorted.
  public func `where`<Value: Comparable, Range: RangeExpression<Value> & Sendable>(
    _ attribute: KeyPath<E, Attribute<Value>>, in range: Range
  ) -> Selection<Object<E>> {
    let core = type.prototype[keyPath: attribute].core
    return select(core.number) {
      $0.within(range, decode: core.codec.decode, encode: core.codec.encode)
    }
  }

  /// Returns the objects whose attribute, which may lack a value, is in a range, the least value
  /// first and by insertion where values are the same.
  ///
  /// Numbers and dates are compared by size, strings by their code points, decimals by all their
  /// digits, anything else by the form in which it is kept. Objects without a value are in no
  /// range, nor is a NaN.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: The range, such as `5...` or `"a"..<"b"`.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first, when it is
  ///   asked for; without, O(*n*), and those in the range are sorted.
  public func `where`<Value: Comparable, Range: RangeExpression<Value> & Sendable>(
    _ attribute: KeyPath<E, Attribute<Value?>>, in range: Range
  ) -> Selection<Object<E>> {
    let core = type.prototype[keyPath: attribute].core
    return select(core.number) {
      $0.within(range, decode: { core.codec.decode($0) ?? nil }, encode: core.codec.encode)
    }
  }

  /// Returns the objects by the values of an attribute.
  ///
  /// Objects with the same value keep the order of entity and insertion, in reverse as well.
  /// Objects without a value come last, whichever the order. Numbers and dates are compared by
  /// size, with a NaN behind them, strings by their code points, decimals by all their digits,
  /// false before true, anything else by the form in which it is kept.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - order: Whether the least value comes first, or the greatest.
  /// - Returns: The objects, sorted when they are asked for.
  /// - Complexity: With an index a look at each 32768 objects until the first, when it is asked
  ///   for; without, O(*n* log *n*).
  public func ordered<Value>(
    by attribute: KeyPath<E, Attribute<Value>>, _ order: SortOrder = .forward
  ) -> Selection<Object<E>> {
    select(type.prototype[keyPath: attribute].core.number) { $0.ordered(order) }
  }
}

extension Objects {
  /// The selection of a plan that `make` derives from an empty one.
  func select(
    _ attribute: Int, _ make: (SelectionPlan) -> SelectionPlan
  ) -> Selection<Object<E>> {
    let plan = SelectionPlan(graph: base.graph, entities: base.entities, attribute: attribute)
    return Selection(make(plan)) { [type] in Object($0, in: $1, as: type) }
  }
}
