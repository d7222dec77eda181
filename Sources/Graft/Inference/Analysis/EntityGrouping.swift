// Which places hold the same kind of thing. {"user": {…}, "retweeted_status": {"user": {…}}}
//
// The data decides first: where the same identity occurs at two places with the same content, they hold
// the same kind of thing; where it occurs with contradictory content, they do not, whatever the keys. Where
// no identity occurs twice, the keys decide, and the more so the more specific they are: two objects with
// `street`, `city` and `zip` are addresses, but two with `id` and `name` may be anything, and are the same
// only under the same name or inside one another.

/// Finds the places whose objects are of one entity.
struct EntityGrouping {
  private let table: PlaceTable
  private var parents: [Int]

  init(_ table: PlaceTable) {
    self.table = table
    parents = Array(0..<table.count)
    joinNested()
    joinBuckets(by: { Words($0.key).singular.parts.joined(separator: " ") })
    joinBuckets(by: { place in place.form == .object ? "\(place.keys.sorted())" : nil })
    joinBySharedIdentities()
    joinBuckets(by: { place in place.form == .object ? "all" : nil })
    joinChildren()
  }

  /// The number of a place's group: that of one of its places.
  func group(of place: Int) -> Int {
    var number = place
    while parents[number] != number { number = parents[number] }
    return number
  }

  private mutating func join(_ first: Int, _ second: Int) {
    let (low, high) = (group(of: first), group(of: second))
    guard low != high else { return }
    parents[max(low, high)] = min(low, high)
  }

  // MARK: Pairs

  /// The most groups of one bucket that a place is compared with.
  private static let comparisonLimit = 200

  /// Compares places that have something in common, each with one of every group so far.
  private mutating func joinBuckets(by name: (Place) -> String?) {
    var buckets: [String: [Int]] = [:]
    for number in 0..<table.count {
      guard let name = name(table[number]) else { continue }
      var representatives = buckets[name] ?? []
      var isKnown = false
      for other in representatives {
        if group(of: other) == group(of: number) {
          isKnown = true
        } else if holdSameKind(other, number) {
          join(other, number)
          isKnown = true
        }
      }
      if !isKnown, representatives.count < Self.comparisonLimit {
        representatives.append(number)
        buckets[name] = representatives
      }
    }
  }

  /// Compares places at which the same value of the same key occurs.
  private mutating func joinBySharedIdentities() {
    var owners: [UInt64: Int] = [:]
    for number in 0..<table.count {
      for member in table[number].shape.members where IdentityNames.isStrong(member.key) {
        guard let sample = member.shape.identity else { continue }
        for value in sample.values {
          let mark = Fingerprint.mix(member.hash, value)
          guard let owner = owners[mark] else {
            owners[mark] = number
            continue
          }
          guard group(of: owner) != group(of: number) else { break }
          if holdSameKind(owner, number) { join(owner, number) }
        }
      }
    }
  }

  /// Compares each place with those around it: a reply is a comment too.
  private mutating func joinNested() {
    for number in 0..<table.count where table[number].form == .object {
      var outer = table[number].parent
      var distance = 0
      while let ancestor = outer, distance < 16 {
        if table[ancestor].form == .object, isRecursion(number, inside: ancestor) {
          join(ancestor, number)
          break
        }
        outer = table[ancestor].parent
        distance += 1
      }
    }
  }

  private func isRecursion(_ inner: Int, inside outer: Int) -> Bool {
    let (inner, outer) = (table[inner], table[outer])
    guard (inner.dictionary == nil) == (outer.dictionary == nil) else { return false }
    let common = inner.keys.intersection(outer.keys)
    guard !contradict(inner, outer, common), areCompatible(inner, outer, common) else {
      return false
    }
    let share = Double(common.count) / Double(max(inner.keys.union(outer.keys).count, 1))
    let isSameLink = inner.key == outer.key && !inner.key.isEmpty
    if isSameLink { return common.count >= 2 && share >= 0.5 || share == 1 }
    // A leaf lacks the key that leads on; what goes on has it.
    let leadsOn = inner.keys.contains(Fingerprint.of(inner.key))
    if leadsOn { return common.count >= 2 && share >= 0.6 }
    let specific = common.filter { hash in
      outer.shape.member(hash).map { !$0.isEmptyOrNull } ?? false
    }
    return specific.count >= 3 && share >= 0.75
  }

  // MARK: One pair

  private func holdSameKind(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (table[first], table[second])
    guard first.form == second.form else { return false }
    let isSameName =
      !first.key.isEmpty && Words(first.key).singular == Words(second.key).singular
    guard first.form == .object else { return isSameName }
    let common = first.keys.intersection(second.keys)
    guard !common.isEmpty else { return false }
    let share = Double(common.count) / Double(first.keys.union(second.keys).count)
    if isExcerpt(first, of: second, common) || isExcerpt(second, of: first, common) { return false }
    // Two documents of one kind, such as the pages of a list.
    if first.parent == nil, second.parent == nil, share >= 0.5 { return true }
    let part = Double(common.count) / Double(min(first.keys.count, second.keys.count))
    guard areCompatible(first, second, common) else { return false }
    let evidence = identityEvidence(first, second, common)
    if evidence.contradicting * 4 > evidence.common { return false }
    // The key of a dictionary is a part of the one and not of the other.
    if (first.dictionary == nil) != (second.dictionary == nil), evidence.equal == 0 { return false }
    if evidence.equal > 0, share >= 0.5 || part == 1 && share >= 0.35 { return true }
    if evidence.common > 1, share >= 0.75 { return true }
    if share == 1, common.count >= 2, isPart(first.key, of: second.key),
      haveEqualObjects(first, second)
    {
      return true
    }
    if isSameName {
      return share >= 0.5 && common.count >= 2 || share == 1 || part == 1 && common.count >= 4
    }
    let hasIdentity = common.contains { hash in
      first.shape.members.contains { $0.hash == hash && IdentityNames.isStrong($0.key) }
    }
    if hasIdentity { return share >= 0.8 && common.count >= 6 }
    if common.count == 2 { return share == 1 && isPairOfNumbers(first) && isPairOfNumbers(second) }
    return share >= 0.9 && common.count >= 3
  }

