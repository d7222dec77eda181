// Decides for each object of an export whether it is nested, written as a reference, or left out: see
// `form(of:_:isElement:asReference:)`. The model alone decides which objects may be nested at all: see
// `ExportNesting`.
//
// An export walks a graph depth first. An object that is met inside itself is written as a
// reference, while one that is met a second time elsewhere may be written in full again. The number
// of objects in one is limited, because there may be more paths through a graph than there is
// memory for.

import Graft

/// The form of a related object.
enum RelatedForm {
  case inFull
  case reference(ObjectReference)
  case leftOut
}

/// The output that replaces an object.
///
/// It is a bare value if one attribute is enough. Otherwise it is an object with the attributes
/// that an import needs to find or insert the object: its identity, required attributes, and the
/// discriminator of its sub-entity.
enum ObjectReference {
  case bare(AttributeStep)
  case object
}

/// The place of a reference.
enum ReferencePlace {
  /// The only value of a to-one relationship.
  case alone
  /// An element of an array, at this position; -1 if the array is not of its own.
  case element(Int)
  /// A member of an object, under its key.
  case key

  var isKey: Bool { if case .key = self { true } else { false } }
}

/// An open object, and its place in the output.
struct EnclosingObject {
  var id: ObjectID
  /// The number, in the plan, of the relationship that led to the object; nil for an outermost object.
  var relationship: Int?
  var place: ReferencePlace
  /// Its key, as it is in a JSON string; nil if it has none.
  var key: [UInt8]?
  /// The key of an object between it and its owner that differs from object to object.
  var groupKey: [UInt8]?
  /// The nested objects found so far that have the values hoisted into this one, by the number of
  /// the value in the plan.
  var holders: [Int: ObjectID?] = [:]
}

extension EntityExportPlan {
  /// Whether an import finds an object in full by the values in it, wherever it is.
  var isFoundAnywhere: Bool { holdsIdentity && !isIdentifiedByKeyFirst }

  /// Returns whether an import takes a scalar for a whole object here, and not for its identity.
  func isScalar(at place: ReferencePlace) -> Bool {
    place.isKey ? isWholeAsScalarUnderKey : isWholeAsScalar
  }
}

/// Tracks the depth-first walk through a graph, and decides the form of each object: nested, a
/// reference, or left out.
struct ExportTraversal {
  /// The highest useful `ExportOptions.nestingLimit`: writing recurses.
  ///
  /// A level was measured at 1.2 KiB of stack for a to-one relationship and 1.5 KiB for a to-many
  /// one, and 0.3 KiB more where objects share their JSON.
  private static let deepestNesting = 1000

  /// The snapshot that is read.
  private(set) var graph: Graph
  /// The pages that the snapshot belongs to; nil for a complete graph.
  var pages: (any ExportPages)?
  /// The owners of objects without identity, while the whole graph is written.
  ///
  /// Then every object with an identity is an element of its entity's array, and a reference
  /// everywhere else.
  private(set) var reachability: AnonymousReachability?
  /// The objects to which no value can refer; nil if not all objects are at hand.
  private var sharedValues: SharedValues?
  private var plan: ExportPlan
  private let depth: Int
  private let nestingLimit: Int
  /// The open objects, with those that share the JSON object of their owner.
  private var path: [ObjectID] = []
  /// The number of JSON objects that are open for objects written in full.
  private var nesting = 0
  /// The number of objects written in full inside the outermost one.
  private var objectCount = 0
  /// The objects written in full; only those whose repetition is avoided are kept.
  private var written: ObjectSet

  init(plan: ExportPlan, graph: Graph) {
    self.plan = plan
    self.graph = graph
    depth = plan.options.depth ?? Int.max
    nestingLimit = Self.nestingLimit(of: plan.options)
    written = ObjectSet(entityCount: plan.schema.entities.count)
    sharedValues = graph.isPartial ? nil : SharedValues(plan, graph)
  }

  /// Returns the greatest depth of nested objects.
  static func nestingLimit(of options: ExportOptions) -> Int {
    min(max(options.nestingLimit, 1), deepestNesting)
  }

