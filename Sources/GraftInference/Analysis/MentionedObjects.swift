// A place may have an object where others have only its identifier, as an API does that expands objects on request:
//
//   [{"title": "Algebra", "teacher": {"id": 10, "name": "Ann"}},
//    {"title": "Biology", "teacher": 10}]
//
// An import reads both; an export writes the object at both. Numbers or strings beside objects are such identifiers if
// objects of this kind, there or elsewhere, have them under one key. The objects may be in other objects of the same kind:
// {"walls": [{"type": {"id": "t1", "name": "Brick"}, "parts": [{"type": "t1"}]}]} has parts that are walls.
//
// Or it may have a scalar in place of an object, a short form of it or the reason why there is none:
//
//   [{"status": 200, "data": {"parcel": "P7", "weight": 2}}, {"status": 200, "data": {"parcel": "P8", "weight": 3}},
//    {"status": 404, "data": "not found"}]
//
// Where objects are at least as many, the scalar becomes the only value of an object of their kind, and an export writes
// it again. The limit in {"limit": {"id": 1, "per": "day"}} beside {"limit": 500} may be either: both are kept as JSON.

import Graft

/// Finds the meaning of scalars at places where other values are objects.
enum MentionedObjects {
  /// The least share of the identifiers that must be known under a key such as `id`.
  private static let leastShare = 0.5
  /// The fewest identifiers, all of them known, under another key.
  private static let leastCount = 2
  /// The least share of the keys that objects of one kind have in common.
  private static let leastCommonKeys = 0.6
  /// The fewest objects, and members of objects, beside which scalars are in place of objects.
  private static let (leastObjects, leastMembers) = (2, 2)

  /// Notes the meaning of scalars at each place that has objects too.
  static func note(in documents: [Shape]) {
    var candidates: [Shape] = []
    for document in documents {
      forEachPlace(in: document) { place in
        let values = place.members.map(\.shape) + [place.eachMember].compactMap(\.self)
        candidates += values.flatMap { [$0, $0.element].compactMap(\.self) }.filter(mayMention)
      }
    }
    for shape in candidates {
      if let member = mentionedMember(of: shape, in: documents) {
        shape.meaningOfScalars = .identifiers(of: member)
      } else if areSubstitutes(shape, for: shape) {
        shape.meaningOfScalars = .substitutes
      }
    }
  }

  /// Notes the identifiers that objects of one kind have under a key, where others have objects.
  ///
  /// - Returns: Whether any are new.
  static func note(
    in documents: [Shape], _ table: PlaceTable, _ grouping: EntityGrouping
  ) -> Bool {
    var values: [Int: [UInt64: [Shape]]] = [:]
    for number in 0..<table.count where table[number].form == .object {
      for member in table[number].shape.members {
        values[grouping.group(of: number), default: [:]][member.hash, default: []]
          .append(member.shape)
      }
    }
    var isChanged = false
    // In order, so that the same document always gives the same model.
    let ordered = values.sorted { $0.key < $1.key }.flatMap { group in
      group.value.sorted { $0.key < $1.key }.map(\.value)
    }
    for shapes in ordered where shapes.count > 1 {
      for places in [shapes, shapes.compactMap(\.element)]
      where noteIdentifiers(at: places, in: documents) { isChanged = true }
    }
    return isChanged
  }

  private static func noteIdentifiers(at places: [Shape], in documents: [Shape]) -> Bool {
    guard places.contains(where: { $0.objectCount > 0 }),
      places.contains(where: { $0.objectCount == 0 && $0.scalarCount > $0.mentionCount })
    else { return false }
    let all = Shape()
    for place in places {
      all.formUnion(place, isDeep: false)
      all.formUnion(membersOf: place) { $0.formUnion($1, isDeep: false) }
    }
    guard mayMention(all), let member = mentionedMember(of: all, in: documents) else {
      return false
    }
    for place in places { place.meaningOfScalars = .identifiers(of: member) }
    return true
  }

  private static func forEachPlace(in shape: Shape, _ body: (Shape) -> Void) {
    guard shape.hasPlacesInside else { return }
    body(shape)
    if let element = shape.element { forEachPlace(in: element, body) }
    for column in shape.rows?.columns ?? [] { forEachPlace(in: column, body) }
    if let each = shape.eachMember { forEachPlace(in: each, body) }
    for member in shape.members { forEachPlace(in: member.shape, body) }
  }

  /// Returns whether a place has objects with fixed keys, and scalars of one kind beside them.
  private static func mayMention(_ shape: Shape) -> Bool {
    let kinds = [shape.stringCount, shape.numberCount, shape.booleanCount].count { $0 > 0 }
    return shape.objectCount > 0 && shape.emptyObjectCount == 0 && shape.eachMember == nil
      && !shape.isTruncated && shape.arrayCount == 0 && kinds == 1
      && shape.scalars.emptyStringCount == 0
  }

  /// Returns whether scalars of one kind may be in place of objects.
  ///
  /// - Parameters:
  ///   - shape: The place of the scalars.
  ///   - objects: The place of the objects: the same one, or that of the elements of lists.
  /// - Returns: Whether they are.
  static func areSubstitutes(_ shape: Shape, for objects: Shape) -> Bool {
    let counts = [shape.stringCount, shape.numberCount, shape.booleanCount].filter { $0 > 0 }
    let objectCount =
      shape === objects ? shape.objectCount : shape.objectCount + objects.objectCount
    return counts.count == 1 && objectCount >= max(counts[0], leastObjects)
      && objects.members.count >= leastMembers && objects.eachMember == nil
      && shape.scalars.emptyStringCount == 0 && shape.scalars.largeCount == 0
  }

  /// Returns the fingerprint of the key under which objects have the identifiers beside them; nil where there is none.
  private static func mentionedMember(of shape: Shape, in documents: [Shape]) -> UInt64? {
    guard shape.booleanCount == 0, shape.scalars.fractionCount == 0, shape.scalars.largeCount == 0
    else { return nil }
    var alike: [Shape] = []
    for document in documents {
      forEachPlace(in: document) { if areAlike($0, shape) { alike.append($0) } }
    }
    let found = shape.members.compactMap { member -> (Shape.Member, share: Double)? in
      guard member.shape.count == shape.objectCount, member.shape.nullCount == 0,
        Composition(member.shape) == (shape.stringCount > 0 ? .string : .number)
      else { return nil }
      var values = ValueSketch()
      for same in alike.compactMap({ $0.member(member.hash) }) {
        values.formUnion(same.scalars.sketch)
      }
      let overlap = shape.scalars.sketch.overlap(with: values)
      guard overlap.common > 0 else { return nil }
      let isKnown =
        member.name.isStrong
        ? Double(overlap.common) >= leastShare * Double(overlap.compared)
        : overlap.common == overlap.compared && overlap.common >= leastCount
      return isKnown ? (member, Double(overlap.common) / Double(overlap.compared)) : nil
    }
    let best = found.max {
      ($0.share, $0.0.name.isStrong ? 1 : 0, $1.0.key) < (
        $1.share, $1.0.name.isStrong ? 1 : 0, $0.0.key
      )
    }
    return best?.0.hash
  }

  private static func areAlike(_ one: Shape, _ other: Shape) -> Bool {
    if one === other { return true }
    let common = one.members.count { other.member($0.hash) != nil }
    let all = one.members.count + other.members.count - common
    return Double(common) >= leastCommonKeys * Double(all)
  }
}
