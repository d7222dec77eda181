// Finds an identity for objects to which others refer, and whose own members do not show one:
//
//   {"meshes": [{…}, {…}], "nodes": [{"mesh": 1, "children": [1, 2]}, …]}      the position in the array
//   {"layers": [{"ind": 1, …}, {"ind": 2, "parent": 1, …}]}                    a member that is different in each
//   {"members": [{"card": "M-7", "name": "Ann"}, …], "loans": [{"member": "M-7"}, …]}        likewise, before a name
//   {"modules": [{"source": "src/a.js", …}, {"source": "src/b.js", "needs": ["src/a.js"]}]}
//                                                                              strings that are found elsewhere
//   {"blocks": {"Qx7…": {"next": "pF2…"}, "pF2…": {"next": null}}}            the key, likewise
//   {"outputs": [{"name": "menus", "fields": […]}, …], "inputs": [{"name": "menus"}, …]}
//                                                                              the name, if others have nothing else
//   {"scheme": {"uri": "https://…/s"}, "concepts": [{"inScheme": "https://…/s"}, …]}     that of the only object
//
// Of numbers and short strings the name has to fit: `"count": 2` is below the number of meshes too. One value is no
// evidence.

import Graft

/// Finds identities that only the references to them reveal.
struct ReferredIdentitySearch {
  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  /// Numbers, or strings, that may refer to objects.
  private final class Values {
    let member: MemberName
    let name: ReferenceName.Key
    let scalars: ScalarStatistics
    let owner: EntityDraft

    init(_ member: MemberName, _ scalars: ScalarStatistics, of owner: EntityDraft) {
      self.member = member
      name = ReferenceName.Key(member)
      self.scalars = scalars
      self.owner = owner
    }

    var areNumbers: Bool { scalars.integerCount > 0 }

    /// Whether some values occur more than once.
    var isRepeated: Bool { scalars.count > scalars.sketch.distinctCount }
  }

  /// Gives an entity the identity that references to it reveal.
  func resolve() {
    resolveMentions()
    resolveStrings()
    resolveOnlyObjects()
    let values = model.drafts.flatMap(values)
    guard !values.isEmpty else { return }
    let index = ValueIndex(values)
    preferKeys(values, index)
    var names = TargetIndex(model.drafts)
    for target in model.drafts where mayBeGiven(target) {
      let references = index.values(thatMayReferTo: target).map { values[$0] }.filter { value in
        !isAroundSeveral(value, target)
          && (ReferenceName(value.name, draft: value.owner, target: target).score >= 2
            && !target.isNamed(by: value.member.key, in: value.owner)
            || isEndByPosition(value, of: target)
            || value.owner !== target && Self.isOwnKey(value.member, of: target)
            || value.owner !== target && (target.identity == nil || isName(target))
              && value.isRepeated && isSharedIdentifier(value, of: target))
      }
      guard !references.isEmpty else { continue }
      let isCode = target.identity != nil && !isWeak(target)
      if !isCode, let member = member(of: target, meantBy: references, names) {
        target.identity = member
      } else if !isCode || isUnused(target.identity, by: references),
        let position = position(
          in: target,
          meantBy: references.filter {
            $0.areNumbers && !isEnd($0, of: target) && (!isCode || Self.isPosition($0.member))
          })
      {
        target.identity = position
      }
      names.noteIdentity(of: target)
    }
  }

  /// Returns whether several objects, each around some objects of a target, have small numbers or short strings.
  ///
  /// In `{"policies": [{"default": "v8", "versions": [{"versionId": "v8", …}]}, {"default": "v1", "versions": […]}]}` each
  /// policy means one of its own versions.
  private func isAroundSeveral(_ value: Values, _ target: EntityDraft) -> Bool {
    value.owner !== target && target.outer.contains(value.owner.number)
      && value.owner.objectCount > 1
      && (value.areNumbers ? value.scalars.areSmall : value.scalars.shortest < Self.stringLength)
  }

  /// The fewest keys that strings under any name mean.
  private static let leastKeys = 3

  /// Returns whether nothing has an identity as its value: no leg has the `lid` of
  /// `{"locations": [{"lid": "A=1@X=7", …}, …], "legs": [{"locationX": 0}, {"locationX": 1}]}`.
  private func isUnused(_ identity: InferredIdentity?, by references: [Values]) -> Bool {
    references.allSatisfy {
      $0.scalars.sketch.overlap(with: identity?.scalars.sketch ?? ValueSketch()).common == 0
    }
  }

