// Raw memory: a reference is used without being counted, which was a third of the time of a survey. The note on
// `BorrowedPlace` says why the place outlives it.

/// A reference to a place of a survey's tree, such as a ``Shape``, without reference counting.
///
/// Safe: a place belongs to the one around it, up to the survey's own, and is only given up when
/// all members of a dictionary become one, which happens between two of them. The survey then drops
/// its references to these members.
@safe struct BorrowedPlace<Node: AnyObject> {
  private let place: Unmanaged<Node>

  @inline(__always)
  init(_ place: Node) { unsafe self.place = .passUnretained(place) }

  @inline(__always)
  func callAsFunction<Result>(_ body: (Node) -> Result) -> Result {
    unsafe place._withUnsafeGuaranteedRef(body)
  }
}
