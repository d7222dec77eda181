// An export walks a graph depth first. The path tells only what is open: an object that is met inside
// itself is written as a reference, while one that is met a second time elsewhere may be written in
// full again, and siblings lose nothing. How many objects one may hold is bounded, since there may be
// more paths through a graph than there is memory for.

/// How a related object is written.
enum RelatedForm {
  case inFull
  case reference(ObjectReference)
  case leftOut
}

/// What is written in place of an object.
///
/// It is a bare value where one attribute says everything, and otherwise an object of what an import
/// needs to find or make it: the attributes of its identity, those that are required, and the
/// discriminator of its sub-entity.
enum ObjectReference {
  case bare(AttributeStep)
  case object
}

/// The way through a graph: which objects are open, which have been written, and by that how each
/// object that is met is written.
struct ExportTraversal {
  /// The highest useful `ExportOptions.nestingLimit`: writing recurses.
  ///
  /// A level was measured at 1.2 KiB of stack for a to-one relationship and 1.5 KiB for a to-many
  /// one, and 0.3 KiB more where objects share their JSON.
  private static let deepestNesting = 1000

  /// The snapshot that is read.
  private(set) var graph: Graph
  /// Where objects without identity are written, while the whole graph is: then every object with an
  /// identity is an element of its entity's array, and everywhere else a reference.
  private(set) var reachability: AnonymousReachability?
  private var plan: ExportPlan
  private let depth: Int
  private let nestingLimit: Int
  /// The objects that are open, those included that share the JSON object of their owner.
  private var path: [ObjectID] = []
  /// The number of JSON objects that are open for objects written in full.
  private var nesting = 0
  /// The number of objects written in full inside the outermost one.
  private var objectCount = 0
  /// The objects written in full, as far as repetitions are avoided.
  private var written: ObjectSet

  init(plan: ExportPlan, graph: Graph) {
    self.plan = plan
    self.graph = graph
    depth = plan.options.depth ?? Int.max
    nestingLimit = min(max(plan.options.nestingLimit, 1), Self.deepestNesting)
    written = ObjectSet(entityCount: plan.schema.entities.count)
  }

  /// Reads from another snapshot from here on, in which the objects written may have other values.
  ///
  /// - Parameters:
  ///   - graph: The snapshot.
  ///   - plan: How its objects are written.
  ///   - isWhole: Whether all of it is written.
  mutating func begin(_ graph: Graph, _ plan: ExportPlan, isWhole: Bool) {
    self.graph = graph
    self.plan = plan
    written = ObjectSet(entityCount: plan.schema.entities.count)
    reachability = isWhole ? AnonymousReachability(plan: plan, graph: graph) : nil
  }

  /// Goes on with parts of the snapshot after all of it was written.
  mutating func endWhole() { reachability = nil }

  // MARK: What is open

  /// Begins an object that is in no other.
  mutating func beginOutermost() { objectCount = 0 }

  /// Opens an object that is written in full.
  ///
  /// - Throws: ``ExportError`` where objects nest too deep or one holds too many.
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

  /// Enters an object that is written as a reference, or into the JSON object of its owner.
  mutating func enter(_ id: ObjectID) { path.append(id) }

  /// Leaves the objects that were entered last.
  mutating func leave(_ count: Int = 1) { path.removeLast(count) }

  private func tooMuch(_ id: ObjectID) -> ExportError {
    let more =
      nestingLimit < Self.deepestNesting
      ? ", or raise the nestingLimit where the stack has 2 KiB for each level" : ""
    let reason =
      nesting >= nestingLimit
      ? "objects nest more than \(nestingLimit) deep; bound the depth\(more)"
      : "more than \(plan.options.objectLimit) objects nest in one; bound the depth, or let repeated"
        + " objects be written as their identities"
    return ExportError(
      .limit, entity: plan.schema.entities[id.entity].name, object: id,
      "\(plan.description(of: id, in: graph)): \(reason)")
  }

  // MARK: How objects are written

  /// The reference that is written for an object that is in no other; nil if it is written in full.
  func outermostReference(to id: ObjectID) -> ObjectReference? {
    let isWritten = reachability == nil && avoidsRepeating(id) && written.contains(id)
    guard isWritten || graph.isStub(id) else { return nil }
    return plan.reference(to: id, in: graph, as: id.entity, nil, isElement: true)
  }

