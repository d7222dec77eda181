import Graft

/// Lists the findings of a draft.
struct Explanation {
  private let model: ModelDraft
  private let verification: Verification?
  private let assembly: ModelAssembly

  /// - Parameters:
  ///   - model: The draft.
  ///   - verification: The results of a second look; nil without one.
  init(_ model: ModelDraft, _ verification: Verification? = nil) {
    self.model = model
    self.verification = verification
    assembly = ModelAssembly(model)
  }

  var findings: [InferenceFinding] {
    model.reachable.flatMap { draft in
      let findings =
        [finding(on: draft)] + fewerKeys(of: draft) + substitutes(in: draft) + variants(of: draft)
        + flattened(in: draft)
        // A tag that would be a reference too is none in the model.
        + draft.properties.filter { $0.target == nil || !draft.isOnlyTag($0) }
        .flatMap { self.findings(on: $0, of: draft) }
      guard let verification else { return findings }
      // Known losses replace predicted ones; the second look itself counts how often a property is absent.
      let predicted = findings.filter {
        $0.certainty == .loss && !$0.evidence.contains(Self.absence)
      }
      return findings.filter { $0.certainty != .loss }
        + verification.losses(instead: predicted, of: draft)
    }
  }

  private func finding(on draft: EntityDraft) -> InferenceFinding {
    if let evidence = draft.compositeEvidence, let keys = draft.givenIdentity {
      let names = keys.compactMap { key in
        draft.properties.first { $0.target == nil && $0.isNamed(key) }?.name
      }
      return InferenceFinding(
        subject: "\(draft.name).\(names.joined(separator: " + "))", evidence: evidence,
        certainty: draft.objectCount < 20 ? .guess : .likely, topic: .entity)
    }
    guard let identity = draft.identity else {
      let count = draft.readCount
      return InferenceFinding(
        subject: draft.name,
        evidence: "\(count) \(count == 1 ? "object" : "objects"), no identity"
          + (draft.objection.map { ": \($0)" } ?? ""),
        certainty: count < 3 ? .guess : .likely, topic: .entity)
    }
    let name = draft.properties.first { $0.path == identity.path }?.name ?? "key"
    return InferenceFinding(
      subject: "\(draft.name).\(name)", evidence: identity.evidence,
      certainty: identity.isConfirmed ? .certain : draft.objectCount < 3 ? .guess : .likely,
      topic: .entity)
  }

  /// Returns a finding about objects that have fewer keys at one of their places, for which an
  /// export writes all keys.
  private func fewerKeys(of draft: EntityDraft) -> [InferenceFinding] {
    guard let identity = draft.identity, identity.hasFewerKeys else { return [] }
    return [
      InferenceFinding(
        subject: draft.name,
        evidence: "some have fewer keys than at another place; an export writes all that are known",
        certainty: .loss)
    ]
  }

  /// Returns a finding about scalars in place of objects.
  private func substitutes(in draft: EntityDraft) -> [InferenceFinding] {
    guard let shape = draft.substitutes,
      let name = draft.properties.first(where: { $0.path == [.value] })?.name
    else { return [] }
    let kind =
      shape.stringCount > 0 ? "string" : shape.numberCount > 0 ? "number" : "boolean"
    let what = shape.count == 1 ? "1 is a \(kind)" : "\(shape.count) are \(kind)s"
    return [
      InferenceFinding(
        subject: "\(draft.name).\(name)",
        evidence: "\(what) in place of an object"
          + (draft.identity == nil || draft.identity?.path == [.key]
            ? "" : ", without identity: each import inserts another one"),
        certainty: .likely)
    ]
  }

  private func variants(of draft: EntityDraft) -> [InferenceFinding] {
    guard let table = draft.variants else { return [] }
    return [
      InferenceFinding(
        subject: draft.name,
        evidence: "\(table.key) tells \(table.values.count) kinds apart: "
          + table.values.map { "\($0.text) (\($0.count))" }.joined(separator: ", "),
        certainty: draft.objectCount < 2 * table.values.count ? .guess : .likely, topic: .entity)
    ]
  }

  /// Returns the objects that became part of a draft's.
  private func flattened(in draft: EntityDraft) -> [InferenceFinding] {
    var known: Set<[JSONPath.Step]> = []
    var outer: [String] = []
    for property in draft.properties
    where property.path.count > 1 && property.path.first != .parent
      && !property.path.dropLast().contains(.eachElement)
    {
      let keys = property.path.filter { $0 != .eachMember && $0 != .eachElement }
      // The object around a typed value is no thing of its own.
      if case .member(let key)? = keys.last, MemberName.namesType(key) { continue }
      guard keys.count > 1, known.insert(keys.dropLast()).inserted else { continue }
      outer.append(JSONPath(Array(keys.dropLast())).description)
    }
    let place = model.table[draft.places[0]].path + "."
    let holder = draft.identity?.innerKey == nil ? nil : draft.identity?.key
    return outer.map {
      InferenceFinding(
        subject: "\(draft.name).\($0)",
        evidence: "a part of each \(draft.name), "
          + ($0 == holder
            ? "whose identity it holds; " : "as it is there alone and has no identity; ")
          + "--entity '\((place + $0).trimmingPrefix("$."))=NAME' makes it an entity",
        certainty: .likely)
    }
  }

