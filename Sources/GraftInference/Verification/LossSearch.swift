// Finds the differences between a document and its export, by property and not by place: users that
// are found at two places are one entity. Of `{"name": "Ann", "address": {"city": "Rome"}}` and
// `{"name": "Ben"}` the export has
//
//   $[*].address        1 object more          absent in 1 of 2; an export writes an object without values
//   $[*].address.city   1 null more            which the new object explains

import Graft

/// Finds the differences between a document and its export.
struct LossSearch {
  /// The sum of the differences at the places of one property.
  private struct Difference {
    var changes = Changes()
    /// The number of objects, arrays or elements that may have the value.
    var holderCount = 0
    /// The words for the objects that may have it, where these are of one kind only; nil for all.
    var kind: String?
    /// Whether strings, numbers or booleans differ.
    var hasOtherScalars = false
    /// Whether equal parts are combined differently.
    var hasOtherOrder = false
    /// Whether members are left out of the comparison.
    var isIncomplete = false
    var isOfElements = false
    /// Whether an object that the export adds is empty.
    var isBare = true
    /// The number of values that a later one under the same key of their object replaces.
    var repeatedCount = 0

    /// Whether other values than absent, null and empty ones differ.
    var isOfContent: Bool {
      hasOtherScalars || hasOtherOrder || changes.booleans != 0 || changes.numbers != 0
        || changes.strings != 0 || changes.arrays != 0 || changes.objects != 0 && !isBare
        || isOfElements && changes.all.reduce(0, +) != 0
    }
  }

  /// The number of values of each kind that the export has in addition.
  private struct Changes {
    var absent = 0
    var nulls = 0
    var booleans = 0
    var numbers = 0
    var strings = 0
    var objects = 0
    var emptyObjects = 0
    var arrays = 0
    var emptyArrays = 0

    init() {}

    init(_ place: ComparedPlace, absent: Int) {
      let (old, new) = (place.document, place.export)
      self.absent = absent
      nulls = new.nulls - old.nulls
      booleans = new.booleans - old.booleans
      numbers = new.numbers - old.numbers
      strings = new.strings - old.strings
      emptyObjects = new.emptyObjects - old.emptyObjects
      objects = new.objects - old.objects - emptyObjects
      emptyArrays = new.emptyArrays - old.emptyArrays
      arrays = new.arrays - old.arrays - emptyArrays
    }

    var all: [Int] {
      [absent, nulls, booleans, numbers, strings, objects, emptyObjects, arrays, emptyArrays]
    }

    /// Returns whether additional holders explain the changes; none are needed where nothing differs.
    func areExplained(by holders: Int) -> Bool {
      all.allSatisfy { holders > 0 ? $0 >= 0 : $0 == 0 }
    }

    /// Removes the values of lost holders, content before nulls.
    mutating func remove(_ holders: Int) {
      var count = holders
      for value in [
        \Changes.strings, \.numbers, \.booleans, \.objects, \.arrays, \.emptyObjects, \.emptyArrays,
        \.nulls, \.absent,
      ] {
        let part = max(0, min(count, -self[keyPath: value]))
        self[keyPath: value] += part
        count -= part
      }
    }

    mutating func add(_ other: Changes) {
      absent += other.absent
      nulls += other.nulls
      booleans += other.booleans
      numbers += other.numbers
      strings += other.strings
      objects += other.objects
      emptyObjects += other.emptyObjects
      arrays += other.arrays
      emptyArrays += other.emptyArrays
    }
  }

  private var draftOfShape: [ObjectIdentifier: EntityDraft] = [:]
  private var order: [String] = []
  private var differences: [String: Difference] = [:]
  private var owners: [String: Subject] = [:]

  /// - Parameter model: The draft whose places the compared ones are.
  init(_ model: ModelDraft) {
    let reachable = Set(model.reachable.map(\.number))
    for number in 0..<model.table.count {
      let draft = model.draft(at: number)
      guard reachable.contains(draft.number), !draft.isFlattened, !draft.isJSON else { continue }
      draftOfShape[ObjectIdentifier(model.table[number].shape)] = draft
    }
  }

