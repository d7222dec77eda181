// Walks the steps of an export plan for one object after the other, depth first. What is open is
// kept on a path, so that an object that is met inside itself stands as its identity.
//
// The path tells only what is open: an object that is met a second time elsewhere is written again,
// and siblings lose nothing. How many objects one may hold is bounded, since paths through a graph
// may be more than there are atoms.

/// Writes objects of a graph as JSON.
struct ObjectWriter: ~Copyable {
  /// The most that `ExportOptions.nestingLimit` is worth: writing recurses.
  ///
  /// A level was measured at 1.2 KiB of stack for a to-one relationship and 1.5 KiB for a to-many
  /// one, and 0.3 KiB more where objects share their JSON.
  private static let deepestNesting = 1000

  let plan: ExportPlan
  var graph: Graph
  var json: JSONWriter
  /// Where objects without identity stand, if the whole graph is written: then every object with an
  /// identity stands in its entity's array, and everywhere else as that identity.
  var cover: AnonymousCover?
  /// The objects that are open, those that share a JSON object with their owner included.
  var path: [ObjectID] = []
  /// How many JSON objects are open that stand for objects.
  var nesting = 0
  /// The objects written in full, as far as a repetition is to be avoided.
  var written: ObjectSet
  private let depth: Int
  private let nestingLimit: Int
  private var objectCount = 0
  /// For what is written with a routine that appends to an array.
  var scratch: [UInt8] = []

  init(plan: ExportPlan, graph: Graph, to consume: @escaping (RawSpan) throws -> Void) {
    self.plan = plan
    self.graph = graph
    let options = plan.options
    json = JSONWriter(to: consume, isPretty: options.isPretty && !options.isNDJSON)
    depth = options.depth ?? Int.max
    nestingLimit = min(max(options.nestingLimit, 1), Self.deepestNesting)
    written = ObjectSet(entityCount: plan.schema.entities.count)
  }

  /// Writes an object that stands in no other.
  mutating func writeOutermost(_ id: ObjectID) throws {
    objectCount = 0
    if let reference = outermostReference(to: id) { return try write(reference, to: id) }
    try writeInFull(id, without: -1, isElement: true)
  }

  /// What stands for an object that stands in no other; nil if it is written in full.
  func outermostReference(to id: ObjectID) -> Reference? {
    let isWritten = cover == nil && avoidsRepeating(id) && written.contains(id)
    guard isWritten || graph.isStub(id) else { return nil }
    return reference(to: id, as: id.entity, nil, isElement: true)
  }

  /// Forgets what has been written, because from here on it is to be written again: in another
  /// snapshot the same object may have other values.
  mutating func forgetWritten() {
    written = ObjectSet(entityCount: plan.schema.entities.count)
  }

  /// Whether a second time an object is met it stands as its identity.
  func avoidsRepeating(_ id: ObjectID) -> Bool {
    switch plan.options.repeats {
    case .automatic: plan.entities[id.entity].holdsAnonymous
    case .nested: false
    case .identifier: true
    }
  }

  /// Whether objects in the innermost are still nested.
  var nestsDeeper: Bool { nesting <= depth }

  /// Writes an object with all that belongs to it.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - inverse: The number of the relationship that leads back to where the object was reached
  ///     from; -1 for none.
  ///   - isElement: Whether it is one of many, which may be a scalar.
  /// - Throws: ``ExportError``, and what the consumer throws.
  mutating func writeInFull(_ id: ObjectID, without inverse: Int32, isElement: Bool) throws {
    let entity = plan.entities + id.entity
    if isElement, entity.pointee.scalar >= 0,
      try writeScalar(plan.values + Int(entity.pointee.scalar), id)
    {
      return
    }
    if cover != nil || avoidsRepeating(id) { _ = written.insert(id) }
    objectCount += 1
    guard nesting < nestingLimit, objectCount <= plan.options.objectLimit else {
      throw tooMuch(id)
    }
    try json.open(0x7B)
    nesting += 1
    path.append(id)
    try writeMembers(id, entity.pointee.steps, without: inverse)
    path.removeLast()
    nesting -= 1
    try json.close(0x7D)
  }

