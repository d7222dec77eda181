/// Creates errors with a place, and handles them by the error policy.
///
/// By default an error ends the import: `reject` throws. With `skip-value` or `skip-object` the value
/// or its object is left out, the error is listed as an issue, and `reject` returns.
final class ImportDiagnostics {
  let plan: ImportPlan
  let schema: ModelSchema
  let policy: ImportOptions.ErrorPolicy
  let issueLimit: Int
  let parsers: EntityParserStack
  let position: DocumentPosition
  /// The source of the events, which knows their places in the document: the parser, or a buffer.
  ///
  /// It outlives the engine's use of it.
  @safe unowned(unsafe) var source: any EventSource = NoEventSource.shared
  /// The place of the current value, if it is a value of an enclosing JSON object and not the
  /// current event's.
  var elsewhere: Elsewhere?
  private(set) var issues = ImportIssue.Log()
  private(set) var notices = ImportIssue.Log()
  /// The entities of skipped objects whose identity could not be read, so that they may be any object.
  private(set) var unidentifiedEntities: Set<Int> = []

  init(
    plan: ImportPlan, schema: ModelSchema, options: ImportOptions,
    parsers: EntityParserStack,
    position: DocumentPosition
  ) {
    self.plan = plan
    self.schema = schema
    policy = options.errorPolicy
    issueLimit = options.issueLimit
    self.parsers = parsers
    self.position = position
  }

  /// Skips the current value.
  ///
  /// - Parameters:
  ///   - kind: The kind of the error.
  ///   - property: The property that the value belongs to.
  ///   - found: The value in words.
  ///   - expected: A description of valid values; nil for the property's own.
  ///   - message: The whole message, if it has more than the expectation and the value found.
  ///   - underlyingError: The error thrown by a hook or transformer.
  ///   - pathIndex: The index of the property's path at which the value was found.
  ///   - levelsUp: The number of parsers from the innermost up to the property's object.
  /// - Throws: Unless the error policy skips values or objects.
  @inline(never)
  func reject(
    _ kind: ImportError.Kind, _ property: PropertyPlan, found: String, expected: String? = nil,
    message: String? = nil, underlyingError: (any Error)? = nil, at pathIndex: UInt8,
    levelsUp: Int32
  ) throws(ImportStop) {
    let error = error(
      kind, entity: property.entityName, property: property.name.isEmpty ? nil : property.name,
      expected: expected ?? property.expectation, found: found, message: message,
      underlyingError: underlyingError)
    if property.hasAlternatives {
      let number = Int32(property.attribute)
      return parsers.pushRemark(
        .failed, error, number: number, pathIndex: pathIndex, levelsUp: levelsUp)
    }
    let parser = parsers.index(levelsUp: levelsUp)
    if property.destination < 0 {
      skipUnidentified(parser, property)
    } else if kind == .wrongType || kind == .invalidValue {
      // It may have named an object.
      noteUnidentified(of: property.destination)
    }
    switch policy {
    case .fail: break
    case .skipObject:
      parsers.skip(parser)
      // The value is present, so that later paths are not read.
      parsers.notePresence(of: property, at: pathIndex, levelsUp: levelsUp, in: plan)
    case .skipValue: parsers.notePresence(of: property, at: .max, levelsUp: levelsUp, in: plan)
    }
    try leaveOut(error)
  }

  /// Skips the value that an action reads.
  ///
  /// - Throws: Unless the error policy skips values or objects.
  func reject(
    _ kind: ImportError.Kind, _ action: PropertyAction, found: String, expected: String? = nil,
    message: String? = nil, underlyingError: (any Error)? = nil
  ) throws(ImportStop) {
    try reject(
      kind, plan.properties[Int(action.property)], found: found, expected: expected,
      message: message, underlyingError: underlyingError, at: action.pathIndex,
      levelsUp: action.levelsUp)
  }

  /// Skips the object of the innermost parser.
  ///
  /// - Throws: Unless the error policy skips values or objects.
  @inline(never)
  func rejectObject(
    _ kind: ImportError.Kind, property: String? = nil, underlyingError: (any Error)? = nil,
    message: String
  ) throws(ImportStop) {
    parsers.skip(parsers.topIndex)
    try leaveOut(
      errorAtObject(
        kind, property: property, message: message, underlyingError: underlyingError))
  }

  /// Lists an error as an issue, except for a skipped object that is read on only to see which
  /// objects it names.
  ///
  /// - Throws: If the error policy ends the import.
  func leaveOut(_ error: ImportError) throws(ImportStop) {
    // This part is read again only to find the place of the last save; the interrupted import has reported its errors.
    guard !position.isResuming else { return }
    guard policy != .fail else { throw ImportStop(error) }
    guard !position.isOnlyMentioning else { return }
    issues.note(.issue, limit: issueLimit) { error }
  }