  /// Decides how an object is written to which a relationship of the innermost open object leads.
  ///
  /// - Parameters:
  ///   - target: The object.
  ///   - relationship: The number of the relationship in the plan.
  ///   - isElement: Whether it is one of many, which may be scalars.
  ///   - asReference: Whether it is not written in full in any case.
  /// - Returns: The form, which is `inFull` for nearly all of most exports.
  @inline(__always)
  func form(
    of target: ObjectID, _ relationship: Int, isElement: Bool, asReference: Bool = false
  ) -> RelatedForm {
    if reachability == nil, !asReference, !plan.relationships[relationship].writesReferences,
      nesting <= depth,
      !plan.entities[target.entity].isRecursive || !path.contains(target), !graph.isStub(target),
      !avoidsRepeating(target) || !written.contains(target)
    {
      return .inFull
    }
    return rareForm(of: target, relationship, isElement: isElement, asReference: asReference)
  }

  @inline(never)
  private func rareForm(
    of target: ObjectID, _ relationship: Int, isElement: Bool, asReference: Bool
  ) -> RelatedForm {
    let relationship = plan.relationships[relationship]
    let reference = plan.reference(
      to: target, in: graph, as: relationship.destination, relationship.relatedBy,
      isElement: isElement)
    if let reference { return .reference(reference) }
    guard let reachability, !asReference, let owner = path.last, !path.contains(target) else {
      return .leftOut
    }
    if reachability.isAnonymous(owner) {
      return relationship.isInverseWritten && written.contains(target) ? .leftOut : .inFull
    }
    let link = AnonymousReachability.Link(owner: owner, relationship: relationship.number)
    return relationship.nestsAnonymous && !reachability.declined.contains(link)
      ? .inFull : .leftOut
  }

  /// Whether a list must not be written, because some of its members are nested elsewhere and cannot
  /// be referred to; they name their owner instead.
  func isDeclined(
    _ members: BorrowedBuffer<ObjectID>, _ relationship: Int, of owner: ObjectID
  ) -> Bool {
    guard let reachability, plan.relationships[relationship].mayLeadToAnonymous,
      !reachability.isAnonymous(owner)
    else { return false }
    for index in members.indices {
      let form = form(of: members[index], relationship, isElement: true)
      if case .leftOut = form { return true }
    }
    return false
  }

  /// Whether an object is written as a reference when it is met a second time.
  private func avoidsRepeating(_ id: ObjectID) -> Bool {
    switch plan.options.repeats {
    case .automatic: plan.entities[id.entity].mayHoldAnonymous
    case .nested: false
    case .identifier: true
    }
  }
}

// MARK: - References

extension ExportPlan {
  /// Finds what can be written in place of an object.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - graph: The snapshot that has it.
  ///   - destination: The entity that an import expects at that place.
  ///   - relatedBy: The attribute by which a relationship refers to its objects, if not by identity.
  ///   - isElement: Whether it is one of many.
  /// - Returns: nil for an object that has no identity.
  func reference(
    to id: ObjectID, in graph: Graph, as destination: Int, _ relatedBy: AttributeStep?,
    isElement: Bool
  ) -> ObjectReference? {
    if let relatedBy {
      return graph.value(id, attribute: relatedBy.number).isNull ? nil : .bare(relatedBy)
    }
    let entity = entities[id.entity]
    if entity.isSingleton { return .object }
    guard entity.hasIdentity, hasWholeIdentity(id, in: graph) else { return nil }
    guard let identity = entity.identity else { return .object }
    let isExpectedEntity = destination == id.entity || !entity.isDiscriminated
    let isWhatScalarsAre =
      !isElement || entities[destination].scalar.map { $0.number == identity.number } ?? true
    return (isExpectedEntity || graph.isStub(id)) && isWhatScalarsAre ? .bare(identity) : .object
  }

  /// Whether an object cannot be referred to.
  func isAnonymous(_ id: ObjectID, in graph: Graph) -> Bool {
    guard entities[id.entity].mayBeAnonymous else { return false }
    return !entities[id.entity].hasIdentity || !hasWholeIdentity(id, in: graph)
  }

  private func hasWholeIdentity(_ id: ObjectID, in graph: Graph) -> Bool {
    schema.entities[id.entity].identity.allSatisfy { !graph.value(id, attribute: $0).isNull }
  }

  /// Whether an import takes nothing but the identity from a reference, not even the key under which
  /// it is written.
  func isIdentityOnly(_ reference: ObjectReference, as destination: Int) -> Bool {
    guard case .bare = reference else { return false }
    return entities[destination].scalar == nil
  }

  /// An object in words: its entity and its identity, or its row without one.
  func description(of id: ObjectID, in graph: Graph) -> String {
    let entity = schema.entities[id.entity]
    let values = entity.identity.compactMap { number in
      AttributeValue(
        graph.value(id, attribute: number), type: entity.attributes[number].type)?.text
    }
    return values.isEmpty
      ? "\(entity.name) in row \(id.row + 1)"
      : "\(entity.name) \(values.joined(separator: ", "))"
  }
}