  private func findings(on property: PropertyDraft, of draft: EntityDraft) -> [InferenceFinding] {
    let findings =
      switch property.role {
      case .attribute:
        [
          typing(of: property, in: draft), doubt(about: property, in: draft),
          paths(in: property, of: draft), enumeration(of: property, in: draft),
          absence(of: property, in: draft),
        ]
      case .relationship(let target, let link):
        [
          dictionaries(in: property, of: draft, target, link),
          repeatedObjects(in: property, of: draft, target, link),
          singleObjects(in: property, of: draft), emptyStrings(in: property, of: draft, link),
          mentions(in: property, of: draft, link), missingLists(in: property, of: draft, link),
        ]
      case .reference(let target, let isToMany):
        [reference(property, of: draft, to: target, isToMany: isToMany)]
      }
    return findings.compactMap(\.self)
  }

  private func name(of property: PropertyDraft, in draft: EntityDraft) -> String {
    "\(draft.name).\(property.place)"
  }

  /// Returns the finding that an export writes a property otherwise.
  private func loss(
    _ evidence: String, in property: PropertyDraft, of draft: EntityDraft
  ) -> InferenceFinding {
    InferenceFinding(
      subject: name(of: property, in: draft), evidence: evidence, certainty: .loss)
  }

  // MARK: Attributes

  /// Returns a finding about the type of values, or about numbers that are taken for dates.
  private func typing(of property: PropertyDraft, in draft: EntityDraft) -> InferenceFinding? {
    let typing = AttributeTyping(property, isIdentity: draft.identity?.path == property.path)
    if let note = typing.note {
      let name = name(of: property, in: draft)
      let isDate = typing.type == .date
      return InferenceFinding(
        subject: name, evidence: isDate ? note + "; --keep \(name) keeps the strings" : note,
        certainty: isDate ? .loss : property.composition == .null ? .guess : .likely)
    }
    guard let times = typing.times, !property.isKept else { return nil }
    let name = name(of: property, in: draft)
    return InferenceFinding(
      subject: name, evidence: "\(times); --keep \(name) keeps the numbers", certainty: .likely)
  }

  /// Returns a finding about objects to which the values may refer, where the evidence is too weak.
  private func doubt(about property: PropertyDraft, in draft: EntityDraft) -> InferenceFinding? {
    guard let target = property.doubtfulTarget else { return nil }
    let arrow = property.composition == .scalars ? "⇉" : "→"
    return InferenceFinding(
      subject: "\(name(of: property, in: draft)) \(arrow) \(model.drafts[target].name)",
      evidence: property.evidence.joined(separator: "; ")
        + ": no relationship; --certainty guess makes it one",
      certainty: .guess, topic: .relationship)
  }

  /// Returns a finding about values that lead to objects as paths.
  private func paths(in property: PropertyDraft, of draft: EntityDraft) -> InferenceFinding? {
    guard let path = property.pathTarget else { return nil }
    return InferenceFinding(
      subject: "\(name(of: property, in: draft)) → \(path.target.name)",
      evidence: (path.count == 1 ? "1 path ends" : "\(path.count) paths end")
        + " in an identity: no relationship, as only a whole value is an identifier",
      certainty: .likely, topic: .relationship)
  }

  /// Returns a finding about strings that are one of a few.
  private func enumeration(of property: PropertyDraft, in draft: EntityDraft) -> InferenceFinding? {
    draft.enumeration(of: property).map { values in
      InferenceFinding(
        subject: name(of: property, in: draft),
        evidence: "one of \(values.joined(separator: ", "))", certainty: .likely)
    }
  }

  /// The words for a property that some objects do not have.
  private static let absence = "absent in"

  /// Returns a finding about values that are sometimes null and sometimes absent.
  private func absence(of property: PropertyDraft, in draft: EntityDraft) -> InferenceFinding? {
    guard property.holderCount != .max, property.path != [.key], property.path != [.value] else {
      return nil
    }
    let holders = holders(of: property, in: draft)
    let absent = holders.count - property.shape.count
    guard absent > 0 else { return nil }
    return loss(
      "\(Self.absence) \(absent) of \(holders.text); an export writes null",
      in: property, of: draft)
  }

