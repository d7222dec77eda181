// What cannot be imported goes by the error policy. To stop the import, the error is parked in
// `failure` and the event answers false. To go on, the value or its object is left out, and the
// error kept as an issue. The place is asked of the parser, which knows it at no cost until
// somebody asks.

extension ImportMachine {
  /// Leaves out a value that cannot be imported, or stops.
  ///
  /// - Returns: Whether the import goes on.
  @inline(never)
  func reject(
    _ kind: ImportError.Kind, _ property: PropertyPlan, found: String, expected: String? = nil,
    message: String? = nil, up: Int32
  ) -> Bool {
    let error = ImportError(
      kind: kind, location: place.tokenLocation, path: place.path(), entity: property.entityName,
      property: property.name.isEmpty ? nil : property.name,
      expected: expected ?? property.expectation, found: found, message: message)
    if options.errorPolicy == .skipObject { drop(Int(frameIndex(up: up))) }
    if options.errorPolicy == .skipValue { noteIdle(property, up: up) }
    return leaveOut(error)
  }

  /// Leaves out an object that cannot be imported, or stops.
  ///
  /// - Returns: Whether the import goes on.
  @inline(never)
  func reject(
    _ frame: Frame, _ kind: ImportError.Kind, property: String? = nil, message: String
  ) -> Bool {
    drop(state.pointee.frames.count - 1)
    return leaveOut(error(frame, kind, property: property, message: message))
  }

  /// Keeps an error as an issue, or stops; of an object that is passed over it is none.
  func leaveOut(_ error: ImportError) -> Bool {
    guard options.errorPolicy != .fail else {
      failure = error
      return false
    }
    guard state.pointee.mentionDepth == 0 else { return true }
    tally.issues.note(.issue, limit: options.issueLimit) { error }
    return true
  }

  /// Marks an object as one that is passed over when it ends; the document is none.
  func drop(_ frame: Int) {
    if frame > 0 { (state.pointee.frames.base + frame).pointee.isDropped = true }
  }

  /// An error at the place where an object began.
  func error(
    _ frame: Frame, _ kind: ImportError.Kind, property: String?, message: String
  ) -> ImportError {
    let depth = Int(frame.depth)
    let isContainer = depth > 0
    return ImportError(
      kind: kind,
      location: isContainer ? place.location(ofContainerAt: depth) : place.tokenLocation,
      path: isContainer ? place.path(ofContainerAt: depth) : place.path(),
      entity: schema.entities[Int(frame.entity)].name, property: property, message: message)
  }

  /// A scalar in words.
  func found(_ scalar: ScalarEvent) -> String {
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
