import Graft

/// Ranks keys by the likelihood that they name an identifier.
enum IdentityNames {
  private static let strong: Set<String> = [
    "id", "_id", "@id", "$id", "id_str", "uuid", "guid", "uid", "iid", "identifier", "oid", "pk",
    "objectid", "urn", "node_id", "iri", "idstr", "_key", "entityid", "globalid", "global_id",
    "bom-ref", "gid", "mbid", "nid", "xid", "unique_id", "uniqueid",
    "entity_id", "object_id", "record_id", "item_id", "external_id", "externalid",
  ]
  /// Codes that a standard or an office gives to things: ISBN, IATA, IBAN.
  private static let codes: Set<String> = [
    "ean", "isbn", "isbn13", "isbn10", "issn", "doi", "vin", "sku", "gtin", "upc", "asin", "iata",
    "icao", "cas", "iban", "fips", "isin", "cusip", "figi", "lei", "pmid", "pmcid", "orcid", "ror",
    "mmsi", "icao24", "qid", "nct", "zpid", "mlsid",
  ]
  private static let natural: [String: Int] = [
    "key": 3, "slug": 3, "code": 3, "symbol": 3, "login": 3, "username": 3, "user_name": 3,
    "screen_name": 3, "handle": 3, "email": 4, "sha": 3, "hash": 3, "digest": 3, "number": 4,
    "no": 4, "nr": 4, "seq": 4,
    "callsign": 3,
    "permalink": 4, "shortcode": 3, "alpha2": 4, "alpha_2": 4,
    "iso": 4, "iso2": 4, "iso_code": 4, "alpha_3": 3, "alpha_4": 3, "alpha4": 3, "numeric": 5,
    "alpha3": 3, "cca2": 4, "cca3": 3,
    "abbreviation": 4, "abbrev": 4, "abbr": 4, "ref": 4, "arn": 3, "purl": 4, "rel": 9, "url": 5,
    "href": 5,
    "uri": 4, "link": 5, "self": 5, "path": 5, "name": 6, "alias": 6, "filename": 5, "file_name": 5,
    "filepath": 4, "file_path": 4, "file": 6, "full_name": 4, "fullname": 5, "qualified_name": 4,
    "full_path": 4, "fullurl": 3, "full_url": 3, "self_link": 4, "selflink": 4,
    "registration": 3, "serial": 4, "barcode": 3, "ticker": 3, "hostname": 4, "host": 5,
    "domain": 5, "title": 8, "label": 7, "tag_name": 5,
  ]

  /// Words for the numbers of things.
  static let numbers: Set<String> = ["number", "no", "nr", "num"]
  /// The rank of `url` and `href`; those of `name`, `label` and `title` are greater.
  static let addressRank = 6
  /// The greatest rank of a key that names objects, which `name` has.
  static let greatestNameRank = 7

  /// Returns whether a rank is that of a key that names objects: `name`, `label` or `title`.
  static func isName(_ rank: Int) -> Bool { rank > addressRank && rank < foreignRank }

  /// Returns whether a key is that of a number of something: `frameNum`.
  static func isNumber(_ name: MemberName) -> Bool {
    name.words.parts.last.map(numbers.contains) == true
  }

  /// Returns whether a key that names an identity may be one in a list only: the `key` of a bucket, the `versionId` of a
  /// version.
  static func mayBeLocal(_ name: MemberName) -> Bool {
    name.words.parts.last.map(ownMarks.contains) == true && !isCodeOfGoods(name.key)
  }

  /// Returns whether a key names an identity by itself.
  static func isStrong(_ key: String) -> Bool { strong.contains(key.lowercased()) }

  /// Returns the rank of a key as the identity of an entity, as for a member of that name.
  static func rank(of key: String, aliases: Set<[String]>) -> Int? {
    rank(of: MemberName(key), aliases: aliases)
  }

  /// Returns whether a key names a code by which a shop or an office knows something.
  static func isCodeOfGoods(_ key: String) -> Bool { codes.contains(key.lowercased()) }

  /// Returns whether a key names a code that means the same thing wherever it occurs.
  static func isCode(_ key: String) -> Bool {
    let words = Words(key).parts
    return codes.contains(key.lowercased()) || natural[key.lowercased()].map { $0 <= 3 } == true
      || words.count > 1 && words.last == "id"
  }

