import Graft

/// Writes objects of a graph as JSON, by the steps of a plan.
struct ObjectWriter: ~Copyable {
  /// The most missing elements that may be written before an element with a position of its own
  /// (`@index`).
  private static let longestGap: Int64 = 1024

  let plan: ExportPlan
  /// The entity that an import of the outermost objects expects; nil if that is not known yet.
  var outermostEntity: Int?
  /// The starts of the open objects about whose text an entity mapper is asked.
  var asked: [Int] = []
  var traversal: ExportTraversal
  var json: JSONWriter
  private var values: ValueWriter
  /// The losses so far.
  var losses: ExportLosses
  private let consume: (RawSpan) throws -> Void
  /// The open objects with their places, if objects read outer values.
  var enclosing: [EnclosingObject] = []
  /// The key written last in a keyed collection, and the key of the current group, as they are in
  /// JSON strings.
  private var memberKey: [UInt8]?
  private var groupKey: [UInt8]?
  /// The beginnings of objects on a property's path, which are removed again if they stay empty.
  private var openings: [(position: JSONWriter.Position, isElement: Bool)] = []

  init(
    plan: ExportPlan, graph: Graph, to consume: @escaping (RawSpan) throws -> Void
  ) throws {
    self.plan = plan
    self.consume = consume
    let options = plan.options
    json = JSONWriter(
      style: options.isPretty && !options.isNDJSON ? .pretty : .compact,
      capacity: JSONWriter.chunkSize * 2)
    values = ValueWriter(plan)
    traversal = ExportTraversal(plan: plan, graph: graph)
    losses = ExportLosses(entityCount: plan.schema.entities.count)
  }

  /// Continues with another snapshot.
  ///
  /// - Parameters:
  ///   - graph: The snapshot.
  ///   - isWhole: Whether all of it is written.
  /// - Throws: ``ExportError`` if the plan for it cannot be compiled.
  mutating func begin(_ graph: Graph, isWhole: Bool) throws {
    losses.settle(plan, traversal)
    values = ValueWriter(plan)
    traversal.begin(graph, plan, isWhole: isWhole)
  }

  /// Hands over the text written so far.
  ///
  /// - Throws: ``ExportError`` if some of it was not read from the database, and what the consumer
  ///   throws.
  @inline(never)
  mutating func flush() throws {
    if let error = UnreadNotes.current?.error { throw ExportError(error) }
    // An import, too, holds an object until its mapper has been asked.
    guard asked.isEmpty else { return }
    try json.flush(to: consume)
  }
}

// MARK: - Objects

extension ObjectWriter {
  /// Writes an outermost object.
  mutating func writeOutermost(_ id: ObjectID, at place: ReferencePlace) throws {
    traversal.beginOutermost()
    if let reference = traversal.outermostReference(to: id, at: place) {
      if traversal.reachability != nil || traversal.graph.isStub(id), traversal.graph.isRead(id) {
        noteLinks(ofStub: id)
      }
      try write(reference, to: id, by: nil)
      traversal.noteScalar(id)
    } else {
      try writeInFull(id, without: nil, by: nil, at: place)
    }
    if json.hasChunk { try flush() }
  }

  /// Writes an object with everything that belongs to it.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - inverse: The number of the relationship that leads back to where the object was reached
  ///     from.
  ///   - relationship: The number, in the plan, of the relationship by which it was reached.
  ///   - place: The place where it is written; one of many objects may be a scalar.
  /// - Throws: ``ExportError``, and what the consumer throws.
  private mutating func writeInFull(
    _ id: ObjectID, without inverse: Int?, by relationship: Int?, at place: ReferencePlace
  ) throws {
    if plan.readsOuterValues { beginEnclosing(id, by: relationship, at: place) }
    if plan.entities[id.entity].mayHaveLosses {
      noteLosses(of: id, without: inverse, by: relationship, at: place)
    }
    noteMissingIdentity(of: id)
    if plan.mayBeMistaken { beginAsking(about: id, by: relationship) }
    if traversal.repeatsAnonymous(id) { note(.repeated, nil, of: id) }
    if let scalar = plan.entities[id.entity].scalar,
      plan.entities[id.entity].isScalar(at: place), try writeScalar(scalar, id)
    {
      if plan.entities[id.entity].hasOthersThanScalar { noteLossesOfScalar(id, scalar) }
      traversal.noteScalar(id)
      if plan.mayBeMistaken { noteEntity(of: id, by: relationship) }
      if plan.readsOuterValues { endEnclosing() }
      return
    }
    try traversal.open(id)
    for shared in traversal.writeShared(of: id) { note(.repeated, nil, of: shared) }
    if plan.entities[id.entity].isArray {
      try writeAsArray(id, without: inverse)
    } else {
      json.beginObject()
      try write(plan.entities[id.entity].steps, id, without: inverse)
      json.endObject()
    }
    traversal.close()
    if plan.mayBeMistaken { noteEntity(of: id, by: relationship) }
    if plan.readsOuterValues { endEnclosing() }
  }

