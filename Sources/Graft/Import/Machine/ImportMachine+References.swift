extension ImportMachine {
  /// Resolves an identifier that stands for an object.
  func applyReference(_ action: UnsafePointer<ScalarAction>, _ scalar: Scalar) -> Bool {
    if scalar.kind == .null { return applyNullReference(action) }
    let property = plan.properties[Int(action.pointee.property)]
    guard property.attribute >= 0 else { return rejectReference(scalar, property) }
    guard let value = convert(scalar, action.pointee.conversion, action.pointee.property),
      !value.isNull
    else {
      return reject(
        .wrongType, property, found: found(scalar),
        expected: "\(property.expectation) or its identity, \(property.identityExpectation)")
    }
    guard let object = resolve(value, property) else { return false }
    switch action.pointee.kind {
    case .rootElement: tally.rootObjects[Int(action.pointee.number)] += 1
    case .toOne:
      push(
        .toOne, number: action.pointee.number, rank: action.pointee.rank, bits: object.rawValue,
        up: action.pointee.up)
    default:
      push(
        .element, number: action.pointee.number, rank: action.pointee.rank, bits: object.rawValue,
        up: action.pointee.up)
    }
    return true
  }

  /// A `null` where an object or its identifier belongs.
  private func applyNullReference(_ action: UnsafePointer<ScalarAction>) -> Bool {
    guard action.pointee.kind == .toOne else {
      tally.skippedNulls += 1
      return true
    }
    switch action.pointee.onNull {
    case .keep: return true
    case .clear, .default:
      push(
        .toOne, number: action.pointee.number, rank: action.pointee.rank, bits: 0,
        up: action.pointee.up)
      return true
    case .error:
      return reject(
        .missingValue, plan.properties[Int(action.pointee.property)], found: "null")
    }
  }

  /// The object with an identity, made if there is none.
  private func resolve(_ value: RawValue, _ property: PropertyPlan) -> ObjectID? {
    let entity = schema.entities[property.destination]
    return withUnsafePointer(to: value) { start in
      let identity = UnsafeBufferPointer(start: start, count: 1)
      if let found = transaction.find(identityOf: entity.number, identity) {
        guard entity.number == found.entity || entity.family.contains(found.entity) else {
          _ = rejectStranger(found, property)
          return nil
        }
        marks.note(.unchanged, found)
        return found
      }
      guard !entity.isAbstract || schema.dialect.defaults.instantiatesAbstract else {
        _ = rejectAbstractReference(property)
        return nil
      }
      let stub = transaction.insert(entity: entity.number, identity: identity, stub: true)
      tally.stubs.append(stub)
      marks.note(.inserted, stub)
      return stub
    }
  }
}
