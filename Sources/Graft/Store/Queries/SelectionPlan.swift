import Foundation

/// The values that a query looks for in a column, and their order.
struct SelectionPlan: Sendable {
  /// The condition on the values.
  enum Values: Sendable {
    case none
    case within(ValueBounds)
    /// Values that satisfy a condition; no index can help.
    case satisfying(@Sendable (RawValue) -> Bool)
  }

  enum Arrangement: Sendable {
    case byInsertion
    /// In ascending order of values, and by insertion where the values are the same.
    case ascending
    case descending
  }

  let graph: Graph
  let entities: [Int]
  let attribute: Int
  var values = Values.none
  var arrangement = Arrangement.byInsertion
  /// Whether the objects without a value are wanted; they come last.
  var includesMissing = false

  // Read in place: a copy of the attribute would count its references.
  var type: AttributeType { graph.schema.entities[entities[0]].attributes[attribute].type }

  var isIndexed: Bool { graph.schema.entities[entities[0]].attributes[attribute].isIndexed }

  /// The number of objects.
  var count: Int {
    if includesMissing, case .within(let bounds) = values, bounds.isEverything {
      return entities.reduce(0) { $0 + graph.liveCount($1) }
    }
    var count = 0
    for entity in entities {
      let reader = ChunkReader(self, entity: entity)
      for chunk in graph.storage.tables[entity].chunks {
        count += reader.run(chunk)?.positions.count ?? 0
        if includesMissing { count += reader.missing(chunk).count }
      }
    }
    return count
  }
}

// Values and ranges of Swift types become the values and bounds of a search in a column. A value
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
  /// - Returns: The query.
  func within<Range: RangeExpression & Sendable>(
    _ range: Range, decode: @escaping @Sendable (RawValue) -> Range.Bound?,
    encode: (Range.Bound) throws -> AttributeValue?
  ) -> SelectionPlan {
    var plan = self
    plan.arrangement = .ascending
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
      lower ?? nil, upper ?? nil, includesUpper: ends.includesUpper, in: ValueOrder(type))
  }

  /// Selects all objects by value, those without one last.
  func ordered(_ order: SortOrder) -> SelectionPlan {
    var plan = self
    plan.values = .within(.everything)
    plan.arrangement = order == .forward ? .ascending : .descending
    plan.includesMissing = true
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
