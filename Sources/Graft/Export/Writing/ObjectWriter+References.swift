// An object that is not written in full stands as its identity: bare where it is one attribute that
// tells all, else as an object of what an import needs to find it or make it: the attributes of its
// identity, those that are required, and the name of its sub-entity.

extension ObjectWriter {
  /// What stands for an object.
  enum Reference {
    /// The value that a step writes.
    case bare(UnsafePointer<ExportStep>)
    /// An object of what identifies it.
    case object
  }

  /// Finds what can stand for an object.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - destination: The entity that is expected at that place.
  ///   - relationship: The relationship that leads there.
  ///   - isElement: Whether it is one of many.
  /// - Returns: nil for an object that has no identity.
  func reference(
    to id: ObjectID, as destination: Int, _ relationship: UnsafePointer<RelationshipExport>?,
    isElement: Bool
  ) -> Reference? {
    let row = Row(id, in: graph)
    if let relatedBy = relationship?.pointee.relatedBy, relatedBy >= 0 {
      let step = plan.values + Int(relatedBy)
      return row.value(step.pointee.number).isNull ? nil : .bare(step)
    }
    let entity = plan.entities + id.entity
    if entity.pointee.isSingleton { return .object }
    guard entity.pointee.hasIdentity else { return nil }
    let identity = plan.schema.entities[id.entity].identity
    guard identity.allSatisfy({ !row.value(Int32($0)).isNull }) else { return nil }
    guard entity.pointee.identity >= 0 else { return .object }
    let step = plan.values + Int(entity.pointee.identity)
    let isTold = destination == id.entity || !entity.pointee.isDiscriminated
    let scalar = plan.entities[destination].scalar
    let isScalar =
      !isElement || scalar < 0
      || plan.values[Int(scalar)].number == step.pointee.number
    return (isTold || graph.isStub(id)) && isScalar ? .bare(step) : .object
  }

  /// Whether an import takes nothing but the identity from what stands for an object, not even the
  /// name under which it stands.
  func isMention(_ reference: Reference, as destination: Int) -> Bool {
    guard case .bare = reference else { return false }
    return plan.entities[destination].scalar < 0
  }

  /// Writes what stands for an object.
  mutating func write(_ reference: Reference, to id: ObjectID) throws {
    switch reference {
    case .bare(let step):
      if try !writeScalar(step, id) { try json.buffer.append("null") }
    case .object:
      try json.open(0x7B)
      path.append(id)
      try writeMembers(id, plan.entities[id.entity].reference, without: -1)
      path.removeLast()
      try json.close(0x7D)
    }
  }
}
