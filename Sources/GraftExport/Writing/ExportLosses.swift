// A loss is a value that an import of the output does not find again. Losses are counted by property and
// reason, so that a report has at most one line for each property and reason.
//
// A value that seems lost may be written later. An object in an array that lacks its key is no loss
// if the object also occurs under its key. An object written as its identity alone is no loss if
// it is written in full elsewhere. Such losses wait until everything is written.

import Foundation
import Graft

/// Counts the losses of an export.
struct ExportLosses {
  private struct Key: Hashable {
    var entity: Int
    var property: LostProperty.Property?
    var reason: LossReason
  }

  private var indexes: [Key: Int] = [:]
  private var losses: [(key: Key, object: ObjectID, text: String, count: Int)] = []
  /// Objects that were written without their keys, or where an import does not find their sub-entity, or
  /// without their positions, or as their identity only.
  private var withoutKey: WaitingObjects
  private var withoutSubentity: WaitingObjects
  private var withoutPosition: WaitingObjects
  private var identityOnly: WaitingObjects

  /// Objects whose loss is certain only when everything is written.
  private struct WaitingObjects {
    var objects: [(id: ObjectID, reason: LossReason)] = []
    var isWaiting: ObjectSet
    var isSettled: ObjectSet

    init(_ entityCount: Int) {
      isWaiting = ObjectSet(entityCount: entityCount)
      isSettled = ObjectSet(entityCount: entityCount)
    }

    mutating func wait(for id: ObjectID, _ reason: LossReason) {
      if !isSettled.contains(id), isWaiting.insert(id) { objects.append((id, reason)) }
    }

    mutating func settle(_ id: ObjectID) { _ = isSettled.insert(id) }

    /// Settles an object that does not wait: an import no longer changes what it found first.
    mutating func settleFirst(_ id: ObjectID) { if !isWaiting.contains(id) { settle(id) } }
  }

  init(entityCount: Int) {
    withoutKey = WaitingObjects(entityCount)
    withoutSubentity = WaitingObjects(entityCount)
    withoutPosition = WaitingObjects(entityCount)
    identityOnly = WaitingObjects(entityCount)
  }

  /// Continues with earlier losses, but without their waiting objects.
  private init(entityCount: Int, after losses: ExportLosses) {
    self.init(entityCount: entityCount)
    indexes = losses.indexes
    self.losses = losses.losses
  }

  /// Notes a loss; `description` is asked for the first of its kind only.
  mutating func note(
    _ reason: LossReason, _ property: LostProperty.Property?, of id: ObjectID,
    _ traversal: ExportTraversal, description: () -> String
  ) {
    let key = Key(entity: id.entity, property: property, reason: reason)
    if let index = indexes[key] {
      losses[index].count += 1
    } else {
      indexes[key] = losses.count
      losses.append((key, traversal.original(of: id), description(), 1))
    }
  }

  /// Notes that an object was written without its key.
  mutating func noteWithoutKey(_ id: ObjectID) { withoutKey.wait(for: id, .noKey) }
  /// Notes that an object was written under its key.
  mutating func noteKey(_ id: ObjectID) {
    withoutKey.settle(id)
    withoutSubentity.settle(id)
  }
  /// Notes that an object was written where an import does not find its sub-entity.
  mutating func noteWithoutSubentity(_ id: ObjectID, _ reason: LossReason) {
    withoutSubentity.wait(for: id, reason)
  }
  /// Notes that an object was written where an import finds its sub-entity.
  mutating func noteSubentity(_ id: ObjectID) { withoutSubentity.settleFirst(id) }
  /// Notes that an object was written without its position.
  mutating func noteWithoutPosition(_ id: ObjectID) { withoutPosition.wait(for: id, .noPosition) }
  /// Notes that an object was written at its position.
  mutating func notePosition(_ id: ObjectID) { withoutPosition.settle(id) }
  /// Notes that only an object's identity was written.
  mutating func noteIdentityOnly(_ id: ObjectID) { identityOnly.wait(for: id, .identityOnly) }
  /// Notes that an object was written in full.
  mutating func noteInFull(_ id: ObjectID) { identityOnly.settle(id) }

