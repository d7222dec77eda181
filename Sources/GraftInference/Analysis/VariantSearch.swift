// Tagged unions: {"type": "photo", "width": 640} beside {"type": "video", "duration": 3.5}. The
// survey has counted with which values of a tag each member occurs, and the kinds of its values. A
// tag divides an entity if members occur with some of its values in every object and with others in
// none.
//
// Half of the kinds must differ in the members that all of their objects have: a few optional members divide any words at
// random. A tag is called like one: the states of `[{"state": "draft"}, {"state": "sent", "sentAt": "…"}, …]` are no kinds. Nor are UUIDs,
// which name what is elsewhere.

import Foundation
import Graft

/// The sub-entities into which a tag divides an entity.
struct VariantTable {
  /// The key of the tag.
  var key: String
  /// The value and number of objects of each sub-entity, in the order of the values.
  var values: [(hash: UInt64, text: String, count: Int)]
  /// The values with which each member occurs, by the fingerprint of its key, where these are not all.
  var members: [UInt64: Set<UInt64>]
  /// The values for the members of nested objects, by the keys of the object and of the member.
  var nested: [[UInt64]: Set<UInt64>]
  /// The values with which a member is always found, a set for each such member, also of nested objects.
  ///
  /// At least one of the values has several objects.
  fileprivate var always: [Set<UInt64>] = []

  /// The words of each value, in their order, without the qualifier that all share: `person` for `people_db.person`.
  var words: [Words] {
    let common = values.dropFirst().reduce(values.first?.text ?? "") {
      $0.commonPrefix(with: $1.text)
    }
    let qualifier = common.lastIndex { "./:#".contains($0) }.map { common[...$0].count } ?? 0
    let length = values.allSatisfy { $0.text.count > qualifier } ? qualifier : 0
    return values.map { Words(String($0.text.dropFirst(length))) }
  }

  /// The words of each value without its namespace, if no other value ends alike: `stock` for `warehouse.stock` beside
  /// `shop.product`; nil for the others.
  var localWords: [Words?] {
    let ends = values.map { value in
      value.text.lastIndex { "./:#".contains($0) }.map { value.text[$0...].dropFirst() }
    }
    return ends.map { end in
      end.flatMap { end in ends.count { $0 == end } == 1 ? Words(String(end)) : nil }
    }
  }

  /// Returns the only value of the tag with which a property occurs.
  ///
  /// - Parameter path: The path of the property.
  /// - Returns: The position in ``values``; nil where the property occurs with several values.
  func onlyKind(having path: [JSONPath.Step]) -> Int? {
    let hashes = path.compactMap { step -> UInt64? in
      if case .member(let key) = step { Fingerprint.of(key) } else { nil }
    }
    guard let first = hashes.first else { return nil }
    let owners = nested[Array(hashes.prefix(2))] ?? members[first]
    guard let owners, owners.count == 1 else { return nil }
    return values.firstIndex { owners.contains($0.hash) }
  }

  /// Returns the value of the tag that all objects have whose identities occur somewhere.
  ///
  /// - Parameters:
  ///   - identities: The identities that occur.
  ///   - draft: The entity that the tag divides.
  /// - Returns: The fingerprint of the value; nil where the objects have several, or it is not known.
  func onlyValue(of identities: ValueSketch, in draft: EntityDraft) -> UInt64? {
    guard let key = draft.identity?.key, let sample = draft.shape.member(named: key)?.identity
    else { return nil }
    let tag = Fingerprint.of(self.key)
    var contents: Set<UInt64> = []
    for identity in identities.values {
      if let content = sample.content(of: tag, at: identity) { contents.insert(content) }
    }
    guard contents.count == 1, let content = contents.first else { return nil }
    return values.first { ShapeSurvey.content(ofString: $0.hash) == content }?.hash
  }
}

/// Finds the tag that divides an entity.
struct VariantSearch {
  private let draft: EntityDraft
  private let child: (EntityDraft, [JSONPath.Step]) -> EntityDraft?

  init(
    _ draft: EntityDraft, child: @escaping (EntityDraft, [JSONPath.Step]) -> EntityDraft?
  ) {
    self.draft = draft
    self.child = child
  }

  var table: VariantTable? {
    guard draft.form == .object else { return nil }
    return draft.shape.tags.compactMap { hash, tag in table(of: hash, tag) }.max { first, second in
      (first.divided, first.isCalledType ? 1 : 0, second.key)
        < (second.divided, second.isCalledType ? 1 : 0, first.key)
    }
  }

