// Finds the objects that are named by another member than their identity: `"author": "ann"`, where users have an `id` and a
// `login`. Names are repeated more often by chance than identities, so all values must be names, and several at best.

import Graft

/// Finds the entity whose objects the values of a property name.
struct NamedObjectSearch {
  private let drafts: [EntityDraft]
  private let names: [Name]
  private let index: SketchIndex

  /// A member that names objects beside their identity.
  private struct Name {
    let owner: EntityDraft
    /// The index of the member in the owner's properties.
    let property: Int
    /// The rank of its key as an identity.
    let rank: Int
  }

  init(_ drafts: [EntityDraft]) {
    self.drafts = drafts
    names = drafts.flatMap { draft in
      draft.properties.indices.compactMap { index in
        Self.rank(of: draft.properties[index], of: draft).map {
          Name(owner: draft, property: index, rank: $0)
        }
      }
    }
    index = SketchIndex(names.map { $0.owner.properties[$0.property].scalars.sketch })
  }

  /// The greatest rank of a key that names objects.
  private static let greatestRank = 7

  /// Returns the rank of a string as a name of the objects that have it, beside their identity, or of a number that is called
  /// an identifier; nil where it names none.
  private static func rank(of candidate: PropertyDraft, of target: EntityDraft) -> Int? {
    let isNumber = candidate.composition == .number && IdentityNames.isStrong(candidate.key)
    guard candidate.composition == .string || isNumber, let identity = target.identity,
      identity.path != candidate.path, !target.isFlattened, !target.isJSON,
      candidate.path.count == 1, candidate.isAlwaysPresent,
      candidate.scalars.emptyStringCount == 0,
      let sample = candidate.shape.identity, sample.records.allSatisfy({ $0.differing == 0 }),
      areAsMany(candidate.scalars.sketch, identity.scalars.sketch),
      let rank = IdentityNames.rank(of: candidate.key, aliases: target.aliases),
      rank <= greatestRank,
      [.string, .integer64].contains(AttributeTyping(candidate, isIdentity: isNumber).type)
    else { return nil }
    return rank
  }

  /// Returns whether there are as many values as identities; estimates may differ a little.
  private static func areAsMany(_ values: ValueSketch, _ identities: ValueSketch) -> Bool {
    values.isComplete && identities.isComplete
      ? values.distinctCount >= identities.distinctCount
      : values.distinctCount * 10 >= identities.distinctCount * 9
  }

  /// Finds the objects that the values of a property name; nil for none.
  func match(_ property: PropertyDraft, of draft: EntityDraft) -> ReferenceMatch? {
    guard property.scalars.stringCount == 0 || property.scalars.shortest > 1 else { return nil }
    return index.sketches(near: property.scalars.sketch).compactMap { number -> ReferenceMatch? in
      let name = names[number]
      // Most strings are those of objects without an identity.
      guard name.owner.identity != nil else { return nil }
      return NameCandidate(
        property, of: draft, name.owner.properties[name.property], of: name.owner, rank: name.rank
      )?.match
    }.best
  }
}

/// Weighs the evidence that the values of a property are those of a member that names an entity's objects.
private struct NameCandidate {
  private let property: PropertyDraft
  /// The entity that has the property.
  private let owner: EntityDraft
  private let target: EntityDraft
  /// The member that names the target's objects.
  private let member: PropertyDraft
  private let rank: Int
  private let common: Int
  private let name: ReferenceName

  /// Compares a property with the names of objects; nil where a value is none of these.
  init?(
    _ property: PropertyDraft, of owner: EntityDraft, _ member: PropertyDraft,
    of target: EntityDraft, rank: Int
  ) {
    guard member.target == nil else { return nil }
    let overlap = property.scalars.sketch.overlap(with: member.scalars.sketch)
    guard overlap.compared > 0, overlap.common == overlap.compared else { return nil }
    self.property = property
    self.owner = owner
    self.target = target
    self.member = member
    self.rank = rank
    common = overlap.common
    name = ReferenceName(property.key, draft: owner, target: target)
  }

  /// The reference; nil where there is a reason against it, or too little evidence.
  var match: ReferenceMatch? {
    guard !isOtherName, !areNumbersByChance, !isOwnName, !isNameOfSameKind, isAccepted else {
      return nil
    }
    return ReferenceMatch(
      target: target, score: name.score, common: common, compared: common, relatedKey: member.key)
  }

  /// Whether the property and the names have the same key.
  private var isSameKey: Bool { member.key == property.key }

  /// Whether the property has the same key as the names, but is the name of its own objects.
  ///
  /// It is none if the target's objects are called by this key, or if small objects without identity mention large ones by a
  /// good name.
  private var isOtherName: Bool {
    guard isSameKey else { return false }
    let isCalledLikeTarget =
      target !== owner && target.aliases.contains(Words(property.key).singular.parts)
      && !OwnNames.contains(property.key)
    let isMention =
      rank <= 4 && owner.identity == nil && owner.shape.members.count <= 3
      && target.shape.members.count >= 6
    return !isCalledLikeTarget && !isMention
  }

  /// Whether numbers equal others by chance.
  ///
  /// They do unless both are called identifiers of the same thing: `uid` and `layerUid`.
  private var areNumbersByChance: Bool {
    member.composition == .number
      && !(property.scalars.integerCount > 0 && name.isMarked && name.score >= 2 && common >= 2)
  }

  /// The fewest words that are names by more than chance.
  private static let several = 3

  /// Whether objects have a `name` of their own: a user may be called like a label.
  private var isOwnName: Bool {
    !isSameKey && name.score == 0 && OwnNames.isPlain(property.key)
  }

  /// Whether the property is another name of its own objects, or of others with the same kind of name.
  ///
  /// A `display_name` is another name of the same object, and no `name` of another one. Three different values of an
  /// `opponentTeamCode` in games are no names of games.
  private var isNameOfSameKind: Bool {
    if target === owner, name.score < 2 { return true }
    return !isSameKey && name.score < 3 && (target === owner || common < Self.several)
      && Words(property.key).parts.last == Words(member.key).parts.last
  }

  /// Whether the names of both members, or the number of values, make chance unlikely.
  private var isAccepted: Bool {
    let shortest = property.scalars.shortest
    if common >= 2, name.score >= 2 || rank <= 5 { return true }
    if common >= 3, shortest >= 3 { return true }
    return name.score >= 2
      && (property.composition == .scalars && shortest >= Self.wordLength
        || target !== owner && shortest >= Self.uniqueLength)
  }

  /// The least bytes of a single string that names an object: in a list, and elsewhere.
  private static let (wordLength, uniqueLength) = (4, 16)
}
