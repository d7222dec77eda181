// A loss is a value that an import of the output does not find again. Losses are counted by property and
// reason, so that a report has at most one line for each property and reason.
//
// A value that seems lost may be written later. An object in an array that lacks its key is no loss
// if the object also occurs under its key. An object written as its identity alone is no loss if
// it is written in full elsewhere. Such losses wait until everything is written.

import Graft

/// Counts the losses of an export.
struct ExportLosses {
  /// The reason of a loss.
  enum Reason: Hashable {
    /// No property of its own can be written at its path.
    case noPlace
    /// It has no value, which an import refuses.
    case refusedNull
    /// It has no value, and an import gives it the default.
    case defaultValue
    /// It is the object's key, and the object is written without one.
    case noKey
    /// It is the object's key, and the object is written under another one.
    case otherKey
    /// The JSON key would name the sub-entity, but the object is not written under a key.
    case noSubentity
    /// It is a value of an enclosing object, and is not found there.
    case noOwner
    /// It is the object's position, and the object is written at another one.
    case noPosition
    /// The object is written as a scalar.
    case isScalar
    /// The related object has no identity, and cannot be nested here.
    case noIdentity
    /// An import does not take an object whose identity has no value.
    case unidentified
    /// An import takes the value that refers to the object for an earlier one.
    case sharesValue
    /// A stub is not written, because no value refers to it any more.
    case orphaned
    /// An object without identity is written more than once.
    case repeated
    /// A reference is an object without the relationship, which an import reads as absent.
    case absent
    /// A reference is an object without the relationship, which an import refuses.
    case refusedReference
    /// A reference comes before its object, and an import does not wait for it.
    case forward
    /// The order of a list is lost, because some members have no identity and only the inverse is written.
    case noOrder
    /// Only the object's identity is written.
    case identityOnly
    /// A stub is written as its identity.
    case isStub
    /// Both ends are ordered lists, and an import adds to one of them. Each list changes the
    /// other's order.
    case addedOrder
    /// The object has the same key as another member of its collection.
    case sharesKey
    /// The object has no key, and an import would set one.
    case isUnnamed
    /// The date has more than its pattern shows.
    case cutDate
    /// The model lacks the transformer that makes JSON of the value.
    case untransformed
    /// It keeps the JSON of the whole object.
    case keptObject
    /// The date has more than milliseconds.
    case roundedDate
  }

  private struct Key: Hashable {
    var entity: Int
    var property: LostProperty.Property?
    var reason: Reason
  }

  private var indexes: [Key: Int] = [:]
  private var losses: [(key: Key, object: ObjectID, text: String, count: Int)] = []
  /// Objects that were written without their keys, or without a key that names the sub-entity, or
  /// without their positions, or as their identity only.
  private var withoutKey: WaitingObjects
  private var withoutSubentity: WaitingObjects
  private var withoutPosition: WaitingObjects
  private var identityOnly: WaitingObjects

  /// Objects whose loss is certain only when everything is written.
  private struct WaitingObjects {
    var objects: [ObjectID] = []
    var isWaiting: ObjectSet
    var isSettled: ObjectSet

    init(_ entityCount: Int) {
      isWaiting = ObjectSet(entityCount: entityCount)
      isSettled = ObjectSet(entityCount: entityCount)
    }

    mutating func wait(for id: ObjectID) {
      if !isSettled.contains(id), isWaiting.insert(id) { objects.append(id) }
    }

    mutating func settle(_ id: ObjectID) { _ = isSettled.insert(id) }
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
    _ reason: Reason, _ property: LostProperty.Property?, of id: ObjectID,
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
  mutating func noteWithoutKey(_ id: ObjectID) { withoutKey.wait(for: id) }
  /// Notes that an object was written under its key.
  mutating func noteKey(_ id: ObjectID) {
    withoutKey.settle(id)
    withoutSubentity.settle(id)
  }
  /// Notes that an object was written without the key that names its sub-entity.
  mutating func noteWithoutSubentity(_ id: ObjectID) { withoutSubentity.wait(for: id) }
  /// Notes that an object was written without its position.
  mutating func noteWithoutPosition(_ id: ObjectID) { withoutPosition.wait(for: id) }
  /// Notes that an object was written at its position.
  mutating func notePosition(_ id: ObjectID) { withoutPosition.settle(id) }
  /// Notes that only an object's identity was written.
  mutating func noteIdentityOnly(_ id: ObjectID) { identityOnly.wait(for: id) }
  /// Notes that an object was written in full.
  mutating func noteInFull(_ id: ObjectID) { identityOnly.settle(id) }

