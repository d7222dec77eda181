// What cannot be imported stops the import: the error is parked in `failure`, and the event answers false. The place is asked of
// the parser, which knows it at no cost until somebody asks.

extension ImportMachine {
  /// Refuses the value at hand.
  ///
  /// - Returns: Whether the import goes on.
  @inline(never)
  func reject(
    _ kind: ImportError.Kind, _ property: PropertyPlan, found: String, expected: String? = nil
  ) -> Bool {
    failure = ImportError(
      kind: kind, location: parser?.tokenLocation, path: parser?.path() ?? "",
      entity: property.entityName, property: property.name.isEmpty ? nil : property.name,
      expected: expected ?? property.expectation, found: found)
    return false
  }

  /// Refuses an identifier for an object that cannot be named by one value.
  func rejectReference(_ scalar: Scalar, _ property: PropertyPlan) -> Bool {
    let entity = schema.entities[property.destination]
    let reason =
      entity.identity.isEmpty
      ? "\(entity.name) has no identity that a value could name"
      : "\(entity.name) has an identity of \(entity.identity.count) attributes, which no one value names"
    failure = ImportError(
      kind: .wrongType, location: parser?.tokenLocation, path: parser?.path() ?? "",
      entity: property.entityName, property: property.name.isEmpty ? nil : property.name,
      expected: property.expectation, found: found(scalar),
      message: "expected \(property.expectation), found \(found(scalar)); \(reason)")
    return false
  }

  /// Refuses an identifier of an object of another entity.
  func rejectStranger(_ other: ObjectID, _ property: PropertyPlan) -> Bool {
    let name = schema.entities[other.entity].name
    return reject(
      .unresolvedReference, property,
      found: "the identity of an object of \(name)",
      expected: property.expectation)
  }

  /// Refuses an identifier of which no object of a concrete entity could be made.
  func rejectAbstractReference(_ property: PropertyPlan) -> Bool {
    let name = schema.entities[property.destination].name
    return reject(
      .unresolvedReference, property,
      found: "an identity that names none; \(name) is abstract, so none can be made of it",
      expected: "the identity of an object of \(name) that is there")
  }

  /// Refuses an object whose identity belongs to an object of another entity.
  func rejectStranger(_ other: ObjectID, _ frame: Frame) -> Bool {
    let name = schema.entities[Int(frame.entity)].name
    let otherName = schema.entities[other.entity].name
    return reject(
      frame, .unresolvedReference, property: nil,
      message: "expected an object of \(name), but its identity belongs to an object of \(otherName)")
  }

  /// Refuses an object of an abstract entity.
  func rejectAbstract(_ frame: Frame) -> Bool {
    let entity = schema.entities[Int(frame.entity)]
    let concrete = entity.family.filter { !schema.entities[$0].isAbstract }
      .map { schema.entities[$0].name }.joined(separator: ", ")
    return reject(
      frame, .model, property: nil,
      message: "\(entity.name) is abstract, and nothing says which of its sub-entities"
        + " (\(concrete)) this object is")
  }

  /// Refuses an object that lacks a required attribute.
  func rejectIncomplete(_ frame: Frame) -> Bool {
    let entity = plan.entities[Int(frame.entity)]
    let missing = entity.required.first { $0.bit != 0 && frame.seen & $0.bit == 0 }
    let attribute = missing.map { entity.schema.attributes[$0.attribute] }
    let path = attribute?.paths.first.map { ", read from \"\($0)\"" } ?? ""
    return reject(
      frame, .missingValue, property: attribute?.name,
      message: "expected a value for \(attribute?.name ?? "each attribute") of \(entity.schema.name)"
        + " (required\(path)), found none")
  }

  /// Refuses an object that lacks its identity.
  func rejectMissingIdentity(_ frame: Frame, _ own: Entries) -> Bool {
    failure = missingIdentity(frame, own)
    return false
  }

  /// Notes an object that was passed over because it lacks its identity.
  func noteMissingIdentity(_ frame: Frame, _ own: Entries) {
    tally.issueCount += 1
    if tally.issues.count < options.issueLimit { tally.issues.append(missingIdentity(frame, own)) }
  }

  private func missingIdentity(_ frame: Frame, _ own: Entries) -> ImportError {
    let entity = schema.entities[Int(frame.entity)]
    let missing = entity.identity.first { attribute in
      !(0..<own.count).contains { position in
        let entry = own.base[position]
        return entry.frame == own.frame && entry.isIdentity && Int(entry.number) == attribute
          && (entry.kind == .word || entry.kind == .bytes)
      }
    }
    let attribute = missing.map { entity.attributes[$0] }
    let path = attribute?.paths.first.map { ", read from \"\($0)\"" } ?? ""
    return error(
      frame, .missingIdentity, property: attribute?.name,
      message: "expected a value for \(attribute?.name ?? "the identity") of \(entity.name)"
        + " (identity\(path)), found none")
  }

  private func reject(
    _ frame: Frame, _ kind: ImportError.Kind, property: String?, message: String
  ) -> Bool {
    failure = error(frame, kind, property: property, message: message)
    return false
  }

  /// An error at the place where an object began.
  private func error(
    _ frame: Frame, _ kind: ImportError.Kind, property: String?, message: String
  ) -> ImportError {
    let depth = Int(frame.depth)
    let isContainer = depth > 0
    return ImportError(
      kind: kind,
      location: isContainer ? parser?.location(ofContainerAt: depth) : parser?.tokenLocation,
      path: (isContainer ? parser?.path(ofContainerAt: depth) : parser?.path()) ?? "",
      entity: schema.entities[Int(frame.entity)].name, property: property, message: message)
  }

  /// A scalar in words.
  func found(_ scalar: Scalar) -> String {
    let text = String(decoding: scalar.text.prefix(80), as: UTF8.self)
    let ellipsis = scalar.text.count > 80 ? "…" : ""
    return switch scalar.kind {
    case .null: "null"
    case .boolean: text
    case .number: "the number \(text)\(ellipsis)"
    case .string: scalar.text.isEmpty ? "an empty text" : "the text \"\(text)\(ellipsis)\""
    }
  }
}