  /// Compares the root's objects and everything in them.
  mutating func compare(_ root: ComparedPlace) {
    _ = visit(root, Subject(steps: []), more: 0, isExplained: false)
  }

  /// The losses of each entity.
  var losses: [String: [InferenceFinding]] {
    var losses: [String: [InferenceFinding]] = [:]
    for key in order {
      guard let difference = differences[key], let owner = owners[key] else { continue }
      losses[owner.entity, default: []] += Self.texts(difference).map {
        InferenceFinding(subject: owner.text, evidence: $0, certainty: .loss)
      }
    }
    return losses
  }

  /// The entities with differences in more than absent, null and empty values.
  var changedEntities: Set<String> {
    Set(
      order.compactMap { key in differences[key]?.isOfContent == true ? owners[key]?.entity : nil })
  }

  // MARK: Places

  private struct Subject {
    /// The entity; nil for what is around the root's objects.
    var draft: EntityDraft?
    var steps: [JSONPath.Step]

    var entity: String { draft?.name ?? "" }

    var text: String {
      var steps = steps
      while steps.last == .eachElement { steps.removeLast() }
      return steps.isEmpty ? entity : "\(entity).\(JSONPath(steps))"
    }

    /// Returns a key that differs for a list and its elements, whose text is the same.
    func key(_ isOfElements: Bool) -> String { isOfElements ? text + "[]" : text }
  }

  /// Compares the contents of the values at a place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - subject: The property that the place belongs to.
  ///   - more: The number of additional values in the export.
  ///   - isExplained: Whether it has been reported already that the values themselves are others.
  /// - Returns: Whether anything differs.
  private mutating func visit(
    _ place: ComparedPlace, _ subject: Subject, more: Int, isExplained: Bool
  ) -> Bool {
    var subject = subject
    if let shape = place.shape, let draft = draftOfShape[ObjectIdentifier(shape)] {
      subject = Subject(draft: draft, steps: [])
    }
    var isExplained = isExplained
    let newObjects = place.export.objects - place.document.objects
    for member in place.members {
      let inner = Subject(draft: subject.draft, steps: subject.steps + [.member(member.key)])
      let absent =
        (place.export.objects - member.place.export.count)
        - (place.document.objects - member.place.document.count)
      let found = compare(
        member.place, inner, holders: place.document.objects, more: newObjects, absent: absent,
        isOfElements: false)
      isExplained = isExplained || found
    }
    for (inner, step) in [
      (place.element, JSONPath.Step.eachElement), (place.eachMember, .eachMember),
    ] {
      guard let inner else { continue }
      // Lost lists and objects take along what is in them.
      let lost = more < 0 ? min(0, inner.export.count - inner.document.count) : 0
      let found = compare(
        inner, Subject(draft: subject.draft, steps: subject.steps + [step]),
        holders: inner.document.count, more: lost, absent: 0, isOfElements: true)
      isExplained = isExplained || found
    }
    let isOther = place.document.content != place.export.content
    let hasAsMany =
      place.document.scalars == place.export.scalars && more == 0
      && place.document.count == place.export.count
    // An export with more objects and arrays has those of the document among them.
    if isOther, place.isIncomplete {
      report(subject, false) { $0.isIncomplete = true }
      return true
    }
    if isOther, !isExplained, hasAsMany || more > 0 && place.export.hasLost(place.document) {
      report(subject, false) { $0.hasOtherOrder = true }
      return true
    }
    return isExplained
  }

  /// Compares the values at a place, and their contents.
  private mutating func compare(
    _ place: ComparedPlace, _ subject: Subject, holders: Int, more: Int, absent: Int,
    isOfElements: Bool
  ) -> Bool {
    var changes = Changes(place, absent: absent - place.repeatedCount)
    let lost = place.repeatedCount - min(more, 0)
    if lost > 0 { changes.remove(lost) }
    var isReported = place.repeatedCount > 0
    if isReported { report(subject, isOfElements) { $0.repeatedCount += place.repeatedCount } }
    let key = subject.key(isOfElements)
    differences[key, default: Difference()].holderCount += holders
    differences[key]?.kind = subject.draft?.kind(having: subject.steps)?.text
    if !changes.areExplained(by: more) {
      isReported = true
      let isBare = Self.isBare(place)
      report(subject, isOfElements) { difference in
        difference.changes.add(changes)
        difference.isOfElements = isOfElements
        if changes.objects > 0, !isBare { difference.isBare = false }
      }
    }
    // Additional values, of objects that the export has in addition, replace none of the document's.
    let additional = place.export.scalarCount - place.document.scalarCount
    let hasOthers =
      additional == 0
      ? place.document.scalars != place.export.scalars
      : additional > 0 && place.export.hasOnlyScalars && place.export.hasLost(place.document)
    if hasOthers {
      isReported = true
      report(subject, isOfElements) { $0.hasOtherScalars = true }
    }
    return visit(
      place, subject, more: place.export.count - place.document.count, isExplained: isReported)
  }