  /// Counts the losses that are still waiting at the end of a snapshot.
  mutating func settle(_ plan: ExportPlan, _ traversal: ExportTraversal) {
    func note(
      _ waiting: WaitingObjects, _ property: (EntityExportPlan) -> LostProperty.Property?
    ) {
      for (id, reason) in waiting.objects where !waiting.isSettled.contains(id) {
        self.note(reason, property(plan.entities[id.entity]), of: id, traversal) {
          traversal.description(of: id)
        }
      }
    }
    note(withoutKey) { $0.key.map { .attribute($0.number) } }
    note(withoutSubentity) { _ in nil }
    note(withoutPosition) { $0.position.map { .attribute($0) } }
    note(identityOnly) { _ in nil }
    self = ExportLosses(entityCount: plan.schema.entities.count, after: self)
  }

  /// Returns the report, with a loss for each property and reason.
  func report(_ schema: ModelSchema) -> ExportReport {
    var report = ExportReport()
    report.losses = losses.map { key, object, text, count in
      let entity = schema.entities[key.entity]
      let property =
        switch key.property {
        case .attribute(let number)?: entity.attributes[number].name
        case .relationship(let number)?: entity.relationships[number].name
        case nil where key.reason.isOfEntity: ""
        case nil: entity.declaredIdentity.map { entity.attributes[$0].name }.joined(separator: ", ")
        }
      let name = property.isEmpty ? entity.name : "\(entity.name).\(property)"
      let more = count == 1 ? text : "\(text) and \(count - 1) more"
      return ExportLoss(
        entity: entity.name, property: property, object: object, count: count,
        message: "\(name): \(key.reason.text(schema.words)) (\(more))")
    }
    return report
  }
}

// MARK: - Finding losses

extension ObjectWriter {
  /// Notes a loss.
  mutating func note(
    _ reason: LossReason, _ property: LostProperty.Property?, of id: ObjectID
  ) {
    losses.note(reason, property, of: id, traversal) { traversal.description(of: id) }
  }

  /// Notes the loss of a link from an object to another, unless the inverse is written.
  ///
  /// In a whole graph the inverse is written, unless the other object is open. A list overrides the
  /// order of its inverse, unless an import adds to it.
  @inline(never)
  mutating func noteLink(_ relationship: Int, from id: ObjectID, to target: ObjectID) {
    let step = plan.relationships[relationship]
    let isSaid =
      traversal.reachability != nil && step.isInverseWritten && !traversal.isOpen(target)
      && !(step.isReplaced && traversal.isWrittenBefore(target))
    if !isSaid { note(.noIdentity, .relationship(step.number), of: id) }
  }

  /// Notes that an import of a missing value does not give the same.
  @inline(never)
  mutating func noteNull(
    _ reason: LossReason, _ content: ExportStep.Content, of id: ObjectID
  ) {
    switch content {
    case .attribute(let attribute): note(reason, .attribute(attribute.number), of: id)
    case .relationship(let relationship), .member(let relationship):
      let number = plan.relationships[Int(relationship)].number
      note(reason, .relationship(number), of: id)
    default: break
    }
  }

  /// Notes the loss of a list's order, if only its inverse is written.
  @inline(never)
  mutating func noteOrder(_ relationship: Int, of id: ObjectID, _ count: Int) {
    if plan.relationships[relationship].isOrdered, count > 1 {
      note(.noOrder, .relationship(plan.relationships[relationship].number), of: id)
    }
  }

  /// Notes the losses of a list that is left out, because its members name their owner instead.
  ///
  /// A stub does not name its owner. In an export of a part of the graph, only the objects around the owner do.
  @inline(never)
  mutating func noteLeftOut(
    _ members: BorrowedBuffer<ObjectID>, _ relationship: Int, of id: ObjectID
  ) {
    noteOrder(relationship, of: id, members.count)
    for index in members.indices
    where traversal.graph.isStub(members[index])
      || traversal.reachability == nil && !traversal.isOpen(members[index])
    {
      note(.partOfList, .relationship(plan.relationships[relationship].number), of: id)
    }
  }

  /// Notes the loss of a list's order, if an import adds the members in the order in which it reads them.
  @inline(never)
  mutating func noteAddedOrder(_ relationship: Int, of id: ObjectID) {
    let number = plan.relationships[relationship].number
    if traversal.reachability != nil, targets(id, number).count > 1 {
      note(.addedOrder, .relationship(number), of: id)
    }
  }

