// Scores how well a key names the objects of an entity:
//
//   3   the key is the entity's name, or its identity   `topicIds` of topics, `isbn` of books with an `isbn`
//   2   it ends like the name, or means such objects    `homeTeam` of teams, `reviewer` of users, `parent` of its own kind
//   1   it ends like an identifier                      `ownerRef`
//   0   it says nothing                                 `count`

import Graft

/// Scores how well a key names the objects of an entity.
struct ReferenceName {
  /// The score: 3 if the key names the entity, 2 if it ends like the name, 1 if it ends like an identifier, else 0.
  let score: Int
  /// Whether the key is named like an identifier.
  let isMarked: Bool

  /// Words at the end of a key that say only that it is an identifier.
  fileprivate static let marks: Set<String> = [
    "id", "code", "key", "ref", "uuid", "guid", "slug", "number", "no", "name", "sku", "symbol",
    "identifier", "idx", "index", "ix", "x", "iri", "uri", "url", "href", "str", "uid",
    "abbrev", "abbr", "abbreviation", "v", "def", "hash", "sha", "arn",
  ]
  /// Words for an object of the same kind.
  private static let selves: Set<String> = [
    "parent", "child", "kid", "previous", "next", "sibling", "ancestor", "descendant",
    "predecessor", "successor", "superior", "reply", "original", "related", "source", "target",
    "depends", "dependson", "dependency", "prerequisite", "requires", "root", "into",
    "require", "supersede", "supersedes", "superseded", "replace", "replaces", "replaced",
    "duplicate", "extend", "extends", "inherit", "inherits", "block", "blocks", "blocked",
    "correct", "corrects", "cancel", "cancels", "mother", "father", "spouse", "partner", "ref",
    "linked", "prev", "orig", "lead", "leader", "manager",
    "based", "derived", "forked",
  ]

  /// The keys of the two ends of a link between objects.
  private static let ends: [(from: String, to: String)] = [
    ("source", "target"), ("from", "to"), ("src", "dst"), ("parent", "child"), ("tail", "head"),
    ("subject", "object"), ("origin", "destination"), ("start", "end"), ("out", "in"),
  ]

  /// Returns whether words are one end of the objects, which are links such as `{"source": "a", "target": "b"}`.
  ///
  /// The two ends of `{"from": 1, "to": 5}` may as well be numbers.
  fileprivate static func isEnd(_ words: [String], of draft: EntityDraft) -> Bool {
    guard words.count == 1 else { return false }
    return ends.contains { from, to in
      guard words[0] == from || words[0] == to else { return false }
      return [from, to].allSatisfy { end in
        draft.shape.members.first { Self.ownerWords($0.key) == [end] }.map { member in
          member.shape.stringCount > 0 || from == "source"
            || from == "out" && member.name.words.parts.count > 1
        } ?? false
      }
    }
  }

  /// Returns whether a key is one end of a link, and gives the position of an object there: `fromIndex`.
  private static func isPositionOfEnd(
    _ key: Key, _ words: [String], of target: EntityDraft
  ) -> Bool {
    words.count == 1 && key.isOneEnd && key.isMarked && target.identity?.isPosition == true
  }

  /// Returns the words of a key without words such as "id" at its end.
  private static func ownerWords(_ key: String) -> [String] {
    var words = Words(key).parts
    while words.count > 1, let last = words.last, marks.contains(last) { words.removeLast() }
    return words
  }

  init(_ key: String, draft: EntityDraft, target: EntityDraft) {
    self.init(Key(key), draft: draft, target: target)
  }

  init(_ key: Key, draft: EntityDraft, target: EntityDraft) {
    let names = target.referredNames
    let owner = key.owners.first { names.all.contains([$0]) }
    let words = owner.map { [$0] } ?? key.words
    isMarked = key.isMarked || owner != nil
    let hasLastWord = words.last.map(names.lastWords.contains) ?? true
    if hasLastWord && names.all.contains(words) || Self.isIdentity(key, of: target) {
      score = 3
    } else if hasLastWord && !words.isEmpty || names.arePeople && key.isRole
      || draft === target && words.contains(where: Self.selves.contains)
      || Self.isEnd(words, of: draft) || Self.isPositionOfEnd(key, words, of: target)
    {
      score = 2
    } else {
      score = isMarked ? 1 : 0
    }
  }

