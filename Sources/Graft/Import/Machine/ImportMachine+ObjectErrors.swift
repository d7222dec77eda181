// Why an object cannot be imported, in words.

extension ImportMachine {
  /// Refuses an object whose identity belongs to an object of another entity.
  func rejectStranger(_ other: ObjectID, _ frame: Frame) -> Bool {
    let name = schema.entities[Int(frame.entity)].name
    let otherName = schema.entities[other.entity].name
    return reject(
      frame, .unresolvedReference,
      message:
        "expected an object of \(name), but its identity belongs to an object of \(otherName)")
  }

  /// Refuses an object of an abstract entity.
  func rejectAbstract(_ frame: Frame) -> Bool {
    let entity = schema.entities[Int(frame.entity)]
    let concrete = entity.family.filter { !schema.entities[$0].isAbstract }
      .map { schema.entities[$0].name }.joined(separator: ", ")
    return reject(
      frame, .model,
      message: "\(entity.name) is abstract, and nothing says which of its sub-entities"
        + " (\(concrete)) this object is")
  }

  /// Refuses an object that lacks a required attribute.
  func rejectIncomplete(_ frame: Frame, _ own: Entries) -> Bool {
    let entity = plan.entities[Int(frame.entity)]
    let missing = entity.required.first { isMissing($0, frame, own) }
    let attribute = missing.map { entity.schema.attributes[$0.attribute] }
    let path = attribute.map { origin(of: $0) } ?? ""
    return reject(
      frame, .missingValue, property: attribute?.name,
      message:
        "expected a value for \(attribute?.name ?? "each attribute") of \(entity.schema.name)"
        + " (required\(path)), found none")
  }

  /// Where an attribute is read from, in words that go on from a comma.
  private func origin(of attribute: AttributeSchema) -> String {
    if let path = attribute.paths.first { return ", read from \"\(path)\"" }
    let dialect = schema.dialect.rawValue
    return ", which the dialect \(dialect) reads from nowhere: annotate it with its path,"
      + " or choose another dialect"
  }

  /// Whether a required attribute has no value.
  func isMissing(
    _ required: (attribute: Int, bit: UInt64), _ frame: Frame, _ own: Entries
  ) -> Bool {
    required.bit == 0
      ? !own.hasValue(forAttribute: required.attribute) : frame.seen & required.bit == 0
  }

  /// Refuses an object of which a property is absent that must be present.
  func rejectAbsent(_ absence: EntityPlan.Absence, _ frame: Frame) -> Bool {
    let entity = schema.entities[Int(frame.entity)]
    let name =
      absence.isAttribute
      ? entity.attributes[absence.number].name : entity.relationships[absence.number].name
    return reject(
      frame, .missingValue, property: name,
      message: "expected \(name) of \(entity.name) to be present, found no key for it")
  }

  /// Refuses an object that lacks its identity.
  func missingIdentity(_ frame: Frame, _ own: Entries) -> ImportError {
    let entity = schema.entities[Int(frame.entity)]
    let missing = entity.identity.first { !own.hasValue(forAttribute: $0) }
    let attribute = missing.map { entity.attributes[$0] }
    let path = attribute.map { origin(of: $0) } ?? ""
    return error(
      frame, .missingIdentity, property: attribute?.name,
      message: "expected a value for \(attribute?.name ?? "the identity") of \(entity.name)"
        + " (identity\(path)), found none")
  }
}

extension ImportMachine {
  /// Notes that a property's key was there although nothing comes of its value, so that it does not
  /// pass for absent.
  func noteIdle(_ property: PropertyPlan, up: Int32) {
    let index = frameIndex(up: up)
    guard index > 0 else { return }
    let number = Int((state.pointee.frames.base + Int(index)).pointee.entity)
    guard !plan.entities[number].absences.isEmpty else { return }
    let entity = schema.entities[number]
    if let attribute = entity.attributes.firstIndex(where: { $0.name == property.name }) {
      push(.idleAttribute, number: Int32(attribute), rank: 0, bits: 0, up: up)
    } else if let relationship = entity.relationships.firstIndex(where: {
      $0.name == property.name
    }) {
      push(.idleRelationship, number: Int32(relationship), rank: 0, bits: 0, up: up)
    }
  }
}

extension Entries {
  /// Whether an attribute has a value among the entries.
  func hasValue(forAttribute number: Int) -> Bool {
    (0..<count).contains { position in
      let entry = base[position]
      return entry.frame == frame && Int(entry.number) == number && !entry.isSuperseded
        && (entry.kind == .word || entry.kind == .bytes)
    }
  }

  /// Whether a property has been mentioned, be it by `null`.
  func mentions(_ number: Int, isAttribute: Bool) -> Bool {
    (0..<count).contains { position in
      let entry = base[position]
      return entry.frame == frame && Int(entry.number) == number
        && entry.kind.isAttribute == isAttribute
    }
  }
}
