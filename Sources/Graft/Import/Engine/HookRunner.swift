/// Calls the hooks of an import for the object of the innermost parser.
///
/// For each object the hooks are called in this order: the validators of its values,
/// `shouldImport`, `willImport`, then `shouldImportRelationship` for each relationship that the
/// document mentions. When the object of the graph is known, and before it is written, `validate`
/// follows. `didImport` comes after the object has been written.
final class HookRunner: ImportPart {
  /// The rules that the values of hooks must keep, by entity and attribute; of entities for which a hook has given one.
  private lazy var rules = [[CustomConversion?]?](repeating: nil, count: schema.entities.count)
  /// The objects to which the refused relationships of the innermost parser's object would lead.
  private(set) var refusedObjects: [ObjectID] = []

  /// Asks the hooks whether to import an object that has ended, and takes over the values that they change.
  ///
  /// - Returns: Whether the object is imported.
  /// - Throws: If a hook refuses it and the error policy ends the import.
  func prepare(_ parser: EntityParser, _ hooks: ImportHooks) throws(ImportStop) -> Bool {
    refusedObjects = []
    var candidate = candidate(parser)
    var before = candidate.values
    for (name, validate) in hooks.validators.sortedByKey() where options.validates {
      guard let value = candidate.values[name] else { continue }
      do {
        candidate.values[name] = .some(try validate(value))
      } catch {
        let message =
          "the validator of \"\(name)\" threw an error for the value \(value?.shortText ?? "null"): \(error)"
        guard try leaveOut(name, parser, .invalidValue, message, error) else {
          noteIfIdentityChanged(candidate, from: before, parser)
          return false
        }
        candidate.values[name] = nil
        before[name] = nil
      }
    }
    do {
      if let shouldImport = hooks.shouldImport, try !shouldImport(candidate) {
        noteIfIdentityChanged(candidate, from: before, parser)
        return false
      }
      try hooks.willImport?(&candidate)
      if let shouldImportRelationship = hooks.shouldImportRelationship {
        for name in mentionedRelationships(parser)
        where try !shouldImportRelationship(name, candidate) {
          forgetRelationship(name, parser)
        }
      }
    } catch {
      noteIfIdentityChanged(candidate, from: before, parser)
      try reject(error)
      return false
    }
    // Sorted, so that each run reports the same error first.
    for (name, value) in candidate.values.sortedByKey()
    where before[name] != value {
      try replace(name, with: value, parser)
    }
    for name in before.keys where candidate.values[name] == nil { forgetAttribute(name, parser) }
    return !parsers.top.isSkipped
  }

  /// Asks the hooks about an object before it is written.
  ///
  /// - Parameters:
  ///   - parser: The object's parser.
  ///   - existing: The object of the graph that it is written to, where it is not new.
  /// - Returns: Whether it may be written.
  /// - Throws: If it may not, and the error policy ends the import.
  func validate(_ parser: EntityParser, existing: ObjectID?) throws(ImportStop) -> Bool {
    guard let validate = plan.hooks(of: Int(parser.entity))?.validate else { return true }
    var candidate = candidate(parser)
    complete(&candidate, parser, existing)
    do {
      try validate(candidate)
      return true
    } catch {
      try reject(error)
      return false
    }
  }

  /// Calls the hooks for an object that has been written.
  ///
  /// - Throws: If a hook throws and the error policy ends the import; the object stays.
  func callDidImport(
    _ object: ObjectID, _ hooks: ImportHooks, _ outcome: ObjectOutcomes.Outcome
  ) throws(ImportStop) {
    guard hooks.didImport != nil || hooks.didImportValues != nil else { return }
    let entity = schema.entities[object.entity]
    let (location, path) = diagnostics.place(of: parsers.top)
    let imported = ImportedObject(
      id: object, entity: entity.name, path: path, location: location,
      outcome: ImportedObject.Outcome(outcome))
    do {
      try hooks.didImport?(imported)
      if let didImport = hooks.didImportValues {
        try didImport(
          ImportCandidate(
            entity: entity.name, path: path, location: location, values: values(of: object)),
          imported)
      }
    } catch {
      try diagnostics.leaveOut(
        diagnostics.errorAtObject(
          .invalidValue, message: Self.message(error), underlyingError: error))
    }
  }