  /// Notes that an object encloses the next ones.
  @inline(never)
  private mutating func beginEnclosing(
    _ id: ObjectID, by relationship: Int?, at place: ReferencePlace, isReference: Bool = false
  ) {
    enclosing.append(
      EnclosingObject(
        id: id, relationship: relationship, place: place, key: place.isKey ? memberKey : nil,
        groupKey: groupKey))
    groupKey = nil
    noteOuterLosses(id, isReference: isReference)
  }

  /// Notes values of enclosing objects that an import reads for a reference, if the reference is an
  /// object.
  @inline(never)
  private mutating func noteOuterLosses(
    _ reference: ObjectReference, to id: ObjectID, by relationship: Int, at place: ReferencePlace
  ) {
    guard case .object = reference else { return }
    beginEnclosing(id, by: relationship, at: place, isReference: true)
    endEnclosing()
  }

  @inline(never)
  private mutating func endEnclosing() { groupKey = enclosing.removeLast().groupKey }

  /// Writes an object that is an array in JSON.
  @inline(never)
  private mutating func writeAsArray(_ id: ObjectID, without inverse: Int?) throws {
    guard let relationship = plan.entities[id.entity].ownArray.map(Int.init) else {
      json.beginArray()
      try write(plan.entities[id.entity].steps, id, without: inverse)
      return json.endArray()
    }
    let row = ObjectRow(id, in: traversal.graph)
    let members = members(of: row, relationship)
    if traversal.isDeclined(members, relationship, of: id) {
      noteOrder(relationship, of: id, members.count)
      json.beginArray()
      json.endArray()
    } else {
      try writeArray(members, relationship, row, asReferences: false)
    }
  }

  /// Writes the reference that replaces an object.
  private mutating func write(
    _ reference: ObjectReference, to id: ObjectID, by relationship: Int?
  ) throws {
    switch reference {
    case .bare(let attribute):
      if !plan.entities[id.entity].holdsIdentity, !traversal.graph.isIdentityOnly(id) {
        losses.noteIdentityOnly(id)
      }
      if try !writeScalar(attribute, id) { json.null() }
    case .object:
      if plan.entities[id.entity].isChangedByReference {
        noteRelationships(changedByReferenceTo: id)
      }
      if plan.mayBeMistaken {
        noteEntity(ofReferenceTo: id, by: relationship)
      }
      let isArray = plan.entities[id.entity].isArray
      if isArray { json.beginArray() } else { json.beginObject() }
      traversal.enter(id)
      try write(plan.entities[id.entity].reference, id, without: nil)
      traversal.leave()
      if isArray { json.endArray() } else { json.endObject() }
    }
  }

  /// Carries out steps for an object.
  private mutating func write(
    _ steps: [ExportStep], _ id: ObjectID, without inverse: Int?
  ) throws {
    let shared = plan.entities[id.entity].sharedObjects
    guard shared.isEmpty else { return try write(steps, id, with: shared, without: inverse) }
    let row = ObjectRow(id, in: traversal.graph)
    for index in steps.indices {
      try write(steps[index], row, without: inverse)
      if json.hasChunk { try flush() }
    }
  }

  /// Carries out steps for an object together with the objects that share its JSON object.
  private mutating func write(
    _ steps: [ExportStep], _ id: ObjectID, with shared: [SharedObject], without inverse: Int?
  ) throws {
    var rows: [ObjectRow?] = [ObjectRow(id, in: traversal.graph)]
    for object in shared {
      let id = rows[object.owner].flatMap {
        traversal.graph.toOne($0.id, relationship: object.relationship)
      }
      rows.append(id.map { ObjectRow($0, in: traversal.graph) })
      if let id { traversal.enter(id) }
    }
    for step in steps {
      guard let row = rows[Int(step.object)] else { continue }
      try write(step, row, without: step.object == 0 ? inverse : nil)
      if json.hasChunk { try flush() }
    }
    traversal.leave(rows.count { $0 != nil } - 1)
  }