  /// Continues with another snapshot, in which objects that were already written may have other values.
  ///
  /// - Parameters:
  ///   - graph: The snapshot.
  ///   - plan: The steps for writing its objects.
  ///   - isWhole: Whether all of it is written.
  mutating func begin(_ graph: Graph, _ plan: ExportPlan, isWhole: Bool) {
    if self.graph.storage !== graph.storage {
      sharedValues = graph.isPartial ? nil : SharedValues(plan, graph)
    }
    self.graph = graph
    self.plan = plan
    written = ObjectSet(entityCount: plan.schema.entities.count)
    reachability = isWhole ? AnonymousReachability(plan: plan, graph: graph) : nil
  }

  /// Returns whether an import would take the value that refers to an object for an earlier one.
  func isShared(_ id: ObjectID, by relationship: Int) -> Bool {
    sharedValues?.isShared(id, by: relationship) ?? false
  }

  /// Notes objects that were written from an earlier snapshot.
  mutating func noteWritten(_ ids: [ObjectID]) {
    for id in ids { _ = written.insert(id) }
  }

  /// Returns whether an object was written in full; false for objects whose repetition is not avoided.
  func hasWritten(_ id: ObjectID) -> Bool { written.contains(id) }

  /// Ends the pages of an entity; the graphs that follow are complete.
  mutating func endPages() {
    pages = nil
    reachability = nil
  }

  /// Continues with single objects of the snapshot, after all of it was written.
  mutating func endWhole() { reachability = nil }

  // MARK: Open objects

  /// Begins an outermost object.
  mutating func beginOutermost() { objectCount = 0 }

  /// Opens an object that is written in full.
  ///
  /// - Throws: ``ExportError`` if objects nest too deep or one holds too many.
  mutating func open(_ id: ObjectID) throws(ExportError) {
    if reachability != nil || avoidsRepeating(id) { _ = written.insert(id) }
    objectCount += 1
    guard nesting < nestingLimit, objectCount <= plan.options.objectLimit else { throw tooMuch(id) }
    nesting += 1
    path.append(id)
  }

  /// Closes the object that was opened last.
  mutating func close() {
    nesting -= 1
    path.removeLast()
  }

  /// Returns whether an object ends later than the current place of a whole graph, and an import
  /// finds it only then.
  func isWrittenLater(_ id: ObjectID) -> Bool {
    reachability != nil && !isWrittenBefore(id)
  }

  /// Notes that an object was written as a scalar, or a stub as its identity.
  mutating func noteScalar(_ id: ObjectID) {
    if reachability != nil { _ = written.insert(id) }
  }

  /// Returns whether an object without identity has been written already, in a whole graph.
  func repeatsAnonymous(_ id: ObjectID) -> Bool {
    guard let reachability else { return false }
    return reachability.isAnonymous(id) && written.contains(id)
  }

  /// Notes that the objects without identity that share the JSON object of an object are written with it.
  ///
  /// - Returns: Those that have been written already, in a whole graph.
  mutating func writeShared(of id: ObjectID) -> [ObjectID] {
    guard !plan.entities[id.entity].sharedObjects.isEmpty, let reachability else { return [] }
    return reachability.sharedTargets(of: id).filter { !written.insert($0) }
  }

  /// Enters an object that is written as a reference, or into the JSON object of its owner.
  mutating func enter(_ id: ObjectID) { path.append(id) }

  /// The innermost object that is open.
  var innermost: ObjectID? { path.last }

  /// Returns whether an object is open.
  func isOpen(_ id: ObjectID) -> Bool { path.contains(id) }

  /// Leaves the objects that were entered last.
  mutating func leave(_ count: Int = 1) { path.removeLast(count) }

  private func tooMuch(_ id: ObjectID) -> ExportError {
    let more =
      nestingLimit < Self.deepestNesting
      ? ", or raise the nestingLimit where the stack has 2 KiB for each level" : ""
    let reason =
      nesting >= nestingLimit
      ? "objects nest more than \(nestingLimit) deep; bound the depth\(more)"
      : "more than \(plan.options.objectLimit) objects nest in one, \(description(of: path.first ?? id)); bound the depth,"
        + " let repeated objects be written as their identities (repeats: identifier), or raise the objectLimit"
    return ExportError(
      .limit, entity: plan.schema.entities[id.entity].name, object: original(of: id),
      "\(description(of: id)): \(reason)")
  }

  /// Returns an object in a graph of the whole source.
  func original(of id: ObjectID) -> ObjectID { pages?.original(of: id) ?? id }

