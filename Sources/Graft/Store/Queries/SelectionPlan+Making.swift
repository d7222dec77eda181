import Foundation

// Values and ranges in the program's types become what is looked for in a column. What the column
// cannot hold equals nothing and bounds no range: the query finds nothing, as a filter would.

extension SelectionPlan {
  /// Selects the objects whose attribute has a value.
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
  ///   - range: A range of the standard library; of any other each value is asked whether it is
  ///     in it.
  ///   - decode: Makes a value of a column's cell.
  ///   - encode: Makes what a column keeps.
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