  /// Carries out one step for an object, in the loops that few documents need.
  ///
  /// Those loops would have three copies of the step if it was inlined, as `write` below is.
  @inline(never)
  private mutating func writeInLoop(
    _ step: borrowing ExportStep, _ row: ObjectRow, without inverse: Int?
  ) throws {
    try write(step, row, without: inverse)
  }

  /// Carries out one step for an object.
  @inline(__always)
  private mutating func write(
    _ step: borrowing ExportStep, _ row: ObjectRow, without inverse: Int?
  ) throws {
    switch step.content {
    case .attribute(let attribute): try write(attribute, step, row)
    case .relationship(let relationship):
      try write(Int(relationship), step, row, without: inverse)
    case .spread(let relationship): try writeSpread(Int(relationship), row)
    case .each(let loop): try writeEach(Int(loop), step, row, without: inverse)
    case .member: break
    case .constant(let literal):
      writeKey(of: step)
      plan.write(literal, to: &json)
    case .hoisted(let number): try writeHoisted(Int(number), step, row)
    case .beginObject:
      openings.append((json.position, isElement: step.key == nil))
      writeKey(of: step)
      json.beginObject()
    case .endObject:
      let (position, isElement) = openings.removeLast()
      if json.isAtStartOfContainer {
        json.rewind(to: position)
        // An element of an array cannot be omitted.
        if isElement { json.null() }
      } else {
        json.endObject()
      }
    case .beginArray:
      writeKey(of: step)
      json.beginArray()
    case .endArray: json.endArray()
    case .emptyElement: json.null()
    }
  }

  @inline(__always)
  private mutating func writeKey(of step: borrowing ExportStep) {
    if let key = step.key { plan.write(key: key, to: &json) }
  }

  /// Writes the output for a missing value.
  @inline(never)
  private mutating func writeNull(_ step: borrowing ExportStep, _ row: ObjectRow) {
    if let loss = step.lossIfNull { noteNull(loss, step.content, of: row.id) }
    switch step.ifNull {
    case .emptyString(let other) where isEmptyString(Int(other), of: row.id):
      writeKey(of: step)
      json.string("")
    case .nothing where step.key != nil: return
    case .constant(let literal):
      writeKey(of: step)
      plan.write(literal, to: &json)
    default:
      writeKey(of: step)
      json.null()
    }
  }
}

extension ObjectWriter {
  /// Returns whether an attribute at the place of another property is the empty string, which the
  /// other property reads as no value.
  private func isEmptyString(_ number: Int, of id: ObjectID) -> Bool {
    let other = plan.emptyStrings[number]
    guard let owner = object(other.object, of: id) else { return false }
    let value = traversal.graph.value(owner, attribute: other.attribute)
    return !value.isNull && value.bytes.isEmpty
  }
}

/// An object and the place of its cells, which is valid as long as the graph.
struct ObjectRow {
  let id: ObjectID
  let group: GroupPointer
  let row: Int
  let shape: TableShape
  /// Whether empty cells may be cells that were not read from the database.
  let isPartial: Bool

  @inline(__always)
  init(_ id: ObjectID, in graph: borrowing Graph) {
    self.id = id
    isPartial = graph.isPartial
    (group, row, shape) = graph.place(of: id)
  }

  @inline(__always)
  func value(_ attribute: Int) -> RawValue { group.value(row, shape.attributes[attribute]) }
}

// MARK: - Attributes

extension ObjectWriter {
  /// Writes an attribute with its key; not inlined, so that its stack space is not needed for each
  /// level of nesting.
  @inline(never)
  private mutating func write(
    _ attribute: AttributeStep, _ step: borrowing ExportStep, _ row: ObjectRow
  ) throws {
    if row.isPartial { traversal.graph.expectRead(row.id, attribute: attribute.number) }
    let value = row.value(attribute.number)
    if value.isNull { return writeNull(step, row) }
    if case .transformed(let transformer) = attribute.form {
      let start = json.position
      writeKey(of: step)
      guard try !writeTransformed(value, by: transformer, attribute, row.id) else { return }
      json.rewind(to: start)
      return writeNull(step, row)
    }
    writeKey(of: step)
    do throws(UnwritableValue) {
      try values.write(value, attribute.form, to: &json)
    } catch {
      throw failure(error, attribute, row.id)
    }
    if attribute.form.isDate { noteDate(value.double, attribute.form, attribute, row.id) }
  }