  private func table(of hash: UInt64, _ tag: Shape.Tag) -> VariantTable? {
    guard let values = tag.values, values.count > 1,
      let shape = draft.shape.member(hash), shape.stringCount == shape.count,
      shape.count >= draft.shape.objectCount, !shape.scalars.formats.contains(.uuid)
    else { return nil }
    let counts = values.mapValues(\.count)
    guard !TagNames.areValueTypes(values.values.map(\.text)) else { return nil }
    var table = VariantTable(
      key: tag.key,
      values: values.map { ($0.key, $0.value.text, $0.value.count) }.sorted { $0.text < $1.text },
      members: [:], nested: [:])
    var kindsDiffer = false
    for member in draft.shape.members where member.hash != hash {
      let (found, isSharp, differs) = Self.values(of: member.shape.variants, hash, counts)
      if found.count < values.count, !found.isEmpty {
        table.members[member.hash] = found
        if isSharp { table.always.append(found) }
      }
      // {"type": "Int", "value": 3} names the type of a value, and no kind of thing.
      kindsDiffer = kindsDiffer || differs && member.name.words.parts.last != "value"
      if let nested = child(draft, [.member(member.key)]) {
        for inner in nested.shape.members {
          let (found, isSharp, _) = Self.values(of: inner.shape.outerVariants, hash, counts)
          if found.count < values.count, !found.isEmpty {
            table.nested[[member.hash, inner.hash]] = found
            if isSharp { table.always.append(found) }
          }
        }
      }
    }
    guard table.dividesHalf && !table.mayBeStates || kindsDiffer else { return nil }
    return Self.areEvident(counts) ? table : nil
  }

  /// The least number of kinds of which some may occur once.
  private static let manyKinds = 8

  /// Returns whether the kinds occur often enough to know the members of each.
  ///
  /// The only object of a kind always has all of its members. So kinds occur twice on average; where there are many,
  /// half of them occur twice: a template has a topic, a queue and ten functions.
  private static func areEvident(_ counts: [UInt64: Int]) -> Bool {
    let repeated = counts.values.count { $0 > 1 }
    return counts.values.reduce(0, +) >= 2 * counts.count
      || counts.count >= manyKinds && repeated * 2 >= counts.count
  }

  /// Returns the values of the tag with which a member occurs.
  ///
  /// - Returns: The values; whether the member occurs in every object that has one of them; and
  ///   whether its kind depends on them.
  private static func values(
    of variants: [Shape.Variant: Int], _ tag: UInt64, _ counts: [UInt64: Int]
  ) -> (values: Set<UInt64>, isSharp: Bool, kindsDiffer: Bool) {
    let found = Shape.Variant.counts(variants, of: tag)
    var kinds: [UInt64: Set<Shape.Kind>] = [:]
    for variant in variants.keys where variant.tag == tag {
      if variant.kind != .null, variant.kind != .emptyArray {
        kinds[variant.value, default: []].insert(variant.kind)
      }
    }
    // The only object of a kind always has all of its members.
    let isSharp =
      found.allSatisfy { $0.value >= counts[$0.key] ?? 0 } && found.values.contains { $0 > 1 }
    let differ =
      kinds.count > 1 && kinds.values.allSatisfy { $0.count == 1 } && Set(kinds.values).count > 1
    return (Set(found.keys), isSharp, differ)
  }
}

extension VariantTable {
  /// Whether the tag is called the type or the kind of an object, rather than its role or its group.
  fileprivate var isCalledType: Bool {
    ["type", "kind"].contains(where: key.lowercased().hasSuffix)
  }

  /// Whether some values only go with fewer keys, and the others with the same ones.
  ///
  /// They may be states, such as the `eventType` START and COMPLETE of a run, or words that describe a thing.
  ///
  /// A type or kind of the objects themselves divides them even so: cells of text lack only the outputs and the count of
  /// those of code. One key, such as the `deleted_at` of a message of the type `deleted`, is an optional one.
  fileprivate var mayBeStates: Bool {
    let isTypeOfObject = isCalledType && Words(key).parts.first != "event"
    return Set(always).count < 2 && (!isTypeOfObject || always.count < 2)
  }

  /// Whether there are half as many different sets of keys as values with several objects.
  fileprivate var dividesHalf: Bool {
    let several = values.filter { $0.count > 1 }
    let sets = Set(several.map { value in always.map { $0.contains(value.hash) } })
    return !always.isEmpty && sets.count * 2 >= several.count
  }

  /// The number of members that the tag divides.
  fileprivate var divided: Int { members.count + nested.count }
}

extension ModelDraft {
  /// Returns the sub-entities into which a tag divides a draft; nil where none does.
  func variants(of draft: EntityDraft) -> VariantTable? {
    VariantSearch(draft) { [unowned self] in child(of: $0, at: $1) }.table
  }
}