  /// Returns a description of an object: its entity and its identity, or its row if it has no
  /// identity.
  func description(of id: ObjectID) -> String {
    graph.name(of: id, inRow: original(of: id).row)
  }

  // MARK: The form of an object

  /// Returns the reference that is written for an outermost object; nil if the object is written in full.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - place: The place where it is written.
  /// - Returns: The reference, or nil.
  func outermostReference(to id: ObjectID, at place: ReferencePlace) -> ObjectReference? {
    let isWritten = reachability == nil && avoidsRepeating(id) && written.contains(id)
    guard isWritten || isWrittenAsIdentity(id) else { return nil }
    return plan.reference(to: id, in: graph, as: id.entity, nil, at: place)
  }

  /// Returns whether an outermost object is written as its identity alone.
  ///
  /// A stub is. In an export of the whole graph, so is an object that was not read from the database. An export of
  /// that object itself needs all its values.
  private func isWrittenAsIdentity(_ id: ObjectID) -> Bool {
    reachability == nil ? graph.isStub(id) : graph.isIdentityOnly(id)
  }

  /// Decides how to write an object that is related to the innermost open object.
  ///
  /// - Parameters:
  ///   - target: The object.
  ///   - relationship: The number of the relationship in the plan.
  ///   - isElement: Whether the object is one of many, which may be scalars.
  ///   - asReference: Whether it is not written in full in any case.
  ///   - isInPosition: Whether an import finds it at the position that it has as an attribute (`@index`).
  /// - Returns: The form, which is `inFull` for nearly all of most exports.
  @inline(__always)
  func form(
    of target: ObjectID, _ relationship: Int, isElement: Bool, asReference: Bool = false,
    isInPosition: Bool = false
  ) -> RelatedForm {
    if reachability == nil, !asReference, !plan.relationships[relationship].writesReferences,
      nesting <= depth,
      !plan.entities[target.entity].isRecursive || !path.contains(target),
      !graph.isIdentityOnly(target),
      plan.entities[target.entity].isFoundAnywhere
        || canBeInFull(target, relationship, isInPosition: isInPosition),
      !avoidsRepeating(target) || !written.contains(target)
    {
      return .inFull
    }
    return rareForm(of: target, relationship, isElement: isElement, asReference: asReference)
  }

  /// Returns whether an object that takes a part of its identity from its place can be written in full: it must be
  /// found under its key, or at its position.
  @inline(never)
  private func canBeInFull(
    _ target: ObjectID, _ relationship: Int, isInPosition: Bool
  ) -> Bool {
    let entity = plan.entities[target.entity]
    if isIdentifiedOtherwise(target, by: relationship) { return false }
    let isUnderKey =
      plan.relationships[relationship].isKeyed
      || entity.isIdentifiedByKeyFirst && plan.places[relationship].key != nil
    return !entity.hasIdentity || entity.holdsIdentity
      || isUnderKey && entity.holdsIdentityWithKey
      || isInPosition && entity.holdsIdentityWithPosition
  }

  /// Returns whether an import takes the name of a relationship's place for a part of an object's identity there, and
  /// the object has another value.
  private func isIdentifiedOtherwise(_ target: ObjectID, by relationship: Int) -> Bool {
    plan.entities[target.entity].isIdentifiedByKeyFirst
      && isNamedOtherwise(target, by: relationship)
  }

  /// Returns whether an import gives an object the name of a relationship's place as its key, and the object has
  /// another key.
  func isNamedOtherwise(_ target: ObjectID, by relationship: Int) -> Bool {
    let entity = plan.entities[target.entity]
    guard entity.isNamedByKeyFirst, let name = plan.places[relationship].key, let key = entity.key
    else { return false }
    guard case .plain(.string) = key.form else { return true }
    return AttributeValue(graph.value(target, attribute: key.number), type: .string)
      != .string(name)
  }

  /// Returns whether an object is written as its identity only because it has another key in full.
  func lacksKey(_ target: ObjectID, by relationship: Int) -> Bool {
    plan.entities[target.entity].holdsIdentity && nesting <= depth
      && !plan.relationships[relationship].writesReferences && !graph.isIdentityOnly(target)
      && isIdentifiedOtherwise(target, by: relationship)
  }