  /// Notes that a refused object may be any one, if a hook has changed its identity before.
  private func noteIfIdentityChanged(
    _ candidate: ImportCandidate, from before: [String: AttributeValue?], _ parser: EntityParser
  ) {
    let identity = schema.entities[Int(parser.entity)].identityNames
    if identity.contains(where: { candidate.values[$0] != before[$0] }) {
      diagnostics.noteUnidentified(of: Int(parser.entity))
    }
  }

  /// Leaves out a value that a validator refuses, or a wrong one of a hook; or the whole object, as the error policy says.
  ///
  /// - Returns: Whether the object is imported without the value.
  /// - Throws: If the error policy ends the import.
  @discardableResult
  private func leaveOut(
    _ attribute: String, _ parser: EntityParser, _ kind: ImportError.Kind, _ message: String,
    _ error: (any Error)? = nil
  ) throws(ImportStop) -> Bool {
    let entity = schema.entities[Int(parser.entity)]
    guard diagnostics.policy == .skipValue, !entity.identityNames.contains(attribute),
      let number = entity.attributeNumber(named: attribute)
    else {
      try diagnostics.rejectObject(
        kind, property: attribute, underlyingError: error, message: message)
      return false
    }
    forgetAttribute(attribute, parser)
    if !plan.entities[Int(parser.entity)].absences.isEmpty {
      // The attribute is present, though it has no value.
      parsers.push(.presentAttribute, number: Int32(number), pathIndex: .max, levelsUp: 0)
    }
    try diagnostics.leaveOut(
      diagnostics.errorAtObject(
        kind, property: attribute, message: message, underlyingError: error))
    return true
  }

  private func reject(_ error: any Error) throws(ImportStop) {
    try diagnostics.rejectObject(
      .invalidValue, underlyingError: error, message: Self.message(error))
  }

  private static func message(_ error: any Error) -> String { "a hook threw an error: \(error)" }

  // MARK: Candidates

  /// Returns the values read so far for the innermost object, as hooks take them.
  private func candidate(_ parser: EntityParser) -> ImportCandidate {
    let entity = schema.entities[Int(parser.entity)]
    let own = parsers.ownValues
    var values = [String: AttributeValue?]()
    for (number, attribute) in entity.attributes.enumerated() {
      guard let value = own.last(forAttribute: number), value.kind != .default else { continue }
      values[attribute.name] = .some(
        AttributeValue(parsers.rawValue(of: value), type: attribute.type))
    }
    let (location, path) = diagnostics.place(of: parser)
    return ImportCandidate(entity: entity.name, path: path, location: location, values: values)
  }

  /// Returns the values that an object has in the graph.
  private func values(of object: ObjectID) -> [String: AttributeValue?] {
    var values = [String: AttributeValue?]()
    for (number, attribute) in schema.entities[object.entity].attributes.enumerated() {
      let value = AttributeValue(
        transaction.value(object, attribute: number), type: attribute.type)
      if let value { values[attribute.name] = .some(value) }
    }
    return values
  }

  /// Adds the values of attributes that the document does not mention.
  private func complete(
    _ candidate: inout ImportCandidate, _ parser: EntityParser, _ existing: ObjectID?
  ) {
    let own = parsers.ownValues
    for (number, attribute) in schema.entities[Int(parser.entity)].attributes.enumerated()
    where candidate.values[attribute.name] == nil {
      // If the candidate lacks a pending value, the attribute takes its default.
      let takesDefault = existing == nil || own.last(forAttribute: number) != nil
      let value =
        takesDefault
        ? attribute.defaultValue
        : existing.flatMap {
          AttributeValue(transaction.value($0, attribute: number), type: attribute.type)
        }
      if let value { candidate.values[attribute.name] = .some(value) }
    }
  }