  /// Returns whether a member of a list has no identity that could be written instead of it.
  func lacksReference(_ members: BorrowedBuffer<ObjectID>, _ relationship: Int) -> Bool {
    for index in members.indices {
      let form = traversal.form(
        of: members[index], relationship, isElement: true, asReference: true)
      if case .leftOut = form { return true }
    }
    return false
  }

  /// Notes that an object is not written under a key, since it has none or another has it.
  @inline(never)
  mutating func noteWithoutOwnKey(_ id: ObjectID, _ key: AttributeStep?, _ other: ObjectID?) {
    losses.note(
      other == nil ? .isUnnamed : .sharesKey, key.map { .attribute($0.number) }, of: id, traversal
    ) {
      let text = traversal.description(of: id)
      guard let other else { return text }
      return "\(text), which has the key of \(traversal.description(of: other))"
    }
  }

  /// Notes relationships of a stub that no inverse writes: a stub is written as its identity.
  @inline(never)
  mutating func noteLinks(ofStub id: ObjectID) {
    for relationship in plan.entities[id.entity].relationships {
      let number = plan.relationships[relationship].number
      let targets = targets(id, number)
      let count = targets.count
      let isSaid =
        traversal.reachability != nil && plan.relationships[relationship].isInverseWritten
        && !targets.contains { traversal.graph.isStub($0) }
        && (count < 2 || !plan.relationships[relationship].isOrdered)
      if count > 0, !isSaid { note(.isStub, .relationship(number), of: id) }
    }
  }

  // Each of these is a function of its own, so that the functions that call each other for every level of nesting need
  // less stack.

  /// Notes an object whose identity has no value, if an import then refuses or skips it.
  @inline(never)
  mutating func noteMissingIdentity(of id: ObjectID) {
    if plan.entities[id.entity].needsIdentity, !plan.hasWholeIdentity(id, in: traversal.graph) {
      note(.unidentified, nil, of: id)
    }
  }

  /// Notes that an import takes the value of a reference for an earlier object.
  @inline(never)
  mutating func noteSharedValue(
    _ reference: ObjectReference, to target: ObjectID, _ relationship: Int
  ) {
    if case .bare = reference, traversal.isShared(target, by: relationship),
      let owner = traversal.innermost
    {
      note(.sharesValue, .relationship(plan.relationships[relationship].number), of: owner)
    }
  }

  /// Notes that an import does not find the object of a reference, because it comes later.
  ///
  /// The inverse may say the same at a place where the object is found. The inverse of a link to itself is in the same
  /// object, so it does not help, and a stub says nothing but its identity.
  @inline(never)
  mutating func noteForwardReference(_ relationship: Int, to target: ObjectID) {
    guard let owner = traversal.innermost,
      target == owner
        || traversal.isWrittenLater(target)
          && (plan.relationships[relationship].isOrdered
            || plan.relationships[relationship].refusesLaterObjects
            || !plan.relationships[relationship].isInverseWritten
            || traversal.graph.isStub(target))
    else { return }
    note(.forward, .relationship(plan.relationships[relationship].number), of: owner)
  }

  /// Notes relationships that an import clears because a reference to the object omits them, and those whose absence it
  /// refuses (`JSONAbsent`).
  @inline(never)
  mutating func noteRelationships(changedByReferenceTo id: ObjectID) {
    for relationship in plan.entities[id.entity].relationships
    where plan.relationships[relationship].isRequired {
      let number = plan.relationships[relationship].number
      if plan.relationships[relationship].isRefusedIfAbsent {
        note(.refusedReference, .relationship(number), of: id)
      } else if hasTargets(id, number) {
        note(.absent, .relationship(number), of: id)
      }
    }
  }

