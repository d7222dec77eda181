/// Finds the objects that a document names by a bare identifier, such as `"author": 3`.
///
/// An object that is known, or that the document had before, is found at once.
/// The policy decides about an identifier that names no known object. A stub is made for a later
/// payload to fill, the identifier is ignored, it waits for the end of the document, or it is an
/// error.
final class ReferenceResolver: ImportPart {
  private let converter: ValueConverter
  private let resolver: ObjectResolver
  private let writer: RecordWriter

  init(
    _ shared: ImportPart, converter: ValueConverter, resolver: ObjectResolver,
    writer: RecordWriter
  ) {
    self.converter = converter
    self.resolver = resolver
    self.writer = writer
    super.init(shared)
  }

  /// The result of resolving a bare identifier.
  enum Referent {
    case object(ObjectID)
    /// A new object that is known only by the identifier.
    case stub(ObjectID)
    /// The deferred reference of this number.
    case deferred(Int)
    /// No object, by the policy `ignore`.
    case ignored
    /// No object; an error has been listed.
    case refused
    /// No object, because no value can identify objects of the entity; an error has been listed.
    case unidentifiable
  }

  /// Finds the object that a bare identifier names.
  func resolve(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) -> Referent {
    if position.isResuming { return .ignored }
    let property = plan.properties[Int(action.property)]
    guard property.attribute >= 0 else {
      try rejectUnidentifiable(scalar, property, action)
      return .unidentifiable
    }
    guard !scalar.isEmptyString,
      let value = converter.convert(scalar, action.conversion, action.property),
      !value.isNull
    else {
      let key =
        property.isIdentity
        ? "identity" : schema.entities[property.destination].attributes[property.attribute].name
      try converter.reject(
        action, found: scalar.described,
        expected: expectation(of: action)
          + (property.readsIdentifiers ? "" : " or its \(key)")
          + ", \(property.identityExpectation)")
      return .refused
    }
    guard let found = resolver.find(value, of: property) else {
      return try resolveUnknown(value, scalar, property, action)
    }
    if resolver.isKind(found, of: property.destination) {
      outcomes.note(.unchanged, found)
      if parsers.anonymous.count > 0 || parsers.hasWaitingObjects, transaction.isStub(found) {
        parsers.noteNamedAgain(found, isRoot: action.isRootElement)
      }
      return .object(found)
    }
    if let stub = promote(found, value, property) {
      parsers.replaceAnonymous(found, by: stub)
      return .stub(stub)
    }
    // The document mentions the object, so `deletesMissing` must not delete it.
    outcomes.note(.unchanged, found)
    try diagnostics.reject(.unresolvedReference, action, found: describedIdentity(of: found))
    return .refused
  }

  /// Finds the object of an identifier that waited for the end of the document.
  ///
  /// The owner is imported already, so that an identifier of an object of another entity is left out, and not the owner.
  ///
  /// - Throws: If it names one of another entity and the error policy ends the import.
  func resolve(_ reference: DeferredReference) throws(ImportStop) -> Referent {
    let property = plan.properties[reference.property]
    let found = reference.value.withRawValue { resolver.find($0, of: property) }
    guard let found else {
      if options.restoresStubs, options.mode != .updateOnly, !property.isIdentity,
        plan.entities[property.destination].isInstantiable
      {
        let stub = reference.value.withRawValue { resolver.insertStub($0, of: property) }
        outcomes.note(.inserted, stub)
        return .stub(stub)
      }
      diagnostics.noteNotice { unresolved(reference) }
      return .ignored
    }
    if resolver.isKind(found, of: property.destination) { return .object(found) }
    if let stub = reference.value.withRawValue({ promote(found, $0, property) }) {
      return .stub(stub)
    }
    outcomes.note(.unchanged, found)
    try diagnostics.leaveOut(
      error(reference, expected: property.expectation, found: describedIdentity(of: found)))
    return .refused
  }

  /// Makes a stub of an entity above the relationship's destination one of the destination; nil if it cannot be one.
  private func promote(
    _ found: ObjectID, _ value: RawValue, _ property: PropertyPlan
  ) -> ObjectID? {
    guard property.isIdentity, transaction.canPromote(found, to: property.destination),
      plan.entities[property.destination].isInstantiable
    else { return nil }
    return BorrowedBuffer.withOne(value) {
      resolver.promote(found, to: property.destination, identity: $0, remainsStub: true)
    }
  }

