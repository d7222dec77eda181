import Foundation

/// A condition on the values of an attribute, or an order by them.
struct SelectionPlan: Sendable {
  /// The wanted values; an order has none.
  enum Values: Sendable {
    case none
    case within(ValueBounds)
    /// Values that satisfy a condition; no index can help.
    case satisfying(@Sendable (RawValue) -> Bool)
  }

  let graph: Graph
  let entities: [Int]
  let attribute: Int
  var values = Values.none
  /// Whether the least value comes first, or the greatest; nil for objects in their present order.
  var order: SortOrder?
  /// Whether the objects without a value are wanted.
  var includesMissing = false

  let type: AttributeType
  let isIndexed: Bool
  let valueOrder: ValueOrder

  init(graph: Graph, entities: [Int], attribute: Int) {
    self.graph = graph
    self.entities = entities
    self.attribute = attribute
    let schema = graph.schema.entities[entities[0]].attributes[attribute]
    type = schema.type
    isIndexed = schema.isIndexed
    valueOrder = ValueOrder(type)
  }

  /// Whether it is a condition that no object meets.
  var isNeverMet: Bool {
    guard case .none = values else { return false }
    return !includesMissing
  }

  /// The bounds in which the index finds all wanted objects; nil if it does not.
  var indexedBounds: ValueBounds? {
    guard isIndexed, !includesMissing, case .within(let bounds) = values else { return nil }
    return bounds
  }

  /// Returns whether an object has a wanted value.
  func isMet(by object: ObjectID) -> Bool {
    let value = graph.value(object, attribute: attribute)
    guard !value.isNull else { return includesMissing }
    return switch values {
    case .none: false
    case .within(let bounds): bounds.contains(valueOrder.key(of: value), value)
    case .satisfying(let isWanted): isWanted(value)
    }
  }

  /// Returns objects sorted by their values; objects with equal values keep their order.
  func sorted(_ objects: [ObjectID]) -> [ObjectID] {
    let isReversed = order == .reverse
    let values = objects.map { graph.value($0, attribute: attribute) }
    var positions = ContiguousArray(values.indices.filter { !values[$0].isNull })
    let mask: UInt64 = isReversed ? .max : 0
    var keys = ContiguousArray(positions.map { valueOrder.key(of: values[$0]) ^ mask })
    KeySort.sort(&keys, &positions, valueOrder) { first, second in
      let order = valueOrder.compare(values[first], values[second])
      return isReversed ? -order : order
    }
    return positions.map { objects[$0] }
      + values.indices.filter { values[$0].isNull }.map { objects[$0] }
  }
}

// Values and ranges of Swift types become the values and bounds of a condition. A value
// that the column cannot hold equals nothing and bounds no range: the query finds nothing, as a
// filter would.

extension SelectionPlan {
  /// Selects the objects whose attribute equals a value.
  func equal<Value: Equatable>(to value: Value, _ codec: AttributeCodec<Value>) -> SelectionPlan {
    var plan = self
    do {
      guard let kept = try codec.encode(value) else {
        plan.includesMissing = true
        return plan
      }
      if case .json = kept {
        plan.values = .satisfying { codec.decode($0) == value }
      } else if let value = SearchValue(kept, in: type) {
        plan.values = .within(ValueBounds(only: value))
      }
    } catch {
      plan.values = .none
    }
    return plan
  }

  /// Selects the objects whose attribute is in a range, by value.
  ///
  /// - Parameters:
  ///   - range: A range of the standard library; any other range is asked for each value.
  ///   - decode: Makes a value from a column's cell.
  ///   - encode: Makes the value that a column keeps.
  /// - Returns: The plan.
  func within<Range: RangeExpression & Sendable>(
    _ range: Range, decode: @escaping @Sendable (RawValue) -> Range.Bound?,
    encode: (Range.Bound) throws -> AttributeValue?
  ) -> SelectionPlan {
    var plan = self
    plan.order = .forward
    if let ends = RangeEnds(range) {
      plan.values = bounds(ends, encode).map { .within($0) } ?? .none
    } else {
      plan.values = .satisfying { decode($0).map { range.contains($0) } ?? false }
    }
    return plan
  }

  private func bounds<Bound>(
    _ ends: RangeEnds<Bound>, _ encode: (Bound) throws -> AttributeValue?
  ) -> ValueBounds? {
    func value(_ end: Bound) -> SearchValue? {
      (try? encode(end)).flatMap { SearchValue($0, in: type) }
    }
    let lower = ends.lower.map(value)
    let upper = ends.upper.map(value)
    if case .some(.none) = lower { return nil }
    if case .some(.none) = upper { return nil }
    return ValueBounds(
      lower ?? nil, upper ?? nil, includesUpper: ends.includesUpper, in: valueOrder)
  }

  /// Orders objects by value, those without one last.
  func ordered(_ order: SortOrder) -> SelectionPlan {
    var plan = self
    plan.order = order
    return plan
  }
}

/// The ends of a range; nil if it has none.
package struct RangeEnds<Bound: Comparable> {
  package private(set) var lower: Bound?
  package private(set) var upper: Bound?
  package private(set) var includesUpper = true

  /// Reads a range of the standard library; nil for any other.
  package init?<Range: RangeExpression<Bound>>(_ range: Range) {
    switch range {
    case let range as Swift.Range<Bound>:
      (lower, upper, includesUpper) = (range.lowerBound, range.upperBound, false)
    case let range as ClosedRange<Bound>:
      (lower, upper) = (range.lowerBound, range.upperBound)
    case let range as PartialRangeFrom<Bound>:
      lower = range.lowerBound
    case let range as PartialRangeThrough<Bound>:
      upper = range.upperBound
    case let range as PartialRangeUpTo<Bound>:
      (upper, includesUpper) = (range.upperBound, false)
    default: return nil
    }
  }
}
