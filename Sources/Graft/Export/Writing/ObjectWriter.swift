/// Writes objects of a graph as JSON, by the steps of a plan.
struct ObjectWriter: ~Copyable {
  /// How many elements may be missing before one that has a position of its own (`@index`).
  private static let longestGap: Int64 = 1024

  private let plans: ExportPlans
  private(set) var plan: ExportPlan
  var traversal: ExportTraversal
  var json: JSONWriter
  private var values: ValueWriter
  private let consume: (RawSpan) throws -> Void
  /// Where objects on a property's path were begun, which are taken back if they stay empty.
  private var openings: [JSONWriter.Position] = []

  init(
    plans: ExportPlans, graph: Graph, to consume: @escaping (RawSpan) throws -> Void
  ) throws {
    self.plans = plans
    self.consume = consume
    plan = try plans.plan(for: graph)
    let options = plan.options
    json = JSONWriter(
      style: options.isPretty && !options.isNDJSON ? .pretty : .compact,
      capacity: JSONWriter.chunkSize * 2)
    values = ValueWriter(plan)
    traversal = ExportTraversal(plan: plan, graph: graph)
  }

  /// Reads from another snapshot from here on.
  ///
  /// - Parameters:
  ///   - graph: The snapshot.
  ///   - isWhole: Whether all of it is written.
  /// - Throws: ``ExportError`` where the plan for it cannot be compiled.
  mutating func begin(_ graph: Graph, isWhole: Bool) throws {
    plan = try plans.plan(for: graph)
    values = ValueWriter(plan)
    traversal.begin(graph, plan, isWhole: isWhole)
  }

  /// Hands over what has been written.
  @inline(never)
  mutating func flush() throws { try json.flush(to: consume) }
}

// MARK: - Objects

extension ObjectWriter {
  /// Writes an object that is in no other.
  mutating func writeOutermost(_ id: ObjectID) throws {
    traversal.beginOutermost()
    if let reference = traversal.outermostReference(to: id) {
      try write(reference, to: id)
    } else {
      try writeInFull(id, without: nil, isElement: true)
    }
    if json.hasChunk { try flush() }
  }

  /// Writes an object with everything that belongs to it.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - inverse: The number of the relationship that leads back to where the object was reached
  ///     from.
  ///   - isElement: Whether it is one of many, which may be scalars.
  /// - Throws: ``ExportError``, and what the consumer throws.
  private mutating func writeInFull(
    _ id: ObjectID, without inverse: Int?, isElement: Bool
  ) throws {
    if isElement, let scalar = plan.entities[id.entity].scalar, try writeScalar(scalar, id) {
      return
    }
    try traversal.open(id)
    json.beginObject()
    try write(plan.entities[id.entity].steps, id, without: inverse)
    json.endObject()
    traversal.close()
  }

  /// Writes what is written in place of an object.
  private mutating func write(_ reference: ObjectReference, to id: ObjectID) throws {
    switch reference {
    case .bare(let attribute):
      if try !writeScalar(attribute, id) { json.null() }
    case .object:
      json.beginObject()
      traversal.enter(id)
      try write(plan.entities[id.entity].reference, id, without: nil)
      traversal.leave()
      json.endObject()
    }
  }

  /// Does some steps for an object.
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

  /// Does some steps for an object together with those that share its JSON object.
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

