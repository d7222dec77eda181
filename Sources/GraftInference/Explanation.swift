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
    var findings: [InferenceFinding] = []
    // Most properties have no findings.
    lazy var name = "\(draft.name).\(property.place)"
    switch property.role {
    case .attribute:
      let typing = AttributeTyping(property, isIdentity: draft.identity?.path == property.path)
      if let note = typing.note {
        let isDate = typing.type == .date
        findings.append(
          InferenceFinding(
            subject: name, evidence: isDate ? note + "; --keep \(name) keeps the strings" : note,
            certainty: isDate ? .loss : property.composition == .null ? .guess : .likely))
      }
      if let times = typing.times, !property.isKept {
        findings.append(
          InferenceFinding(
            subject: name, evidence: "\(times); --keep \(name) keeps the numbers",
            certainty: .likely))
      }
      if let target = property.doubtfulTarget {
        let arrow = property.composition == .scalars ? "⇉" : "→"
        findings.append(
          InferenceFinding(
            subject: "\(name) \(arrow) \(model.drafts[target].name)",
            evidence: property.evidence.joined(separator: "; ")
              + ": no relationship; --certainty guess makes it one",
            certainty: .guess, topic: .relationship))
      }
      if let path = property.pathTarget {
        findings.append(
          InferenceFinding(
            subject: "\(name) → \(path.target.name)",
            evidence: (path.count == 1 ? "1 path ends" : "\(path.count) paths end")
              + " in an identity: no relationship, "
              + "as only a whole value is an identifier",
            certainty: .likely, topic: .relationship))
      }
      if let values = draft.enumeration(of: property) {
        findings.append(
          InferenceFinding(
            subject: name, evidence: "one of \(values.joined(separator: ", "))", certainty: .likely)
        )
      }
      if let text = presence(of: property, in: draft) {
        findings.append(InferenceFinding(subject: name, evidence: text, certainty: .loss))
      }
    case .relationship(let target, let link):
      if link == .members {
        let count = property.shape.count
        findings.append(
          InferenceFinding(
            subject: "\(name) ⇉ \(model.drafts[target].name)",
            evidence: "\(count) \(count == 1 ? "dictionary" : "dictionaries") with "
              + keys(of: property, in: draft),
            certainty: .likely, topic: .relationship))
      }
      if link == .elements, property.shape.hasRepeatedElements, model.drafts[target].identity != nil
      {
        findings.append(
          InferenceFinding(
            subject: name, evidence: "some hold an object twice; an export writes it once",
            certainty: .loss))
      }
      if property.shape.singleCount > 0 {
        let count = property.shape.singleCount
        findings.append(
          InferenceFinding(
            subject: name,
            evidence: count == 1
              ? "1 is a single object, and an export writes a list of it"
              : "\(count) are single objects, and an export writes lists of them",
            certainty: .loss))
      }
      if property.shape.emptyStringCount > 0 {
        let count = property.shape.emptyStringCount
        findings.append(
          InferenceFinding(
            subject: name,
            evidence:
              "an empty string in \(count) of \(property.shape.count); an export writes "
              + (link == .members ? "{}" : "null"),
            certainty: .loss))
      }
      let mentions =
        link == .one ? property.shape.mentionCount : property.shape.element?.mentionCount ?? 0
      if mentions > 0 {
        findings.append(
          InferenceFinding(
            subject: name,
            evidence:
              "\(mentions) \(mentions == 1 ? "is an identifier" : "are identifiers") alone, "
              + "and an export writes the \(mentions == 1 ? "object" : "objects")",
            certainty: .loss))
      }
      if link != .one, property.holderCount != .max {
        let holders = holders(of: property, in: draft)
        let missing = holders.count - property.shape.count + property.shape.nullCount
        if missing > 0 {
          findings.append(
            InferenceFinding(
              subject: name,
              evidence:
                "null or \(Self.absence) \(missing) of \(holders.text); an export writes "
                + "\(link == .members ? "{}" : "[]")", certainty: .loss))
        }
      }
    case .reference(let target, let isToMany):
      let destination = assembly.destination(of: property) ?? ""
      findings.append(
        InferenceFinding(
          subject: "\(name) \(isToMany ? "⇉" : "→") \(destination)",
          evidence: property.evidence.joined(separator: "; ")
            + (property.inverse.map { "; the inverse of \(model.drafts[target].name).\($0)" } ?? ""),
          certainty: property.certainty, topic: .relationship))
    }
    return findings
  }

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

  /// Describes what an export writes for values that are sometimes null and sometimes absent.
  private static let absence = "absent in"

  private func presence(of property: PropertyDraft, in draft: EntityDraft) -> String? {
    guard property.holderCount != .max, property.path != [.key], property.path != [.value] else {
      return nil
    }
    let holders = holders(of: property, in: draft)
    let absent = holders.count - property.shape.count
    guard absent > 0 else { return nil }
    return "\(Self.absence) \(absent) of \(holders.text); an export writes null"
  }

  /// Returns the number of the objects that can have a property, and words for them.
  private func holders(
    of property: PropertyDraft, in draft: EntityDraft
  ) -> (count: Int, text: String) {
    draft.kind(having: property.path) ?? (property.holderCount, "\(property.holderCount)")
  }
}