  /// Returns whether the additional objects of the export at a place are empty.
  private static func isBare(_ place: ComparedPlace) -> Bool {
    place.members.allSatisfy { member in
      let (old, new) = (member.place.document, member.place.export)
      return new.scalarCount <= old.scalarCount
        && new.arrays - new.emptyArrays <= old.arrays - old.emptyArrays && isBare(member.place)
    }
  }

  private mutating func report(
    _ subject: Subject, _ isOfElements: Bool, _ change: (inout Difference) -> Void
  ) {
    let key = subject.key(isOfElements)
    if owners.updateValue(subject, forKey: key) == nil { order.append(key) }
    change(&differences[key, default: Difference()])
  }

  // MARK: Words

  /// The loss of values that are spelled differently, unless the first look knows more exact words.
  static let otherValues = "some values are written otherwise by an export"

  private static func texts(_ difference: Difference) -> [String] {
    let isOfNumbers = difference.changes.all.contains { $0 != 0 }
    if difference.isIncomplete, !isOfNumbers, !difference.hasOtherScalars {
      return ["some keys are not compared with an export, as there are too many places"]
    }
    let count = difference.repeatedCount
    let times = count == 1 ? "once" : "\(count) times"
    let texts = [
      count > 0 ? "the same key again in the same object, \(times); the later value counts" : nil,
      isOfNumbers ? text(difference) : nil, difference.hasOtherScalars ? otherValues : nil,
    ].compactMap(\.self)
    return texts.isEmpty
      ? ["an export writes the same in another order, or together with another value"] : texts
  }

  private static func text(_ difference: Difference) -> String {
    let changes = difference.changes
    let total = changes.all.reduce(0, +)
    if difference.isOfElements, total != 0 {
      return total < 0
        ? "an export leaves out \(-total) of \(difference.holderCount) elements"
        : "an export writes \(total) more than the \(difference.holderCount) "
          + (difference.holderCount == 1 ? "element that there is" : "elements that there are")
    }
    let lost = [
      (changes.nulls, "null"), (changes.absent, "absent"), (changes.booleans, "a boolean"),
      (changes.numbers, "a number"), (changes.strings, "a string"), (changes.objects, "an object"),
      (changes.emptyObjects, "{}"), (changes.arrays, "an array"), (changes.emptyArrays, "[]"),
    ].filter { $0.0 < 0 }
    let isNothing = lost.allSatisfy { ["null", "absent"].contains($0.1) }
    let scalar = isNothing ? "what is known from elsewhere" : nil
    let written = [
      (changes.absent, "nothing"), (changes.nulls, "null"),
      (changes.booleans, scalar ?? "a boolean"),
      (changes.numbers, scalar ?? "a number"), (changes.strings, scalar ?? "a string"),
      (changes.objects, difference.isBare && isNothing ? "an object without values" : "an object"),
      (changes.emptyObjects, "{}"), (changes.arrays, scalar ?? "an array"),
      (changes.emptyArrays, "[]"),
    ].filter { $0.0 > 0 }
    var words: [String] = []
    for (_, word) in written where !words.contains(word) { words.append(word) }
    let count = -lost.reduce(0) { $0 + $1.0 }
    return AnnotationReader.enumeration(of: lost.map(\.1), with: "or")
      + " in \(count) of \(difference.kind ?? "\(difference.holderCount)"); an export writes "
      + AnnotationReader.enumeration(of: words, with: "or")
  }
}
