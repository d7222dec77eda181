extension ObjectWriter {
  /// How a related object is written.
  enum Form {
    case inFull
    case reference(Reference)
    case leftOut
  }

  /// Writes a relationship.
  ///
  /// What leads back to where the object was reached from is left out, since the owner says it
  /// already, unless it says more than that.
  @inline(never)
  mutating func writeRelationship(
    _ step: UnsafePointer<ExportStep>, _ row: Row, without inverse: Int32
  ) throws {
    let export = plan.relationships + Int(step.pointee.detail)
    let leadsBack = step.pointee.number == inverse
    // In a whole graph the members of such a list may have no other place where they are named.
    if leadsBack, export.pointee.isImplied, cover == nil { return }
    let column = row.relationships[Int(step.pointee.number)]
    guard column.isToMany else {
      if leadsBack, !export.pointee.isDemanded { return }
      let cell = row.group.toOne(row.row, column).pointee
      return try writeToOne(step, export, ObjectID(cell: cell))
    }
    // The store keeps the members where they are for as long as the graph is.
    let members = row.group.members(row.group.list(row.row, column))
    if leadsBack, !export.pointee.isDemanded, members.count <= 1 { return }
    if members.isEmpty {
      guard export.pointee.writesEmpty || step.pointee.isElement else { return }
      try json.begin(step)
      return try json.buffer.append(step.pointee.kind == .keyed ? "{}" : "[]")
    }
    if isSaidElsewhere(members, export, row.id) { return }
    let asReferences = leadsBack && cover == nil
    if step.pointee.kind == .keyed {
      try writeNamed(step, export, members, asReferences: asReferences)
    } else {
      try writeMembers(step, export, members, asReferences: asReferences)
    }
  }

  private mutating func writeToOne(
    _ step: UnsafePointer<ExportStep>, _ export: UnsafePointer<RelationshipExport>,
    _ target: ObjectID?
  ) throws {
    guard let target else { return try writeNull(step) }
    switch form(of: target, export, isElement: false, asReference: false) {
    case .leftOut:
      guard step.pointee.isElement else { return }
      try writeNull(step)
    case .reference(let reference):
      try json.begin(step)
      try write(reference, to: target)
    case .inFull:
      try json.begin(step)
      try writeInFull(target, without: export.pointee.inverse, isElement: false)
    }
  }

  private mutating func writeMembers(
    _ step: UnsafePointer<ExportStep>, _ export: UnsafePointer<RelationshipExport>,
    _ members: UnsafeBufferPointer<ObjectID>, asReferences: Bool
  ) throws {
    try json.begin(step)
    try json.open(0x5B)
    let position = plan.entities[Int(export.pointee.destination)].position
    if position >= 0 {
      for member in arranged(members, by: position, isOrdered: export.pointee.isOrdered) {
        guard let member else {
          try json.beginElement()
          try json.buffer.append("null")
          continue
        }
        try writeMember(member, export, asReference: asReferences)
      }
    } else {
      for member in members { try writeMember(member, export, asReference: asReferences) }
    }
    try json.close(0x5D)
  }

  @inline(__always)
  private mutating func writeMember(
    _ member: ObjectID, _ export: UnsafePointer<RelationshipExport>, asReference: Bool
  ) throws {
    switch form(of: member, export, isElement: true, asReference: asReference) {
    case .leftOut: return
    case .reference(let reference):
      try json.beginElement()
      try write(reference, to: member)
    case .inFull:
      try json.beginElement()
      try writeInFull(member, without: export.pointee.inverse, isElement: true)
    }
  }

  /// Writes objects under their names.
  private mutating func writeNamed(
    _ step: UnsafePointer<ExportStep>, _ export: UnsafePointer<RelationshipExport>,
    _ members: UnsafeBufferPointer<ObjectID>, asReferences: Bool
  ) throws {
    try json.begin(step)
    try json.open(0x7B)
    var names = MemberNames()
    let destination = Int(export.pointee.destination)
    for (position, member) in members.enumerated() {
      switch form(of: member, export, isElement: true, asReference: asReferences) {
      case .leftOut: continue
      case .reference(let reference):
        let isMention = isMention(reference, as: destination)
        try beginMember(for: member, at: position, isMention: isMention, among: &names)
        try write(reference, to: member)
      case .inFull:
        try beginMember(for: member, at: position, isMention: false, among: &names)
        try writeInFull(member, without: export.pointee.inverse, isElement: true)
      }
    }
    try json.close(0x7D)
  }

  /// Decides how an object is written that a relationship leads to.
  @inline(__always)
  private func form(
    of target: ObjectID, _ export: UnsafePointer<RelationshipExport>, isElement: Bool,
    asReference: Bool
  ) -> Form {
    let entity = plan.entities + target.entity
    if cover == nil, !asReference, !export.pointee.isReference, nestsDeeper,
      !entity.pointee.isRecursive || !path.contains(target), !graph.isStub(target),
      !avoidsRepeating(target) || !written.contains(target)
    {
      return .inFull
    }
    return rareForm(of: target, export, isElement: isElement, asReference: asReference)
  }

  @inline(never)
  private func rareForm(
    of target: ObjectID, _ export: UnsafePointer<RelationshipExport>, isElement: Bool,
    asReference: Bool
  ) -> Form {
    let destination = Int(export.pointee.destination)
    if let reference = reference(to: target, as: destination, export, isElement: isElement) {
      return .reference(reference)
    }
    guard let cover, !asReference, let owner = path.last, !path.contains(target) else {
      return .leftOut
    }
    if cover.isAnonymous(owner) {
      return export.pointee.isAnswered && written.contains(target) ? .leftOut : .inFull
    }
    let link = AnonymousCover.Link(owner: owner, relationship: export.pointee.number)
    return export.pointee.carries && !cover.declined.contains(link) ? .inFull : .leftOut
  }

  /// Whether a list would be wrong, because some of its members stand elsewhere and have no name;
  /// they say themselves where they belong.
  private func isSaidElsewhere(
    _ members: UnsafeBufferPointer<ObjectID>, _ export: UnsafePointer<RelationshipExport>,
    _ owner: ObjectID
  ) -> Bool {
    guard let cover, export.pointee.mayLeadToAnonymous, !cover.isAnonymous(owner) else {
      return false
    }
    return members.contains { member in
      if case .leftOut = form(of: member, export, isElement: true, asReference: false) {
        return true
      }
      return false
    }
  }
}
