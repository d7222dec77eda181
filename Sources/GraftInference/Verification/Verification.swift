import Graft

/// Draws the conclusions from a second look.
///
/// Exact figures replace estimates. An identity that would merge different objects is dropped, and a property that values
/// do not fit is kept as JSON.
struct Verification {
  private let draft: ModelDraft
  private let findings: SecondLook.Findings

  init(_ draft: ModelDraft, _ findings: SecondLook.Findings) {
    self.draft = draft
    self.findings = findings
  }

  /// The identities that were inferred and mean different objects, and the properties that values do not fit.
  var exclusions: Exclusions {
    var exclusions = Exclusions()
    if !findings.issues.isEmpty {
      let search = MisfitSearch(draft)
      for issue in findings.issues { search.note(issue, in: &exclusions) }
    }
    for entity in draft.reachable where !draft.isIdentityGiven(entity) {
      guard let facts = findings.entities[entity.name], facts.conflictCount > 0,
        let key = entity.identityKey, !isTolerated(facts, entity)
      else { continue }
      let names = AnnotationReader.enumeration(of: Array(facts.attributes.prefix(3)), with: "and")
      let reason =
        "the same \(key == "@key" ? "key" : key) occurs with different \(names)"
        + (facts.example.map { " (\($0))" } ?? "") + ", of which only the last would be kept"
      for place in entity.places {
        exclusions.identities[draft.table[place].path, default: [:]][key] = reason
      }
    }
    return exclusions
  }

  /// Returns whether only volatile values differ, in objects whose identity is certain.
  private func isTolerated(_ facts: SecondLook.EntityFacts, _ entity: EntityDraft) -> Bool {
    guard entity.identity?.key.map({ IdentityNames.isStrong($0) }) ?? false,
      entity.shape.members.count >= 6, facts.attributes.count * 3 <= entity.shape.members.count
    else { return false }
    let isRare =
      facts.conflictCount * Agreement.rareShare <= entity.objectCount - facts.identityCount
      && entity.identity?.scalars.areSmall == false
    return facts.attributes.allSatisfy { name in
      entity.properties.first { $0.name == name }?.isVolatile(isRare: isRare) ?? false
    }
  }

  /// Replaces estimates in the draft by exact figures.
  func apply() {
    for entity in draft.reachable {
      if let facts = findings.entities[entity.name] { apply(facts, to: entity) }
      for index in entity.properties.indices {
        guard
          let found = findings.references["\(entity.name).\(entity.properties[index].name)"]
        else { continue }
        entity.properties[index].setEvidence(
          ReferenceMatch.evidence(common: found.common, compared: found.compared))
      }
    }
  }

  private func apply(_ facts: SecondLook.EntityFacts, to entity: EntityDraft) {
    guard entity.identityKey != nil, entity.identity != nil || entity.givenIdentity != nil else {
      return
    }
    let count = entity.readCount
    var text =
      "\(count) \(count == 1 ? "object" : "objects"), \(facts.identityCount)"
      + (facts.identityCount == 1 ? " identity" : " identities")
    let others = entity.otherLists
    if facts.conflictCount > 0 || others.count > 0 {
      let names = AnnotationReader.enumeration(
        of: Array((facts.attributes + others.names).prefix(3)), with: "and")
      let count = max(facts.conflictCount, others.count)
      text += ", equal but for what changes (\(count) with different \(names))"
    } else if facts.identityCount >= count {
      text += ", none repeated"
    } else {
      text += isChanged(entity) ? ", none with two values" : ", all equal"
    }
    entity.identity?.evidence = text
    let areEqual =
      facts.conflictCount == 0 && others.count == 0 && facts.identityCount < count
      && !isChanged(entity)
    if !areEqual { entity.identity?.isConfirmed = false }
    if entity.compositeEvidence != nil || entity.identity == nil { entity.compositeEvidence = text }
  }

  /// Returns whether an export changes more of an entity than absent, null and empty values;
  /// objects of one identity are then not all equal.
  private func isChanged(_ entity: EntityDraft) -> Bool {
    findings.changedEntities.contains(entity.name)
  }

  /// Returns the losses of an entity, with the more exact words of the first look.
  ///
  /// - Parameters:
  ///   - predicted: The losses that the first look has predicted.
  ///   - entity: The entity.
  /// - Returns: The losses.
  func losses(instead predicted: [InferenceFinding], of entity: EntityDraft) -> [InferenceFinding] {
    (findings.losses[entity.name] ?? []).map { loss in
      guard loss.evidence == LossSearch.otherValues else { return loss }
      return predicted.first { $0.subject == loss.subject } ?? loss
    }
  }
}

extension EntityDraft {
  /// The member or members that are the identity; `@key` for the key; nil if there is none.
  fileprivate var identityKey: String? {
    if let identity { return identity.key ?? "@key" }
    guard let givenIdentity, !givenIdentity.isEmpty else { return nil }
    return givenIdentity.sorted().joined(separator: " + ")
  }

  /// The lists of identifiers that differ in objects of one identity, and the number of such identities.
  ///
  /// Each of these objects keeps the last list, which is no conflict of an import.
  fileprivate var otherLists: (names: [String], count: Int) {
    guard let sample = identity?.key.flatMap({ shape.member(named: $0)?.identity }) else {
      return ([], 0)
    }
    let names = properties.filter { property in
      guard case .reference(_, true) = property.role, property.path.count == 1 else { return false }
      return sample.contradictedKeys[Fingerprint.of(property.key)] != nil
    }.map(\.name)
    return (names, names.isEmpty ? 0 : sample.records.count { $0.contradicting > 0 })
  }
}

extension PropertyDraft {
  /// Returns whether the values change by themselves: counters, switches and times, and rarely lists of values.
  fileprivate func isVolatile(isRare: Bool) -> Bool {
    switch composition {
    case .number, .boolean, .null: true
    case .string: scalars.formats.contains(.date)
    case .scalars: isRare
    default: false
    }
  }

  /// Replaces the evidence for a reference by exact figures.
  fileprivate func setEvidence(_ text: String) {
    if evidence.isEmpty { evidence = [text] } else { evidence[0] = text }
  }
}