  @inline(never)
  private func rareForm(
    of target: ObjectID, _ relationship: Int, isElement: Bool, asReference: Bool
  ) -> RelatedForm {
    let isShared = isShared(target, by: relationship)
    let isElsewhere = isIdentifiedOtherwise(target, by: relationship)
    let relationship = plan.relationships[relationship]
    let isReader =
      reachability != nil && relationship.canHoldReaders
      && plan.entities[target.entity].readsOuterValues
      && !graph.isIdentityOnly(target) && !written.contains(target)
    let reference = plan.reference(
      to: target, in: graph, as: relationship.destination, relationship.relatedBy,
      at: !isElement ? .alone : relationship.isKeyed ? .key : .element(-1),
      isShared: isShared, asObject: relationship.refersByObject, isElsewhere: isElsewhere,
      isIdentityAlone: relationship.refersByIdentityAlone)
    if let reference, !isReader { return .reference(reference) }
    // An object that cannot be referred to is nested, and must have been read.
    if graph.isPartial, !asReference, !relationship.writesReferences { graph.expectRead(target) }
    guard let reachability, !asReference, let owner = path.last, !path.contains(target),
      !plan.hasEmptyIdentity(target, in: graph), isReader || !isElsewhere
    else {
      return reference.map { .reference($0) } ?? .leftOut
    }
    if isReader, reference != nil {
      let isNestedHere = reachability.isNested(owner) || relationship.nestsAnonymous
      return isNestedHere ? .inFull : reference.map { .reference($0) } ?? .leftOut
    }
    if reachability.isNested(owner) {
      return relationship.isInverseWritten && written.contains(target) ? .leftOut : .inFull
    }
    let link = AnonymousReachability.Link(owner: owner, relationship: relationship.number)
    return relationship.nestsAnonymous && !reachability.declined.contains(link)
      ? .inFull : .leftOut
  }

  /// Returns whether a list must not be written, because some of its members are nested elsewhere
  /// and cannot be referred to.
  ///
  /// Its members name their owner instead.
  ///
  /// If the owner is itself nested, its members may have no other place, so its list is left out
  /// only if all of them have one.
  func isDeclined(
    _ members: BorrowedBuffer<ObjectID>, _ relationship: Int, of owner: ObjectID
  ) -> Bool {
    guard let reachability, plan.relationships[relationship].mayLeadToAnonymous else {
      return false
    }
    let isNested = reachability.isNested(owner)
    for index in members.indices {
      let isLeftOut = isToldElsewhere(members[index], relationship, isNested: isNested)
      if isLeftOut != isNested { return isLeftOut }
    }
    return isNested && !members.isEmpty
  }

  private func isToldElsewhere(_ member: ObjectID, _ relationship: Int, isNested: Bool) -> Bool {
    guard case .leftOut = form(of: member, relationship, isElement: true) else { return false }
    return !isNested || isWrittenBefore(member) && plan.relationships[relationship].isInverseWritten
  }

  /// Returns whether an object was completely written before this point of a whole graph.
  func isWrittenBefore(_ id: ObjectID) -> Bool { written.contains(id) && !isOpen(id) }

  /// Returns whether the ordered lists of all targets already contain an object, so that its own links to them are
  /// implied.
  func isImpliedByInverse(_ relationship: Int, _ targets: [ObjectID], of id: ObjectID) -> Bool {
    guard let reachability, let inverse = plan.relationships[relationship].inverse,
      !reachability.isNested(id)
    else { return false }
    return targets.allSatisfy { target in
      let link = AnonymousReachability.Link(owner: target, relationship: inverse)
      return !graph.isIdentityOnly(target) && !reachability.isNested(target)
        && !reachability.declined.contains(link)
    }
  }

  /// Returns whether an object is written as a reference at its second occurrence.
  private func avoidsRepeating(_ id: ObjectID) -> Bool {
    plan.options.repeats.avoids(plan.entities[id.entity])
  }
}

// MARK: - References