  /// Returns whether numbers are the ends of links between the objects of a list beside them, because the object around counts
  /// these: `{"firstNodeIndex": 2, "nodes": […], "connections": [{"fromIndex": 2, "toIndex": 0}]}`.
  private func isEndByPosition(_ value: Values, of target: EntityDraft) -> Bool {
    guard value.areNumbers, Self.isPosition(value.member), value.name.isOneEnd,
      value.owner !== target, value.owner.outer == target.outer, let number = target.outer.first,
      value.owner.shape.members.allSatisfy({
        !Self.isPosition($0.name) || !ReferenceName.Key($0.name).isOneEnd
          || $0.shape.scalars.maximum < Int64(target.objectCount)
      })
    else { return false }
    let outer = model.drafts[number]
    return outer.shape.members.contains { member in
      outer.composition(of: member) == .number && Self.isPosition(member.name)
        && ReferenceName(ReferenceName.Key(member.name), draft: outer, target: target).score >= 2
    }
  }

  /// Returns whether a key says that its numbers are positions: `locationX`, `nodeIndex`.
  private static func isPosition(_ name: MemberName) -> Bool {
    name.words.parts.count > 1 && isIndex(name)
  }

  private static func isIndex(_ name: MemberName) -> Bool {
    ["x", "idx", "index", "ix", "position"].contains(name.words.parts.last)
  }

  /// Makes the key of objects in a dictionary their identity, if others mean them by that and not by a member.
  ///
  /// `{"lights": {"1": {"uniqueid": "00:17:88"}, …}, "groups": [{"lights": ["1", "2"]}]}` has lights 1 and 2. The objects
  /// themselves may name each other: `{"rooms": {"hall": {"id": 7, "exits": ["loft", "cellar"]}, …}}`.
  private func preferKeys(_ values: [Values], _ index: ValueIndex) {
    for target in model.drafts where target.isAlwaysKeyed && target.givenIdentity == nil {
      guard let identity = target.identity, identity.key != nil,
        target.keyIdentity.records.allSatisfy({ $0.count == 1 }),
        identity.scalars.sketch.overlap(with: target.keys.sketch).common == 0
      else { continue }
      let areMeant = index.values(thatMayReferTo: target).map { values[$0] }.contains { value in
        guard !value.areNumbers else { return false }
        let overlap = value.scalars.sketch.overlap(with: target.keys.sketch)
        let isNamed =
          ReferenceName(value.name, draft: value.owner, target: target).score >= 2
          && value.owner !== target
        return overlap.common == overlap.compared
          && overlap.common >= (isNamed ? 2 : Self.leastKeys)
          && value.scalars.sketch.overlap(with: identity.scalars.sketch).common == 0
          && !(value.owner === target && namesOwnKey(value, of: target))
      }
      guard areMeant else { continue }
      target.identity = InferredIdentity(
        key: nil, scalars: target.keys,
        evidence: InferredIdentity.evidence(ofUnique: target.objectCount))
    }
  }

  /// Returns whether strings in objects of a dictionary are the keys of these very objects.
  private func namesOwnKey(_ value: Values, of target: EntityDraft) -> Bool {
    target.shape.member(value.member.hash)?.identity?.agreement(with: target.keyIdentity).equal ?? 0
      > 0
  }

  /// Returns whether each object has a string or a number of its own in a member.
  private func isDistinct(_ member: Shape.Member, in draft: EntityDraft) -> Bool {
    let shape = member.shape
    let composition = draft.composition(of: member)
    guard composition == .number || composition == .string, shape.nullCount == 0,
      (composition == .number ? shape.scalars.integerCount : shape.stringCount)
        == draft.objectCount,
      let sample = shape.identity
    else { return false }
    return sample.records.allSatisfy { $0.count == 1 }
      && shape.scalars.sketch.distinctCount == draft.objectCount
  }

  private func identity(_ member: Shape.Member, of draft: EntityDraft) -> InferredIdentity {
    InferredIdentity(
      key: member.key, scalars: member.shape.scalars,
      evidence: InferredIdentity.evidence(ofUnique: draft.objectCount))
  }