  /// Notes the part of a date that is not written.
  @inline(never)
  private mutating func noteDate(
    _ date: Double, _ form: AttributeStep.Form, _ attribute: AttributeStep, _ id: ObjectID
  ) {
    if !values.holds(date, in: form) {
      note(.cutDate, .attribute(attribute.number), of: id)
    } else if !DateText.isWhole(date) {
      note(.roundedDate, .attribute(attribute.number), of: id)
    }
  }

  /// Writes a hoisted value, which the objects of a relationship read here, as the first of them has it.
  @inline(never)
  private mutating func writeHoisted(
    _ number: Int, _ step: borrowing ExportStep, _ row: ObjectRow
  ) throws {
    guard let holder = holder(ofHoisted: number, inObjectAt: enclosing.count - 1) else { return }
    let attribute = plan.hoisted[number].attribute
    try write(attribute, step, ObjectRow(holder, in: traversal.graph))
  }

  private mutating func writeTransformed(
    _ value: RawValue, by transformer: Int32, _ attribute: AttributeStep, _ id: ObjectID
  ) throws(ExportError) -> Bool {
    do throws(UnwritableValue) {
      let made = try values.reversed(
        value, by: transformer, of: plan.schema.entities[id.entity].attributes[attribute.number])
      guard let made else { return false }
      if let (date, form) = try values.write(made, by: transformer, to: &json) {
        noteDate(date, form, attribute, id)
      }
      return true
    } catch {
      throw failure(error, attribute, id)
    }
  }

  /// Writes an attribute's value without a key.
  ///
  /// - Returns: Whether there is one.
  private mutating func writeScalar(
    _ attribute: AttributeStep, _ id: ObjectID
  ) throws(ExportError) -> Bool {
    let value = traversal.graph.value(id, attribute: attribute.number)
    if value.isNull { return false }
    if case .transformed(let transformer) = attribute.form {
      return try writeTransformed(value, by: transformer, attribute, id)
    }
    do throws(UnwritableValue) {
      try values.write(value, attribute.form, to: &json)
      return true
    } catch {
      throw failure(error, attribute, id)
    }
  }

  @inline(never)
  private func failure(
    _ error: UnwritableValue, _ attribute: AttributeStep, _ id: ObjectID
  ) -> ExportError {
    let entity = plan.schema.entities[id.entity]
    let property = entity.attributes[attribute.number].name
    let object = traversal.description(of: id)
    return ExportError(
      error.kind, entity: entity.name, property: property, object: traversal.original(of: id),
      "\(object): \(property): \(error.message)", underlyingError: error.underlyingError)
  }
}

// MARK: - Relationships

extension ObjectWriter {
  /// Writes a relationship.
  ///
  /// The relationship back to the owner is left out if the owner already implies it.
  ///
  /// - Parameters:
  ///   - relationship: The number of the relationship in the plan.
  ///   - step: The step that writes it.
  ///   - row: The object that has it.
  ///   - inverse: The number of the object's relationship that leads back.
  /// - Throws: ``ExportError``, and what the consumer throws.
  @inline(never)
  private mutating func write(
    _ relationship: Int, _ step: borrowing ExportStep, _ row: ObjectRow, without inverse: Int?
  ) throws {
    let number = plan.relationships[relationship].number
    let leadsBack = number == inverse
    let mustBeThere = !leadsBack || plan.relationships[relationship].isRequired
    let writesWholeGraph = traversal.reachability != nil
    if writesWholeGraph, isImpliedByInverse(relationship, row.id) { return }
    // In a whole graph the members of such a list may be referred to nowhere else.
    if leadsBack, plan.relationships[relationship].isImpliedByOwner, !writesWholeGraph { return }
    let column = row.shape.relationships[number]
    guard column.isToMany else {
      guard mustBeThere else { return }
      if row.isPartial { traversal.graph.expectRead(row.id, relationship: number) }
      let cell = row.group.toOne(row.row, column)
      return try write(ObjectID(cell: cell), relationship, step, row, leadsBack: leadsBack)
    }
    if row.isPartial { traversal.graph.expectRead(row.id, relationship: number) }
    // The store keeps the members at their place for as long as the graph is kept.
    let members = row.group.list(row.row, column).members
    if !mustBeThere, members.count <= 1 { return }
    if members.isEmpty, !plan.relationships[relationship].writesEmpty, step.key != nil { return }
    let asReferences = leadsBack && !writesWholeGraph
    if traversal.isDeclined(members, relationship, of: row.id)
      || asReferences && lacksReference(members, relationship)
    {
      return noteLeftOut(members, relationship, of: row.id)
    }
    writeKey(of: step)
    if plan.relationships[relationship].isKeyed {
      json.beginObject()
      var keys = MemberKeys()
      try writeKeyed(members, relationship, row, asReferences: asReferences, &keys)
      json.endObject()
    } else {
      try writeArray(members, relationship, row, asReferences: asReferences)
    }
  }

