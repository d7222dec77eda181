public import Foundation

extension GraphObjects {
  /// Returns the objects whose attribute has a value, by entity and insertion.
  ///
  /// Texts are equal if they have the same code points, numbers if they have the same size, and a
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
  /// Numbers and dates are compared by size, texts by their code points, decimals by all their
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
  /// Objects with the same value stay in the order of entity and insertion, in reverse as well.
  /// Objects without a value come last, whichever the order. Numbers and dates are compared by
  /// size, with a NaN behind them, texts by their code points, decimals by all their digits, false
  /// before true, anything else by its bytes.
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
      throw entity.unknownProperty("attribute", attribute)
    }
    return SelectionPlan(graph: graph, entities: entities, attribute: number)
  }

  /// The form in which a value is looked for.
  private func search(
    _ value: AttributeValue, _ plan: SelectionPlan
  ) throws(StoreError) -> SearchValue {
    if let value = SearchValue(value, in: plan.type) { return value }
    throw entity.wrongType(value, attribute: plan.attribute)
  }

  /// The entity that stands above the others.
  private var entity: EntitySchema {
    let schema = graph.schema.entities
    let top = entities.first { !entities.contains(schema[$0].superentity ?? -1) }
    return schema[top ?? entities[0]]
  }
}
