/// The ends of a range; nil where it has none.
struct RangeEnds<Bound: Comparable> {
  private(set) var lower: Bound?
  private(set) var upper: Bound?
  private(set) var includesUpper = true

  /// Reads a range of the standard library; nil for any other.
  init?<Range: RangeExpression<Bound>>(_ range: Range) {
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