  private func describedIdentity(of found: ObjectID) -> String {
    "the identity of an object of \(schema.entities[found.entity].name)"
  }

  /// Applies its policy to an identifier that names no object yet.
  private func resolveUnknown(
    _ value: RawValue, _ scalar: ScalarEvent, _ property: PropertyPlan,
    _ action: PropertyAction
  ) throws(ImportStop) -> Referent {
    let name = schema.entities[property.destination].name
    switch policy(property, action) {
    case .stub:
      guard plan.entities[property.destination].isInstantiable else {
        try diagnostics.reject(
          .unresolvedReference, action,
          found:
            "\(scalar.described), which identifies no object; \(name) is abstract, so none can be"
            + " made of it",
          expected: "the identity of an existing object of \(name)")
        return .refused
      }
      let stub = resolver.insertStub(value, of: property)
      outcomes.note(.inserted, stub)
      // A stub that only a skipped object names is removed with the object.
      if !action.isRootElement { parsers.pushAnonymous(stub) }
      return .stub(stub)
    case .ignore:
      diagnostics.noteNotice { unresolved(reference(value, scalar, action)) }
      parsers.notePresence(of: property, at: action.pathIndex, levelsUp: action.levelsUp, in: plan)
      return .ignored
    case .defer:
      let number = writer.deferred.add(reference(value, scalar, action))
      // Links wait only with such references among them, so it is enough to look here.
      guard writer.deferred.byteCount <= options.bufferLimit else {
        throw diagnostics.limitExceeded(
          "more than \(options.bufferLimit) bytes of references wait for the end of the document;"
            + " let the objects that they name come earlier, let references make stubs, or raise"
            + " bufferLimit")
      }
      return .deferred(number)
    case .error:
      try diagnostics.reject(
        .unresolvedReference, action, found: "\(scalar.described), which identifies no object",
        expected: "the identity of an existing object of \(name)")
      return .refused
    }
  }

  private func policy(
    _ property: PropertyPlan, _ action: PropertyAction
  ) -> ReferencePolicy {
    // A skipped object makes no other objects.
    if position.isOnlyMentioning { return .ignore }
    // No relationship waits for the objects of a root: they are made now or never.
    let isNow = property.policies.reference == .defer && action.isRootElement
    let policy = isNow ? .stub : property.policies.reference
    return options.mode == .updateOnly && policy == .stub ? .ignore : policy
  }

  private func reference(
    _ value: RawValue, _ scalar: ScalarEvent, _ action: PropertyAction
  ) -> DeferredReference {
    DeferredReference(
      property: Int(action.property), value: OwnedValue(value),
      location: diagnostics.location, path: diagnostics.path,
      found: scalar.described)
  }

  /// Returns the notice of an identifier that names no object.
  private func unresolved(_ reference: DeferredReference) -> ImportError {
    let destination = schema.entities[plan.properties[reference.property].destination]
    return error(
      reference, expected: "the identity of an existing object of \(destination.name)",
      found: "\(reference.found), which identifies no object")
  }

  private func error(
    _ reference: DeferredReference, expected: String, found: String
  ) -> ImportError {
    let property = plan.properties[reference.property]
    return ImportError(
      kind: .unresolvedReference, location: reference.location, path: reference.path,
      entity: property.entityName, property: property.name.isEmpty ? nil : property.name,
      expected: expected, found: found)
  }

  /// Refuses an identifier of an object that no single value can identify.
  private func rejectUnidentifiable(
    _ scalar: ScalarEvent, _ property: PropertyPlan, _ action: PropertyAction
  ) throws(ImportStop) {
    let entity = schema.entities[property.destination]
    let reason =
      entity.identity.isEmpty
      ? "\(entity.name) has no identity that a value could give"
      : "\(entity.name) has an identity of \(entity.identity.count) attributes, which a single value cannot give"
    try diagnostics.reject(
      .wrongType, action, found: scalar.described,
      message: "expected \(expectation(of: action)), found \(scalar.described); \(reason)")
  }

  /// Describes the value that an action expects: one object for an element, or else the whole property.
  private func expectation(of action: PropertyAction) -> String {
    let property = plan.properties[Int(action.property)]
    switch action.effect {
    case .element, .rootElement: return property.expectationOfOne(in: schema)
    default: return property.expectation
    }
  }
}
