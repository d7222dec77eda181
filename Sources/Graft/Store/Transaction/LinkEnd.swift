/// A relationship of an object: one end of its links.
struct LinkEnd: Hashable, Comparable {
  var owner: ObjectID
  var relationship: Int

  static func < (lhs: LinkEnd, rhs: LinkEnd) -> Bool {
    (lhs.owner, lhs.relationship) < (rhs.owner, rhs.relationship)
  }
}