  /// Returns whether objects have a member that is called an identifier, such as the `service_id` of a calendar.
  ///
  /// Small numbers mean the same if none of the objects is left out, and these are in no lists.
  private func isSharedIdentifier(_ value: Values, of draft: EntityDraft) -> Bool {
    let count = draft.shape.member(value.member.hash)?.scalars.sketch.distinctCount
    return count != nil && Self.isIdentifier(value.member)
      && (!value.scalars.areSmall
        || value.scalars.sketch.distinctCount == count
          && draft.places.allSatisfy { model.table[$0].link == .one })
  }

  /// Returns whether a key is that of an identifier or of a number on something: `service_id`, `cardNumber`.
  private static func isIdentifier(_ name: MemberName) -> Bool {
    let words = name.words.parts
    return IdentityNames.isForeign(words) || words.count > 1 && IdentityNames.isNumber(name)
  }

  /// Returns whether a member of objects begins with what they are called: the `player_slot` of players.
  ///
  /// The same key in other objects means theirs.
  private static func isOwnKey(_ name: MemberName, of draft: EntityDraft) -> Bool {
    let words = name.words.parts
    return words.count > 1 && draft.shape.member(name.hash) != nil
      && draft.aliases.contains([words[0]])
  }

  // MARK: Strings

  /// The fewest strings that refer to objects by a member whose name does not say so; more, if the objects only count
  /// or describe values, as in `{"val": "MAJOR", "count": 7}`.
  private static let (stringLimit, valueLimit) = (3, 5)
  /// The least bytes of most of them: shorter ones are words that occur anywhere.
  private static let stringLength = 6

  /// A candidate for the identity of objects: one of their members, or the key under which they are found.
  private struct Candidate {
    let key: String?
    let scalars: ScalarStatistics
    let identity: IdentitySample
  }

  /// Gives an identity to objects that differ by a string, or by their key, if the strings of other objects are
  /// equal to these.
  private func resolveStrings() {
    let targets = model.drafts.filter { draft in
      draft.form == .object && (draft.identity == nil || isName(draft))
        && draft.givenIdentity == nil
        && draft.objectCount >= Self.limit(for: draft) && draft.places.count == 1
        && model.table[draft.places[0]].link != .one
    }
    guard !targets.isEmpty else { return }
    let references = SketchIndex(
      model.drafts.flatMap { draft in draft.shape.members.map { sketch(of: $0, in: draft) } })
    let owners = model.drafts.flatMap { draft in draft.shape.members.map { (draft, $0) } }
    for target in targets {
      let candidates = candidates(in: target).filter { candidate in
        // {"name": "run", "usr": "s:4f2a91"}: a code may come before a name, and has one meaning under one key.
        let isCode = Self.areCodes(candidate.scalars)
        guard target.identity == nil || isCode else { return false }
        return references.sketches(near: candidate.scalars.sketch).contains { number in
          let (owner, reference) = owners[number]
          let overlap = sketch(of: reference, in: owner).overlap(with: candidate.scalars.sketch)
          return (reference.key != candidate.key || isCode && owner !== target)
            && overlap.compared >= Self.limit(for: target)
            && overlap.common == overlap.compared
            && (owner === target
              ? namesOthers(reference, in: owner, candidate) : isRepeated(reference, in: owner))
        }
      }
      guard candidates.count == 1, let candidate = candidates.first else { continue }
      target.identity = InferredIdentity(
        key: candidate.key, scalars: candidate.scalars,
        evidence: InferredIdentity.evidence(ofUnique: target.objectCount))
    }
  }

  /// Returns whether objects have a name and no better identity.
  private func isName(_ draft: EntityDraft) -> Bool {
    draft.identity?.key.map { IdentityNames.rank(of: $0, aliases: draft.aliases) ?? 9 > 6 } ?? false
  }

  /// Returns whether strings have digits, as few words have.
  private static func areCodes(_ scalars: ScalarStatistics) -> Bool {
    scalars.examples.allSatisfy { $0.contains(where: \.isNumber) }
  }

  private static func limit(for target: EntityDraft) -> Int {
    target.shape.members.count > 2 ? stringLimit : valueLimit
  }

