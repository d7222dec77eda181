// Finds the places that hold the same kind of object: {"user": {…}, "retweeted_status": {"user":
// {…}}}
//
// The data decides first. Places where the same identity occurs with the same content hold the same
// kind; places where it occurs with contradictory content do not, whatever the keys. If no identity
// occurs twice, the keys decide, and specific keys count more. Two objects with `street`, `city`
// and `zip` are addresses. Two objects with `id` and `name` may be anything, and are the same kind
// only under the same name or inside one another.
//
// The pairs that are compared are few: places inside one another, with the same name, the same keys, a common identity, or
// any common key. `PlacePair` decides on each, `Recursion` on objects inside others, and `TypeMark` keeps the places of
// different types apart.

import Graft

/// Finds the places whose objects are of one entity.
struct EntityGrouping {
  private let table: PlaceTable
  private let facts: PlaceFacts
  private var parents: [Int]
  /// The types that the objects of each group name, by the number of the group.
  private var types: [Int: [TypeMark]] = [:]

  init(_ table: PlaceTable) {
    self.table = table
    parents = Array(0..<table.count)
    let facts = PlaceFacts(table)
    self.facts = facts
    for number in 0..<table.count {
      let marks = TypeMark.marks(of: table[number])
      if !marks.isEmpty { types[number] = marks }
    }
    joinNested()
    joinBuckets(by: { facts.names[$0].joined(separator: " ") })
    joinBuckets(by: { place in place.form == .object ? place.keys : nil })
    joinBySharedIdentities()
    joinBuckets(by: { place in place.form == .object ? true : nil })
    joinParents()
    joinChildren()
  }

  /// Returns the number of a place's group, which is the number of one of its places.
  func group(of place: Int) -> Int {
    var number = place
    while parents[number] != number { number = parents[number] }
    return number
  }

  private mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (group(of: first), group(of: second))
    guard one != other else { return }
    let (low, high) = (min(one, other), max(one, other))
    parents[high] = low
    if let marks = types.removeValue(forKey: high) {
      types[low, default: []] += marks.filter { types[low]?.contains($0) != true }
    }
  }

  /// Returns whether the groups of two places name different types.
  ///
  /// A place with both users and teams does not make one kind of them, and the pages of a catalogue are no packages
  /// though both have `items`. Large objects with the same keys are of one kind whatever type they name: a bot that has
  /// all that users have is one of these.
  private func areOfDifferentTypes(_ first: Int, _ second: Int) -> Bool {
    guard let mine = types[group(of: first)], let theirs = types[group(of: second)],
      !areSameRecords(table[first], table[second])
    else { return false }
    return mine.contains { mark in theirs.contains(where: mark.contradicts) }
  }

  /// The fewest keys that objects of two kinds do not have in common by chance.
  private static let manyKeys = 8

  private func areSameRecords(_ first: Place, _ second: Place) -> Bool {
    first.keys.count >= Self.manyKeys && first.keys == second.keys
  }

  // MARK: Pairs

  /// The most groups of one bucket that a place is compared with.
  private static let comparisonLimit = 200

  /// Places of different groups.
  private struct Bucket {
    private(set) var representatives: [Int] = []
    /// The keys of the objects of all of them.
    private var keys = FingerprintIndex()

    /// Returns whether a place may hold the same kind of object as one of them: objects without a common key are never
    /// the same.
    func mayHold(_ place: Place) -> Bool {
      place.form != .object || place.keys.contains(where: keys.contains)
    }

    mutating func append(_ number: Int, _ place: Place) {
      representatives.append(number)
      for key in place.keys { keys.insert(key) }
    }
  }

  /// Compares places that have something in common, each with one of every group so far.
  private mutating func joinBuckets<Name: Hashable>(by name: (Place) -> Name?) {
    var buckets: [Name: Bucket] = [:]
    for number in 0..<table.count {
      guard let name = name(table[number]) else { continue }
      var bucket = buckets[name] ?? Bucket()
      let isComparable = bucket.mayHold(table[number])
      var isKnown = false
      for other in bucket.representatives {
        if group(of: other) == group(of: number) {
          isKnown = true
        } else if isComparable, !areOfDifferentTypes(other, number),
          facts.holdSameKind(other, number)
        {
          join(other, number)
          isKnown = true
        }
      }
      if !isKnown, bucket.representatives.count < Self.comparisonLimit {
        buckets[name] = nil
        bucket.append(number, table[number])
        buckets[name] = bucket
      }
    }
  }

  /// Compares places at which the same value of the same key occurs.
  private mutating func joinBySharedIdentities() {
    var owners = FingerprintIndex()
    for number in 0..<table.count {
      for member in table[number].shape.members where member.name.isStrong {
        guard let sample = member.shape.identity else { continue }
        for value in sample.values {
          let mark = Fingerprint.mix(member.hash, value) | 1
          guard let owner = owners[mark] else {
            owners.insert(mark, number)
            continue
          }
          guard group(of: owner) != group(of: number) else { break }
          if !areOfDifferentTypes(owner, number), facts.holdSameKind(owner, number) {
            join(owner, number)
          }
        }
      }
    }
  }

  /// Compares each place with the places around it: a reply is a comment too.
  private mutating func joinNested() {
    for number in 0..<table.count where table[number].form == .object {
      var outer = table[number].parent
      var distance = 0
      while let ancestor = outer, distance < 16 {
        if table[ancestor].form == .object, !areOfDifferentTypes(ancestor, number),
          Recursion(number, inside: ancestor, facts)?.areSameKind == true
        {
          join(ancestor, number)
          break
        }
        outer = table[ancestor].parent
        distance += 1
      }
    }
  }

  /// Joins places if the objects of one name those of the other as their parents, and have most keys in common.
  ///
  /// A reply whose `parent_id` is a message is a message too, whatever types the two name.
  private mutating func joinParents() {
    let children = (0..<table.count).flatMap { child in
      table[child].form == .object
        ? table[child].shape.members.filter { $0.name.words.parts.contains("parent") }
          .map { (child, $0) } : []
    }
    guard !children.isEmpty else { return }
    let identities = SketchIndex(
      (0..<table.count).map { identity(of: $0)?.shape.scalars.sketch ?? ValueSketch() })
    for (child, member) in children {
      for parent in identities.sketches(near: member.shape.scalars.sketch)
      where group(of: parent) != group(of: child) && isParent(parent, of: child, by: member) {
        join(parent, child)
      }
    }
  }

  /// Returns the member that is called an identity by itself; nil if the place has no such objects.
  private func identity(of place: Int) -> Shape.Member? {
    guard table[place].form == .object else { return nil }
    return table[place].shape.members.first { $0.name.isStrong }
  }

  /// The fewest keys, and the least share of all keys, that a parent and its children have in common.
  private static let (parentKeys, parentShare) = (5, 0.6)

  private func isParent(_ parent: Int, of child: Int, by member: Shape.Member) -> Bool {
    guard let identity = identity(of: parent), table[child].shape.member(identity.hash) != nil
    else { return false }
    let overlap = member.shape.scalars.sketch.overlap(with: identity.shape.scalars.sketch)
    guard overlap.common > 0, overlap.common == overlap.compared else { return false }
    let pair = PlacePair(parent, child, facts)
    return pair.common.count >= Self.parentKeys && pair.share >= Self.parentShare
      && pair.areCompatible && !pair.areContradicted
  }

  // MARK: Consequences

  /// Joins the places inside joined places that have the same keys.
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