  /// Returns whether a whole graph can leave out a relationship because its inverse implies it.
  ///
  /// A loss is noted if the two have different orders.
  @inline(never)
  private mutating func isImpliedByInverse(_ relationship: Int, _ id: ObjectID) -> Bool {
    if plan.relationships[relationship].isAddedTo { noteAddedOrder(relationship, of: id) }
    guard plan.relationships[relationship].isImpliedByInverse else { return false }
    let targets = targets(id, plan.relationships[relationship].number)
    return traversal.isImpliedByInverse(relationship, targets, of: id)
  }

  private mutating func write(
    _ target: ObjectID?, _ relationship: Int, _ step: borrowing ExportStep, _ row: ObjectRow,
    leadsBack: Bool
  ) throws {
    guard let target else { return writeNull(step, row) }
    let form = traversal.form(of: target, relationship, isElement: false)
    if case .leftOut = form {
      if !leadsBack { noteLink(relationship, from: row.id, to: target) }
      // An element of an array cannot be omitted.
      if step.key == nil { writeNull(step, row) }
      return
    }
    writeKey(of: step)
    try write(target, form, relationship, at: .alone)
  }

  @inline(never)
  private mutating func write(
    _ target: ObjectID, _ form: RelatedForm, _ relationship: Int, at place: ReferencePlace
  ) throws {
    switch form {
    case .leftOut: return
    case .reference(let reference):
      if plan.relationships[relationship].needsEarlierObjects {
        noteForwardReference(relationship, to: target)
      }
      noteSharedValue(reference, to: target, relationship)
      if plan.entities[target.entity].isIdentifiedByKeyFirst {
        noteIdentity(reference, of: target, relationship)
      }
      if plan.readsOuterValues {
        noteOuterLosses(reference, to: target, by: relationship, at: place)
      }
      try write(reference, to: target, by: relationship)
    case .inFull:
      let inverse = plan.relationships[relationship].inverse
      try writeInFull(target, without: inverse, by: relationship, at: place)
    }
    if json.hasChunk { try flush() }
  }

  private mutating func writeArray(
    _ members: BorrowedBuffer<ObjectID>, _ relationship: Int, _ row: ObjectRow, asReferences: Bool
  ) throws {
    json.beginArray()
    let skipped = members.isEmpty ? 0 : plan.relationships[relationship].skippedElements
    for _ in 0..<skipped { json.null() }
    let destination = plan.relationships[relationship].destination
    // Identifiers that are positions count in the array of the objects, and not in this one.
    let isOfIdentifiers =
      plan.entities[destination].isPositionIdentity
      && (asReferences || plan.relationships[relationship].writesReferences)
    if let position = plan.entities[destination].position, !isOfIdentifiers {
      let isOrdered = plan.relationships[relationship].isOrdered
      let arranged = arranged(members, by: position, isOrdered: isOrdered, from: skipped)
      for (index, member) in zip(skipped..., arranged) {
        if let member {
          try writeElement(
            member, relationship, row, at: index, asReference: asReferences,
            isInPosition: self.position(of: member, in: position) == Int64(index))
        } else {
          json.null()
        }
      }
    } else {
      for index in members.indices {
        try writeElement(members[index], relationship, row, at: index, asReference: asReferences)
      }
    }
    json.endArray()
  }