  /// Notes values of a fully written object that an import does not find again.
  @inline(never)
  mutating func noteLosses(
    of id: ObjectID, without inverse: Int?, by relationship: Int?, at place: ReferencePlace
  ) {
    let entity = plan.entities[id.entity]
    losses.noteInFull(id)
    if entity.isNamedByKeyFirst, !place.isKey, let key = entity.key {
      noteKey(key, of: id, by: relationship)
    }
    if entity.keyName != nil, !place.isKey { losses.noteWithoutSubentity(id, .noSubentity) }
    if entity.isPlacedByPositionFirst, let attribute = entity.position, hasValue(id, attribute) {
      switch place {
      case .element(let position) where self.position(of: id, in: attribute) == Int64(position):
        losses.notePosition(id)
      // An object in a property of its own has no position.
      case .element(-1) where !entity.isPlacedByPositionOnly,
        .alone where !entity.isPlacedByPositionOnly:
        break
      case .element: note(.noPosition, .attribute(attribute), of: id)
      case .alone, .key: losses.noteWithoutPosition(id)
      }
    }
    for attribute in entity.untransformed where hasValue(id, attribute) {
      note(.untransformed, .attribute(attribute), of: id)
    }
    for (attribute, transformer) in entity.irreversible where hasValue(id, attribute) {
      let value = value(id, attribute)
      if (try? transformer.forward(value)) != value {
        note(.irreversible, .attribute(attribute), of: id)
      }
    }
    for unwritten in entity.unwritten {
      guard let owner = object(unwritten.object, of: id) else { continue }
      if unwritten.object == 0, let inverse, unwritten.property == .relationship(inverse) {
        continue
      }
      if isLost(unwritten, of: owner, besides: object(unwritten.substituteObject, of: id)) {
        note(unwritten.reason, unwritten.property, of: owner)
      }
    }
  }

  /// Notes the value of a fully written object that an import reads from its key, if the object is written without that
  /// key.
  private mutating func noteKey(_ key: AttributeStep, of id: ObjectID, by relationship: Int?) {
    let isNamed = relationship.map { plan.places[$0].key != nil } ?? false
    let isOther = relationship.map { traversal.isNamedOtherwise(id, by: $0) } ?? false
    if isOther {
      note(.otherKey, .attribute(key.number), of: id)
    } else if !isNamed, plan.entities[id.entity].isNamedByKeyOnly, hasValue(id, key.number) {
      losses.noteWithoutKey(id)
    }
  }

  /// Notes that only the identity of an object is written, because it has another key in full.
  @inline(never)
  mutating func noteIdentity(
    _ reference: ObjectReference, of target: ObjectID, _ relationship: Int
  ) {
    if case .bare = reference, traversal.lacksKey(target, by: relationship) {
      losses.noteIdentityOnly(target)
    }
  }

  /// Notes losses of an object that is written as a scalar.
  @inline(never)
  mutating func noteLossesOfScalar(_ id: ObjectID, _ scalar: AttributeStep) {
    let entity = plan.schema.entities[id.entity]
    for step in plan.entities[id.entity].steps {
      guard case .attribute(let attribute) = step.content, step.object == 0,
        attribute.number != scalar.number, hasValue(id, attribute.number)
      else { continue }
      if value(id, attribute.number) != entity.attributes[attribute.number].defaultValue {
        note(.isScalar, .attribute(attribute.number), of: id)
      }
    }
    for relationship in plan.entities[id.entity].relationships {
      let number = plan.relationships[relationship].number
      if !plan.relationships[relationship].isInverseWritten, hasTargets(id, number) {
        note(.isScalar, .relationship(number), of: id)
      }
    }
  }

  /// Returns whether a value of an object is lost: it is not written, and an import cannot recover
  /// it from other values.
  ///
  /// - Parameters:
  ///   - unwritten: The property.
  ///   - id: The object that has it.
  ///   - other: The object whose value is written at the property's path.
  /// - Returns: Whether it is lost.
  private mutating func isLost(
    _ unwritten: LossCheck, of id: ObjectID, besides other: ObjectID?
  ) -> Bool {
    guard let holder = other ?? (unwritten.substitute == nil ? id : nil) else {
      switch unwritten.property {
      case .attribute(let number): return hasValue(id, number)
      case .relationship(let number): return hasTargets(id, number)
      }
    }
    switch unwritten.property {
    case .attribute(let number):
      guard let step = unwritten.step else { return false }
      if case .attribute(let other)? = unwritten.substitute, hasValue(holder, other.number) {
        return !hasValue(id, number) || !isSpelledAlike(step, id, other, holder)
      }
      guard hasValue(id, number), value(id, number) != unwritten.defaultValue else { return false }
      switch unwritten.substitute {
      case .attribute: return !unwritten.isFoundWithoutSubstitute
      case .json(let attribute): return !hasValue(holder, attribute)
      case .identity(let relationship, let identity):
        guard let target = traversal.graph.toOne(holder, relationship: relationship) else {
          // The empty string is written, which is no value to the relationship.
          return unquotedText(of: step, id) != []
        }
        return !isSpelledAlike(step, id, identity, target)
      case .related(let relationship, let other):
        let number = plan.relationships[relationship].number
        guard let target = traversal.graph.toOne(holder, relationship: number),
          isWrittenInFull(target, relationship, in: holder)
        else { return true }
        return !isSpelledAlike(step, id, other, target)
      case .member(let relationship, let position, let other, let isScalar):
        let members = targets(holder, plan.relationships[relationship].number)
        guard position < members.count,
          isScalar || isWrittenInFull(members[position], relationship, in: holder)
        else { return true }
        return !isSpelledAlike(step, id, other, members[position])
      case .relationship, nil: return true
      }
    case .relationship(let number):
      guard hasTargets(id, number) else { return false }
      if traversal.reachability != nil, unwritten.isInverseWritten { return false }
      switch unwritten.substitute {
      case .attribute(let other):
        guard let identity = unwritten.step else { return true }
        let targets = targets(id, number)
        let relationship = plan.schema.entities[id.entity].relationships[number]
        if relationship.isToMany {
          return !lists(other, holder, targets, by: identity, isOrdered: relationship.isOrdered)
        }
        return !isSpelledAlike(identity, targets[0], other, holder)
      case .relationship(let other): return targets(id, number) != targets(holder, other)
      case .json, .related, .identity, .member, nil: return true
      }
    }
  }