extension ExportPlan {
  /// Returns the reference that is written instead of an object.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - graph: The snapshot that has it.
  ///   - destination: The entity that an import expects at that place.
  ///   - relatedBy: The attribute by which a relationship refers to its objects, if not by identity.
  ///   - place: The place where it is written.
  ///   - isShared: Whether an earlier object has the value of that attribute.
  ///   - asObject: Whether the identity must be a member of an object, if possible.
  ///   - isElsewhere: Whether an import would take the object's key there for another identity.
  ///   - isIdentityAlone: Whether the sub-entity is not told.
  /// - Returns: nil for an object that has no identity, and for one that only an empty string could refer to.
  func reference(
    to id: ObjectID, in graph: Graph, as destination: Int, _ relatedBy: AttributeStep?,
    at place: ReferencePlace, isShared: Bool = false, asObject: Bool = false,
    isElsewhere: Bool = false, isIdentityAlone: Bool = false
  ) -> ObjectReference? {
    let entity = entities[id.entity]
    let holdsIdentity =
      (place.isKey ? entity.holdsIdentityWithKey : entity.holdsIdentity) && !isElsewhere
    if let relatedBy {
      let isReferred = refersByValue(to: id, relatedBy, in: graph)
      // An object in full is found by its identity.
      let isFound =
        entity.hasIdentity && hasWholeIdentity(id, in: graph) && holdsIdentity
      if isFound, isShared || !isReferred { return .object }
      return isReferred ? .bare(relatedBy) : nil
    }
    if entity.isSingleton { return .object }
    guard entity.hasIdentity, hasWholeIdentity(id, in: graph) else { return nil }
    guard let identity = entity.identity else { return holdsIdentity ? .object : nil }
    let isWhatScalarsAre =
      (!entities[destination].isScalar(at: place) || entities[destination].value == identity.number)
      && !hasEmptyIdentity(id, in: graph)
    guard holdsIdentity else { return isWhatScalarsAre ? .bare(identity) : nil }
    if asObject { return .object }
    let isExpectedEntity =
      destination == id.entity || !entity.isDiscriminated || isIdentityAlone
    return (isExpectedEntity || graph.isIdentityOnly(id)) && isWhatScalarsAre
      && !takesPlace(id, in: graph, at: place)
      ? .bare(identity) : .object
  }

  /// Returns whether an import sets an attribute of an object from its key or position here, and
  /// from no other place.
  ///
  /// A bare identity gets no such attribute.
  private func takesPlace(_ id: ObjectID, in graph: Graph, at place: ReferencePlace) -> Bool {
    let entity = entities[id.entity]
    if entity.isChangedByReference { return false }
    switch place {
    case .alone: return false
    case .key:
      guard entity.isNamedByKeyOnly, !entity.isKeyIdentity, let key = entity.key else {
        return false
      }
      return !graph.isIdentityOnly(id) && !graph.value(id, attribute: key.number).isNull
    case .element:
      guard entity.isPlacedByPositionOnly, let position = entity.position else { return false }
      return !graph.isIdentityOnly(id) && !graph.value(id, attribute: position).isNull
    }
  }

  /// Returns whether an object has the value by which a relationship refers to it.
  func refersByValue(
    to id: ObjectID, _ relatedBy: AttributeStep, in graph: Graph
  ) -> Bool {
    !graph.value(id, attribute: relatedBy.number).isNull
      && !isEmptyString(relatedBy, of: id, in: graph)
  }

  /// Returns whether an object cannot be referred to.
  func isAnonymous(_ id: ObjectID, in graph: Graph) -> Bool {
    guard entities[id.entity].mayBeAnonymous else { return false }
    return !entities[id.entity].hasIdentity || !hasWholeIdentity(id, in: graph)
  }

  /// Returns whether the identity of an object is one empty string, which an import takes for no identifier.
  func hasEmptyIdentity(_ id: ObjectID, in graph: Graph) -> Bool {
    entities[id.entity].identity.map { isEmptyString($0, of: id, in: graph) } ?? false
  }

  /// Returns whether a value is written as the empty string, which an import takes for no identifier.
  private func isEmptyString(_ attribute: AttributeStep, of id: ObjectID, in graph: Graph) -> Bool {
    let type = schema.entities[id.entity].attributes[attribute.number].type
    guard type == .string || type == .binary else { return false }
    let value = graph.value(id, attribute: attribute.number)
    return !value.isNull && value.bytes.isEmpty
  }

  /// Returns whether each part of the identity of an object has a value.
  func hasWholeIdentity(_ id: ObjectID, in graph: Graph) -> Bool {
    schema.entities[id.entity].identity.allSatisfy { !graph.value(id, attribute: $0).isNull }
  }

  /// Returns whether an import takes only the identity from a reference, and not the key under
  /// which it is written.
  func isIdentityOnly(_ reference: ObjectReference, as destination: Int) -> Bool {
    guard case .bare = reference else { return false }
    return !entities[destination].isWholeAsScalarUnderKey
  }
}