  /// Counts the losses that are still waiting at the end of a snapshot.
  mutating func settle(_ plan: ExportPlan, _ traversal: ExportTraversal) {
    func note(
      _ reason: Reason, _ waiting: WaitingObjects,
      _ property: (EntityExportPlan) -> LostProperty.Property?
    ) {
      for id in waiting.objects where !waiting.isSettled.contains(id) {
        self.note(reason, property(plan.entities[id.entity]), of: id, traversal) {
          traversal.description(of: id)
        }
      }
    }
    note(.noKey, withoutKey) { $0.key.map { .attribute($0.number) } }
    note(.noSubentity, withoutSubentity) { _ in nil }
    note(.noPosition, withoutPosition) { $0.position.map { .attribute($0) } }
    note(.identityOnly, identityOnly) { _ in nil }
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
        case nil where key.reason == .noSubentity: ""
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

extension ExportLosses.Reason {
  /// The text about dates with fractions of milliseconds.
  static let roundedDateText =
    "the date is rounded to the millisecond, as all dates are written; keep a number of seconds where"
    + " more is needed"

  /// Returns the reason and the remedy.
  ///
  /// - Parameter words: The words of messages for the parts of the model.
  /// - Returns: The rest of a message, after the property.
  fileprivate func text(_ words: ModelVocabulary) -> String {
    switch self {
    case .noPlace:
      "not written, because its path leads through a wildcard or another property's value, or to the name"
        + " or line of a file; give it a path of its own"
    case .refusedNull:
      "an import refuses the object without a value of this (\(words.name(of: "JSONNull")), \(words.name(of: "JSONAbsent"))); let"
        + " its null be \"clear\", or give it a value"
    case .defaultValue:
      "an import gives the default where there is no value (\(words.name(of: "JSONNull")), \(words.name(of: "JSONAbsent"))); let"
        + " its null be \"clear\", or let it have no default"
    case .noOwner:
      "not written, because an import reads it from the object around (@parent), where this value is not"
        + " found; write the objects that it belongs to, let a relationship of theirs lead to it, or give"
        + " it a path of its own"
    case .noKey:
      "not written, because an import reads it from the key (@key), and the object is written without"
        + " one; write the objects under keys, or give it a path of its own"
    case .otherKey:
      "an import reads it from the key (@key), which is the name of the relationship where the object is"
        + " written; write the objects under keys, or let the path in the object come first"
    case .noSubentity:
      "the sub-entity is not written, because an import reads it from the key (@key), and the object"
        + " is written without one; write the objects under keys, or name another discriminator path"
    case .noPosition:
      "not written, because an import reads it from the position (@index), and the object is"
        + " written at another one; give it a path of its own"
    case .isScalar:
      "not written, because the object is written as a scalar (@value); give that attribute a path of its"
        + " own"
    case .noIdentity:
      "a link is not written, because the object that it leads to has no identity that a reference could"
        + " give, and cannot be nested here; give it one of its own, or let the relationship be nested"
    case .unidentified:
      "an import refuses or skips an object whose identity has no value"
        + " (\(words.name(of: "JSONMissingIdentity"))); set it, or let that be \"insert\""
    case .sharesValue:
      "an import links an earlier object with the same value (\(words.name(of: "JSONRelatedBy"))); give the objects"
        + " different values, or an identity"
    case .orphaned:
      "a stub is not written, because no value refers to it any more"
        + " (\(words.name(of: "JSONRelatedBy"))); delete it, or fill it"
    case .repeated:
      "an object without identity is written more than once, because several objects lead to it; give it"
        + " an identity"
    case .absent:
      "an import may clear it, because it is absent where the object is referred to (\(words.name(of: "JSONAbsent"))); let"
        + " it be \"keep\", or identify the objects by one attribute"
    case .refusedReference:
      "an import refuses references to the object, in which it is absent (\(words.name(of: "JSONAbsent"))); let"
        + " it be \"keep\", or identify the objects by one attribute"
    case .forward:
      "an import skips or refuses it, because the object comes later (\(words.name(of: "JSONReference"))); let"
        + " it be \"defer\" or \"stub\""
    case .noOrder:
      "the order is not written, because members have no identity; give them one"
    case .identityOnly:
      "only the identity is written, since the object lacks its key (@key) where it is met; write the"
        + " objects of the entity too, or the whole graph"
    case .isStub:
      "not written, because a stub is written as its identity alone; give the relationship an inverse, or"
        + " fill the object"
    case .addedOrder:
      "the order may change in an import, which adds to the list (\(words.name(of: "JSONCollection"))) in the"
        + " order of the inverse; let it be \"replace\", or leave the inverse out"
    case .sharesKey:
      "an object is written as its identity or not at all, because another of its collection is found under"
        + " the same key (@key); give each its own, or write them as an array"
    case .isUnnamed:
      "an object is written as its identity or not at all, because an import would set this attribute"
        + " from its key (@key), and it has no value; set it, or write the objects as an array"
    case .cutDate:
      "part of the date is not written, because its pattern does not show it; give it a pattern with all of"
        + " it, or iso8601"
    case .untransformed:
      "written as it is stored, because the model lacks the code of its transformer; export with a model that has it"
    case .keptObject:
      "not written, because the object is written by its properties; JSON that none of them reads is"
        + " found in this attribute alone"
    case .roundedDate: Self.roundedDateText
    }
  }
}

// MARK: - Finding losses

extension ObjectWriter {
  /// Notes a loss.
  mutating func note(
    _ reason: ExportLosses.Reason, _ property: LostProperty.Property?, of id: ObjectID
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
    _ reason: ExportLosses.Reason, _ content: ExportStep.Content, of id: ObjectID
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
        plan.relationships[relationship].isInverseWritten
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
    if entity.keyName != nil, !place.isKey { losses.noteWithoutSubentity(id) }
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
    for unwritten in entity.unwritten {
      guard let owner = object(unwritten.object, of: id) else { continue }
      if unwritten.object == 0, let inverse, unwritten.property == .relationship(inverse) {
        continue
      }
      if isLost(unwritten, of: owner, besides: object(unwritten.substituteObject, of: id)) {
        note(unwritten.isWholeObject ? .keptObject : .noPlace, unwritten.property, of: owner)
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
      guard hasValue(id, number), value(id, number) != unwritten.defaultValue,
        let step = unwritten.step
      else { return false }
      switch unwritten.substitute {
      case .attribute(let other): return !isSpelledAlike(step, id, other, holder)
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
        guard let identity = unwritten.step,
          let target = traversal.graph.toOne(id, relationship: number)
        else { return true }
        return !isSpelledAlike(identity, target, other, holder)
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