  /// Returns the rank of a key as the identity of an entity, from 1 (best); nil if it does not fit.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - aliases: The words by which the entity's objects are found, in the singular.
  /// - Returns: The rank, or nil.
  static func rank(of name: MemberName, aliases: Set<[String]>) -> Int? {
    let (key, lower) = (name.key, name.lowercased)
    if lower == "id" || lower == "unique_id" { return 1 }
    if strong.contains(lower) { return 2 }
    if codes.contains(lower) { return 3 }
    let parts = name.words.parts
    if let last = parts.last, parts.count > 1 {
      let owner = Array(parts.dropLast())
      if aliases.contains(where: { $0 == owner || $0.last == owner.last && owner.count == 1 }) {
        // The `conceptCode` of a concept comes after its `conceptId`, as `code` comes after `id`.
        if ownMarks.contains(last) { return last == "code" ? 4 : 3 }
        // {"products": [{"productName": "Chai", …}]}
        if let rank = natural[last] { return rank + 1 }
      }
    }
    if let rank = natural[lower] { return rank + 1 }
    if isInitial(name, of: aliases) { return 4 }
    // {"rooms": [{"room": "A101", "seats": 30}]}
    if !aliases.isEmpty, aliases.contains(name.words.singular.parts) { return 7 }
    // `iso_3166_1` and `iso6391` are codes of the standards that they name.
    if parts.first?.hasPrefix("iso") == true, lower.contains(where: \.isNumber) { return 4 }
    // `SPDXID`
    if parts.count == 1, lower.count > 4, key.hasSuffix("ID"), key == key.uppercased() { return 4 }
    guard isForeign(parts) else { return nil }
    return parts.count > 1 && parts.last == "id" && mayOwn(parts[parts.count - 2], aliases)
      ? 5 : foreignRank
  }

  /// Returns whether a key names an entity by its initial only: `{"jnyL": [{"jid": "1|70|0|80", …}]}`.
  static func isInitial(_ name: MemberName, of aliases: Set<[String]>) -> Bool {
    let lower = name.lowercased
    return lower.count == 3 && lower.hasSuffix("id") && !strong.contains(lower)
      && !aliases.contains([lower])
      && aliases.contains { $0.first?.first == lower.first }
  }

  /// The rank of another thing's identifier, such as the `matchCriteriaId` of a match, which only the data proves
  /// to be an identity.
  static let foreignRank = 11

  /// Returns whether the words of a key say that it is an identifier of something.
  static func isForeign(_ words: [String]) -> Bool {
    if words.count == 1 { return words[0].hasSuffix("id") && !Self.words.contains(words[0]) }
    return words.count > 1 && ["id", "uuid", "guid", "key"].contains(words[words.count - 1])
  }

  /// Words that end like an identifier; any other one is an identifier, such as `safetyreportid`.
  private static let words: Set<String> = [
    "id", "aid", "bid", "did", "hid", "kid", "lid", "mid", "rid", "void", "avoid", "grid", "acid",
    "raid", "maid", "said", "paid", "laid", "arid", "avid", "amid", "fluid", "valid", "invalid",
    "solid", "rapid", "vivid", "timid", "humid", "rigid", "plaid", "squid", "braid", "hybrid",
    "liquid", "stupid", "prepaid", "unpaid", "overlaid", "android", "asteroid", "centroid",
    "steroid", "thyroid", "tabloid", "polaroid", "pyramid", "orchid", "mermaid", "covid",
  ]

  /// Words at the end of an identity that is named after its object: the `bookingRef` of a booking.
  private static let ownMarks: Set<String> = [
    "id", "uuid", "code", "key", "number", "no", "nr", "sku", "guid", "ref", "reference",
    "identifier", "arn", "urn", "uid", "iri", "tag",
    "pk",
  ]

  /// The keys of an object's address or relation.
  private static let marks: Set<String> = ["href", "url", "self", "link", "uri", "rel"]

  /// Returns whether a key is found beside an identifier where objects only refer to others: `{"id": 7, "type": "user"}`.
  static func isMark(_ key: String) -> Bool {
    marks.contains(key) || TagNames.isOwnType(key.lowercased())
  }

  /// Keys with a general meaning.
  static let general: Set<String> = [
    "item", "result", "data", "datum", "list", "entry", "record", "row", "value", "element", "node",
    "content", "object", "hit", "doc", "included",
  ]
  /// The keys of an object's parts, in the singular, which name no object.
  private static let parts: Set<String> = [
    "attribute", "field", "property", "resource", "source", "metadata", "payload", "s",
  ]

  /// Returns whether words name a part of an object.
  static func namesPart(_ words: [String]) -> Bool { words.count == 1 && parts.contains(words[0]) }