  /// Skips an object if the property is part of its identity; it is not listed again as one without identity.
  private func skipUnidentified(_ parser: Int32, _ property: PropertyPlan) {
    guard parser >= 0, case let entity = Int(parsers[parser].entity), entity >= 0,
      schema.entities[entity].identity.contains(property.attribute)
    else { return }
    noteUnidentified(of: entity)
    parsers.skip(parser)
  }

  /// Notes that an object was skipped whose identity could not be read, or a value that may have named one.
  func noteUnidentified(of entity: Int) { unidentifiedEntities.insert(entity) }

  /// Lists an issue without regard to the error policy.
  func noteIssue(_ error: () -> ImportError) {
    issues.note(.issue, limit: issueLimit, error)
  }

  /// Lists a notice.
  func noteNotice(_ error: () -> ImportError) {
    notices.note(.notice, limit: issueLimit, error)
  }

  /// Returns the notice of an unknown value that is replaced by a stated value or entity.
  ///
  /// - Parameters:
  ///   - found: The value in words.
  ///   - taken: The replacement.
  ///   - entity: The entity's name.
  ///   - property: The attribute's name; nil for a discriminator.
  ///   - message: The expectation and the value found.
  /// - Returns: The notice.
  func unknown(
    _ found: String, taken: String, entity: String, property: String?, _ message: String
  ) -> ImportError {
    error(
      .invalidValue, entity: entity, property: property, found: found,
      message: "\(found) is unknown, so \(taken) is taken: \(message)")
  }

  /// Lists the notice of an unknown value that is replaced by a stated value or entity.
  func noteUnknown(_ notice: @autoclosure () -> ImportError) {
    guard !position.isOnlyMentioning else { return }
    noteNotice(notice)
  }

  // MARK: Errors with a place

  /// Returns an error at the current value.
  func error(
    _ kind: ImportError.Kind, entity: String? = nil, property: String? = nil,
    expected: String? = nil, found: String? = nil, message: String? = nil,
    underlyingError: (any Error)? = nil
  ) -> ImportError {
    ImportError(
      kind: kind, location: location, path: path, entity: entity,
      property: property, expected: expected, found: found, message: message,
      underlyingError: underlyingError)
  }

  /// A value of a JSON object around the current value.
  struct Elsewhere {
    var location: SourceLocation
    /// The depth of the object or array, counted in open containers.
    var depth: Int
    /// The slot of a value in it, in `ImportPlan.outerPaths`; nil for the object or array itself.
    var slot: Int?
  }

  /// The location of the current value.
  var location: SourceLocation { elsewhere?.location ?? source.tokenLocation }

  /// The path of the current value.
  var path: String {
    guard let elsewhere else { return source.path() }
    let object = source.path(ofContainerAt: elsewhere.depth)
    guard let slot = elsewhere.slot else { return object }
    let steps = plan.outerPaths[slot].steps.drop { $0 == .key || $0 == .index }
    guard !steps.isEmpty else { return object }
    let path = JSONPath(Array(steps)).description
    return path.hasPrefix("[") ? object + path : "\(object).\(path)"
  }

  /// Returns an error at the beginning of the innermost parser's object.
  func errorAtObject(
    _ kind: ImportError.Kind, property: String? = nil, message: String,
    underlyingError: (any Error)? = nil
  ) -> ImportError {
    let parser = parsers.top
    let (location, path) = place(of: parser)
    return ImportError(
      kind: kind, location: location, path: path, entity: schema.entities[Int(parser.entity)].name,
      property: property, message: message, underlyingError: underlyingError)
  }

  /// Returns the location and the path of an object's beginning.
  func place(of parser: EntityParser) -> (location: SourceLocation, path: String) {
    let depth = Int(parser.depth)
    if depth < 0 { return parsers.placeOfWaiting(parser) }
    // An object that is only a scalar is the current value.
    guard depth > 0 else { return (source.tokenLocation, source.path()) }
    return (source.location(ofContainerAt: depth), source.path(ofContainerAt: depth))
  }

  /// Returns an error that says that a limit of memory was exceeded.
  func limitExceeded(_ message: String) -> ImportStop {
    ImportStop(error(.limit, message: message))
  }

  // MARK: Objects that cannot be imported