  /// Takes over a value that a hook has changed.
  private func replace(
    _ name: String, with value: AttributeValue?, _ parser: EntityParser
  ) throws(ImportStop) {
    let entity = plan.entities[Int(parser.entity)]
    guard let number = entity.schema.attributeNumber(named: name) else {
      try diagnostics.rejectObject(
        .invalidValue, property: name,
        message: "a hook gave a value for \"\(name)\", which is no attribute of"
          + " \(entity.schema.name)"
          + suggestion(for: name, in: entity.schema.attributes.map(\.name)))
      return
    }
    forgetAttribute(name, parser)
    let attribute = entity.schema.attributes[number]
    let isIdentity = entity.schema.identity.contains(number)
    guard let value else {
      // As for a document's `null`; whether an identity may be null is decided later.
      let action = NullPolicy.clear.action(
        isOptional: attribute.isOptional || isIdentity, hasDefault: attribute.defaultValue != nil)
      guard action != .error else {
        try leaveOut(
          name, parser, .missingValue,
          "\(name): expected a value (required), found none from a hook")
        return
      }
      parsers.push(
        action == .default ? .default : .null, number: Int32(number), pathIndex: 0, levelsUp: 0,
        isIdentity: isIdentity)
      return
    }
    if case .json(let text) = value, !JSONSyntax.isValue(text) {
      try leaveOut(
        name, parser, .wrongType, "\(name): expected JSON, found \(value.shortText) from a hook")
      return
    }
    let rule = rule(of: number, in: entity.schema)
    let violation: String?? = attribute.withStoredForm(of: value) { raw in
      if let violation = rule?.violation(of: raw) { return violation }
      parsers.push(raw, number: Int32(number), pathIndex: 0, levelsUp: 0, isIdentity: isIdentity)
      return nil
    }
    switch violation {
    case .some(nil):
      parsers.noteRequired(entity.requiredBit(of: number), levelsUp: 0)
    case .some(let violation?):
      try leaveOut(name, parser, .invalidValue, "\(name): \(violation) from a hook")
    case nil:
      try leaveOut(
        name, parser, .wrongType,
        "\(name): expected \(attribute.expectation), found \(value.shortText) from a hook")
    }
  }

  private func rule(of attribute: Int, in entity: EntitySchema) -> CustomConversion? {
    if let rules = rules[entity.number] { return rules[attribute] }
    let rules = entity.attributes.map { CustomConversion($0, options) }
    self.rules[entity.number] = rules
    return rules[attribute]
  }

  private func forgetAttribute(_ name: String, _ parser: EntityParser) {
    let entity = plan.entities[Int(parser.entity)]
    guard let number = entity.schema.attributeNumber(named: name) else {
      return
    }
    parsers.ownValues.supersede { $0.kind.isAttribute && Int($0.number) == number }
    parsers.top.requiredSeen &= ~entity.requiredBit(of: number)
  }

  private func mentionedRelationships(_ parser: EntityParser) -> [String] {
    let own = parsers.ownValues
    return schema.entities[Int(parser.entity)].relationships.enumerated()
      .filter { own.mentions($0.offset, isAttribute: false) }.map(\.element.name)
  }

  private func forgetRelationship(_ name: String, _ parser: EntityParser) {
    let entity = schema.entities[Int(parser.entity)]
    guard let number = entity.relationshipNumber(named: name) else { return }
    parsers.ownValues.supersede {
      guard !$0.kind.isAttribute, Int($0.number) == number else { return false }
      if let object = $0.linkedObject { refusedObjects.append(object) }
      return true
    }
  }
}

extension EntitySchema {
  fileprivate var identityNames: [String] { identity.map { attributes[$0].name } }
}

extension ImportedObject.Outcome {
  fileprivate init(_ outcome: ObjectOutcomes.Outcome) {
    self =
      switch outcome {
      case .inserted: .inserted
      case .updated: .updated
      case .unchanged, .unmentioned: .unchanged
      }
  }
}