  /// Roles of people.
  private static let roles: Set<String> = [
    "owner", "author", "creator", "sender", "recipient", "receiver", "assignee", "reporter",
    "reviewer",
    "actor", "member", "editor", "poster", "seller", "buyer", "contact", "organizer", "attendee",
    "maintainer", "contributor", "collaborator", "publisher", "customer", "participant",
    "committer", "approver", "examiner", "tutor", "mentor", "supervisor", "moderator",
    "holder", "maker",
  ]
  private static let people: Set<String> = [
    "user", "person", "account", "member", "profile", "staff", "employee", "worker",
  ]

  /// People at work, whose lists are of different kinds: teachers are no students.
  private static let professions: Set<String> = [
    "agent", "artist", "chemist", "clinician", "coach", "courier", "crew", "curator", "doctor",
    "driver", "engineer", "expert", "inspector", "lawyer", "mechanic", "musician", "nurse",
    "officer", "operator", "pilot", "player", "researcher", "scientist", "student", "teacher",
    "technician", "trainer", "vet", "volunteer",
  ]

  /// Returns whether words name people who may have a role: the `author` of a report may be a chemist.
  static func mayHaveRole(_ words: [String]) -> Bool {
    isPerson(words) || words.last.map(professions.contains) ?? false
  }

  /// Returns whether words name a role, and not a kind of object.
  static func isRole(_ words: [String]) -> Bool { words.last.map(roles.contains) ?? false }

  /// Returns whether words name a person.
  static func isPerson(_ words: [String]) -> Bool {
    words.last.map { roles.contains($0) || people.contains($0) } ?? false
  }

  /// Returns whether objects at general keys or roles are named after their identifier: an `owner` with a `user_id` is
  /// a user.
  private static func mayOwn(_ owner: String, _ aliases: Set<[String]>) -> Bool {
    aliases.allSatisfy { alias in
      guard alias.count == 1, let word = alias.first else { return false }
      return general.contains(word) || roles.contains(word) && people.contains(owner)
    }
  }

  /// Returns whether a key may be one of two that only together are an identity.
  static func mayBePart(_ name: MemberName) -> Bool {
    if name.isStrong || name.isTag { return true }
    guard let last = name.words.parts.last else { return false }
    return partNames.contains(last)
  }

  private static let partNames: Set<String> = [
    "id", "code", "key", "name", "version", "lang", "language", "locale", "season", "episode",
    "number", "year", "date", "symbol", "no", "line", "position", "pos", "index", "sequence",
    "namespace",
  ]

  /// Returns the last word of a key as a part of an identity.
  ///
  /// The `minimumAgentVersion` of a task is no version of the task.
  private static func lastWord(of key: String) -> String {
    let words = Words(key).parts
    return words.count > 2 && words.last == "version" ? "" : words.last ?? ""
  }

  /// Returns the rank of two keys as one identity, from 1 (best); nil if they do not fit.
  static func rank(of first: String, with second: String) -> Int? {
    let keys = [first, second].map { (key: $0.lowercased(), last: lastWord(of: $0)) }
    func has(_ one: (String, String) -> Bool, _ other: (String, String) -> Bool) -> Bool {
      one(keys[0].key, keys[0].last) && other(keys[1].key, keys[1].last)
        || one(keys[1].key, keys[1].last) && other(keys[0].key, keys[0].last)
    }
    let isID = { (key: String, _: String) in isStrong(key) }
    let isReference = { (key: String, last: String) in
      !isStrong(key) && ["id", "code"].contains(last)
    }
    func ends(with words: Set<String>) -> (String, String) -> Bool { { words.contains($1) } }
    if has(isID, { key, _ in TagNames.contains(MemberName(key)) }) { return 1 }
    if has(isID, ends(with: ["version", "lang", "language", "locale"])) { return 2 }
    // A trip passes a stop twice, but has one stop of each number.
    if has(isReference, ends(with: ["line", "position", "pos", "index", "sequence", "no"])) {
      return 3
    }
    if has(isReference, isReference) { return 4 }
    if has(
      ends(with: ["name", "key", "code"]),
      ends(with: ["version", "lang", "language", "locale", "namespace"]))
    {
      return 5
    }
    if has(ends(with: ["season"]), ends(with: ["episode", "number"])) { return 6 }
    if has(isReference, ends(with: ["date", "year", "number"])) { return 7 }
    if has(ends(with: ["date", "year"]), ends(with: ["symbol", "code"])) { return 8 }
    if has(ends(with: ["year"]), ends(with: ["category"])) { return 9 }
    return nil
  }
}