  private func candidates(in target: EntityDraft) -> [Candidate] {
    var candidates = target.shape.members.compactMap { member -> Candidate? in
      guard isUnique(member, in: target), let identity = member.shape.identity else { return nil }
      return Candidate(key: member.key, scalars: member.shape.scalars, identity: identity)
    }
    if target.isAlwaysKeyed, Self.areLong(target.keys),
      target.keyIdentity.records.allSatisfy({ $0.count == 1 })
    {
      candidates.append(
        Candidate(key: nil, scalars: target.keys, identity: target.keyIdentity))
    }
    return candidates
  }

  /// Returns whether a string is never the identity of the object that has it, or strings in arrays are those of some.
  ///
  /// Arrays with the strings of all objects may be other names of each.
  private func namesOthers(
    _ reference: Shape.Member, in draft: EntityDraft, _ candidate: Candidate
  ) -> Bool {
    if draft.composition(of: reference) == .scalars {
      return sketch(of: reference, in: draft).distinctCount < candidate.scalars.sketch.distinctCount
    }
    return reference.shape.identity?.agreement(with: candidate.identity).equal == 0
  }

  /// Returns the shape of the strings or numbers of a member, or of those in its arrays.
  private func values(of member: Shape.Member, in draft: EntityDraft) -> Shape {
    draft.composition(of: member) == .scalars
      ? member.shape.element ?? member.shape : member.shape
  }

  private func isRepeated(_ member: Shape.Member, in draft: EntityDraft) -> Bool {
    let shape = values(of: member, in: draft)
    return shape.scalars.stringCount > shape.scalars.sketch.distinctCount
  }

  /// Returns the strings of a member; none if some are too short to refer to anything.
  private func sketch(of member: Shape.Member, in draft: EntityDraft) -> ValueSketch {
    let shape = values(of: member, in: draft)
    guard shape.scalars.stringCount == shape.scalars.count, Self.areLong(shape.scalars),
      shape.scalars.formats.datePattern == nil, draft.identity?.key != member.key
    else { return ValueSketch() }
    return shape.scalars.sketch
  }

  private static func areLong(_ scalars: ScalarStatistics) -> Bool {
    scalars.stringCount > 0 && (scalars.shortest + scalars.longest) / 2 >= stringLength
  }

  /// Returns whether each object has a string of its own in a member.
  private func isUnique(_ member: Shape.Member, in draft: EntityDraft) -> Bool {
    let shape = member.shape
    guard draft.composition(of: member) == .string, shape.nullCount == 0,
      shape.stringCount == draft.objectCount, Self.areLong(shape.scalars),
      let sample = shape.identity
    else { return false }
    return sample.records.allSatisfy { $0.count == 1 }
  }

  // MARK: Mentions

  /// The most members of objects that only mention others: a name, and a namespace beside it.
  private static let mentionLimit = 2

  /// Gives objects their name as the identity, if others have nothing else.
  ///
  /// If several objects have one name, as the columns of tables do, it is no identity of those that mention them either.
  private func resolveMentions() {
    let mentions = model.drafts.filter(isMention)
    guard !mentions.isEmpty else { return }
    let targets = model.drafts.filter { draft in
      draft.form == .object && draft.objectCount > 1 && draft.givenIdentity == nil
        && draft.places.allSatisfy { model.table[$0].link != .one }
    }.flatMap { draft in names(of: draft).map { (draft: draft, name: $0) } }
    let index = SketchIndex(targets.map(\.name.shape.scalars.sketch))
    for mention in mentions {
      let named = names(of: mention).flatMap { name in
        index.sketches(near: name.shape.scalars.sketch).map { targets[$0] }
          .filter { isMentioned($0.draft, by: mention, name) }
      }
      let distinct = named.filter { isDistinct($0.name, in: $0.draft) }
      if distinct.isEmpty, let target = named.first, isName(mention) {
        mention.identity = nil
        mention.objection = "several objects elsewhere have the same \(target.name.key)"
      } else if distinct.count == 1, let target = distinct.first, target.draft.identity == nil {
        target.draft.identity = identity(target.name, of: target.draft)
      }
    }
  }

  private func isMention(_ draft: EntityDraft) -> Bool {
    draft.form == .object && model.rootNumber(of: draft) == nil && draft.givenIdentity == nil
      && draft.shape.members.count <= Self.mentionLimit
      && draft.shape.members.allSatisfy {
        draft.composition(of: $0) == .string && draft.holdsIdentifiers($0)
      }
  }