  /// Scores the name of a property.
  ///
  /// The keys and the values of a dictionary have its name: `{"owners": {"a7": 3, "b2": 5}}`.
  ///
  /// An `id` that does not identify its own objects refers to the kind after which they are called, as the rooms do in
  /// `{"zones": [{"rooms": [{"id": "2746182", "setpoint": 17}]}, {"rooms": [{"id": "2746182", "setpoint": 21}]}]}`.
  init(of property: PropertyDraft, in draft: EntityDraft, to target: EntityDraft) {
    let own = ReferenceName(property.referringKey, draft: draft, target: target)
    let isValue = property.path == [.value]
    let isOthers =
      draft !== target && draft.identity == nil && IdentityNames.isStrong(property.key)
      && property.path.count == 1 && !property.scalars.areSmall
    guard property.path == [.key] || isValue || isOthers else {
      self = own
      return
    }
    // {"api": {"depends_on": {"db": {…}, "cache": {…}}}, "db": {…}, …}
    let owner = draft.outer.contains(target.number) ? target : draft
    let names = draft.aliases.map {
      ReferenceName($0.joined(separator: " "), draft: owner, target: target)
    }
    let best =
      names.max { ($0.score, $0.isMarked ? 1 : 0) < ($1.score, $1.isMarked ? 1 : 0) } ?? own
    self = isValue || best.score > own.score ? best : own
  }

  /// Returns whether a key is the identity of an entity, and tells whose it is.
  ///
  /// `player_slot` begins with what players are called, and an `isbn` always means a book. Garages with a `gid` are
  /// meant by `g`, and objects with an `id` by the keys of a dictionary, which have no name.
  private static func isIdentity(_ key: Key, of target: EntityDraft) -> Bool {
    guard let identity = target.identity?.key else { return false }
    if key.key == identity {
      return key.words.count > 1 && target.referredNames.all.contains([key.words[0]])
        || IdentityNames.isCode(identity)
    }
    return identity.utf8.count == key.key.utf8.count + 2
      && identity.lowercased() == key.key.lowercased() + "id"
  }

  /// A key that may refer to objects, as words.
  struct Key {
    let key: String
    /// The words without a mark such as "id", the last one in the singular.
    fileprivate(set) var words: [String]
    /// Whether there is such a mark.
    fileprivate(set) var isMarked = false
    /// The owners in a word that may end with a mark: `pageref` and `userid` are marked too, where there are pages and users.
    fileprivate(set) var owners: [String] = []

    private static let marksOfWords = ["id", "ref", "code", "key", "no", "uuid"]

    init(_ key: String) { self.init(MemberName(key)) }

    init(_ name: MemberName) {
      key = name.key
      words = name.words.singular.parts
      while words.count > 1, let last = words.last, marks.contains(last) {
        words.removeLast()
        isMarked = true
      }
      if words.count > 1, words[0] == "id" {
        words.removeFirst()
        isMarked = true
      }
      if let last = words.last { words[words.count - 1] = Words.singular(of: last) }
      guard !isMarked, words.count == 1 else { return }
      owners = Self.marksOfWords.filter(words[0].hasSuffix).map {
        String(words[0].dropLast($0.count))
      }
    }

    /// Whether the key is the name of one end of a link.
    var isOneEnd: Bool {
      words.count == 1 && ReferenceName.ends.contains { $0.from == words[0] || $0.to == words[0] }
    }

    /// Returns whether the key may refer to any entity, whatever it is called, because its objects are links.
    func isEnd(of draft: EntityDraft) -> Bool {
      ReferenceName.isEnd(words, of: draft)
    }

    /// Whether the key may refer to any people: `createdBy`, `reviewer`.
    var isRole: Bool { words.last == "by" || IdentityNames.isRole(words) }

    /// The last words of the names of entities that the key may name.
    var lastWords: [String] { owners + [words.last].compactMap(\.self) }
  }

  /// The names of an entity, as keys that refer to it have them.
  struct Names {
    fileprivate let all: Set<[String]>
    let lastWords: Set<String>
    /// Whether the objects are people.
    let arePeople: Bool

    init(_ aliases: Set<[String]>) {
      var all = aliases.union(aliases.map(ReferenceName.withoutSuffix))
      // An author, owner or assignee is a user too.
      if all.contains(where: IdentityNames.isRole) { all.insert(["user"]) }
      self.all = all
      lastWords = Set(all.map(ReferenceName.withoutSuffix).compactMap(\.last))
      arePeople = all.contains(where: IdentityNames.mayHaveRole)
    }
  }

  /// Returns a name without a suffix that it has as a list of keys: `areaNames` list areas.
  fileprivate static func withoutSuffix(_ alias: [String]) -> [String] {
    guard alias.count > 1, let last = alias.last, suffixes.contains(last) else { return alias }
    return alias.dropLast()
  }

  /// The words at the end of a list of keys.
  private static let suffixes: Set<String> = [
    "name", "label", "title", "map", "index", "list", "l", "table", "lookup", "dict",
  ]
}
