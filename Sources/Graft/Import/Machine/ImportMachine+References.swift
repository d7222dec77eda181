extension ImportMachine {
  /// Resolves an identifier that stands for an object.
  func applyReference(_ action: UnsafePointer<ScalarAction>, _ scalar: ScalarEvent) -> Bool {
    if scalar.kind == .null { return applyNullReference(action) }
    let property = plan.properties[Int(action.pointee.property)]
    guard property.attribute >= 0 else { return rejectNameless(scalar, property, action) }
    guard let value = convert(scalar, action.pointee.conversion, action.pointee.property),
      !value.isNull
    else {
      noteIdentifier(action)
      return reject(
        .wrongType, property, found: found(scalar),
        expected: "\(property.expectation) or its identity, \(property.identityExpectation)",
        up: action.pointee.up)
    }
    let entity = schema.entities[property.destination]
    let found = referent(value, of: entity.number, by: property.lookup)
    if let found {
      guard entity.number == found.entity || entity.family.contains(found.entity) else {
        if property.isIdentity, isForerunner(found, of: entity.number),
          plan.entities[entity.number].isInstantiable
        {
          let stub = withUnsafePointer(to: value) {
            succeed(
              found, entity: entity.number, UnsafeBufferPointer(start: $0, count: 1),
              remainsStub: true)
          }
          return refer(to: stub, action)
        }
        noteIdentifier(action)
        return reject(
          .unresolvedReference, property,
          found: "the identity of an object of \(schema.entities[found.entity].name)",
          up: action.pointee.up)
      }
      marks.note(.unchanged, found)
      return refer(to: found, action)
    }
    return applyUnknown(action, property, value, scalar)
  }

  /// Links an object that an identifier names.
  private func refer(to object: ObjectID, _ action: UnsafePointer<ScalarAction>) -> Bool {
    if action.pointee.kind == .rootElement {
      countRootObject(object, of: Int(action.pointee.number))
      return true
    }
    push(
      action.pointee.kind == .toOne ? .toOne : .element, number: action.pointee.number,
      rank: action.pointee.rank, bits: object.rawValue, count: 1, up: action.pointee.up)
    return true
  }

  /// An identifier that names no object yet.
  private func applyUnknown(
    _ action: UnsafePointer<ScalarAction>, _ property: PropertyPlan, _ value: RawValue,
    _ scalar: ScalarEvent
  ) -> Bool {
    var policy = property.reference
    // An object that is passed over makes no others.
    if state.pointee.mentionDepth != 0 { policy = .ignore }
    if options.mode == .updateOnly, policy == .stub { policy = .ignore }
    // Nothing waits for the objects of a root: without anyone to link them, there is only to make
    // them or not.
    if policy == .defer, action.pointee.kind == .rootElement { policy = .stub }
    switch policy {
    case .stub:
      guard plan.entities[property.destination].isInstantiable else {
        let name = schema.entities[property.destination].name
        noteIdentifier(action)
        return reject(
          .unresolvedReference, property,
          found:
            "\(found(scalar)), which names none; \(name) is abstract, so none can be made of it",
          expected: "the identity of an object of \(name) that is there", up: action.pointee.up)
      }
      let stub = insertStub(value, property)
      tally.stubs.append(stub)
      marks.note(.inserted, stub)
      return refer(to: stub, action)
    case .ignore:
      tally.ignoredReferences += 1
      tally.notices.note(.notice, limit: options.issueLimit) {
        unknown(reference(action, value, scalar))
      }
      noteIdle(property, up: action.pointee.up)
      noteIdentifier(action)
      return true
    case .defer:
      let number = tally.deferReference(reference(action, value, scalar))
      // Links wait only with such references in them, so it is enough to look here.
      guard tally.deferredByteCount <= options.bufferLimit else { return stopDeferring() }
      push(
        .deferred, number: action.pointee.number, rank: action.pointee.rank,
        bits: UInt64(number), up: action.pointee.up)
      return true
    case .error:
      let name = schema.entities[property.destination].name
      noteIdentifier(action)
      return reject(
        .unresolvedReference, property, found: "\(found(scalar)), which names none",
        expected: "the identity of an object of \(name) that is there", up: action.pointee.up)
    }
  }

  /// Notes an identifier in an array that leads nowhere: the array is one of identifiers all the
  /// same.
  private func noteIdentifier(_ action: UnsafePointer<ScalarAction>) {
    guard action.pointee.kind == .element else { return }
    push(
      .element, number: action.pointee.number, rank: action.pointee.rank, bits: 0, count: 1,
      up: action.pointee.up)
  }

  private func insertStub(_ value: RawValue, _ property: PropertyPlan) -> ObjectID {
    withUnsafePointer(to: value) { start in
      let isIdentity = property.isIdentity
      let stub = transaction.insert(
        entity: property.destination,
        identity: UnsafeBufferPointer(start: start, count: isIdentity ? 1 : 0), stub: true)
      if !isIdentity {
        _ = transaction.set(stub, attribute: property.attribute, value)
        noteLookups(of: stub)
      }
      return stub
    }
  }

  /// What is kept of an identifier that names no object yet.
  private func reference(
    _ action: UnsafePointer<ScalarAction>, _ value: RawValue, _ scalar: ScalarEvent
  ) -> DeferredReference {
    DeferredReference(
      property: Int(action.pointee.property), value: OwnedValue(value),
      location: place.tokenLocation, path: place.path(), found: found(scalar))
  }

  /// What to say of an identifier that names no object.
  func unknown(_ reference: DeferredReference) -> ImportError {
    let property = plan.properties[reference.property]
    let name = schema.entities[property.destination].name
    return ImportError(
      kind: .unresolvedReference, location: reference.location, path: reference.path,
      entity: property.entityName, property: property.name.isEmpty ? nil : property.name,
      expected: "the identity of an object of \(name) that is there",
      found: "\(reference.found), which names none")
  }

  /// Stops because more references wait for the end than may.
  private func stopDeferring() -> Bool {
    failure = ImportError(
      kind: .limit, location: place.tokenLocation, path: place.path(),
      message: "more than \(options.bufferLimit) bytes of references wait for the end of the"
        + " document; let the objects that they name come earlier, let references make stubs, or"
        + " raise bufferLimit")
    return false
  }

  /// A `null` where an object or its identifier belongs.
  private func applyNullReference(_ action: UnsafePointer<ScalarAction>) -> Bool {
    guard action.pointee.kind == .toOne else {
      tally.skippedNulls += 1
      return true
    }
    switch action.pointee.onNull {
    case .keep:
      noteIdle(plan.properties[Int(action.pointee.property)], up: action.pointee.up)
      return true
    case .clear, .default:
      push(
        .toOne, number: action.pointee.number, rank: action.pointee.rank, bits: 0,
        up: action.pointee.up)
      return true
    case .error:
      return reject(
        .missingValue, plan.properties[Int(action.pointee.property)], found: "null",
        up: action.pointee.up)
    }
  }

  /// Refuses an identifier for an object that cannot be named by one value.
  private func rejectNameless(
    _ scalar: ScalarEvent, _ property: PropertyPlan, _ action: UnsafePointer<ScalarAction>
  ) -> Bool {
    let entity = schema.entities[property.destination]
    let reason =
      entity.identity.isEmpty
      ? "\(entity.name) has no identity that a value could name"
      : "\(entity.name) has an identity of \(entity.identity.count) attributes, which no one value names"
    return reject(
      .wrongType, property, found: found(scalar),
      message: "expected \(property.expectation), found \(found(scalar)); \(reason)",
      up: action.pointee.up)
  }
}