  /// Returns the members that are called like a name of objects.
  private func names(of draft: EntityDraft) -> [Shape.Member] {
    draft.shape.members.filter { member in
      draft.composition(of: member) == .string
        && IdentityNames.rank(of: member.name, aliases: []) == IdentityNames.greatestNameRank
    }
  }

  /// Returns whether all objects of a mention repeat the name of objects of a target, and what else they have.
  private func isMentioned(
    _ target: EntityDraft, by mention: EntityDraft, _ name: Shape.Member
  ) -> Bool {
    guard target !== mention, target.shape.members.count > mention.shape.members.count,
      mention.shape.members.allSatisfy({ target.composition(of: $0.hash) == .string }),
      let values = target.shape.member(name.hash), let mine = name.shape.identity,
      let theirs = values.identity
    else { return false }
    let overlap = name.shape.scalars.sketch.overlap(with: values.scalars.sketch)
    return overlap.common > 1 && overlap.common == overlap.compared
      && (mention.shape.members.count == 1 || mine.agreement(with: theirs).contradicting == 0)
  }

  // MARK: Only objects

  /// The least bytes of a string that means its object under any key.
  private static let longString = 16

  /// Gives an identity to an object that is the only one of its kind, if the strings of other objects name it.
  ///
  /// In `{"scheme": {"uri": "https://a.org/s", …}, "concepts": [{"inScheme": "https://a.org/s", …}, …]}` they do. One
  /// `"plan": "gold"` beside `{"tenant": {"name": "gold"}}` is no evidence, as two members may have the same word.
  private func resolveOnlyObjects() {
    let targets = model.drafts.filter { draft in
      draft.form == .object && draft.objectCount == 1 && draft.identity == nil
        && draft.givenIdentity == nil && draft.shape.members.count > 1
        && model.rootNumber(of: draft) == nil
    }
    guard !targets.isEmpty else { return }
    var owners: [UInt64: [(owner: EntityDraft, member: Shape.Member)]] = [:]
    for draft in model.drafts {
      for member in draft.shape.members where isConstant(member, in: draft) {
        guard let value = values(of: member, in: draft).scalars.sketch.values.first else {
          continue
        }
        owners[value, default: []].append((draft, member))
      }
    }
    for target in targets {
      let found = target.shape.members.compactMap { member -> (rank: Int, member: Shape.Member)? in
        guard target.composition(of: member) == .string, member.shape.stringCount == 1,
          let value = member.shape.scalars.sketch.values.first,
          let rank = IdentityNames.rank(of: member.name, aliases: target.aliases)
        else { return nil }
        let isName = rank <= IdentityNames.greatestNameRank
        guard isName || member.shape.scalars.formats.contains(.uuid) else { return nil }
        let isNamed = (owners[value] ?? []).contains { owner, reference in
          owner !== target
            && (member.shape.scalars.shortest >= Self.longString && reference.key != member.key
              && (isName || Self.areOfOneKind(reference.name, member.name))
              || isName
                && ReferenceName(
                  ReferenceName.Key(reference.name), draft: owner, target: target
                ).score >= 2)
        }
        return isNamed ? (rank, member) : nil
      }
      guard let best = found.min(by: { ($0.rank, $0.member.key) < ($1.rank, $1.member.key) })
      else { continue }
      target.identity = InferredIdentity(
        key: best.member.key, scalars: best.member.shape.scalars,
        evidence: "1 object, 1 identity, which other objects have")
    }
  }

  /// Returns whether two keys end with the same word, and begin with others: `note_model_uuid` and `crowdanki_uuid`.
  private static func areOfOneKind(_ first: MemberName, _ second: MemberName) -> Bool {
    let (mine, theirs) = (first.words.parts, second.words.parts)
    return mine.last == theirs.last && mine.dropLast().last != theirs.dropLast().last
  }

  /// Returns whether strings, or those in lists, are always the same, and occur more than once.
  ///
  /// A UUID may occur once.
  private func isConstant(_ member: Shape.Member, in draft: EntityDraft) -> Bool {
    guard [.string, .scalars].contains(draft.composition(of: member)) else { return false }
    let scalars = values(of: member, in: draft).scalars
    return (scalars.stringCount > 1 || scalars.formats.contains(.uuid))
      && scalars.stringCount == scalars.count
      && scalars.sketch.distinctCount == 1 && scalars.emptyStringCount == 0
  }

