// Finds identifiers of objects of one kind, where only its tag and an identifier together are an identity:
//
//   [{"model": "lib.author", "pk": 1, "fields": {"name": "Ann"}},
//    {"model": "lib.book", "pk": 1, "fields": {"title": "Ships", "author": 1}}]
//
// Each kind counts its own objects, so that the same number is an author, a book and more. The name of the kind decides.

import Graft

/// The kind of objects to which the values of a property refer.
struct KindReference {
  let target: EntityDraft
  /// The fingerprint of the tag's value.
  let kind: UInt64
  /// The key of the identifiers.
  let relatedKey: String
  /// The number of different values that were compared, all of which are identifiers of the kind.
  let count: Int

  /// Finds the kind; nil unless the property is named like one kind, and each value identifies one of its objects.
  init?(_ property: PropertyDraft, in drafts: [EntityDraft]) {
    let words = ReferenceName.Key(property.key).words
    let found = drafts.filter { $0.compositeEvidence != nil }
      .flatMap { Self.references(property, words, to: $0) }
    guard found.count == 1 else { return nil }
    self = found[0]
  }

  private init(_ target: EntityDraft, kind: UInt64, relatedKey: String, count: Int) {
    self.target = target
    self.kind = kind
    self.relatedKey = relatedKey
    self.count = count
  }

  /// Returns the kinds of an entity to whose objects a property refers.
  private static func references(
    _ property: PropertyDraft, _ words: [String], to target: EntityDraft
  ) -> [KindReference] {
    guard let variants = target.variants, let keys = target.givenIdentity, keys.count == 2,
      let key = keys.first(where: { $0 != variants.key }), keys.contains(variants.key),
      let member = target.shape.member(named: key),
      member.scalars.mayEqual(property.scalars)
    else { return [] }
    let (tag, identifier) = (Fingerprint.of(variants.key), Fingerprint.of(key))
    let pair = Shape.Pair(tag, identifier)
    guard let identities = target.shape.pairs.first(where: { $0.pair == pair })?.sample else {
      return []
    }
    return zip(variants.values, zip(variants.words, variants.localWords)).compactMap {
      value, names in
      let isNamed =
        Self.areName(words, names.0) || names.1.map { Self.areName(words, $0) } == true
      guard !words.isEmpty, isNamed else { return nil }
      var count = 0
      for number in property.scalars.sketch.values {
        let both =
          pair.first == tag
          ? Fingerprint.mix(value.hash, number) : Fingerprint.mix(number, value.hash)
        // A sample of the identities is one of these too.
        if identities.skips(both) { continue }
        guard identities.contains(both) else { return nil }
        count += 1
      }
      return count == 0
        ? nil : KindReference(target, kind: value.hash, relatedKey: key, count: count)
    }
  }

  /// Returns whether the words of a key are the name of a kind: `page_type` the kind `pagetype` too.
  private static func areName(_ words: [String], _ kind: Words) -> Bool {
    let name = kind.singular.parts
    if words == name { return true }
    return name.count == 1 && (words.last == name[0] || words.joined() == name[0])
  }
}