  private mutating func writeElement(
    _ member: ObjectID, _ relationship: Int, _ row: ObjectRow, at index: Int, asReference: Bool,
    isInPosition: Bool = false
  ) throws {
    let form = traversal.form(
      of: member, relationship, isElement: true, asReference: asReference,
      isInPosition: isInPosition)
    if case .leftOut = form { return noteLink(relationship, from: row.id, to: member) }
    try write(member, form, relationship, at: .element(index))
  }

  /// Writes members of a relationship under keys, into an object that is open.
  @inline(never)
  private mutating func writeKeyed(
    _ members: BorrowedBuffer<ObjectID>, _ relationship: Int, _ row: ObjectRow, asReferences: Bool,
    _ keys: inout MemberKeys
  ) throws {
    for index in members.indices {
      let form = traversal.form(
        of: members[index], relationship, isElement: true, asReference: asReferences)
      if case .leftOut = form {
        noteLink(relationship, from: row.id, to: members[index])
        continue
      }
      var isIdentityOnly = false
      if case .reference(let reference) = form {
        let destination = plan.relationships[relationship].destination
        isIdentityOnly = plan.isIdentityOnly(reference, as: destination)
      }
      if try writeKey(for: members[index], at: index, isIdentityOnly: isIdentityOnly, &keys) {
        try write(members[index], form, relationship, at: .key)
      } else {
        try writeIdentity(of: members[index], at: index, relationship, &keys)
      }
    }
  }

  /// Writes only the identity of an object that has no key of its own, so that the link is kept.
  @inline(never)
  private mutating func writeIdentity(
    of id: ObjectID, at position: Int, _ relationship: Int, _ keys: inout MemberKeys
  ) throws {
    guard let reference = bareReference(to: id, relationship),
      try writeKey(for: id, at: position, isIdentityOnly: true, &keys)
    else { return }
    try write(reference, to: id, by: relationship)
  }

  /// Returns a bare identity that can replace an object whatever its key is; nil if there is
  /// none.
  @inline(never)
  private func bareReference(to id: ObjectID, _ relationship: Int) -> ObjectReference? {
    let destination = plan.relationships[relationship].destination
    let entity = plan.entities[id.entity]
    guard let identity = entity.identity, !entity.isKeyIdentity,
      !plan.isAnonymous(id, in: traversal.graph),
      plan.isIdentityOnly(.bare(identity), as: destination)
    else { return nil }
    return .bare(identity)
  }

  /// Writes a relationship whose objects are members of the object itself.
  @inline(never)
  private mutating func writeSpread(_ relationship: Int, _ row: ObjectRow) throws {
    let members = members(of: row, relationship)
    if traversal.isDeclined(members, relationship, of: row.id) {
      return noteOrder(relationship, of: row.id, members.count)
    }
    var keys = MemberKeys(besides: plan.entities[row.id.entity].ownKeys)
    try writeKeyed(members, relationship, row, asReferences: false, &keys)
  }

  /// Writes an array or object whose elements are written alike, with one object of a relationship in
  /// each.
  @inline(never)
  private mutating func writeEach(
    _ number: Int, _ step: borrowing ExportStep, _ row: ObjectRow, without inverse: Int?
  ) throws {
    let loop = plan.loops[number]
    if loop.isGrouped { return try writeGroups(loop, step, row, without: inverse) }
    var count = loop.hasFirst ? 1 : 0
    // An element of an array cannot be omitted.
    var isThere = step.key == nil
    if loop.hasFirst { isThere = true }
    var left: Set<Int> = []
    for relationship in loop.relationships {
      let members = members(of: row, relationship)
      if plan.relationships[relationship].isAddedTo { noteAddedOrder(relationship, of: row.id) }
      let isImplied =
        plan.relationships[relationship].number == inverse && traversal.reachability == nil
      let isDeclined = traversal.isDeclined(members, relationship, of: row.id)
      if isDeclined { noteOrder(relationship, of: row.id, members.count) }
      if isImplied || isDeclined {
        left.insert(relationship)
        continue
      }
      count = max(count, members.count)
      isThere = isThere || !members.isEmpty || plan.relationships[relationship].writesEmpty
    }
    guard isThere else { return }
    writeKey(of: step)
    if loop.isKeyed { json.beginObject() } else { json.beginArray() }
    for index in 0..<count {
      let start = json.position
      if loop.isKeyed { json.key("\(index)") }
      let end = json.position
      for step in loop.steps {
        switch step.content {
        case .member(let relationship):
          guard !left.contains(Int(relationship)) else { continue }
          try writeMember(index, Int(relationship), step, row)
        case .relationship, .each:
          if index == 0 { try writeInLoop(step, row, without: inverse) }
        default: try writeInLoop(step, row, without: inverse)
        }
      }
      if json.position == end { json.rewind(to: start) }
    }
    if loop.isKeyed { json.endObject() } else { json.endArray() }
  }