  /// The most members of an object that only repeats some of another one's.
  static let excerptLimit = 5

  /// Whether objects have nothing but a few members of others.
  ///
  /// `{"id": 7, "name": "Plan"}` refers to a card elsewhere. Were the two taken for the same, an export would
  /// write it whole.
  private func isExcerpt(_ part: Place, of whole: Place, _ common: Set<UInt64>) -> Bool {
    guard common.count == part.keys.count, part.keys.count < whole.keys.count,
      part.keys.count <= Self.excerptLimit, part.parent != nil,
      part.shape.members.allSatisfy({ Composition($0.shape).isScalar })
    else { return false }
    let lacksSomething = whole.shape.members.contains { member in
      !common.contains(member.hash)
        && member.shape.count - member.shape.nullCount >= whole.shape.objectCount
    }
    return lacksSomething
      && part.shape.members.contains { member in
        guard IdentityNames.isStrong(member.key), let other = whole.shape.member(member.hash) else {
          return false
        }
        let overlap = member.shape.scalars.sketch.overlap(with: other.scalars.sketch)
        return overlap.compared > 0 && overlap.common == overlap.compared
      }
  }

  /// Whether one key ends with the word of the other: a `primaryView` is one of the `views`.
  private func isPart(_ first: String, of second: String) -> Bool {
    let (first, second) = (Words(first).singular.parts, Words(second).singular.parts)
    guard let last = first.last else { return false }
    return last == second.last && min(first.count, second.count) == 1
  }

  /// Whether an object of one place is found at the other.
  private func haveEqualObjects(_ first: Place, _ second: Place) -> Bool {
    first.shape.members.contains { member in
      guard IdentityNames.rank(of: member.key, aliases: []) != nil,
        let mine = member.shape.identity,
        let theirs = second.shape.member(member.hash)?.identity
      else { return false }
      let evidence = mine.agreement(with: theirs)
      return evidence.equal > 0 && evidence.contradicting == 0
    }
  }

  /// Whether the objects are such as `{"w": 1, "h": 2}`.
  private func isPairOfNumbers(_ place: Place) -> Bool {
    place.shape.members.allSatisfy { Composition($0.shape) == .number }
  }

  /// Whether most of the common keys hold the same kind of value.
  private func areCompatible(_ first: Place, _ second: Place, _ common: Set<UInt64>) -> Bool {
    var clashes = 0
    for hash in common {
      guard let one = first.shape.member(hash), let other = second.shape.member(hash) else {
        continue
      }
      let (mine, theirs) = (Composition(one), Composition(other))
      let isFolding =
        mine == .object && theirs == .dictionary || mine == .dictionary && theirs == .object
      // {"id": …, "fields": {…}} may be anything: it is the same only with some of the same fields.
      if mine == .object, theirs == .object, min(one.members.count, other.members.count) > 1,
        !one.members.contains(where: { other.member($0.hash) != nil })
      {
        return false
      }
      if mine != .mixed, theirs != .mixed, !isFolding, mine.combined(with: theirs) == .mixed {
        clashes += 1
      }
    }
    return clashes * 5 <= common.count
  }

  private func contradict(_ first: Place, _ second: Place, _ common: Set<UInt64>) -> Bool {
    let evidence = identityEvidence(first, second, common)
    return evidence.contradicting * 4 > evidence.common
  }

  /// What the identities tell that occur at both places: the strongest of the keys that may be one.
  private func identityEvidence(
    _ first: Place, _ second: Place, _ common: Set<UInt64>
  ) -> (common: Int, equal: Int, contradicting: Int) {
    var best = (common: 0, equal: 0, contradicting: 0)
    for member in first.shape.members
    where common.contains(member.hash) && IdentityNames.isStrong(member.key) {
      guard let mine = member.shape.identity,
        let theirs = second.shape.member(member.hash)?.identity
      else { continue }
      let evidence = mine.agreement(with: theirs)
      if evidence.common > best.common { best = evidence }
    }
    return best
  }

  // MARK: Consequences

  /// Joins what is inside joined places under the same keys.
  private mutating func joinChildren() {
    var isChanged = true
    while isChanged {
      isChanged = false
      var known: [Int: [[JSONPath.Step]: Int]] = [:]
      for number in 0..<table.count {
        guard let parent = table[number].parent else { continue }
        let owner = group(of: parent)
        let steps = table[number].steps
        guard let other = known[owner]?[steps] else {
          known[owner, default: [:]][steps] = number
          continue
        }
        guard group(of: other) != group(of: number), table[other].form == table[number].form else {
          continue
        }
        join(other, number)
        isChanged = true
      }
    }
  }
}

extension Shape {
  /// Whether the values tell nothing of what there might be.
  fileprivate var isEmptyOrNull: Bool {
    switch Composition(self) {
    case .null, .emptyArray, .emptyObject: true
    default: false
    }
  }
}
