// Decides whether objects inside others are of the same kind: a reply to a comment is a comment too.
//
//   {"comments": [{"id": 1, "text": "Hm", "replies": [{"id": 2, "text": "No", "replies": []}]}]}
//
// A leaf lacks the key to the next level, and the outermost object may have more than the others.

import Graft

/// Compares objects with those around them.
struct Recursion {
  private let inner: Place
  private let outer: Place
  private let pair: PlacePair
  /// Whether the inner objects are directly in the outer ones.
  private let isDirect: Bool
  /// Whether the places have the same name.
  private let isCalledAlike: Bool

  /// Compares two places; nil where the objects have no key in common.
  init?(_ inner: Int, inside outer: Int, _ facts: PlaceFacts) {
    (self.inner, self.outer) = (facts.table[inner], facts.table[outer])
    guard self.inner.commonKeyCount(with: self.outer) > 0 else { return nil }
    pair = PlacePair(inner, outer, facts)
    isDirect = self.inner.parent == outer
    isCalledAlike = facts.names.areEqual(inner, outer)
  }

  private var common: Set<UInt64> { pair.common }
  private var share: Double { pair.share }

  var areSameKind: Bool {
    guard areKeyedAlike, isSureLink || !pair.areContradicted, pair.areCompatible else {
      return false
    }
    if areNodes { return true }
    guard !pair.wrapDifferentKinds else { return false }
    if isSameLink { return common.count >= 2 && share >= 0.5 || share == 1 }
    return leadsOn ? areLevels : isLeaf
  }

  /// Whether both are found under the same key, and this says more than a general key does.
  ///
  /// `{"data": [{"id": 7, "author": {"data": {"id": 1}}}]}` has no `data` in `data`, but an author. With more in common,
  /// the `nodes` of `replies` are comments as well as the `nodes` of `comments`.
  private var isSameLink: Bool {
    inner.key == outer.key && !inner.key.isEmpty && (common.count > 2 || isCalledAlike)
  }

  /// Whether the key and the contents leave no doubt, even if the same identity has other contents.
  ///
  /// The ingredients of an ingredient are ingredients. That one occurs with other amounts says only that its `id` is
  /// no identity.
  private var isSureLink: Bool {
    isSameLink && isDirect && common.count >= 4 && share >= 0.75
  }

  /// Whether both places or none are dictionaries, or the objects have an identifier beside their key.
  private var areKeyedAlike: Bool {
    (inner.dictionary == nil) == (outer.dictionary == nil)
      || inner.shape.members.contains { common.contains($0.hash) && $0.name.isStrong }
  }

  /// Whether objects of several types hold such objects under their own key.
  ///
  /// `{"type": "list", "content": [{"type": "item", "content": [{"type": "text", "text": "One"}]}]}` is made of nodes,
  /// whatever else each type has. Where each level is of one type, as manifests of canvases are, the levels are
  /// different things.
  private var areNodes: Bool {
    let key = Fingerprint.of(inner.key)
    guard isDirect, inner.link == .elements, common.contains(key) else { return false }
    return inner.shape.members.contains { member in
      guard member.hash != key, member.name.isTag, member.shape.hasSeveralContents,
        let other = outer.shape.member(member.hash)
      else { return false }
      return member.shape.stringCount == inner.shape.objectCount
        && other.stringCount == outer.shape.objectCount
    }
  }

  /// Whether the inner objects have the key to the next level.
  private var leadsOn: Bool { inner.shape.member(named: inner.key) != nil }

  /// Whether objects with a next level have most keys in common.
  ///
  /// Routes in the `routes` of a route are routes too, though they lack what only the outermost one has.
  private var areLevels: Bool {
    common.count >= 2 && (share >= 0.6 && !isIdentifiedOutside || isDirect && isCalledAlike)
  }

  /// Whether only the outer objects have an identifier: a result with a `uuid` has steps without one, and is no step.
  private var isIdentifiedOutside: Bool {
    outer.shape.members.contains { member in
      member.name.isStrong && inner.shape.member(member.hash) == nil
        && member.shape.count == outer.shape.objectCount
    }
  }

  /// Whether objects without a next level have nearly the keys of the outer ones: three of these with values.
  private var isLeaf: Bool {
    let specific = common.filter { outer.shape.member($0).map { !$0.isEmptyOrNull } ?? false }
    return specific.count >= 3 && share >= 0.75
  }
}
