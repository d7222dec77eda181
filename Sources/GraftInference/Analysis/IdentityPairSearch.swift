import Graft

/// Finds the two members that only together distinguish objects: `{"student_id": 7, "course_id": 2}`.
struct IdentityPairSearch {
  let draft: EntityDraft
  let role: IdentitySearch.Role
  /// The members that cannot be the identity, two of them as `a + b`.
  let excluded: Set<String>
  /// Whether an identifier by itself is the same in equal objects, but by chance.
  let isIdentifierByChance: Bool

  private struct Pair {
    let rank: Int
    let keys: [String]
    let evidence: String
  }

  /// The keys of the two members, and the evidence; nil if there are none.
  var best: (keys: [String], evidence: String)? {
    guard draft.form == .object, role != .single, draft.shape.objectCount >= 3 else { return nil }
    let pairs = draft.shape.pairs.compactMap { pair, sample in
      self.pair(of: [pair.first, pair.second], sample)
    }
    let best = pairs.min {
      ($0.rank, $0.keys[0], $0.keys[1]) < ($1.rank, $1.keys[0], $1.keys[1])
    }
    return best.map { ($0.keys, $0.evidence) }
  }

  /// Returns two members as a pair; nil where they do not identify the objects.
  private func pair(of hashes: [UInt64], _ sample: IdentitySample) -> Pair? {
    let members = hashes.compactMap { hash in draft.shape.members.first { $0.hash == hash } }
    guard members.count == 2, members.allSatisfy(draft.alwaysHas),
      !excluded.contains(members.map(\.key).sorted().joined(separator: " + ")),
      let rank = IdentityNames.rank(of: members[0].key, with: members[1].key),
      rank <= 3 || role == .collection
    else { return nil }
    let finding = Agreement(sample, of: members.map(\.hash), keyCount: draft.shape.members.count)
    guard finding.isIdentity(isStrong: false, isVolatile: { _ in false }), finding.isExact,
      !isCountedInEach(members, rank, finding), areNeeded(members, rank)
    else { return nil }
    let evidence = finding.text(
      objects: draft.shape.objectCount,
      identities: sample.isComplete ? sample.values.count : nil)
    return Pair(rank: rank, keys: members.map(\.key).sorted(), evidence: evidence)
  }

  /// Returns whether each list may count its own objects.
  ///
  /// The questions 1 to 5 of each survey are its own, whatever their types are.
  private func isCountedInEach(
    _ members: [Shape.Member], _ rank: Int, _ finding: Agreement
  ) -> Bool {
    guard role == .part else { return false }
    if finding.repeated > 0 { return !finding.isProof && isIdentifierByChance }
    return rank == 1 && members.contains { $0.shape.scalars.areSmall }
  }

  /// The rank of a pair of two references, and of weaker ones.
  private static let weakRank = 4
  /// The fewest objects that a member does not distinguish by chance.
  private static let several = 6

  /// Returns whether neither member is the identity alone.
  ///
  /// Two members are no pair if each one distinguishes many objects by itself. Two references, or a name and a version,
  /// are none if one of them does. In a few objects, members are different by chance. A member with one value everywhere
  /// distinguishes nothing.
  private func areNeeded(_ members: [Shape.Member], _ rank: Int) -> Bool {
    let count = draft.shape.objectCount
    let unique = members.count { $0.shape.scalars.sketch.distinctCount >= count }
    return members.allSatisfy { $0.shape.hasSeveralContents }
      && unique <= (count >= Self.several ? 1 : rank < Self.weakRank ? 2 : 0)
  }
}