  /// Returns whether an open object's relationship nests another object.
  private mutating func isWrittenInFull(
    _ target: ObjectID, _ relationship: Int, in owner: ObjectID
  ) -> Bool {
    traversal.enter(owner)
    defer { traversal.leave() }
    if case .inFull = traversal.form(of: target, relationship, isElement: false) { return true }
    return false
  }

  /// Returns whether an import reads two values as the same, because it converts between strings
  /// and numbers.
  private func isSpelledAlike(
    _ first: AttributeStep, _ id: ObjectID, _ second: AttributeStep, _ other: ObjectID
  ) -> Bool {
    guard let text = unquotedText(of: first, id) else { return false }
    return text == unquotedText(of: second, other)
  }

  /// Returns whether the JSON of an attribute is a list of the identities of objects, each at its first place.
  ///
  /// The list `[7, 8, 7]` is an attribute, and a relationship leads to 7 and 8.
  private func lists(
    _ attribute: AttributeStep, _ holder: ObjectID, _ objects: [ObjectID],
    by identity: AttributeStep, isOrdered: Bool
  ) -> Bool {
    guard let text = try? json(of: attribute, holder),
      let elements = try? JSONSerialization.jsonObject(with: Data(text)) as? [Any]
    else { return false }
    let identities = objects.compactMap { unquotedText(of: identity, $0) }
    var known: Set<[UInt8]> = []
    let listed = elements.map { Array("\($0)".utf8) }.filter { known.insert($0).inserted }
    return isOrdered ? listed == identities : known == Set(identities)
  }

  func unquotedText(of step: AttributeStep, _ id: ObjectID) -> [UInt8]? {
    guard let text = try? self.text(of: step, id) else { return nil }
    return text.first == 0x22 ? Array(text.dropFirst().dropLast()) : text
  }

  /// Returns the object itself, or one that shares its JSON object.
  func object(_ number: Int, of id: ObjectID) -> ObjectID? {
    guard number > 0 else { return id }
    let shared = plan.entities[id.entity].sharedObjects[number - 1]
    return object(shared.owner, of: id).flatMap {
      traversal.graph.toOne($0, relationship: shared.relationship)
    }
  }

  func hasValue(_ id: ObjectID, _ attribute: Int) -> Bool {
    !traversal.graph.value(id, attribute: attribute).isNull
  }

  private func value(_ id: ObjectID, _ attribute: Int) -> AttributeValue? {
    AttributeValue(
      traversal.graph.value(id, attribute: attribute),
      type: plan.schema.entities[id.entity].attributes[attribute].type)
  }

  func targets(_ id: ObjectID, _ relationship: Int) -> [ObjectID] {
    guard plan.schema.entities[id.entity].relationships[relationship].isToMany else {
      return traversal.graph.toOne(id, relationship: relationship).map { [$0] } ?? []
    }
    return traversal.graph.members(of: id, relationship)
  }

  private func hasTargets(_ id: ObjectID, _ relationship: Int) -> Bool {
    !targets(id, relationship).isEmpty
  }
}