  /// Does one step for an object.
  @inline(__always)
  private mutating func write(
    _ step: borrowing ExportStep, _ row: ObjectRow, without inverse: Int?
  ) throws {
    switch step.content {
    case .attribute(let attribute): try write(attribute, step, row)
    case .relationship(let relationship):
      try write(Int(relationship), step, row, without: inverse)
    case .constant(let literal):
      writeKey(of: step)
      plan.write(literal, to: &json)
    case .beginObject:
      openings.append(json.position)
      writeKey(of: step)
      json.beginObject()
    case .endObject:
      let opening = openings.removeLast()
      if json.isAtStartOfContainer { json.rewind(to: opening) } else { json.endObject() }
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

  /// Writes what is written in place of a value.
  private mutating func writeNull(_ step: borrowing ExportStep) {
    switch step.ifNull {
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

/// An object and where its cells are, which is valid as long as the graph.
private struct ObjectRow {
  let id: ObjectID
  let group: GroupPointer
  let row: Int
  let shape: TableShape

  @inline(__always)
  init(_ id: ObjectID, in graph: borrowing Graph) {
    self.id = id
    (group, row, shape) = graph.place(of: id)
  }

  @inline(__always)
  func value(_ attribute: Int) -> RawValue { group.value(row, shape.attributes[attribute]) }
}

// MARK: - Attributes

extension ObjectWriter {
  /// Writes an attribute with its key; not inlined, so that what it needs of the stack is not needed
  /// for each level of nesting.
  @inline(never)
  private mutating func write(
    _ attribute: AttributeStep, _ step: borrowing ExportStep, _ row: ObjectRow
  ) throws {
    let value = row.value(attribute.number)
    if value.isNull { return writeNull(step) }
    if case .transformed(let transformer) = attribute.form {
      let start = json.position
      writeKey(of: step)
      guard try !writeTransformed(value, by: transformer, attribute, row.id) else { return }
      json.rewind(to: start)
      return writeNull(step)
    }
    writeKey(of: step)
    do throws(UnwritableValue) {
      try values.write(value, attribute.form, to: &json)
    } catch {
      throw failure(error, attribute, row.id)
    }
  }

  private mutating func writeTransformed(
    _ value: RawValue, by transformer: Int32, _ attribute: AttributeStep, _ id: ObjectID
  ) throws(ExportError) -> Bool {
    do throws(UnwritableValue) {
      return try values.writeTransformed(
        value, by: transformer, of: plan.schema.entities[id.entity].attributes[attribute.number],
        to: &json)
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

  private func failure(
    _ error: UnwritableValue, _ attribute: AttributeStep, _ id: ObjectID
  ) -> ExportError {
    let entity = plan.schema.entities[id.entity]
    let property = entity.attributes[attribute.number].name
    let object = plan.description(of: id, in: traversal.graph)
    return ExportError(
      error.kind, entity: entity.name, property: property, object: id,
      "\(object): \(property): \(error.message)", underlyingError: error.underlyingError)
  }
}

// MARK: - Relationships

extension ObjectWriter {
  /// Writes a relationship.
  ///
  /// The relationship back to where the object was reached from is left out, since the owner says it
  /// already, unless it says more than that.
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
    // In a whole graph the members of such a list may be referred to nowhere else.
    if leadsBack, plan.relationships[relationship].isImpliedByOwner, !writesWholeGraph { return }
    let column = row.shape.relationships[number]
    guard column.isToMany else {
      guard mustBeThere else { return }
      let cell = row.group.toOne(row.row, column)
      return try write(ObjectID(cell: cell), relationship, step)
    }
    // The store keeps the members at their place for as long as the graph is kept.
    let members = row.group.list(row.row, column).members
    if !mustBeThere, members.count <= 1 { return }
    if members.isEmpty, !plan.relationships[relationship].writesEmpty, step.key != nil { return }
    if traversal.isDeclined(members, relationship, of: row.id) { return }
    writeKey(of: step)
    let asReferences = leadsBack && !writesWholeGraph
    if plan.relationships[relationship].isKeyed {
      try writeKeyed(members, relationship, asReferences: asReferences)
    } else {
      try writeArray(members, relationship, asReferences: asReferences)
    }
  }

  private mutating func write(
    _ target: ObjectID?, _ relationship: Int, _ step: borrowing ExportStep
  ) throws {
    guard let target else { return writeNull(step) }
    let form = traversal.form(of: target, relationship, isElement: false)
    if case .leftOut = form {
      // An element of an array has to be there.
      if step.key == nil { writeNull(step) }
      return
    }
    writeKey(of: step)
    try write(target, form, relationship, isElement: false)
  }

  @inline(__always)
  private mutating func write(
    _ target: ObjectID, _ form: RelatedForm, _ relationship: Int, isElement: Bool
  ) throws {
    switch form {
    case .leftOut: return
    case .reference(let reference): try write(reference, to: target)
    case .inFull:
      let inverse = plan.relationships[relationship].inverse
      try writeInFull(target, without: inverse, isElement: isElement)
    }
    if json.hasChunk { try flush() }
  }

  private mutating func writeArray(
    _ members: BorrowedBuffer<ObjectID>, _ relationship: Int, asReferences: Bool
  ) throws {
    json.beginArray()
    let destination = plan.relationships[relationship].destination
    if let position = plan.entities[destination].position {
      let isOrdered = plan.relationships[relationship].isOrdered
      for member in arranged(members, by: position, isOrdered: isOrdered) {
        if let member {
          try writeElement(member, relationship, asReference: asReferences)
        } else {
          json.null()
        }
      }
    } else {
      for index in members.indices {
        try writeElement(members[index], relationship, asReference: asReferences)
      }
    }
    json.endArray()
  }

  private mutating func writeElement(
    _ member: ObjectID, _ relationship: Int, asReference: Bool
  ) throws {
    let form = traversal.form(of: member, relationship, isElement: true, asReference: asReference)
    try write(member, form, relationship, isElement: true)
  }

  private mutating func writeKeyed(
    _ members: BorrowedBuffer<ObjectID>, _ relationship: Int, asReferences: Bool
  ) throws {
    json.beginObject()
    var keys = MemberKeys()
    for index in members.indices {
      let form = traversal.form(
        of: members[index], relationship, isElement: true, asReference: asReferences)
      if case .leftOut = form { continue }
      var isIdentityOnly = false
      if case .reference(let reference) = form {
        let destination = plan.relationships[relationship].destination
        isIdentityOnly = plan.isIdentityOnly(reference, as: destination)
      }
      try writeKey(for: members[index], at: index, isIdentityOnly: isIdentityOnly, &keys)
      try write(members[index], form, relationship, isElement: true)
    }
    json.endObject()
  }

  /// Writes the key of an object in a keyed collection.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - position: Its position in the collection.
  ///   - isIdentityOnly: Whether a bare identity is written there, for which an import sets nothing
  ///     from the key.
  ///   - keys: The keys of the collection so far.
  /// - Throws: ``ExportError`` where an import would set a wrong value from the key.
  mutating func writeKey(
    for id: ObjectID, at position: Int, isIdentityOnly: Bool, _ keys: inout MemberKeys
  ) throws(ExportError) {
    let entity = plan.entities[id.entity]
    let attribute = entity.key ?? AttributeStep(number: 0, form: .plain(.string))
    do throws(UnwritableValue) {
      var name: [UInt8]?
      let value = traversal.graph.value(id, attribute: attribute.number)
      if entity.key != nil, attribute.canBeKey, !value.isNull {
        var json = JSONWriter()
        try values.write(value, attribute.form, to: &json)
        name = json.buffer.array()
      }
      let key = try keys.key(
        for: name, at: position, canBePosition: isIdentityOnly || !entity.importsKey)
      json.key(quoted: key.span)
    } catch {
      throw failure(error, attribute, id)
    }
  }

  /// Puts members into the order in which they are written.
  ///
  /// - Parameters:
  ///   - members: The members of a relationship.
  ///   - attribute: The attribute that is an element's position.
  ///   - isOrdered: Whether the relationship has an order, which then counts for more.
  /// - Returns: The members, with nil at positions that none of them has.
  private func arranged(
    _ members: BorrowedBuffer<ObjectID>, by attribute: Int, isOrdered: Bool
  ) -> [ObjectID?] {
    var placed = members.indices.map {
      (id: members[$0], position: position(of: members[$0], in: attribute))
    }
    if !isOrdered {
      placed.sort { ($0.position ?? .max, $0.id) < ($1.position ?? .max, $1.id) }
    }
    var result: [ObjectID?] = []
    for (id, position) in placed {
      if let position, position > result.count,
        position - Int64(result.count) <= Self.longestGap
      {
        result += repeatElement(nil, count: Int(position) - result.count)
      }
      result.append(id)
    }
    return result
  }

  /// An object's value of an attribute that holds a position, of whatever type; nil if it has none.
  private func position(of id: ObjectID, in attribute: Int) -> Int64? {
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
