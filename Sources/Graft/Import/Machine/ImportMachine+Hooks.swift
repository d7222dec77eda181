// The program's own say in an import. An entity without hooks never comes here.

extension ImportMachine {
  /// What the hooks say of an object.
  enum Verdict {
    case goesOn
    case passedOver
    case stops
  }

  /// Asks the hooks about the innermost object, and takes over the values that they change.
  func consult(_ hooks: ImportHooks, _ frame: Frame) -> Verdict {
    var candidate = candidate(frame)
    let before = candidate.values
    do {
      for (name, validate) in hooks.validators.sorted(by: { $0.key < $1.key }) {
        guard options.validates, let value = candidate.values[name] else { continue }
        candidate.values[name] = .some(try validate(value))
      }
      if let shouldImport = hooks.shouldImport, try !shouldImport(candidate) { return .passedOver }
      try hooks.willImport?(&candidate)
      if let shouldImportRelationship = hooks.shouldImportRelationship {
        for name in mentionedRelationships(frame)
        where try !shouldImportRelationship(name, candidate) {
          forgetRelationship(name, frame)
        }
      }
    } catch {
      return reject(frame, .invalidValue, message: "the program refused it: \(error)")
        ? .passedOver : .stops
    }
    // In order, so that of several values that cannot be taken the same is named each time.
    for (name, value) in candidate.values.sorted(by: { $0.key < $1.key })
    where before[name] != value {
      guard replace(name, with: value, frame) else { return .stops }
    }
    for name in before.keys where candidate.values[name] == nil { forgetAttribute(name, frame) }
    let isDropped = state.pointee.frames.top.pointee.isDropped
    return isDropped ? .passedOver : .goesOn
  }

  /// Tells the hooks of an object that has been written.
  func report(
    _ object: ObjectID, _ hooks: ImportHooks, _ frame: Frame, _ mark: TouchMarks.Mark
  ) -> Bool {
    guard let didImport = hooks.didImport else { return true }
    let candidate = candidate(frame)
    let outcome: ImportedObject.Outcome =
      switch mark {
      case .inserted: .inserted
      case .updated: .updated
      case .unchanged, .untouched: .unchanged
      }
    do {
      try didImport(
        ImportedObject(
          id: object, entity: schema.entities[object.entity].name, path: candidate.path,
          location: candidate.location, outcome: outcome))
      return true
    } catch {
      // The object has been written, so there is nothing left to pass over.
      let message = "the program refused it: \(error)"
      return leaveOut(self.error(frame, .invalidValue, property: nil, message: message))
    }
  }

  /// What has been read of the innermost object.
  func candidate(_ frame: Frame) -> ImportCandidate {
    let entity = schema.entities[Int(frame.entity)]
    let own = entries(of: frame)
    var values: [String: AttributeValue?] = [:]
    for number in entity.attributes.indices {
      guard let entry = own.last(forAttribute: number), entry.kind != .default else { continue }
      let attribute = entity.attributes[number]
      values[attribute.name] = .some(AttributeValue(rawValue(entry), type: attribute.type))
    }
    let place = error(frame, .invalidValue, property: nil, message: "")
    return ImportCandidate(
      entity: entity.name, path: place.path,
      location: place.location ?? SourceLocation(offset: 0, line: 1, column: 1), values: values)
  }

  /// Takes over a value that a hook has changed.
  private func replace(_ name: String, with value: AttributeValue?, _ frame: Frame) -> Bool {
    let entity = plan.entities[Int(frame.entity)]
    guard let number = entity.schema.attributes.firstIndex(where: { $0.name == name }) else {
      return reject(
        frame, .invalidValue, property: name,
        message:
          "the program gave a value for \"\(name)\", which is no attribute of \(entity.schema.name)"
          + suggestion(for: name, in: entity.schema.attributes.map(\.name)))
    }
    forgetAttribute(name, frame)
    let attribute = entity.schema.attributes[number]
    let isIdentity = entity.schema.identity.contains(number)
    guard let value else {
      push(.null, number: Int32(number), rank: 0, bits: 0, up: 0, isIdentity: isIdentity)
      return true
    }
    let isPushed: Bool? = value.withRawValue(for: attribute.type) { raw in
      let bits = raw.start.map { UInt64(state.pointee.bytes.push($0, raw.count)) } ?? raw.bits
      push(
        raw.start == nil ? .word : .bytes, number: Int32(number), rank: 0, bits: bits,
        count: raw.count, up: 0, isIdentity: isIdentity)
      return true
    }
    guard isPushed == nil else {
      let bit = entity.required.first { $0.attribute == number }?.bit ?? 0
      state.pointee.frames.top.pointee.seen |= bit
      return true
    }
    return reject(
      frame, .wrongType, property: name,
      message: "expected \(attribute.expectation), found \(value) from the program")
  }

  private func forgetAttribute(_ name: String, _ frame: Frame) {
    let entity = schema.entities[Int(frame.entity)]
    guard let number = entity.attributes.firstIndex(where: { $0.name == name }) else { return }
    entries(of: frame).supersede { $0.kind.isAttribute && Int($0.number) == number }
    let bit = plan.entities[Int(frame.entity)].required.first { $0.attribute == number }?.bit ?? 0
    state.pointee.frames.top.pointee.seen &= ~bit
  }

  private func mentionedRelationships(_ frame: Frame) -> [String] {
    let own = entries(of: frame)
    return schema.entities[Int(frame.entity)].relationships.enumerated()
      .filter { own.mentions($0.offset, isAttribute: false) }.map(\.element.name)
  }

  private func forgetRelationship(_ name: String, _ frame: Frame) {
    let relationships = schema.entities[Int(frame.entity)].relationships
    guard let number = relationships.firstIndex(where: { $0.name == name }) else { return }
    entries(of: frame).supersede { !$0.kind.isAttribute && Int($0.number) == number }
  }
}

extension Entries {
  /// Marks entries of this frame as not counting.
  fileprivate func supersede(where isMeant: (Entry) -> Bool) {
    for position in 0..<count where base[position].frame == frame && isMeant(base[position]) {
      base[position].isSuperseded = true
    }
  }
}