  /// Skips an object whose identity belongs to an object of another entity.
  func rejectConflict(with other: ObjectID, _ parser: EntityParser) throws(ImportStop) {
    let name = schema.entities[Int(parser.entity)].name
    let otherName = schema.entities[other.entity].name
    try rejectObject(
      .unresolvedReference,
      message:
        "expected an object of \(name), but its identity belongs to an object of \(otherName)")
  }

  /// Skips an object of an abstract entity.
  func rejectAbstract(_ parser: EntityParser) throws(ImportStop) {
    let entity = schema.entities[Int(parser.entity)]
    let concrete = entity.family.filter { !schema.entities[$0].isAbstract }
      .map { schema.entities[$0].name }.joined(separator: ", ")
    try rejectObject(
      .model,
      message: "\(entity.name) is abstract, and nothing says which of its sub-entities"
        + " (\(concrete)) this object is")
  }

  /// Skips an object that lacks a required attribute.
  func rejectIncomplete(_ parser: EntityParser, _ values: PendingValues) throws(ImportStop) {
    let entity = plan.entities[Int(parser.entity)]
    let missing = entity.required.first { $0.isMissing(parser, values) }
    let attribute = missing.map { entity.schema.attributes[$0.attribute] }
    let path = attribute.map { origin(of: $0) } ?? ""
    try rejectObject(
      .missingValue, property: attribute?.name,
      message:
        "expected a value for \(attribute?.name ?? "each attribute") of \(entity.schema.name)"
        + " (required\(path)), found \(foundValue(for: attribute, parser, values))")
  }

  /// Skips an object if the absence of one of its properties is an error.
  func rejectAbsent(_ absence: EntityPlan.Absence, _ parser: EntityParser) throws(ImportStop) {
    let entity = schema.entities[Int(parser.entity)]
    let name =
      absence.isAttribute
      ? entity.attributes[absence.number].name : entity.relationships[absence.number].name
    try rejectObject(
      .missingValue, property: name,
      message: "expected \(name) of \(entity.name) to be present, found no key for it")
  }

  /// Returns the error of an object that lacks its identity.
  func missingIdentity(_ parser: EntityParser, _ values: PendingValues) -> ImportError {
    let entity = plan.entities[Int(parser.entity)].schema
    let missing = entity.identity.first { !values.hasValue(forAttribute: $0) }
    let attribute = missing.map { entity.attributes[$0] }
    let path = attribute.map { origin(of: $0) } ?? ""
    return errorAtObject(
      .missingIdentity, property: attribute?.name,
      message: "expected a value for \(attribute?.name ?? "the identity") of \(entity.name)"
        + " (identity\(path)), found \(foundValue(for: attribute, parser, values))")
  }

  /// Returns the value found instead of an attribute's value, as the end of a message.
  private func foundValue(
    for attribute: AttributeSchema?, _ parser: EntityParser, _ values: PendingValues
  ) -> String {
    if attribute?.paths.map(\.steps) == [[.value]], parser.depth != 0 { return "an object" }
    let entity = schema.entities[Int(parser.entity)]
    guard parsers.isAtRootObject, parser.depth > 0, entity.attributes.count > 1,
      !values.contains(where: { _ in true })
    else { return "none" }
    return "none, nor any other property; if the objects lie deeper, name their place with at:"
  }

  /// Returns the path that an attribute is read from, as the rest of a sentence.
  private func origin(of attribute: AttributeSchema) -> String {
    if let path = attribute.paths.first { return ", read from \"\(path)\"" }
    guard schema.words == .annotations else {
      return ", which is nowhere in JSON: name its path"
    }
    let dialect = schema.dialect.rawValue
    return ", which the dialect \(dialect) reads from nowhere: annotate it with its path,"
      + " or choose another dialect"
  }
}

extension ScalarEvent {
  /// The kind of the scalar, for messages: `a number`.
  var kindWithArticle: String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    }
  }

  /// A description of the scalar, for messages: `the number 1939`.
  var described: String {
    switch kind {
    case .null: "null"
    case .boolean: start
    case .number: "the number \(start)"
    case .string: text.isEmpty ? "an empty string" : "the string \(quoted)"
    }
  }

  /// The start of the text in quotes, for messages.
  var quoted: String { "\"\(start)\"" }

  private var start: String {
    String(decoding: text.prefix(80), as: UTF8.self) + (text.count > 80 ? "…" : "")
  }
}

/// Ends the import: thrown where a document cannot be imported, and caught by the callback of the
/// event, which stops the parser.
///
/// An error as a class, so that a function that may throw it returns one more pointer, and not the
/// whole error.
final class ImportStop: Error {
  /// The reason why the import ends.
  let error: ImportError

  init(_ error: ImportError) {
    self.error = error
  }
}