  // MARK: Named values

  /// The last words of keys whose numbers measure or order things and identify none.
  private static let measures: Set<String> = [
    "sequence", "order", "rank", "level", "count", "size", "length", "total", "amount", "depth",
    "offset", "duration", "score", "priority", "weight", "width", "height",
  ]

  private func values(in draft: EntityDraft) -> [Values] {
    draft.shape.members.compactMap { member in
      let scalars: ScalarStatistics? =
        switch draft.composition(of: member) {
        case .number
        where member.shape.scalars.areCounts(of: member.name.words)
          || member.name.words.parts.last.map(Self.measures.contains) == true:
          nil
        case .number, .string: member.shape.scalars
        case .scalars: member.shape.element?.scalars
        default: nil
        }
      guard let scalars = scalars?.withoutEmptyString, scalars.sketch.distinctCount > 1 else {
        return nil
      }
      let areNumbers =
        scalars.integerCount == scalars.count && scalars.largeCount == 0 && scalars.minimum >= 0
      guard areNumbers || scalars.stringCount == scalars.count else { return nil }
      return Values(member.name, scalars, of: draft)
    }
  }

  /// Returns whether an entity has no identity, or one that is not called an identifier.
  private func mayBeGiven(_ draft: EntityDraft) -> Bool {
    guard draft.form == .object, draft.objectCount > 1, draft.givenIdentity == nil else {
      return false
    }
    guard let identity = draft.identity else { return true }
    return identity.key.map { !IdentityNames.isStrong($0) } ?? false
  }

  /// Returns whether the identity of objects is an address, a name or the like.
  private func isWeak(_ draft: EntityDraft) -> Bool {
    draft.identity?.key.map { IdentityNames.rank(of: $0, aliases: draft.aliases) ?? 9 > 4 } ?? false
  }

  /// Returns the member that is different in each object and has all the values by which objects
  /// are referred to; of several with the same values, the first that is called by another name than a position.
  private func member(
    of draft: EntityDraft, meantBy references: [Values], _ names: TargetIndex
  ) -> InferredIdentity? {
    let current = draft.identity?.scalars.sketch ?? ValueSketch()
    // A value of an object that is alone in another one is rather that one's, or a measure, unless the others call it the
    // same: the `teamId` of `home`, of `away` and of events.
    let isListed = draft.places.contains { model.table[$0].link != .one }
    let members = draft.shape.members.filter { member in
      let shape = member.shape
      let areNumbers = draft.composition(of: member) == .number
      guard isDistinct(member, in: draft),
        !refersToOthers(member.name, of: draft, names)
      else { return false }
      return references.contains { reference in
        guard reference.owner !== draft || reference.member.key != member.key,
          isListed || reference.owner !== draft && reference.member.key == member.key,
          reference.areNumbers == areNumbers
        else { return false }
        let overlap = reference.scalars.sketch.overlap(with: shape.scalars.sketch)
        guard overlap.compared > 1, overlap.common == overlap.compared else { return false }
        // Where strings are names of the objects, they refer to these by name.
        return areNumbers || reference.scalars.sketch.overlap(with: current).common == 0
      }
    }
    // An `index` that repeats the `bus_i` of each object is another word for it.
    guard let member = members.first(where: { !Self.isIndex($0.name) }) ?? members.first,
      members.allSatisfy({ Self.haveSameValues($0, member) })
    else { return nil }
    return identity(member, of: draft)
  }

  private static func haveSameValues(_ first: Shape.Member, _ second: Shape.Member) -> Bool {
    let (mine, theirs) = (first.shape.scalars.sketch, second.shape.scalars.sketch)
    let overlap = mine.overlap(with: theirs)
    return mine.distinctCount == theirs.distinctCount && overlap.common == overlap.compared
  }

  /// Returns whether a number is one end of a link, which leads to other objects than links.
  private func isEnd(_ number: Values, of target: EntityDraft) -> Bool {
    number.owner === target && ["source", "target"].contains(number.member.lowercased)
  }