  /// Writes some of what belongs to an object.
  mutating func writeMembers(
    _ id: ObjectID, _ steps: ExportRange, without inverse: Int32
  ) throws {
    let entity = plan.entities + id.entity
    guard entity.pointee.slots.count == 0 else {
      return try writeShared(id, steps, entity.pointee.slots, without: inverse)
    }
    let row = Row(id, in: graph)
    for index in steps.indices { try write(plan.steps + index, row, without: inverse) }
  }

  /// Writes an object together with those that share its JSON object.
  private mutating func writeShared(
    _ id: ObjectID, _ steps: ExportRange, _ slots: ExportRange, without inverse: Int32
  ) throws {
    var rows: [Row?] = [Row(id, in: graph)]
    for index in slots.indices {
      let slot = plan.slots[index]
      let shared = rows[Int(slot.owner)].flatMap {
        graph.toOne($0.id, relationship: Int(slot.relationship))
      }
      rows.append(shared.map { Row($0, in: graph) })
      if let shared { path.append(shared) }
    }
    for index in steps.indices {
      let step = plan.steps + index
      guard let row = rows[Int(step.pointee.slot)] else { continue }
      try write(step, row, without: step.pointee.slot == 0 ? inverse : -1)
    }
    path.removeLast(rows.count { $0 != nil } - 1)
  }

  /// Does one step for an object.
  @inline(__always)
  private mutating func write(
    _ step: UnsafePointer<ExportStep>, _ row: Row, without inverse: Int32
  ) throws {
    switch step.pointee.kind {
    case .openObject:
      guard step.pointee.isElement else { return json.openLater(step) }
      try json.begin(step)
      try json.open(0x7B)
    case .closeObject: try json.closeIfOpen()
    case .openArray:
      try json.begin(step)
      try json.open(0x5B)
    case .closeArray: try json.close(0x5D)
    case .gap:
      try json.begin(step)
      try json.buffer.append("null")
    case .constant:
      try json.begin(step)
      try json.buffer.append(plan.constants[Int(step.pointee.constant)])
    case .toOne, .toMany, .keyed:
      try writeRelationship(step, row, without: inverse)
    default:
      try writeAttribute(step, row)
    }
  }

  /// Writes what stands for the absence of a value.
  mutating func writeNull(_ step: UnsafePointer<ExportStep>) throws {
    switch step.pointee.onNull {
    case .nothing where !step.pointee.isElement: return
    case .constant:
      try json.begin(step)
      try json.buffer.append(plan.constants[Int(step.pointee.constant)])
    default:
      try json.begin(step)
      try json.buffer.append("null")
    }
  }

  private func tooMuch(_ id: ObjectID) -> ExportError {
    let isDeep = nesting >= nestingLimit
    let more =
      nestingLimit < Self.deepestNesting
      ? ", or raise the nestingLimit where the stack has 2 KiB for each level" : ""
    return ExportError(
      .limit, entity: plan.schema.entities[id.entity].name, object: id,
      isDeep
        ? "\(describe(id)): objects nest more than \(nestingLimit) deep; bound the depth\(more)"
        : "\(describe(id)): more than \(plan.options.objectLimit) objects nest in one; bound the"
          + " depth, or let repeated objects stand as their identities")
  }
}

/// An object and where its cells lie.
struct Row {
  let id: ObjectID
  let group: GroupPointer
  let row: Int
  let attributes: UnsafeMutablePointer<AttributeColumn>
  let relationships: UnsafeMutablePointer<RelationshipColumn>

  @inline(__always)
  init(_ id: ObjectID, in graph: borrowing Graph) {
    self.id = id
    let place = graph.place(of: id)
    group = place.group
    row = place.row
    attributes = place.shape.attributes
    relationships = place.shape.relationships
  }

  /// The value of an attribute.
  @inline(__always)
  func value(_ attribute: Int32) -> RawValue {
    group.value(row, attributes[Int(attribute)])
  }
}