  // MARK: Relationships

  private func dictionaries(
    in property: PropertyDraft, of draft: EntityDraft, _ target: Int, _ link: Place.Link
  ) -> InferenceFinding? {
    guard link == .members else { return nil }
    let count = property.shape.count
    return InferenceFinding(
      subject: "\(name(of: property, in: draft)) ⇉ \(model.drafts[target].name)",
      evidence: "\(count) \(count == 1 ? "dictionary" : "dictionaries") with "
        + keys(of: property, in: draft),
      certainty: .likely, topic: .relationship)
  }

  private func repeatedObjects(
    in property: PropertyDraft, of draft: EntityDraft, _ target: Int, _ link: Place.Link
  ) -> InferenceFinding? {
    guard link == .elements, property.shape.hasRepeatedElements,
      model.drafts[target].identity != nil
    else { return nil }
    return loss("some hold an object twice; an export writes it once", in: property, of: draft)
  }

  private func singleObjects(
    in property: PropertyDraft, of draft: EntityDraft
  ) -> InferenceFinding? {
    let count = property.shape.singleCount
    guard count > 0 else { return nil }
    return loss(
      count == 1
        ? "1 is a single object, and an export writes a list of it"
        : "\(count) are single objects, and an export writes lists of them",
      in: property, of: draft)
  }

  private func emptyStrings(
    in property: PropertyDraft, of draft: EntityDraft, _ link: Place.Link
  ) -> InferenceFinding? {
    let count = property.shape.emptyStringCount
    guard count > 0 else { return nil }
    return loss(
      "an empty string in \(count) of \(property.shape.count); an export writes "
        + (link == .members ? "{}" : "null"), in: property, of: draft)
  }

  /// Returns a finding about identifiers in place of objects.
  private func mentions(
    in property: PropertyDraft, of draft: EntityDraft, _ link: Place.Link
  ) -> InferenceFinding? {
    let count =
      link == .one ? property.shape.mentionCount : property.shape.element?.mentionCount ?? 0
    guard count > 0 else { return nil }
    return loss(
      "\(count) \(count == 1 ? "is an identifier" : "are identifiers") alone, "
        + "and an export writes the \(count == 1 ? "object" : "objects")", in: property, of: draft)
  }

  /// Returns a finding about lists and dictionaries that are sometimes null or absent.
  private func missingLists(
    in property: PropertyDraft, of draft: EntityDraft, _ link: Place.Link
  ) -> InferenceFinding? {
    guard link != .one, property.holderCount != .max else { return nil }
    let holders = holders(of: property, in: draft)
    let missing = holders.count - property.shape.count + property.shape.nullCount
    guard missing > 0 else { return nil }
    return loss(
      "null or \(Self.absence) \(missing) of \(holders.text); an export writes "
        + "\(link == .members ? "{}" : "[]")", in: property, of: draft)
  }

  // MARK: References

  private func reference(
    _ property: PropertyDraft, of draft: EntityDraft, to target: Int, isToMany: Bool
  ) -> InferenceFinding {
    let inverse = property.inverse.map { "; the inverse of \(model.drafts[target].name).\($0)" }
    let arrow = isToMany ? "⇉" : "→"
    return InferenceFinding(
      subject:
        "\(name(of: property, in: draft)) \(arrow) \(assembly.destination(of: property) ?? "")",
      evidence: property.evidence.joined(separator: "; ") + (inverse ?? ""),
      certainty: property.certainty, topic: .relationship)
  }

  // MARK: Counts

  /// Returns the number of distinct keys in dictionaries, or the number of members if there are too
  /// many keys to count.
  private func keys(of property: PropertyDraft, in draft: EntityDraft) -> String {
    var sketch = ValueSketch()
    var count = 0
    for place in draft.places {
      guard let number = model.table.place(at: property.path, from: place),
        let dictionary = model.table[number].dictionary
      else { continue }
      sketch.formUnion(dictionary.keys.sketch)
      count += model.table[number].shape.count
    }
    if sketch.isComplete {
      return sketch.distinctCount == 1 ? "1 key" : "\(sketch.distinctCount) keys"
    }
    // One dictionary has each key once.
    if property.shape.count == 1 { return "\(count) keys" }
    return verification == nil
      ? "about \(sketch.distinctCount) keys (estimated)" : "\(count) members"
  }

  /// Returns the number of the objects that can have a property, and words for them.
  private func holders(
    of property: PropertyDraft, in draft: EntityDraft
  ) -> (count: Int, text: String) {
    draft.kind(having: property.path) ?? (property.holderCount, "\(property.holderCount)")
  }
}