  /// Returns whether a key names objects of another entity.
  private func refersToOthers(
    _ name: MemberName, of draft: EntityDraft, _ names: TargetIndex
  ) -> Bool {
    let name = ReferenceName.Key(name)
    let others = name.isEnd(of: draft) ? Array(model.drafts.indices) : names.targets(of: name)
    return others.lazy.map { model.drafts[$0] }.contains { other in
      other !== draft && other.form == .object && other.objectCount > 1
        && ReferenceName(name, draft: draft, target: other).score >= 2
    }
  }

  // A document with thousands of entities has millions of pairs of a value and an entity. So only those are compared
  // that a name can bring together.

  /// Finds the values whose keys may refer to an entity.
  private struct ValueIndex {
    private var byWord: [String: [Int]] = [:]
    private var byKey: [String: [Int]] = [:]
    private var byOwner: [Int: [Int]] = [:]
    /// The values that may refer to any entity.
    private var ends: [Int] = []
    /// The ends of links that may be positions.
    private var positions: [Int] = []
    /// The values that may refer to any people.
    private var roles: [Int] = []

    init(_ values: [Values]) {
      for (index, value) in values.enumerated() {
        for word in value.name.lastWords { byWord[word, default: []].append(index) }
        byKey[value.member.key, default: []].append(index)
        byOwner[value.owner.number, default: []].append(index)
        if value.name.isEnd(of: value.owner) {
          ends.append(index)
        } else if value.name.isOneEnd, ReferredIdentitySearch.isPosition(value.member) {
          positions.append(index)
        }
        if value.name.isRole { roles.append(index) }
      }
    }

    func values(thatMayReferTo target: EntityDraft) -> [Int] {
      let names = target.referredNames
      var found = ends + positions + (byOwner[target.number] ?? [])
      for word in names.lastWords { found += byWord[word] ?? [] }
      if names.arePeople { found += roles }
      if let key = target.identity?.key { found += byKey[key] ?? [] }
      // The same key elsewhere may mean these objects.
      let isNameless =
        target.identity?.key.map { IdentityNames.rank(of: $0, aliases: target.aliases) ?? 9 > 6 }
        ?? true
      for member in target.shape.members
      where ReferredIdentitySearch.isOwnKey(member.name, of: target)
        || isNameless && ReferredIdentitySearch.isIdentifier(member.name)
      {
        found += byKey[member.key] ?? []
      }
      found.sort()
      return zip(found, [-1] + found).compactMap { $0 == $1 ? nil : $0 }
    }
  }

  /// Finds the entities to which a key may refer.
  private struct TargetIndex {
    private var byWord: [String: [Int]] = [:]
    private var byKey: [String: [Int]] = [:]
    private var people: [Int] = []

    init(_ drafts: [EntityDraft]) {
      for draft in drafts {
        let names = draft.referredNames
        for word in names.lastWords { byWord[word, default: []].append(draft.number) }
        if names.arePeople { people.append(draft.number) }
        noteIdentity(of: draft)
      }
    }

    mutating func noteIdentity(of draft: EntityDraft) {
      if let key = draft.identity?.key { byKey[key, default: []].append(draft.number) }
    }

    func targets(of name: ReferenceName.Key) -> [Int] {
      name.lastWords.flatMap { byWord[$0] ?? [] } + (byKey[name.key] ?? [])
        + (name.isRole ? people : [])
    }
  }

  /// Returns the position in the only array that has the objects.
  private func position(in draft: EntityDraft, meantBy references: [Values]) -> InferredIdentity? {
    guard model.documents.count == 1, draft.places.count == 1 else { return nil }
    let place = model.table[draft.places[0]]
    guard place.link == .elements, place.steps.count == 1,
      case .member(let key)? = place.steps.first,
      let parent = place.parent, let array = model.table[parent].shape.member(named: key),
      array.arrayCount == 1, draft.objectCount <= Self.positionLimit,
      references.contains(where: { $0.scalars.maximum < Int64(draft.objectCount) })
    else { return nil }
    var scalars = ScalarStatistics()
    for position in 0..<draft.objectCount {
      "\(position)".withBorrowedUTF8 { scalars.note(number: $0, Fingerprint.of($0)) }
    }
    return InferredIdentity(
      key: nil, scalars: scalars,
      evidence: "\(draft.objectCount) objects, told apart by their position in this document",
      isPosition: true)
  }

  /// The most objects that are referred to by their position.
  private static let positionLimit = 1_000_000
}