  /// Writes an object whose members are written alike, each with those objects of a relationship that have
  /// its key.
  @inline(never)
  private mutating func writeGroups(
    _ loop: ExportLoop, _ step: borrowing ExportStep, _ row: ObjectRow, without inverse: Int?
  ) throws {
    var keys: [[UInt8]] = []
    var groups: [[UInt8]: [Int: [ObjectID]]] = [:]
    for relationship in loop.grouped {
      let members = members(of: row, relationship)
      let isImplied =
        plan.relationships[relationship].number == inverse && traversal.reachability == nil
      if isImplied { continue }
      if traversal.isDeclined(members, relationship, of: row.id) {
        noteOrder(relationship, of: row.id, members.count)
        continue
      }
      for member in members {
        let key = plan.places[relationship].groupedBy.flatMap {
          unquotedText(of: $0, member)
        }
        let name = key ?? []
        if groups[name] == nil { keys.append(name) }
        groups[name, default: [:]][relationship, default: []].append(member)
      }
    }
    if keys.isEmpty, !loop.grouped.contains(where: { plan.relationships[$0].writesEmpty }) {
      return
    }
    writeKey(of: step)
    json.beginObject()
    for key in keys {
      json.key(quoted: ([0x22] + key + [0x22]).span)
      groupKey = key
      for step in loop.steps {
        switch step.content {
        case .relationship(let relationship):
          try writeGroup(groups[key]?[Int(relationship)] ?? [], Int(relationship), step, row)
        case .member(let relationship):
          let members = groups[key]?[Int(relationship)] ?? []
          try members.withBorrowed { try writeMember(0, of: $0, Int(relationship), step, row) }
          for member in members.dropFirst() {
            noteLink(Int(relationship), from: row.id, to: member)
          }
        default: try writeInLoop(step, row, without: inverse)
        }
      }
    }
    groupKey = nil
    json.endObject()
  }

  @inline(never)
  private mutating func writeGroup(
    _ members: [ObjectID], _ relationship: Int, _ step: borrowing ExportStep, _ row: ObjectRow
  ) throws {
    writeKey(of: step)
    let isKeyed = plan.relationships[relationship].isKeyed
    if isKeyed { json.beginObject() }
    try members.withBorrowed { members in
      var keys = MemberKeys()
      if isKeyed {
        try writeKeyed(members, relationship, row, asReferences: false, &keys)
      } else {
        try writeArray(members, relationship, row, asReferences: false)
      }
    }
    if isKeyed { json.endObject() }
  }

  private mutating func writeMember(
    _ index: Int, _ relationship: Int, _ step: borrowing ExportStep, _ row: ObjectRow
  ) throws {
    try writeMember(index, of: members(of: row, relationship), relationship, step, row)
  }

  @inline(never)
  private mutating func writeMember(
    _ index: Int, of members: BorrowedBuffer<ObjectID>, _ relationship: Int,
    _ step: borrowing ExportStep, _ row: ObjectRow
  ) throws {
    guard index < members.count else { return }
    let form = traversal.form(of: members[index], relationship, isElement: true)
    if case .leftOut = form { return noteLink(relationship, from: row.id, to: members[index]) }
    writeKey(of: step)
    try write(members[index], form, relationship, at: .element(-1))
  }

  /// Returns the members of one of the plan's relationships, which the store keeps at their place for as
  /// long as the graph is kept.
  private func members(of row: ObjectRow, _ relationship: Int) -> BorrowedBuffer<ObjectID> {
    let number = plan.relationships[relationship].number
    if row.isPartial { traversal.graph.expectRead(row.id, relationship: number) }
    return row.group.list(row.row, row.shape.relationships[number]).members
  }

