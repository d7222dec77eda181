// Objects of one tagged union may be found at several places, with other kinds at each:
//
//   {"params": {"kind": "name", "name": "Position"}, "result": {"kind": "array", "element": {"kind": "name", "name": "Location"}}}
//
// A kind that both places have, with the same members, makes them one entity, however few keys the places have in common
// otherwise. `{"type": "user", "login": "ann"}` and `{"type": "user", "count": 3}` are a user and a figure.

import Graft

/// Decides whether objects of two places are of one tagged union.
enum TaggedUnion {
  /// The least share of the members of a common kind that both places have.
  private static let leastShare = 0.6

  /// Returns whether two places have a kind of object in common, with the same members.
  static func hasKindsOf(_ first: Place, _ second: Place) -> Bool {
    guard first.parent != nil, second.parent != nil else { return false }
    return first.shape.tags.contains { hash, tag in
      guard let mine = tag.values, let theirs = second.shape.tags[hash]?.values,
        isAlwaysThere(hash, in: first.shape), isAlwaysThere(hash, in: second.shape)
      else { return false }
      let common = mine.keys.filter { theirs[$0] != nil }
      guard !common.isEmpty,
        !TagNames.areValueTypes(mine.values.map(\.text) + theirs.values.map(\.text))
      else { return false }
      // Features with other `properties` are of another kind, though all are called a `Feature`.
      let isUnion =
        [first.shape, second.shape].contains { isDivided($0, by: hash) }
        || (mine.count == 1 && theirs.count == 1 || first.keys == second.keys)
          && !first.shape.hasOtherParts(than: second.shape)
      return isUnion && haveSameMembers(first.shape, second.shape, tag: hash, common)
    }
  }

  /// Returns whether the objects of two kinds have other members.
  ///
  /// The types of `[{"type": "work", "value": "a@x.org"}, {"type": "home", "value": "b@x.org"}]` prove nothing.
  private static func isDivided(_ shape: Shape, by tag: UInt64) -> Bool {
    Set(shape.membersByKind(tag).values).count > 1
  }

  private static func isAlwaysThere(_ tag: UInt64, in shape: Shape) -> Bool {
    shape.member(tag).map { $0.stringCount == shape.objectCount } ?? false
  }

  /// Returns whether the objects of each common kind have most members in common, and some besides the tag.
  private static func haveSameMembers(
    _ first: Shape, _ second: Shape, tag: UInt64, _ kinds: [UInt64]
  ) -> Bool {
    let (mine, theirs) = (first.membersByKind(tag), second.membersByKind(tag))
    return kinds.allSatisfy { kind in
      let (one, other) = (mine[kind] ?? [], theirs[kind] ?? [])
      let common = one.intersection(other).count
      return common > 1 && (common > 2 || common == max(one.count, other.count))
        && Double(common) >= leastShare * Double(one.count + other.count - common)
    }
  }
}

extension Shape {
  /// Returns whether a member is an object at both places, with other keys at each.
  func hasOtherParts(than other: Shape) -> Bool {
    members.contains { member in
      guard let theirs = other.member(member.hash), Composition(member.shape) == .object,
        Composition(theirs) == .object
      else { return false }
      return min(member.shape.members.count, theirs.members.count) > 1
        && !member.shape.members.contains { theirs.member($0.hash) != nil }
    }
  }

  /// Returns the members with which each value of a tag occurs, the tag itself included.
  fileprivate func membersByKind(_ tag: UInt64) -> [UInt64: Set<UInt64>] {
    var members: [UInt64: Set<UInt64>] = [:]
    for member in self.members {
      for variant in member.shape.variants.keys where variant.tag == tag {
        members[variant.value, default: []].insert(member.hash)
      }
    }
    return members
  }
}