  /// Writes the key of an object in a keyed collection, unless an import would set a wrong value from any.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - position: Its position in the collection.
  ///   - isIdentityOnly: Whether a bare identity is written there. An import sets no value from its
  ///     key.
  ///   - keys: The keys of the collection so far.
  /// - Returns: Whether there is a key, so that the object can be written.
  /// - Throws: ``ExportError`` if the value that is the key cannot be written.
  @inline(never)
  mutating func writeKey(
    for id: ObjectID, at position: Int, isIdentityOnly: Bool, _ keys: inout MemberKeys
  ) throws(ExportError) -> Bool {
    let entity = plan.entities[id.entity]
    let attribute = entity.key ?? AttributeStep(number: 0, form: .plain(.string))
    let name: [UInt8]?
    do throws(UnwritableValue) {
      let value = entity.key == nil ? nil : try self.text(of: attribute, id)
      name = isIdentityOnly ? value : entity.keyName ?? value
    } catch {
      throw failure(error, attribute, id)
    }
    let isKeyRead = entity.importsKey || entity.keyName != nil
    let key = keys.key(
      for: id, named: name, at: position, canBePosition: isIdentityOnly || !isKeyRead)
    guard let key else {
      noteWithoutOwnKey(
        id, entity.importsKey ? attribute : nil, name.flatMap { keys.object(named: $0) })
      return false
    }
    if isKeyRead, !isIdentityOnly || entity.isKeyIdentity { losses.noteKey(id) }
    if entity.importsKey, entity.keyName == nil, attribute.form.isDate, name != nil {
      let date = traversal.graph.value(id, attribute: attribute.number).double
      noteDate(date, attribute.form, attribute, id)
    }
    json.key(quoted: key.span)
    if plan.readsOuterValues { memberKey = Array(key.dropFirst().dropLast()) }
    return true
  }

  /// Returns the value of an attribute as JSON; nil if it has none, or is not known to be a scalar.
  @inline(never)
  func text(of attribute: AttributeStep, _ id: ObjectID) throws(UnwritableValue) -> [UInt8]? {
    attribute.canBeKey ? try json(of: attribute, id) : nil
  }

  /// Returns the JSON of an attribute's value; nil where there is none.
  func json(of attribute: AttributeStep, _ id: ObjectID) throws(UnwritableValue) -> [UInt8]? {
    let value = traversal.graph.value(id, attribute: attribute.number)
    guard !value.isNull else { return nil }
    var json = JSONWriter()
    if case .transformed(let transformer) = attribute.form {
      let made = try values.reversed(
        value, by: transformer, of: plan.schema.entities[id.entity].attributes[attribute.number])
      guard let made else { return nil }
      _ = try values.write(made, by: transformer, to: &json)
    } else {
      try values.write(value, attribute.form, to: &json)
    }
    return json.buffer.array()
  }

  /// Puts members into the order in which they are written.
  ///
  /// - Parameters:
  ///   - members: The members of a relationship.
  ///   - attribute: The attribute that is an element's position.
  ///   - isOrdered: Whether the relationship is ordered; its order then comes first.
  ///   - start: The position of the first one.
  /// - Returns: The members, with nil at positions that none of them has.
  @inline(never)
  func arranged(
    _ members: BorrowedBuffer<ObjectID>, by attribute: Int, isOrdered: Bool, from start: Int
  ) -> [ObjectID?] {
    var placed = members.indices.map {
      (id: members[$0], position: position(of: members[$0], in: attribute))
    }
    if !isOrdered {
      placed.sort { ($0.position ?? .max, $0.id) < ($1.position ?? .max, $1.id) }
    }
    var result: [ObjectID?] = []
    for (id, position) in placed {
      let next = start + result.count
      if let position, position > next, position - Int64(next) <= Self.longestGap {
        result += repeatElement(nil, count: Int(position) - next)
      }
      result.append(id)
    }
    return result
  }

  /// Returns an object's value of an attribute that holds a position, as an integer; nil if it has
  /// none.
  func position(of id: ObjectID, in attribute: Int) -> Int64? {
    let value = traversal.graph.value(id, attribute: attribute)
    guard !value.isNull else { return nil }
    switch plan.schema.entities[id.entity].attributes[attribute].type {
    case .integer16, .integer32, .integer64: return value.integer
    case .double, .float: return Int64(exactly: value.double)
    case .string, .decimal: return value.bytes.withSpan(IntegerText.parse)
    default: return nil
    }
  }
}
